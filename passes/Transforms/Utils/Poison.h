//===- Poison.h - arithmetic that runs where it did not ---------*- C++ -*-===//
//
// A value whose computation breaks a promise (`nsw`, `exact`, `nnan`, …) is
// poison: nobody may branch on it. Under a guard the promise may hold for the
// guard's sake; where the arithmetic leaves the guard, it may not:
//
//   scf.if %g {                             %s = arith.addi %x, %y
//     %s = arith.addi %x, %y overflow<nsw>  %c = arith.cmpi slt, %s, %n
//     %c = arith.cmpi slt, %s, %n       →   %b = arith.andi %g, %c
//     scf.if %c { … }                       scf.if %b { … }
//   }
//
// A value that is used under the guard only may keep its promises.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_POISON_H
#define PASSES_TRANSFORMS_UTILS_POISON_H

#include "passes/Analysis/Poison.h"

#include "mlir/IR/Builders.h"

namespace gpuopt {

/// Takes back what `op` promises about its operands and result.
void dropPoisonFlags(mlir::Operation *op);

/// The same for all arithmetic that `values` are computed from.
void dropPoisonFlagsBehind(mlir::ValueRange values);

/// `left && right`, where `right` may be poison if `left` does not hold.
mlir::Value createConjunction(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value left, mlir::Value right);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_POISON_H
