//===- Region.cpp - parallel loops that are offloaded together ------------===//

#include "conversion/Offload/Region.h"

#include "conversion/Offload/Bystanders.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class RegionFinder {
public:
  RegionFinder(const Stmt &function, std::vector<ParallelLoop> all,
               const RegionOptions &options,
               llvm::ArrayRef<const Stmt *> excluded)
      : function(function), loops(std::move(all)), options(options),
        excluded(excluded) {}

  std::vector<Region> find(const Stmt *statement) const;

private:
  std::vector<Region> findInSequence(const CompoundStmt &braces) const;
  std::vector<Region> findInLoop(const ForStmt &loop) const;
  std::optional<std::vector<const Stmt *>> bystandersIn(const Region &region,
                                                        const Stmt *body) const;

  const Stmt &function;
  std::vector<ParallelLoop> loops;
  const RegionOptions &options;
  llvm::ArrayRef<const Stmt *> excluded;
};
} // namespace

/// Whether `region` is all of `statement`, but for braces.
static bool isWhole(const Region &region, const Stmt *statement) {
  if (const auto *braces = dyn_cast<CompoundStmt>(statement))
    return !braces->body_empty() && isWhole(region, braces->body_front()) &&
           region.last == braces->body_back();
  return region.first == statement;
}

Region offload::regionOf(const ParallelLoop &loop) {
  Region region;
  region.loops = {loop};
  region.first = region.last = loop.statement;
  return region;
}

/// `region` without what is in front of its first loop, and so of its text.
static Region withoutLeading(Region region) {
  if (region.parents.empty())
    llvm::erase_if(region.bystanders, [](const Bystander &bystander) {
      return bystander.next == 0;
    });
  return region;
}

Region offload::joinRegions(llvm::ArrayRef<Region> parts) {
  if (parts.size() == 1)
    return withoutLeading(parts.front());
  Region joined;
  joined.first = parts.front().first;
  joined.last = parts.back().last;
  for (const Region &part : parts) {
    for (const Bystander &bystander : part.bystanders)
      joined.bystanders.push_back(
          {bystander.statement, bystander.next + joined.loops.size()});
    llvm::append_range(joined.loops, part.loops);
  }
  joined.parts = parts.vec();
  return withoutLeading(std::move(joined));
}

std::vector<Region>
RegionFinder::findInSequence(const CompoundStmt &braces) const {
  std::vector<Region> found, run;
  // Behind the last loop of the run.
  std::vector<Bystander> between;
  auto endRun = [&] {
    if (!run.empty())
      found.push_back(joinRegions(run));
    run.clear();
    between.clear();
  };
  for (const Stmt *statement : braces.body()) {
    bool isInTeam = !run.empty() && run.front().isInTeam();
    if (isInTeam && isa<OMPBarrierDirective>(statement))
      continue;
    if (!run.empty() && isBystander(*statement, function)) {
      between.push_back({statement, 0});
      continue;
    }
    std::vector<Region> inner = find(statement);
    bool isAlone = inner.size() == 1 && inner[0].first == statement &&
                   inner[0].last == statement && inner[0].parents.empty();
    if (!isAlone || !options.reuses || inner[0].isInTeam() != isInTeam)
      endRun();
    if (isAlone) {
      inner[0].bystanders.insert(inner[0].bystanders.begin(), between.begin(),
                                 between.end());
      between.clear();
      run.push_back(inner[0]);
    } else {
      llvm::append_range(found, inner);
    }
  }
  endRun();
  return found;
}

/// The statements of `body` beside `region`, if it has no others than
/// bystanders.
std::optional<std::vector<const Stmt *>>
RegionFinder::bystandersIn(const Region &region, const Stmt *body) const {
  if (isWhole(region, body))
    return std::vector<const Stmt *>();
  const auto *braces = dyn_cast<CompoundStmt>(body);
  if (!braces || region.isInTeam())
    return std::nullopt;
  auto first = llvm::find(braces->body(), region.first);
  auto last = llvm::find(braces->body(), region.last);
  if (first == braces->body_end() || last == braces->body_end())
    return std::nullopt;
  std::vector<const Stmt *> others(braces->body_begin(), first);
  others.insert(others.end(), std::next(last), braces->body_end());
  if (!llvm::all_of(others, [&](const Stmt *statement) {
        return isBystander(*statement, function);
      }))
    return std::nullopt;
  return others;
}

std::vector<Region> RegionFinder::findInLoop(const ForStmt &loop) const {
  std::vector<Region> inner = find(loop.getBody());
  if (!options.hoists || inner.size() != 1)
    return inner;
  auto bystanders = bystandersIn(inner[0], loop.getBody());
  if (!bystanders ||
      (options.isWorthHoisting && !options.isWorthHoisting(loop)))
    return inner;
  Region region = inner[0];
  region.parts = inner;
  region.parents.insert(region.parents.begin(), &loop);
  // One that the first loop is behind of again and again is in front of it.
  for (const Stmt *statement : *bystanders)
    region.bystanders.push_back({statement, 0});
  region.first = region.last = &loop;
  return {region};
}

std::vector<Region> RegionFinder::find(const Stmt *statement) const {
  if (!statement || llvm::is_contained(excluded, statement))
    return {};
  Region region;
  region.first = region.last = statement;
  for (const ParallelLoop &loop : loops)
    if (loop.statement == statement || loop.around == statement)
      region.loops.push_back(loop);
  if (!region.loops.empty())
    return {region};
  if (const auto *braces = dyn_cast<CompoundStmt>(statement))
    return findInSequence(*braces);
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return findInLoop(*loop);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return directive->hasAssociatedStmt() ? find(directive->getRawStmt())
                                          : std::vector<Region>();
  std::vector<Region> found;
  for (const Stmt *child : statement->children())
    llvm::append_range(found, find(child));
  return found;
}

std::vector<Region>
offload::findRegions(const Stmt &root, std::vector<ParallelLoop> loops,
                     const RegionOptions &options,
                     llvm::ArrayRef<const Stmt *> excluded) {
  if (loops.empty())
    return {};
  const Stmt &function = *loops.front().function->getBody();
  return RegionFinder(function, std::move(loops), options, excluded)
      .find(&root);
}
