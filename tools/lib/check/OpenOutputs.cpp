//===- OpenOutputs.cpp - what the original kernel leaves open -------------===//
//
// Where results of the original kernel depend on what it does wrong, those of
// the tuned one may be others. All else is compared still.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/check/Check.h"

#include <algorithm>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

void gpuopt::addDifferences(llvm::ArrayRef<uint8_t> left,
                            llvm::ArrayRef<uint8_t> right, ByteFlags &open) {
  size_t size = std::min(left.size(), right.size());
  open.resize(std::max(open.size(), size));
  for (size_t at = 0; at < size; ++at)
    open[at] |= left[at] != right[at];
}

/// Writes `original` over the scalars of `tuned` that have an open byte.
static void settle(llvm::ArrayRef<uint8_t> original, size_t scalarBytes,
                   const ByteFlags &open,
                   llvm::MutableArrayRef<uint8_t> tuned) {
  size_t size = std::min({original.size(), tuned.size(), open.size()});
  for (size_t begin = 0; begin < size; begin += scalarBytes) {
    size_t end = std::min(begin + scalarBytes, size);
    if (std::find(&open[begin], &open[end - 1] + 1, 1) != &open[end - 1] + 1)
      std::copy(&original[begin], &original[end - 1] + 1, &tuned[begin]);
  }
}

/// Whether all agrees that is not `open`, which is taken for right.
Expected<bool> KernelChecker::compareBesides(OpenBytes &open, const Runs &runs,
                                             KernelCheck &check) {
  Problem tuned = runs.tuned;
  for (size_t i = 0; i < tuned.arrays().size(); ++i) {
    ProblemArray &array = tuned.arrays()[i];
    settle(runs.original.arrays()[i].bytes, std::max(1u, array.element.bytes),
           open.arrays[i], array.bytes);
  }
  CPUExecutor &executor = **executors->get(runs.which);
  Variables original =
      saveVariables(**executors->get(CheckExecutors::Original));
  Variables found = saveVariables(executor), settled = found;
  for (auto &[symbol, bytes] : settled)
    settle(original[symbol], std::max(1u, executors->elementOf(symbol).bytes),
           open.variables[symbol], bytes);
  restoreVariables(executor, settled);
  KernelCheck rest;
  rest.originalLaunch = check.originalLaunch;
  Error error =
      compareOutputs({runs.which, runs.before, runs.original, tuned}, rest);
  restoreVariables(executor, found);
  if (error)
    return std::move(error);
  llvm::append_range(check.originalFaults, rest.originalFaults);
  return rest.hasEqualOutputs();
}
