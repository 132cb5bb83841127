//===- OriginalForm.h - a kernel as its source computes it ------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_ORIGINALFORM_H
#define CONVERSION_EMITSOURCE_ORIGINALFORM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt::source {

/// A copy of `original` beside it, until this goes, in which indices are
/// computed as the source does it: raising has made versions with exact ones
/// for passes, which a kernel that others fall back to has no use for.
class OriginalForm {
public:
  explicit OriginalForm(mlir::gpu::GPUFuncOp original);
  ~OriginalForm() { copy->erase(); }
  OriginalForm(const OriginalForm &) = delete;
  OriginalForm &operator=(const OriginalForm &) = delete;

  mlir::gpu::GPUFuncOp get() const { return copy; }

private:
  mlir::gpu::GPUFuncOp copy;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_ORIGINALFORM_H
