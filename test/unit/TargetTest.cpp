//===- TargetTest.cpp - machine descriptions ------------------------------===//

#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <set>

using namespace gpuopt;

namespace {

/// The known description of sm_90 as text.
std::string printedSM90(mlir::MLIRContext &context) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::cantFail(lookUpTarget(&context, "sm_90"));
  return text;
}

/// Looks up a file with the contents `text`; returns the error, with `FILE` for
/// its path, or "".
std::string errorOf(mlir::MLIRContext &context, llvm::StringRef text) {
  llvm::SmallString<128> path;
  int fd;
  if (llvm::sys::fs::createTemporaryFile("test", "target", fd, path))
    return "no temporary file";
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  llvm::Expected<TargetAttr> target = lookUpTarget(&context, path);
  std::string message;
  if (!target) {
    message = llvm::toString(target.takeError());
    for (size_t at; (at = message.find(path.str())) != std::string::npos;)
      message.replace(at, path.size(), "FILE");
  }
  llvm::sys::fs::remove(path);
  return message;
}

/// `text` with `parameter = …` changed to `value`.
std::string with(std::string text, const std::string &parameter,
                 const std::string &value) {
  size_t begin = text.find(parameter + " = ");
  EXPECT_NE(begin, std::string::npos) << parameter;
  begin += parameter.size() + 3;
  return text.replace(begin, text.find_first_of(",>", begin) - begin, value);
}

TEST(Target, AllKnownDescriptionsParse) {
  mlir::MLIRContext context;
  std::set<std::string> names;
  for (llvm::StringRef name : knownTargetNames()) {
    llvm::Expected<TargetAttr> target = lookUpTarget(&context, name);
    ASSERT_TRUE(static_cast<bool>(target))
        << llvm::toString(target.takeError());
    EXPECT_EQ(target->getTargetName(), name);
    names.insert(name.str());
  }
  for (const char *name :
       {"nvidia-gtx285", "nvidia-gtx480", "amd-hd5870", "sm_70",   "sm_72",
        "sm_75",         "sm_80",         "sm_86",      "sm_87",   "sm_89",
        "sm_90",         "sm_90a",        "sm_100",     "sm_103",  "sm_120",
        "gfx906",        "gfx908",        "gfx90a",     "gfx942",  "gfx950",
        "gfx1030",       "gfx1100",       "gfx1101",    "gfx1200", "gfx1201"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(Target, UnknownName) {
  mlir::MLIRContext context;
  llvm::Expected<TargetAttr> target = lookUpTarget(&context, "sm90");
  ASSERT_FALSE(static_cast<bool>(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "unknown target 'sm90'; did you mean 'sm_90'? (a file's path is "
            "taken too)");
}

TEST(Target, Directory) {
  mlir::MLIRContext context;
  llvm::Expected<TargetAttr> target = lookUpTarget(&context, "/");
  ASSERT_FALSE(static_cast<bool>(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "cannot read '/': it is a directory");
}

TEST(Target, OwnFile) {
  mlir::MLIRContext context;
  std::string text = printedSM90(context);
  EXPECT_EQ(errorOf(context, text), "");
  EXPECT_EQ(errorOf(context, "// mine\n" + text + "// end\n\n"), "");
}

TEST(Target, ErrorsNameThePosition) {
  mlir::MLIRContext context;
  EXPECT_EQ(errorOf(context, ""), "FILE:1:1: expected attribute value");
  EXPECT_EQ(errorOf(context, "42"), "FILE:1:1: expected a machine description, "
                                    "'#gpuopt.target<…>'");
  EXPECT_EQ(errorOf(context, "// mine\n#gpuopt.target<warps = 3>"),
            "FILE:2:24: duplicate or unknown struct parameter name: warps");
  EXPECT_NE(errorOf(context, printedSM90(context) + "x").find("FILE:1:"),
            std::string::npos);
  EXPECT_NE(errorOf(context, std::string("\0\xff\1{", 4)), "");
}

TEST(Target, Verifier) {
  mlir::MLIRContext context;
  std::string sm90 = printedSM90(context);
  const struct {
    std::string parameter, value, message;
  } cases[] = {
      {"target_name", "\"\"", "expected a target to have a name"},
      {"multiprocessors", "0",
       "expected 'multiprocessors' to be positive, found 0"},
      {"f64_gflops", "-1", "expected 'f64_gflops' to be positive, found -1"},
      {"subgroup_size", "48",
       "expected 'subgroup_size' to be a power of two up to 4096, found 48"},
      {"workgroup_memory_banks", "8192",
       "expected 'workgroup_memory_banks' to be a power of two up to 4096, "
       "found 8192"},
      {"workgroup_memory_reserved_bytes", "-4",
       "expected 'workgroup_memory_reserved_bytes' not to be negative, found "
       "-4"},
      {"line_bytes", "16",
       "expected 'line_bytes' (16) to be a multiple of 'sector_bytes' (32)"},
      {"coalesced_threads", "24",
       "expected 'subgroup_size' (32) to be a multiple of 'coalesced_threads' "
       "(24)"},
      {"threads_per_workgroup", "1000",
       "expected 'threads_per_workgroup' (1000) to be a multiple of "
       "'subgroup_size' (32)"},
      {"threads_per_multiprocessor", "2000",
       "expected 'threads_per_multiprocessor' (2000) to be a multiple of "
       "'subgroup_size' (32)"},
      {"workgroup_memory_per_workgroup_bytes", "262144",
       "expected 'workgroup_memory_per_workgroup_bytes' (262144) to be at most "
       "'workgroup_memory_per_multiprocessor_bytes' (233472)"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(errorOf(context, with(sm90, test.parameter, test.value)),
              "FILE:1:15: " + test.message);
}

} // namespace
