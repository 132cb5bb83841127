//===- MathFunctions.h - functions that libraries compute -------*- C++ -*-===//
//
// Each library, and each back end, has `expf` and its like to a few units in
// the last place, and no two need agree.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_MATHFUNCTIONS_H
#define RUNTIME_MATHFUNCTIONS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"

namespace gpuopt {

/// Whether `function` is one of these, an intrinsic or a declaration. What
/// rounds to whole numbers, takes signs, or computes a root or a fused product
/// is exact, and none.
inline bool isMathFunction(const llvm::Function &function) {
  using namespace llvm;
  if (!function.isDeclaration() ||
      !function.getReturnType()->isFPOrFPVectorTy())
    return false;
  if (function.isIntrinsic())
    return is_contained({Intrinsic::exp, Intrinsic::exp2, Intrinsic::exp10,
                         Intrinsic::log, Intrinsic::log2, Intrinsic::log10,
                         Intrinsic::sin, Intrinsic::cos, Intrinsic::tan,
                         Intrinsic::sinh, Intrinsic::cosh, Intrinsic::tanh,
                         Intrinsic::asin, Intrinsic::acos, Intrinsic::atan,
                         Intrinsic::atan2, Intrinsic::pow},
                        function.getIntrinsicID());
  StringRef name = function.getName();
  if (name.starts_with("__gpuopt_") || name.starts_with("gpuopt"))
    return false;
  name.consume_back("f");
  return !is_contained({"ceil", "copysign", "fabs", "fdim", "floor", "fma",
                        "fmax", "fmin", "fmod", "frexp", "ldexp", "modf",
                        "nearbyint", "nextafter", "remainder", "rint", "round",
                        "sqrt", "trunc"},
                       name);
}

} // namespace gpuopt

#endif // RUNTIME_MATHFUNCTIONS_H
