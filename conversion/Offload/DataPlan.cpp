//===- DataPlan.cpp - what a section needs of the host's memory -----------===//

#include "conversion/Offload/DataPlan.h"

#include "conversion/Offload/LaterUses.h"
#include "conversion/Offload/Sections.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

bool DataPlan::sharesArrays(const SymbolTable &symbols) const {
  // Where ends are chosen at run time, loops touch different sections.
  if (symbols.usesLesser() || symbols.usesGreater())
    return false;
  llvm::DenseSet<size_t> known;
  for (const LoopPlan &loop : loops) {
    if (!known.empty() && llvm::none_of(loop.arrays, [&](size_t array) {
          return known.contains(array);
        }))
      return false;
    known.insert(loop.arrays.begin(), loop.arrays.end());
  }
  return true;
}

namespace {
class DataPlanner {
public:
  DataPlanner(const Region &region, Effects &effects, const ASTContext &context,
              bool trustsConditions)
      : region(region), effects(effects), context(context),
        finder(effects, plan.conditions, context, trustsConditions) {
    plan.loops.resize(region.loops.size());
  }
  DataPlan run();

private:
  void countIterations();
  void addArrays();
  void addArray(const VarDecl *base, const Accesses &accesses);
  void addScalars(const ParallelLoop &loop, const Scalars &scalars,
                  LoopPlan &needs);
  void addValue(const VarDecl *variable, const ScalarUse &use, LoopPlan &needs);
  DataItem sharedItem(const VarDecl *variable, Direction direction) const;
  Direction directionOf(const Accesses &accesses, const DataItem &item);
  void fail(SourceLocation location, const Twine &message);

  const Region &region;
  Effects &effects;
  const ASTContext &context;
  DataPlan plan;
  SectionFinder finder;
};
} // namespace

void DataPlanner::fail(SourceLocation location, const llvm::Twine &message) {
  if (!plan.problem)
    plan.problem = {location, message.str(), /*isForAuthor=*/false};
}

