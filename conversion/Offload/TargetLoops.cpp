//===- TargetLoops.cpp - loops that a program offloads itself -------------===//

#include "conversion/Offload/TargetLoops.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class Narrower {
public:
  Narrower(const Region &region, DataPlan &plan, const Effects &effects,
           const ASTContext &context)
      : region(region), plan(plan), effects(effects), context(context) {}

  std::optional<Problem> run();

private:
  std::optional<Problem> narrow(size_t place);
  std::optional<Problem> checkScalars(size_t loop);
  std::optional<Problem> checkSections();
  std::optional<Problem> refuse(const VarDecl *variable,
                                const char *message) const;

  const Region &region;
  DataPlan &plan;
  const Effects &effects;
  const ASTContext &context;
  /// Something is better than it was.
  bool isBetter = false;
};
} // namespace

std::optional<Problem> Narrower::refuse(const VarDecl *variable,
                                        const char *message) const {
  return Problem{region.first->getBeginLoc(),
                 "'" + variable->getNameAsString() + "' " + message};
}

/// What the program says of `variable` for `loop`; nothing where it must be
/// there before.
static std::optional<MappedVariable> mapOf(const VarDecl *variable,
                                           const ParallelLoop &loop) {
  auto found = llvm::find_if(loop.maps, [&](const MappedVariable &mapped) {
    return mapped.variable == variable;
  });
  if (found != loop.maps.end())
    return *found;
  if (variable->getType()->isArrayType())
    return MappedVariable{variable, true, true};
  return std::nullopt;
}

static Direction directionOf(bool goes, bool comes) {
  if (goes)
    return comes ? Direction::InOut : Direction::In;
  return comes ? Direction::Out : Direction::Neither;
}

static bool goes(Direction direction) {
  return direction == Direction::In || direction == Direction::InOut;
}

static bool comes(Direction direction) {
  return direction == Direction::Out || direction == Direction::InOut;
}

/// Sets the direction of the array at `place` of the plan.
std::optional<Problem> Narrower::narrow(size_t place) {
  DataItem &item = plan.arrays[place];
  if (!item.isReached)
    return refuse(item.variable, "may be used in a smaller part than is known");
  bool mayGo = false, mayCome = false;
  for (auto [number, loop] : llvm::enumerate(region.loops)) {
    if (!llvm::is_contained(plan.loops[number].arrays, place))
      continue;
    std::optional<MappedVariable> mapped = mapOf(item.variable, loop);
    if (!mapped)
      return refuse(item.variable, "is brought to the device elsewhere");
    for (const Access &access : effects.accesses) {
      bool isHere = access.maker == number && access.base == item.variable;
      bool isSaid = access.isWrite ? mapped->comes : mapped->goes;
      if (isHere && !isSaid && region.keepsData())
        return refuse(item.variable, "is not the same on host and device");
    }
    mayGo |= mapped->goes;
    mayCome |= mapped->comes;
  }
  Direction before = directionOf(mayGo, mayCome);
  item.direction = directionOf(mayGo && goes(item.direction),
                               mayCome && comes(item.direction));
  isBetter |= item.direction != before;
  return std::nullopt;
}

/// Whether the scalars that the loop changes come from its clauses.
std::optional<Problem> Narrower::checkScalars(size_t number) {
  const ParallelLoop &loop = region.loops[number];
  for (const DataItem &scalar : plan.loops[number].scalars) {
    std::optional<MappedVariable> mapped = mapOf(scalar.variable, loop);
    bool isResult = llvm::is_contained(loop.reduced, scalar.variable) ||
                    llvm::is_contained(loop.lastPrivates, scalar.variable);
    if (mapped ? !mapped->goes || !mapped->comes : !isResult)
      return refuse(scalar.variable, "does not come back");
  }
  for (const VarDecl *value : plan.loops[number].values)
    if (mapOf(value, loop))
      return refuse(value, "is mapped, though it is one value");
  return std::nullopt;
}

/// Whether each section is one that a loop has alone.
std::optional<Problem> Narrower::checkSections() {
  std::vector<std::string> alone;
  auto textOf = [](const DataItem &item, const SymbolTable &symbols) {
    return item.variable->getNameAsString() + item.rows + "[" +
           symbols.sectionText(item.first) + ":" +
           symbols.sectionText(item.count) + "]";
  };
  for (const ParallelLoop &loop : region.loops) {
    Region single = regionOf(loop);
    Effects own = findEffects(single, context);
    DataPlan needs = planData(single, own, context, /*trustsConditions=*/false);
    for (const DataItem &item : needs.arrays)
      if (!needs.problem && item.isReached)
        alone.push_back(textOf(item, own.symbols));
  }
  for (const DataItem &item : plan.arrays)
    if (!llvm::is_contained(alone, textOf(item, effects.symbols)))
      return refuse(item.variable, "is used in several parts");
  return std::nullopt;
}

std::optional<Problem> Narrower::run() {
  for (const ParallelLoop &loop : region.loops)
    for (const MappedVariable &mapped : loop.maps)
      if (llvm::none_of(plan.arrays,
                        [&](const DataItem &item) {
                          return item.variable == mapped.variable;
                        }) &&
          !mapped.variable->getType()->isScalarType())
        return refuse(mapped.variable, "is mapped, but not used");
  for (size_t place = 0; place < plan.arrays.size(); ++place)
    if (std::optional<Problem> problem = narrow(place))
      return problem;
  for (size_t number = 0; number < region.loops.size(); ++number)
    if (std::optional<Problem> problem = checkScalars(number))
      return problem;
  if (!region.keepsData())
    return isBetter ? std::nullopt
                    : std::optional(Problem{region.first->getBeginLoc(),
                                            "nothing to leave out"});
  return checkSections();
}

std::optional<Problem> offload::narrowMaps(const Region &region, DataPlan &plan,
                                           const Effects &effects,
                                           const ASTContext &context) {
  return Narrower(region, plan, effects, context).run();
}
