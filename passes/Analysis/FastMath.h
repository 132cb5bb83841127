//===- FastMath.h - what floating-point flags permit ------------*- C++ -*-===//

#ifndef PASSES_ANALYSIS_FASTMATH_H
#define PASSES_ANALYSIS_FASTMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {

/// Whether rounding does not keep `op` in its place: it does not round, or may
/// be reordered. Conversions between types of floats need not have flags.
inline bool mayReorder(mlir::Operation *op) {
  auto interface = mlir::dyn_cast<mlir::arith::ArithFastMathInterface>(op);
  if (!interface)
    return true;
  mlir::arith::FastMathFlagsAttr flags = interface.getFastMathFlagsAttr();
  return flags && mlir::arith::bitEnumContainsAll(
                      flags.getValue(), mlir::arith::FastMathFlags::reassoc);
}

} // namespace gpuopt

#endif // PASSES_ANALYSIS_FASTMATH_H
