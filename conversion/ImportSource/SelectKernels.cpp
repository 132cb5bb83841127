//===- SelectKernels.cpp - the kernels that a user names ------------------===//

#include "conversion/ImportSource/SelectKernels.h"

#include "conversion/ImportSource/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuopt;

mlir::LogicalResult gpuopt::selectKernels(StringRef path,
                                          ArrayRef<std::string> names,
                                          std::vector<KernelInfo> &kernels) {
  for (const std::string &name : names) {
    if (any_of(kernels, [&](const KernelInfo &kernel) {
          return kernel.name == name || kernel.displayName == name ||
                 kernel.symbol == name;
        }))
      continue;
    auto nearest = min_element(kernels, [&](const auto &a, const auto &b) {
      return StringRef(a.name).edit_distance(name) <
             StringRef(b.name).edit_distance(name);
    });
    reportError({path.str(), 0, 0}, "no kernel '" + name +
                                        "' in this file; did you mean '" +
                                        nearest->name + "'?");
    return mlir::failure();
  }
  if (!names.empty())
    erase_if(kernels, [&](const KernelInfo &kernel) {
      return !is_contained(names, kernel.name) &&
             !is_contained(names, kernel.displayName) &&
             !is_contained(names, kernel.symbol);
    });
  return mlir::success();
}
