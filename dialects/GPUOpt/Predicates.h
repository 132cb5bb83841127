//===- Predicates.h - relations between integers ----------------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_PREDICATES_H
#define DIALECTS_GPUOPT_PREDICATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {

/// Whether the predicate orders integers without sign.
inline bool isUnsigned(mlir::arith::CmpIPredicate predicate) {
  return predicate >= mlir::arith::CmpIPredicate::ult;
}

/// The signed predicate that orders integers as this one does.
inline mlir::arith::CmpIPredicate
toSigned(mlir::arith::CmpIPredicate predicate) {
  switch (predicate) {
  case mlir::arith::CmpIPredicate::ult:
    return mlir::arith::CmpIPredicate::slt;
  case mlir::arith::CmpIPredicate::ule:
    return mlir::arith::CmpIPredicate::sle;
  case mlir::arith::CmpIPredicate::ugt:
    return mlir::arith::CmpIPredicate::sgt;
  case mlir::arith::CmpIPredicate::uge:
    return mlir::arith::CmpIPredicate::sge;
  default:
    return predicate;
  }
}

/// The predicate that holds for (right, left) where this one does for (left,
/// right).
inline mlir::arith::CmpIPredicate
swapSides(mlir::arith::CmpIPredicate predicate) {
  using Predicate = mlir::arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  }
  llvm_unreachable("unknown predicate");
}

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_PREDICATES_H
