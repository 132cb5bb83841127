//===- GivenExtents.cpp - arrays as large as --size says ------------------===//

#include "tools/lib/launch/GivenExtents.h"

#include "conversion/ImportSource/Pragma.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;
using llvm::Error;

/// Whether an array may have these extents, of which some are not known.
static bool canHaveExtents(llvm::ArrayRef<std::string> extents,
                           const llvm::StringMap<int64_t> &scalars) {
  int64_t elements = 1;
  for (const std::string &expression : extents) {
    llvm::Expected<int64_t> extent = evaluateExtent(expression, scalars);
    if (!extent) {
      llvm::consumeError(extent.takeError());
      continue;
    }
    if (*extent < 0 ||
        (*extent > 0 && llvm::MulOverflow(elements, *extent, elements)))
      return false;
  }
  return true;
}

Error gpuopt::checkExtents(const KernelInfo &kernel, const NumberMap &sizes) {
  llvm::StringMap<int64_t> scalars = integersOf(sizes);
  for (const KernelParameter &parameter : kernel.parameters) {
    auto given = sizes.find(parameter.name);
    if (parameter.isPointer && given != sizes.end() &&
        (!fitsInteger(given->second, /*isSigned=*/true, 64) ||
         toDouble(given->second) < 0))
      return llvm::createStringError("array '" + parameter.name +
                                     "' of kernel '" + kernel.displayName +
                                     "' cannot have that number of elements");
    if (!kernel.pragma)
      continue;
    auto extents = kernel.pragma->arrays.find(parameter.name);
    if (extents != kernel.pragma->arrays.end() &&
        !canHaveExtents(extents->second, scalars))
      return llvm::createStringError("array '" + parameter.name +
                                     "' has a negative extent, or more "
                                     "elements than can be counted");
  }
  return Error::success();
}
