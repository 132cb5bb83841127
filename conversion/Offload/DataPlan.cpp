//===- DataPlan.cpp - what a section needs of the host's memory -----------===//

#include "conversion/Offload/DataPlan.h"

#include "conversion/Offload/LaterUses.h"
#include "conversion/Offload/Sections.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class DataPlanner {
public:
  DataPlanner(const ParallelLoop &loop, Effects &effects,
              const ASTContext &context)
      : loop(loop), effects(effects), context(context),
        finder(effects, plan.conditions, context) {}
  DataPlan run();

private:
  void countIterations();
  void addArray(const VarDecl *base, const Accesses &accesses);
  void addScalars();
  void addScalar(const VarDecl *variable, const ScalarUse &use);
  void addShared(const VarDecl *variable, Direction direction);
  Direction directionOf(const Accesses &accesses, const DataItem &item);
  void fail(SourceLocation location, const Twine &message);

  const ParallelLoop &loop;
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

/// The section begins only where its outermost loop has iterations.
void DataPlanner::countIterations() {
  plan.iterations = 1;
  for (const LoopRange &range : effects.loops) {
    if (!range.isParallel || range.of)
      continue;
    plan.iterations = plan.iterations * range.iterations();
    if (&range == &effects.loops.front())
      plan.conditions.assume(range.distance);
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

Direction DataPlanner::directionOf(const Accesses &accesses,
                                   const DataItem &item) {
  bool isWritten =
      llvm::any_of(accesses, [](const Access *each) { return each->isWrite; });
  bool isRead =
      llvm::any_of(accesses, [](const Access *each) { return !each->isWrite; });
  bool isCovered =
      isWritten && !isRead && llvm::any_of(accesses, [&](const Access *access) {
        return finder.covers(*access, item);
      });
  bool comesBack =
      isWritten && !isUnusedBehind(*item.variable, loop, isRead, context);
  if (!isWritten)
    return Direction::In;
  // What is not read, and unused behind, may be anything.
  if (!isRead && !comesBack)
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
  if (std::optional<Problem> problem = finder.find(accesses, item)) {
    plan.problem = plan.problem ? plan.problem : problem;
    return;
  }
  item.direction = directionOf(accesses, item);
  plan.items.push_back(std::move(item));
}

void DataPlanner::addShared(const VarDecl *variable, Direction direction) {
  DataItem item;
  item.variable = variable;
  item.direction = direction;
  item.count = 1;
  item.elementBytes =
      context.getTypeSizeInChars(variable->getType()).getQuantity();
  plan.items.push_back(std::move(item));
}

void DataPlanner::addScalar(const VarDecl *variable, const ScalarUse &use) {
  bool isBase = llvm::any_of(plan.items, [&](const DataItem &item) {
    return item.variable == variable;
  });
  std::string name = variable->getNameAsString();
  if (use.isWritten)
    return addShared(variable, Direction::InOut);
  if (variable->getType()->isPointerType() && !isBase)
    return fail(use.first->getExprLoc(),
                "uses the address in '" + name +
                    "', which is another one on the device");
  if (!isBase)
    plan.values.push_back(variable);
}

void DataPlanner::addScalars() {
  for (const auto &[variable, use] : effects.scalars)
    addScalar(variable, use);
  for (const VarDecl *variable : loop.reduced)
    addShared(variable, Direction::InOut);
  for (const VarDecl *variable : loop.lastPrivates)
    addShared(variable, Direction::Out);
}

DataPlan DataPlanner::run() {
  if (effects.problem) {
    plan.problem = effects.problem;
    return std::move(plan);
  }
  // What such a variable is worth is not known, and what follows from it is
  // not.
  for (const auto &[variable, use] : effects.scalars)
    if (use.isWritten && !use.isOnlyAtomic)
      fail(use.first->getExprLoc(),
           "writes '" + variable->getName() + "', which all iterations share");
  if (plan.problem)
    return std::move(plan);
  countIterations();
  llvm::MapVector<const VarDecl *, Accesses> arrays;
  for (const Access &access : effects.accesses)
    arrays[access.base].push_back(&access);
  for (const auto &[base, accesses] : arrays)
    addArray(base, accesses);
  addScalars();
  return std::move(plan);
}

DataPlan offload::planData(const ParallelLoop &loop, Effects &effects,
                           const ASTContext &context) {
  return DataPlanner(loop, effects, context).run();
}
