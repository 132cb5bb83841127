//===- AffineParts.h - what an affine expression is made of -----*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_AFFINEPARTS_H
#define DIALECTS_GPUOPT_AFFINEPARTS_H

#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// Whether `isWanted` holds for `expr` or for a part of it.
inline bool hasPart(mlir::AffineExpr expr,
                    llvm::function_ref<bool(mlir::AffineExpr)> isWanted) {
  return expr
      .walk([&](mlir::AffineExpr part) {
        return isWanted(part) ? mlir::WalkResult::interrupt()
                              : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `expr` is a quotient, rounded down or up.
inline bool isQuotient(mlir::AffineExpr expr) {
  return expr.getKind() == mlir::AffineExprKind::FloorDiv ||
         expr.getKind() == mlir::AffineExprKind::CeilDiv;
}

inline bool isRemainder(mlir::AffineExpr expr) {
  return expr.getKind() == mlir::AffineExprKind::Mod;
}

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_AFFINEPARTS_H
