//===- SecondLaunch.cpp - the launch of a second file's kernel ------------===//

#include "tools/lib/check/SecondLaunch.h"

#include "dialects/GPUOpt/ExtentExpression.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error describe(StringRef option, StringRef text, Error error) {
  return llvm::createStringError("--" + option + " " + text + ": " +
                                 llvm::toString(std::move(error)));
}

static Error evaluateDims(StringRef option, StringRef text,
                          const llvm::StringMap<int64_t> &sizes, Dim3 &dims) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > dims.size())
    return llvm::createStringError("--" + option +
                                   " takes up to three "
                                   "expressions X,Y,Z, found '" +
                                   text + "'");
  dims = {1, 1, 1};
  for (auto [dim, part] : llvm::zip(dims, parts)) {
    Expected<int64_t> value = evaluateExtent(part.trim(), sizes);
    if (!value)
      return describe(option, text, value.takeError());
    if (*value < 1)
      return llvm::createStringError("--" + option + " " + text + " is " +
                                     llvm::Twine(*value) +
                                     " for these sizes: no launch");
    dim = *value;
  }
  return Error::success();
}

Expected<LaunchConfig>
SecondLaunch::evaluate(const LaunchConfig &first, const NumberMap &sizes,
                       const std::optional<Dim3> &requiredBlock) const {
  LaunchConfig launch = first;
  llvm::StringMap<int64_t> integers = integersOf(sizes);
  if (requiredBlock)
    launch.block = *requiredBlock;
  if (!grid.empty())
    if (Error error = evaluateDims("second-grid", grid, integers, launch.grid))
      return error;
  if (!block.empty())
    if (Error error =
            evaluateDims("second-block", block, integers, launch.block))
      return error;
  if (!sharedBytes.empty()) {
    Expected<int64_t> bytes = evaluateExtent(sharedBytes, integers);
    if (!bytes)
      return describe("second-shared-bytes", sharedBytes, bytes.takeError());
    if (*bytes < 0)
      return llvm::createStringError("--second-shared-bytes " + sharedBytes +
                                     " is negative for these sizes");
    launch.dynamicSharedBytes = *bytes;
  }
  return launch;
}
