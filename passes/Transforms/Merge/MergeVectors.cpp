//===- MergeVectors.cpp - items of a thread as vectors --------------------===//

#include "passes/Transforms/Merge/MergeVectors.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Transforms/Utils/VectorWidth.h"
#include "passes/Transforms/Vectorize/VectorEvents.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Answers for one kernel and dimension.
class NeighbourFinder {
public:
  NeighbourFinder(gpu::GPUFuncOp kernel, const AccessFunctions &functions,
                  int64_t vectorBytes, unsigned dimension)
      : kernel(kernel), functions(functions), variables(functions.variables()),
        vectorBytes(vectorBytes), dimension(dimension), proofs(kernel) {}

  int64_t find();

private:
  bool moves(const Polynomial &value) const;
  bool hasQuotient(const Polynomial &value) const;
  bool hasOtherItems(const AccessFunction &access) const;
  bool isTileVector(const AccessFunction &access, int64_t items) const;
  llvm::DenseSet<Operation *> findVectors(const AlignmentHypothesis &hypothesis,
                                          int64_t items);

  gpu::GPUFuncOp kernel;
  const AccessFunctions &functions;
  const VariableTable &variables;
  int64_t vectorBytes;
  unsigned dimension;
  SubscriptProofs proofs;
};
} // namespace

/// Whether `value` depends on the position along the dimension.
bool NeighbourFinder::moves(const Polynomial &value) const {
  return variables.dependsOnAny(value, [&](unsigned variable) {
    return variable == VariableTable::threadId(dimension) ||
           variable == VariableTable::blockId(dimension);
  });
}

/// Whether `value` has a quotient by a number that is not known. A guard with
/// one is not tested for all of a thread's items: it has no value where the
/// divisor is zero.
bool NeighbourFinder::hasQuotient(const Polynomial &value) const {
  return variables.dependsOnAny(value, [&](unsigned number) {
    const Variable &variable = variables[number];
    bool isQuotient = variable.kind == Variable::Kind::Derived &&
                      (variable.op == Variable::Operator::FloorDiv ||
                       variable.op == Variable::Operator::TruncDiv);
    return isQuotient && !variable.right.getConstant();
  });
}

/// Whether some neighbours may make the access where others do not, other than
/// beyond an end of the work, which blocks inside do not reach.
bool NeighbourFinder::hasOtherItems(const AccessFunction &access) const {
  return llvm::any_of(access.guards, [&](const Guard &guard) {
    if (!guard.complete)
      return true;
    return llvm::any_of(guard.comparisons, [&](const Comparison &comparison) {
      if (!moves(comparison.left))
        return false;
      std::optional<int64_t> slope =
          comparison.left.getCofactor(VariableTable::threadId(dimension))
              .getConstant();
      bool isEnd = comparison.relation == Comparison::Relation::Less ||
                   comparison.relation == Comparison::Relation::LessEqual;
      return !isEnd || guard.negated || !slope || *slope <= 0 ||
             hasQuotient(comparison.left);
    });
  });
}

/// Of workgroup memory, which is aligned.
bool NeighbourFinder::isTileVector(const AccessFunction &access,
                                   int64_t items) const {
  int64_t bytes = items * access.elementBytes;
  Polynomial thread =
      access.address.getCofactor(VariableTable::threadId(dimension));
  Polynomial rest = access.address.without(VariableTable::threadId(dimension));
  return thread == Polynomial(access.elementBytes) &&
         access.accessBytes == access.elementBytes &&
         llvm::all_of(rest.getTerms(), [&](const auto &term) {
           return term.second % bytes == 0;
         });
}

/// The accesses of which those of all items together are one.
llvm::DenseSet<Operation *>
NeighbourFinder::findVectors(const AlignmentHypothesis &hypothesis,
                             int64_t items) {
  VectorEvents events(functions, proofs, hypothesis);
  llvm::DenseSet<Operation *> vectors;
  kernel.walk([&](Block *block) {
    if (!hasTime(kernel.getContext()))
      return WalkResult::interrupt();
    BlockEvents collected = events.collectItems(*block, dimension, items);
    for (const VectorGroup &group :
         events.plan(collected, vectorBytes).groups) {
      Operation *op = collected.operations[group.lanes.front()];
      bool isOfAll = int64_t(group.lanes.size()) == items &&
                     llvm::all_of(group.lanes, [&](unsigned lane) {
                       return collected.operations[lane] == op;
                     });
      if (isOfAll)
        vectors.insert(op);
    }
    return WalkResult::advance();
  });
  return vectors;
}

int64_t NeighbourFinder::find() {
  constexpr int64_t mostItems = 8;
  SmallVector<const AccessFunction *> moving;
  int64_t elementBytes = 0;
  for (const AccessFunction &access : functions.accesses()) {
    bool isPrivate = access.space != MemorySpace::Global &&
                     access.space != MemorySpace::Workgroup;
    if (!access.collective.empty() || isPrivate)
      continue;
    if (!access.isResolved())
      return 1;
    if (!moves(access.address))
      continue;
    moving.push_back(&access);
    elementBytes = std::max(elementBytes, access.elementBytes);
  }
  if (moving.empty() || elementBytes > vectorBytes)
    return 1;
  int64_t items = std::min(mostItems, vectorBytes / elementBytes);

  AlignmentHypothesis aligned{vectorBytes, {}}, multiples = aligned;
  for (unsigned number = 0; number < variables.size(); ++number)
    if (variables[number].kind == Variable::Kind::Parameter)
      multiples.multiples[number] = vectorBytes;
  llvm::DenseSet<Operation *> always = findVectors(aligned, items);
  llvm::DenseSet<Operation *> mostly = findVectors(multiples, items);
  bool hasLoop = false;
  kernel.walk([&](Operation *op) {
    hasLoop |= isa<LoopLikeOpInterface>(op) && !isCollective(op);
  });
  bool areVectors = llvm::all_of(moving, [&](const AccessFunction *access) {
    if (access->space == MemorySpace::Workgroup)
      return isTileVector(*access, items);
    bool isOnce = hasLoop && access->loops.empty();
    return !hasOtherItems(*access) &&
           (isOnce ? mostly : always).contains(access->op);
  });
  return areVectors ? items : 1;
}

int64_t gpuopt::computeVectorItems(gpu::GPUFuncOp kernel,
                                   const AccessFunctions &functions,
                                   TargetAttr target, unsigned dimension,
                                   int64_t width) {
  if (!gainsFromWideAccesses(target, width))
    return 1;
  return NeighbourFinder(kernel, functions, preferredAccessBytes(target, width),
                         dimension)
      .find();
}
