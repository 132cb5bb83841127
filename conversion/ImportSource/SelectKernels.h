//===- SelectKernels.h - the kernels that a user names ----------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_SELECTKERNELS_H
#define CONVERSION_IMPORTSOURCE_SELECTKERNELS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/Support/LLVM.h"

namespace gpuopt {

/// Keeps the kernels of the file `path` that `names` ask for, all where it is
/// empty. A name that none has is reported.
mlir::LogicalResult selectKernels(llvm::StringRef path,
                                  llvm::ArrayRef<std::string> names,
                                  std::vector<KernelInfo> &kernels);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_SELECTKERNELS_H
