//===- VendorArithmetic.h - arithmetic that only a vendor has ---*- C++ -*-===//
//
// Inline assembly and intrinsics of a vendor may do anything: read the lane's
// number, vote, wait. Most of what there is in real code are conversions,
// roundings and approximations, which are arithmetic like any other:
//
//   asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a), "f"(b));
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_VENDORARITHMETIC_H
#define PASSES_ANALYSIS_VENDORARITHMETIC_H

#include "mlir/IR/Operation.h"

namespace gpuopt {

/// Whether `op`, inline PTX or an intrinsic of NVIDIA's, is known to compute
/// its results from its operands and from nothing else.
bool isVendorArithmetic(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_VENDORARITHMETIC_H
