//===- ArrayNames.h - what arrays are called in source ----------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_ARRAYNAMES_H
#define CONVERSION_EMITSOURCE_ARRAYNAMES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>
#include <vector>

namespace gpuopt {

/// The names that `emitSource` gives the workgroup arrays of `function`, in
/// their order; empty for one that has none, or is part of another there.
std::vector<std::string> workgroupArrayNames(mlir::gpu::GPUFuncOp function);

} // namespace gpuopt

#endif // CONVERSION_EMITSOURCE_ARRAYNAMES_H
