//===- FirstItem.cpp - one work item checks for several -------------------===//

#include "passes/Transforms/Coalesce/FirstItem.h"

#include "passes/Transforms/Coalesce/StagingPlan.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/ExactIds.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

/// Whether `conjunct`, where it holds, also holds for a smaller thread id in
/// dimension `dim`.
static bool holdsForSmaller(AccessFunctions &functions,
                            const Conjunct &conjunct, unsigned dim) {
  std::optional<Comparison> comparison = functions.resolve(conjunct);
  if (!comparison || !comparison->isOrdering())
    return false;
  unsigned variable = VariableTable::threadId(dim);
  return !isEntangled(comparison->left, variable, functions.variables()) &&
         comparison->left.getCofactor(variable).getConstant().value_or(-1) >= 0;
}

//===----------------------------------------------------------------------===//
// The first item above lower bounds
//===----------------------------------------------------------------------===//

namespace {
/// Finds the first item along one dimension.
class FirstItemFinder {
public:
  FirstItemFinder(AccessFunctions &functions, gpu::GPUFuncOp kernel,
                  unsigned dim, const std::array<bool, 3> &covered)
      : functions(functions), kernel(kernel), dim(dim), covered(covered) {}

  /// The position that `conjuncts` depend on, and nothing else of `dim`, where
  /// one of them compares it with ids that a tile covers.
  Value findMask(ArrayRef<Conjunct> conjuncts);

  /// `isLower` tells the conjuncts that may fail for the block's first thread.
  bool find(ArrayRef<Conjunct> conjuncts,
            llvm::function_ref<bool(const Conjunct &)> isLower,
            FirstItem &item);

private:
  bool isPositionValue(Value value);
  Value findPosition(Value value);
  bool isCovered(const BlockSlice &slice) const;
  bool addLowerBound(const Conjunct &conjunct, FirstItem &item);
  bool dependsOtherwise(Value value, Value position);
  bool isWithinExtent(const Conjunct &conjunct, Value position);
  std::optional<Polynomial> extentOf(AffineExpr expression);

  AccessFunctions &functions;
  gpu::GPUFuncOp kernel;
  unsigned dim;
  const std::array<bool, 3> &covered;
};
} // namespace

/// Whether the thread that loads an element knows the thread ids of `slice`.
bool FirstItemFinder::isCovered(const BlockSlice &slice) const {
  return llvm::all_of(llvm::seq(3), [&](unsigned other) {
    return !slice.threadIds[other] || covered[other];
  });
}

bool FirstItemFinder::isPositionValue(Value value) {
  GeometryAttr geometry = geometryOf(kernel);
  std::optional<Polynomial> form = functions.resolve(value);
  return geometry && form &&
         *form == Polynomial(geometry.getBlock()[dim]) *
                          Polynomial::variable(VariableTable::blockId(dim)) +
                      Polynomial::variable(VariableTable::threadId(dim));
}

/// A position that `value` is computed from.
Value FirstItemFinder::findPosition(Value value) {
  if (isPositionValue(value))
    return value;
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      if (Value position = findPosition(operand))
        return position;
  return {};
}

Value FirstItemFinder::findMask(ArrayRef<Conjunct> conjuncts) {
  Value position;
  for (const Conjunct &conjunct : conjuncts) {
    BlockSlice slice = computeSlice({conjunct.left, conjunct.right});
    bool isMask =
        slice.threadIds[dim] && llvm::any_of(llvm::seq(3), [&](unsigned other) {
          return slice.threadIds[other] && covered[other];
        });
    if (isMask && !position)
      position = findPosition(conjunct.left);
    if (isMask && !position)
      position = findPosition(conjunct.right);
  }
  bool isOnlyWay =
      position && llvm::none_of(conjuncts, [&](const Conjunct &part) {
        return dependsOtherwise(part.left, position) ||
               dependsOtherwise(part.right, position);
      });
  return isOnlyWay ? position : Value();
}

/// Adds the bound of `position >= bound`.
bool FirstItemFinder::addLowerBound(const Conjunct &conjunct, FirstItem &item) {
  using Predicate = arith::CmpIPredicate;
  auto [predicate, left, right, comparison] = conjunct;
  if (predicate == Predicate::slt || predicate == Predicate::sle) {
    std::swap(left, right);
    predicate = predicate == Predicate::slt ? Predicate::sgt : Predicate::sge;
  }
  bool isBound = predicate == Predicate::sgt || predicate == Predicate::sge;
  if (!isBound || !left.getType().isIndex() || !isPositionValue(left) ||
      (item.position && item.position != left))
    return false;
  item.position = left;
  // A bound that depends on the block along the dimension is of no item of
  // another block.
  BlockSlice slice = computeSlice(right);
  if (!slice.isComputable() || slice.blockIds[dim] || !isCovered(slice))
    return false;
  item.fulfilled.push_back(comparison);
  // No position is below 0.
  bool isStrict = predicate == Predicate::sgt;
  std::optional<int64_t> constant = getConstantIntValue(right);
  if (!constant || *constant >= (isStrict ? 0 : 1))
    item.lowerBounds.push_back({right, isStrict});
  return true;
}

