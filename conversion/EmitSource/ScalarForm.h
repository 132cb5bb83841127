//===- ScalarForm.h - arithmetic on lanes, one by one -----------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_SCALARFORM_H
#define CONVERSION_EMITSOURCE_SCALARFORM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt::source {

/// `kernel`, or for as long as this lives a copy beside it where it computes on
/// vectors: CUDA and HIP have no operators for those, so that the copy has
/// their lanes computed one by one. Vectors are loaded and stored as before.
class ScalarForm {
public:
  explicit ScalarForm(mlir::gpu::GPUFuncOp kernel);
  ~ScalarForm();
  ScalarForm(const ScalarForm &) = delete;
  ScalarForm &operator=(const ScalarForm &) = delete;

  mlir::gpu::GPUFuncOp get() const { return copy ? copy : kernel; }

private:
  mlir::gpu::GPUFuncOp kernel, copy;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_SCALARFORM_H
