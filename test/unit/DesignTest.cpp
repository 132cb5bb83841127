//===- DesignTest.cpp - designs as text -----------------------------------===//

#include "passes/Pipelines/Design.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Design> design = Design::parse(text);
  return design ? "" : llvm::toString(design.takeError());
}

TEST(Design, RoundTrip) {
  llvm::StringRef text = "fastest=y block=16,16 blocks=1,1 threads=8,4 "
                         "contiguous=4,1 stages=3 width=16 group=8 resident=2";
  Design design = llvm::cantFail(Design::parse(text));
  EXPECT_EQ(design.threads, (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(design.stages, 3);
  EXPECT_EQ(design.group, 8);
  EXPECT_EQ(design.resident, 2);
  EXPECT_EQ(design.fastest, "y");
  EXPECT_EQ(design.toString(), text);
  EXPECT_EQ(llvm::cantFail(Design::parse("")), Design());
  EXPECT_EQ(Design().toString(), "");
}

TEST(Design, Errors) {
  EXPECT_EQ(errorOf("thread=8"),
            "unknown choice 'thread' of a design; expected fastest, block, "
            "blocks, threads, contiguous, stages, width, group, resident, "
            "share or turns");
  EXPECT_EQ(errorOf("fastest=xy"), "'fastest' takes x, y or z, found 'xy'");
  EXPECT_EQ(errorOf("threads=8,4,2,1"),
            "'threads' takes up to three positive numbers X,Y,Z, found "
            "'8,4,2,1'");
  EXPECT_EQ(errorOf("threads=8,0"),
            "'threads' takes up to three positive numbers X,Y,Z, found '8,0'");
  EXPECT_EQ(errorOf("stages=2,3"),
            "'stages' takes a positive number, found '2,3'");
  EXPECT_EQ(errorOf("width"), "'width' takes a positive number, found ''");
}

} // namespace
