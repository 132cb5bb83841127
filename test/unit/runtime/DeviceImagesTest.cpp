//===- DeviceImagesTest.cpp - device code inside an object file -----------===//

#include "runtime/DeviceImages.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

std::string message(llvm::Expected<std::vector<DeviceImageRef>> images) {
  return images ? "" : llvm::toString(images.takeError());
}

TEST(DeviceImages, AreReadAsTheyWereWritten) {
  std::string section = writeImages({{ImageRole::Rules, "sm_80", "[]"},
                                     {ImageRole::Tuned, "sm_80", "BC\xc0"},
                                     {ImageRole::Assembly, "sm_90", ""}});
  // As a program reads them, without knowing the section's size.
  auto images = readImages(section.data(), nullptr);
  ASSERT_TRUE(bool(images)) << llvm::toString(images.takeError());
  ASSERT_EQ(images->size(), 3u);
  EXPECT_EQ((*images)[0].role, ImageRole::Rules);
  EXPECT_EQ((*images)[0].bytes, "[]");
  EXPECT_EQ((*images)[1].arch, "sm_80");
  EXPECT_EQ((*images)[1].bytes, "BC\xc0");
  EXPECT_EQ((*images)[2].arch, "sm_90");
  EXPECT_TRUE((*images)[2].bytes.empty());
}

TEST(DeviceImages, OfSeveralObjectsFollowEachOther) {
  std::string first = writeImages({{ImageRole::Rules, "sm_80", "[]"}});
  std::string linked = first + std::string(64, '\0') + first;
  auto images = readImages(linked.data(), linked.data() + linked.size());
  ASSERT_TRUE(bool(images)) << llvm::toString(images.takeError());
  EXPECT_EQ(images->size(), 2u);
}

TEST(DeviceImages, NoneAreRight) {
  std::string section = writeImages({});
  auto images = readImages(section.data(), nullptr);
  ASSERT_TRUE(bool(images)) << llvm::toString(images.takeError());
  EXPECT_TRUE(images->empty());
}

TEST(DeviceImages, ThatAreCutOffOrForeignAreErrors) {
  std::string section = writeImages({{ImageRole::Rules, "sm_80", "[]"}});
  auto upTo = [&](size_t bytes) {
    return message(readImages(section.data(), section.data() + bytes));
  };
  EXPECT_EQ(upTo(4), "damaged device code: it is cut off");
  EXPECT_EQ(upTo(16), "damaged device code: a header is cut off");
  EXPECT_EQ(upTo(64), "damaged device code: an image is cut off");
  section[0] = 'x';
  EXPECT_EQ(upTo(section.size()),
            "damaged device code: no image begins where one should");
}

} // namespace
