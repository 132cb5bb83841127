//===- CarriedValues.h - what lanes put together after a loop ---*- C++ -*-===//
//
// Lanes that share out the iterations of a loop each have a value of their own
// of what the loop carries. What the loop would have carried follows from them
// where it is one of these:
//
//   combined   s = s + x, s = max(s, x): by one operation that is associative
//              and commutative (BlockOrder/Reductions.h)
//   leader     c = x > s; s = c ? x : s: the first of the largest x, or with >=
//              the last one
//   follower   t = c ? y : t, c a leader's comparison: what comes with it, such
//              as its position
//   kept       s = s
//
// A leader never is NaN, unless it begins as it, and stays then: comparisons
// that NaN makes true have no leader.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_REDUCE_CARRIEDVALUES_H
#define PASSES_TRANSFORMS_REDUCE_CARRIEDVALUES_H

#include "passes/Analysis/Remarks.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <variant>

namespace gpuopt {

/// Which of two values leads: the larger or the smaller one, and of equal ones
/// the last or the first.
struct LeaderOrder {
  bool isLargest = true;
  bool isLast = false;
  /// Integers are read as unsigned.
  bool isUnsigned = false;
};

/// One value that a loop carries.
struct CarriedValue {
  enum class Kind { Combined, Leader, Follower, Kept };

  Kind kind = Kind::Kept;
  /// Combined: the operations that combine it, all alike.
  llvm::SmallVector<mlir::Operation *, 2> combiners;
  /// Leader and follower: the comparison of a new value with the leader.
  mlir::Operation *comparison = nullptr;
  /// Leader: a new value takes its place where the comparison says so.
  bool winsIf = true;
  LeaderOrder order = {};
};

/// The values that a loop carries, in order.
using CarriedValues = llvm::SmallVector<CarriedValue, 2>;

/// Whether lanes can exchange values of `type`.
bool isExchangeable(mlir::Type type);

/// How the values that `loop` carries follow from those of lanes, or why they
/// do not.
std::variant<CarriedValues, Refusal>
classifyCarriedValues(mlir::LoopLikeOpInterface loop);

/// Whether lanes may begin with the value that the loop begins with, as it does
/// not matter how often it is combined in: minima, maxima, and, or, and
/// leaders.
bool isIdempotent(const CarriedValue &value);

/// Whether the order of lanes may change how a sum is rounded.
bool isRoundedByOrder(const CarriedValue &value);

/// Whether two lanes that combine the same two values may get numbers that
/// differ: 0 and -0.
bool mayDifferBetweenLanes(const CarriedValue &value);

/// The value that leaves others as they are, of a combined one that is not
/// idempotent.
mlir::Value createIdentity(mlir::OpBuilder &builder, mlir::Location loc,
                           const CarriedValue &value, mlir::Type type);

/// `left` and `right` combined as `value` is.
mlir::Value createCombination(mlir::OpBuilder &builder, mlir::Location loc,
                              const CarriedValue &value, mlir::Value left,
                              mlir::Value right);

/// Whether `challenger`, of a later lane or an earlier one, is to lead instead
/// of `holder`: whether it is better, or as good and in the position that
/// counts.
mlir::Value createChallenge(mlir::OpBuilder &builder, mlir::Location loc,
                            const CarriedValue &leader, mlir::Value holder,
                            mlir::Value holderPosition, mlir::Value challenger,
                            mlir::Value challengerPosition);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_REDUCE_CARRIEDVALUES_H
