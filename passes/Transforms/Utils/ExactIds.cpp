//===- ExactIds.cpp - arithmetic on ids below zero, too -------------------===//

#include "passes/Transforms/Utils/ExactIds.h"

#include "dialects/GPUOpt/AffineParts.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Transforms/Utils/BlockSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

static bool hasDivision(AffineMap map) {
  return llvm::any_of(map.getResults(), [](AffineExpr result) {
    return hasPart(result, isQuotient) || hasPart(result, isRemainder);
  });
}

static bool dependsOnIds(Value value) {
  BlockSlice slice = computeSlice(value);
  auto isTrue = [](bool flag) { return flag; };
  return llvm::any_of(slice.threadIds, isTrue) ||
         llvm::any_of(slice.blockIds, isTrue);
}

/// Whether `value` is computed from ids as a sum of products in 64 bits.
static bool isExact(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<gpu::ThreadIdOp, gpu::BlockIdOp>(op) || !dependsOnIds(value))
    return true;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    if (hasDivision(apply.getAffineMap()))
      return false;
  } else if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                  arith::IndexCastOp>(op)) {
    return false;
  }
  return (value.getType().isIndex() || value.getType().isInteger(64)) &&
         llvm::all_of(op->getOperands(), isExact);
}

bool gpuopt::isExactInIds(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    if (hasDivision(load.getAffineMap()))
      return false;
  return llvm::all_of(op->getOperands(), isExact);
}

bool gpuopt::isExactInIds(const Conjunct &comparison) {
  if (!dependsOnIds(comparison.left) && !dependsOnIds(comparison.right))
    return true;
  return !isUnsigned(comparison.predicate) && isExact(comparison.left) &&
         isExact(comparison.right);
}
