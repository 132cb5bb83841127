//===- Predicates.h - relations between integers ----------------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_PREDICATES_H
#define DIALECTS_GPUOPT_PREDICATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {

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

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_PREDICATES_H