/// Whether `value` depends on the thread's id, or the block's, in another way
/// than through `position`.
bool FirstItemFinder::dependsOtherwise(Value value, Value position) {
  if (value == position)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return static_cast<unsigned>(id.getDimension()) == dim;
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return static_cast<unsigned>(id.getDimension()) == dim;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOtherwise(operand, position);
  });
}

/// An extent of the geometry over the variables of access functions.
std::optional<Polynomial> FirstItemFinder::extentOf(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return Polynomial(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return functions.resolve(kernel.getArgument(symbol.getPosition()));
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  bool isSum = binary && binary.getKind() == AffineExprKind::Add;
  if (!isSum && !(binary && binary.getKind() == AffineExprKind::Mul))
    return std::nullopt;
  std::optional<Polynomial> left = extentOf(binary.getLHS());
  std::optional<Polynomial> right = extentOf(binary.getRHS());
  if (!left || !right)
    return std::nullopt;
  return isSum ? *left + *right : *left * *right;
}

/// Whether `conjunct` lets through only positions that the original launch has
/// as well: not beyond the extent that the launch is known to reach.
bool FirstItemFinder::isWithinExtent(const Conjunct &conjunct, Value position) {
  using Predicate = arith::CmpIPredicate;
  ArrayAttr extents = geometryOf(kernel).getExtents();
  auto map = extents ? dyn_cast<AffineMapAttr>(extents[dim]) : AffineMapAttr();
  bool isStrict = conjunct.predicate == Predicate::slt ||
                  conjunct.predicate == Predicate::sgt;
  bool isLess = conjunct.predicate == Predicate::slt ||
                conjunct.predicate == Predicate::sle;
  bool isGreater = conjunct.predicate == Predicate::sgt ||
                   conjunct.predicate == Predicate::sge;
  Value low = isLess ? conjunct.left : conjunct.right;
  Value high = isLess ? conjunct.right : conjunct.left;
  if (!map || (!isLess && !isGreater) || low != position)
    return false;
  std::optional<Polynomial> end = functions.resolve(high);
  std::optional<Polynomial> extent = extentOf(map.getValue().getResult(0));
  if (!end || !extent)
    return false;
  Polynomial room = *extent - *end - Polynomial(isStrict ? 0 : 1);
  return room.getConstant().value_or(-1) >= 0;
}

bool FirstItemFinder::find(ArrayRef<Conjunct> conjuncts,
                           llvm::function_ref<bool(const Conjunct &)> isLower,
                           FirstItem &item) {
  for (const Conjunct &conjunct : conjuncts)
    if (isLower(conjunct) && !addLowerBound(conjunct, item))
      return false;
  // Bounds that are not known may be below 0.
  bool mayBeNegative = llvm::any_of(item.lowerBounds, [](const auto &bound) {
    return !getConstantIntValue(bound.value);
  });
  bool isLaunched = false;
  for (const Conjunct &conjunct : conjuncts) {
    if ((mayBeNegative && !isExactInIds(conjunct)) ||
        dependsOtherwise(conjunct.left, item.position) ||
        dependsOtherwise(conjunct.right, item.position))
      return false;
    isLaunched |= isWithinExtent(conjunct, item.position);
  }
  return isLaunched;
}

std::string gpuopt::whyFirstItemDiffers(AccessFunctions &functions,
                                        ArrayRef<Condition> conditions,
                                        const std::array<bool, 3> &covered,
                                        gpu::GPUFuncOp kernel,
                                        FirstItem *firstItem) {
  static constexpr llvm::StringLiteral reason =
      "its condition may hold for threads that share the datum, but not for "
      "the first of them";
  Conjunction conjunction;
  for (const Condition &condition : conditions)
    takeApart(condition, conjunction);
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (covered[dim])
      continue;
    for (const Condition &other : conjunction.others)
      if (computeSlice(other.value).threadIds[dim])
        return reason.str();
    auto mayFailForFirst = [&](const Conjunct &conjunct) {
      return computeSlice({conjunct.left, conjunct.right}).threadIds[dim] &&
             !holdsForSmaller(functions, conjunct, dim);
    };
    if (llvm::none_of(conjunction.conjuncts, mayFailForFirst))
      continue;
    // The first item may be one of another block, for which such a condition
    // may be another.
    for (const Condition &other : conjunction.others)
      if (computeSlice(other.value).blockIds[dim])
        return reason.str();
    // One dimension's bounds are enough to keep track of.
    if (!firstItem || firstItem->position ||
        !FirstItemFinder(functions, kernel, dim, covered)
             .find(conjunction.conjuncts, mayFailForFirst, *firstItem))
      return reason.str();
  }
  return {};
}

Value gpuopt::findMaskPosition(AccessFunctions &functions,
                               ArrayRef<Condition> conditions,
                               const std::array<bool, 3> &covered,
                               gpu::GPUFuncOp kernel, unsigned dim) {
  Conjunction conjunction;
  for (const Condition &condition : conditions)
    takeApart(condition, conjunction);
  for (const Condition &other : conjunction.others) {
    BlockSlice slice = computeSlice(other.value);
    if (slice.threadIds[dim] || slice.blockIds[dim])
      return {};
  }
  return FirstItemFinder(functions, kernel, dim, covered)
      .findMask(conjunction.conjuncts);
}
