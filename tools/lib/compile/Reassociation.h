//===- Reassociation.h - leave to reorder sums ------------------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_REASSOCIATION_H
#define TOOLS_LIB_COMPILE_REASSOCIATION_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/IR/BuiltinOps.h"

namespace gpuopt {

/// Marks every floating-point operation as one that may be reassociated.
void allowReassociation(mlir::ModuleOp module);

/// Marks those that stand in one of `spans`, or in a function that is called
/// there and has been inlined.
void allowReassociation(mlir::ModuleOp module,
                        llvm::ArrayRef<SourceSpan> spans);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_REASSOCIATION_H