/// The region begins only where its first parallel loop has iterations.
void DataPlanner::countIterations() {
  plan.iterations = 1;
  unsigned left = region.loops.front().collapsed;
  bool isFirst = true;
  for (const LoopRange &range : effects.loops) {
    if (!range.isParallel || range.of || left == 0)
      continue;
    plan.iterations = plan.iterations * range.iterations();
    bool isKnown =
        llvm::none_of(range.distance.symbols(), [&](SymbolID symbol) {
          return effects.symbols.isLoop(symbol);
        });
    if (range.distance.constant().value_or(0) < 0)
      fail(region.loops.front().loop->getForLoc(), "has no iterations");
    // A product may be positive without its factors being so.
    if (isKnown && region.loops.front().collapsed > 1)
      plan.conditions.require(range.distance);
    else if (isFirst && isKnown)
      plan.conditions.assume(range.distance);
    isFirst = false;
    --left;
  }
  plan.work = effects.work;
  // Of loops whose iterations differ from each other, the most.
  Bounds bounds(effects, plan.conditions);
  std::vector<size_t> all(effects.loops.size());
  std::iota(all.begin(), all.end(), 0);
  for (Polynomial *cost :
       {&plan.iterations, &plan.work.operations, &plan.work.memoryOperations}) {
    Conditions before = plan.conditions;
    auto range = bounds.rangeOf(*cost, all, /*areReached=*/false);
    plan.conditions = std::move(before);
    *cost = range ? range->most : Polynomial(1);
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Direction DataPlanner::directionOf(const Accesses &accesses,
                                   const DataItem &item) {
  bool isWritten = false, isRead = false;
  size_t firstReader = region.loops.size();
  for (const Access *access : accesses) {
    (access->isWrite ? isWritten : isRead) = true;
    if (!access->isWrite)
      firstReader = std::min(firstReader, access->maker);
  }
  if (!isWritten)
    return Direction::In;
  // What is written in front of all that reads need not be there before.
  bool isCovered = llvm::any_of(accesses, [&](const Access *access) {
    return access->isWrite && access->maker < firstReader &&
           finder.covers(*access, item);
  });
  bool comesBack =
      !isUnusedBehind(*item.variable, region, isRead && !isCovered, context);
  // Nobody sees what it was before either.
  if (!comesBack && (!isRead || isCovered))
    return Direction::Neither;
  if (isCovered)
    return Direction::Out;
  return comesBack ? Direction::InOut : Direction::In;
}

void DataPlanner::addArray(const VarDecl *base, const Accesses &accesses) {
  DataItem item;
  item.variable = base;
  auto write =
      llvm::find_if(accesses, [](const Access *each) { return each->isWrite; });
  if (base->getType()->isRecordType() && write != accesses.end())
    return fail((*write)->expression->getExprLoc(),
                "writes '" + base->getNameAsString() +
                    "', which all iterations share");
  for (const ParallelLoop &loop : region.loops)
    if (llvm::is_contained(loop.firstPrivates, base))
      return fail(accesses.front()->expression->getExprLoc(),
                  "a clause gives each iteration its own '" +
                      base->getNameAsString() + "'");
  if (std::optional<Problem> problem = finder.find(accesses, item)) {
    plan.problem = plan.problem ? plan.problem : problem;
    return;
  }
  item.direction = directionOf(accesses, item);
  for (auto [number, loop] : llvm::enumerate(plan.loops))
    if (llvm::any_of(accesses, [&](const Access *access) {
          return access->maker == number;
        }))
      loop.arrays.push_back(plan.arrays.size());
  plan.arrays.push_back(std::move(item));
}

void DataPlanner::addArrays() {
  llvm::MapVector<const VarDecl *, Accesses> byBase;
  for (const Access &access : effects.accesses)
    byBase[access.base].push_back(&access);
  for (const auto &[base, accesses] : byBase)
    addArray(base, accesses);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

DataItem DataPlanner::sharedItem(const VarDecl *variable,
                                 Direction direction) const {
  DataItem item;
  item.variable = variable;
  item.direction = direction;
  item.count = 1;
  item.elementBytes =
      context.getTypeSizeInChars(variable->getType()).getQuantity();
  return item;
}

/// Adds a scalar that a loop reads alone.
void DataPlanner::addValue(const VarDecl *variable, const ScalarUse &use,
                           LoopPlan &needs) {
  bool isBase = llvm::any_of(plan.arrays, [&](const DataItem &item) {
    return item.variable == variable;
  });
  if (isBase)
    return;
  if (variable->getType()->isPointerType())
    return fail(use.first->getExprLoc(),
                "uses the address in '" + variable->getName() +
                    "', which is another one on the device");
  needs.values.push_back(variable);
}

void DataPlanner::addScalars(const ParallelLoop &loop, const Scalars &scalars,
                             LoopPlan &needs) {
  for (const auto &[variable, use] : scalars) {
    if (use.isWritten)
      needs.scalars.push_back(sharedItem(variable, Direction::InOut));
    else
      addValue(variable, use, needs);
  }
  for (const VarDecl *variable : loop.reduced)
    needs.scalars.push_back(sharedItem(variable, Direction::InOut));
  // Without iterations it keeps its value; the first loop has some.
  bool hasIterations = &loop == &region.loops.front() &&
                       region.parents.empty() && loop.collapsed == 1;
  for (const VarDecl *variable : loop.lastPrivates)
    needs.scalars.push_back(sharedItem(
        variable, hasIterations ? Direction::Out : Direction::InOut));
}

DataPlan DataPlanner::run() {
  plan.problem = effects.problem;
  // What such a variable is worth is not known, and what follows from it is
  // not.
  for (const Scalars &scalars : effects.scalars)
    for (const auto &[variable, use] : scalars)
      if (use.isWritten && !use.isOnlyAtomic)
        fail(use.first->getExprLoc(), "writes '" + variable->getName() +
                                          "', which all iterations share");
  if (plan.problem)
    return std::move(plan);
  countIterations();
  if (plan.problem)
    return std::move(plan);
  addArrays();
  for (const FixedPointer &pointer : effects.pointers)
    if (llvm::none_of(plan.arrays, [&](const DataItem &item) {
          return item.variable == pointer.variable;
        }))
      fail(pointer.reads.front()->getExprLoc(),
           "uses the address in '" + pointer.text +
               "', which is another one on the device");
  for (auto [loop, scalars, needs] :
       llvm::zip_equal(region.loops, effects.scalars, plan.loops))
    addScalars(loop, scalars, needs);
  // A condition that never holds says that all stays on the host.
  for (const Polynomial &required : plan.conditions.required())
    if (plan.conditions.implies(Polynomial(-1) - required))
      fail(region.loops.front().loop->getForLoc(),
           "needs sizes that contradict each other");
  return std::move(plan);
}

DataPlan offload::planData(const Region &region, Effects &effects,
                           const ASTContext &context, bool trustsConditions) {
  return DataPlanner(region, effects, context, trustsConditions).run();
}
