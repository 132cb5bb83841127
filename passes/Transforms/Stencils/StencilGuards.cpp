//===- StencilGuards.cpp - who needs an element of a tile -----------------===//

#include "passes/Transforms/Stencils/StencilGuards.h"

#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/ExactIds.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

bool StencilCondition::operator==(const StencilCondition &right) const {
  if (comparison.has_value() != right.comparison.has_value())
    return false;
  if (!comparison)
    return other.value == right.other.value &&
           other.negated == right.other.negated;
  return comparison->predicate == right.comparison->predicate &&
         comparison->left == right.comparison->left &&
         comparison->right == right.comparison->right;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {
using Conditions = SmallVector<StencilCondition>;

class GuardFinder {
public:
  GuardFinder(const StagingContext &stagingContext,
              AccessFunctions &accessFunctions, StencilTile &stencilTile)
      : context(stagingContext), functions(accessFunctions), tile(stencilTile) {
  }

  void run();

private:
  Conditions takeApart(ArrayRef<Condition> conditions) const;
  void addDimensions(ValueRange values, StencilCondition &condition) const;
  bool holdsForSmaller(const StencilCondition &condition, unsigned number);
  SmallVector<bool, 3> findMonotone(const StencilLoad &load);
  void extractCommon(MutableArrayRef<Conditions> guards);

  const StagingContext &context;
  AccessFunctions &functions;
  StencilTile &tile;
};
} // namespace

/// Notes the dimensions of the tile whose ids `values` depend on.
void GuardFinder::addDimensions(ValueRange values,
                                StencilCondition &condition) const {
  BlockSlice slice = computeSlice(values);
  for (auto [number, dimension] : llvm::enumerate(tile.dimensions))
    if (slice.threadIds[dimension.id] || slice.blockIds[dimension.id])
      condition.dimensions.push_back(number);
}

Conditions GuardFinder::takeApart(ArrayRef<Condition> conditions) const {
  Conjunction conjunction;
  for (const Condition &condition : conditions)
    gpuopt::takeApart(condition, conjunction);
  Conditions parts;
  for (const Conjunct &conjunct : conjunction.conjuncts) {
    parts.push_back({conjunct});
    addDimensions({conjunct.left, conjunct.right}, parts.back());
  }
  for (const Condition &other : conjunction.others) {
    parts.push_back({{}, other});
    addDimensions(other.value, parts.back());
  }
  return parts;
}

/// Whether `condition`, where it holds for a work item of the launch, holds for
/// each before it along dimension `number`.
bool GuardFinder::holdsForSmaller(const StencilCondition &condition,
                                  unsigned number) {
  if (!condition.comparison || condition.dimensions.size() != 1)
    return false;
  // The one that is asked may be before all others.
  if (!isExactInIds(*condition.comparison))
    return false;
  std::optional<Comparison> comparison =
      functions.resolve(*condition.comparison);
  if (!comparison || !comparison->isOrdering())
    return false;
  unsigned dim = tile.dimensions[number].id;
  unsigned id = VariableTable::threadId(dim);
  const Polynomial &difference = comparison->left;
  return isPosition(difference, functions.variables(), context.block, dim) &&
         difference.getCofactor(id).getConstant().value_or(-1) >= 0;
}

/// For each dimension, whether it is enough to ask the first work item that
/// would need an element. It may be one of another block: conditions around the
/// place of the tile, and the bounds of loops, have to let it get there.
SmallVector<bool, 3> GuardFinder::findMonotone(const StencilLoad &load) {
  SmallVector<bool, 3> isMonotone(tile.dimensions.size(), true);
  for (const StencilCondition &condition : takeApart(conditionsAround(load.op)))
    for (unsigned number : condition.dimensions)
      isMonotone[number] =
          isMonotone[number] && holdsForSmaller(condition, number);
  for (auto loop = load.op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>()) {
    BlockSlice bounds = computeSlice(loop->getOperands());
    for (auto [number, dimension] : llvm::enumerate(tile.dimensions))
      if (!bounds.isComputable() || bounds.blockIds[dimension.id])
        isMonotone[number] = false;
  }
  return isMonotone;
}

/// Moves what all `guards` ask, and no id of the tile changes, to the tile.
void GuardFinder::extractCommon(MutableArrayRef<Conditions> guards) {
  for (const StencilCondition &condition : Conditions(guards.front())) {
    bool isCommon = condition.dimensions.empty() &&
                    llvm::all_of(guards, [&](const Conditions &guard) {
                      return llvm::is_contained(guard, condition);
                    });
    if (!isCommon)
      continue;
    tile.common.push_back(condition);
    for (Conditions &guard : guards)
      llvm::erase(guard, condition);
  }
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Whether `left` and `right` are one box: alike but for dimension `number`, in
/// which the second continues the first.
static bool continues(const StencilBox &left, const StencilBox &right,
                      unsigned number) {
  for (unsigned other = 0; other < left.first.size(); ++other)
    if (other != number && (left.first[other] != right.first[other] ||
                            left.last[other] != right.last[other]))
      return false;
  return left.last[number] + 1 == right.first[number] &&
         left.conditions == right.conditions;
}

/// Makes boxes of neighbouring ones, rows first.
static void mergeBoxes(SmallVectorImpl<StencilBox> &boxes, unsigned rank) {
  auto isCoupled = [](const StencilCondition &condition) {
    return condition.dimensions.size() > 1;
  };
  for (unsigned number = rank; number-- > 0;)
    for (size_t left = 0; left < boxes.size(); ++left) {
      if (llvm::any_of(boxes[left].conditions, isCoupled))
        continue;
      StencilBox *next;
      while ((next = llvm::find_if(boxes, [&](const StencilBox &right) {
                return continues(boxes[left], right, number);
              })) != boxes.end()) {
        boxes[left].last = next->last;
        size_t position = next - boxes.begin();
        boxes.erase(next);
        left -= position < left;
      }
    }
}

void GuardFinder::run() {
  SmallVector<Conditions> guards;
  for (const StencilLoad &load : tile.loads)
    guards.push_back(takeApart(load.conditions));
  extractCommon(guards);
  for (auto [number, load] : llvm::enumerate(tile.loads)) {
    // A load at the same place under fewer conditions says it all.
    bool isCovered = false;
    for (auto [other, otherLoad] : llvm::enumerate(tile.loads)) {
      bool isWeaker =
          load.offsets == otherLoad.offsets && other != number &&
          llvm::all_of(guards[other], [&](const StencilCondition &condition) {
            return llvm::is_contained(guards[number], condition);
          });
      isCovered |= isWeaker && (other < number ||
                                guards[other].size() < guards[number].size());
    }
    if (!isCovered)
      tile.boxes.push_back(
          {load.offsets, load.offsets, guards[number], findMonotone(load)});
  }
  mergeBoxes(tile.boxes, tile.dimensions.size());
}

void gpuopt::computeGuards(const StagingContext &context,
                           AccessFunctions &functions, StencilTile &tile) {
  GuardFinder(context, functions, tile).run();
}
