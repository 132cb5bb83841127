//===- LoweringDialects.h - what lowering asks of a context -----*- C++ -*-===//

#ifndef CONVERSION_GPUTOLLVM_LOWERINGDIALECTS_H
#define CONVERSION_GPUTOLLVM_LOWERINGDIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace gpuopt {

/// Registers the dialects of a kernel on its way down, with the interfaces
/// that convert them to the LLVM dialect and translate that to LLVM IR.
void registerLoweringDialects(mlir::DialectRegistry &registry);

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_LOWERINGDIALECTS_H
