//===- Traffic.cpp - global memory sectors per work item ------------------===//

#include "passes/Analysis/Traffic.h"

#include "passes/Analysis/AccessCosts.h"
#include "passes/Analysis/AccessReport.h"
#include "passes/Analysis/Evaluation.h"
#include "passes/Analysis/ItemsOfEach.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

/// Adds the notes of `more` that are not in `notes` yet.
static void addNotes(std::vector<std::string> &notes,
                     const std::vector<std::string> &more) {
  for (const std::string &note : more)
    if (!llvm::is_contained(notes, note))
      notes.push_back(note);
}

/// How many iterations of an outer loop are tried where the trip counts of the
/// loops inside depend on its iterator.
static constexpr int64_t kSampledIterations = 64;

static bool dependsOnBlock(const VariableTable &variables,
                           const Polynomial &polynomial) {
  return variables.dependsOnAny(polynomial, [](unsigned number) {
    return number == VariableTable::blockId(0) ||
           number == VariableTable::blockId(1) ||
           number == VariableTable::blockId(2);
  });
}

/// The number of executions of the body of `loops`, outermost first. What is
/// assumed is noted in `executions`.
static double countExecutions(llvm::ArrayRef<int> loops,
                              const VariableTable &variables,
                              Evaluation &evaluation, Executions &executions) {
  std::vector<std::string> &assumptions = executions.assumptions;
  if (loops.empty())
    return 1;
  llvm::ArrayRef<int> inner = loops.drop_front();
  std::optional<int64_t> trips =
      loops.front() < 0 ? std::nullopt : evaluation.tripCount(loops.front());
  if (!trips) {
    executions.standsForAll = false;
    addNotes(assumptions, {"a loop of unknown trip count runs once"});
    return countExecutions(inner, variables, evaluation, executions);
  }
  unsigned outer = loops.front();
  for (const auto *bounds :
       {&variables[outer].lowerBounds, &variables[outer].upperBounds})
    for (const Polynomial &bound : *bounds) {
      evaluation.noteAssumptions(bound, assumptions);
      if (variables.dependsOnThread(bound))
        addNotes(assumptions, {"the first thread's trip count"});
      executions.standsForAll &= !dependsOnBlock(variables, bound);
    }
  auto dependsOnOuter = [&](const Polynomial &bound) {
    return variables.dependsOnAny(
        bound, [&](unsigned number) { return number == outer; });
  };
  bool innerDepends = llvm::any_of(inner, [&](int loop) {
    return loop >= 0 &&
           (llvm::any_of(variables[loop].lowerBounds, dependsOnOuter) ||
            llvm::any_of(variables[loop].upperBounds, dependsOnOuter));
  });
  if (!innerDepends)
    return *trips * countExecutions(inner, variables, evaluation, executions);

  // Exact up to kSampledIterations iterations; beyond, evenly spaced ones.
  int64_t samples = std::min(*trips, kSampledIterations);
  if (samples < *trips)
    addNotes(assumptions, {"inner trip counts estimated from 64 iterations"});
  double sum = 0;
  for (int64_t sample = 0; sample < samples; ++sample) {
    evaluation.setIteration(outer, (2 * sample + 1) * *trips / (2 * samples));
    evaluation.update();
    sum += countExecutions(inner, variables, evaluation, executions);
  }
  evaluation.setIteration(outer, 0);
  evaluation.update();
  return samples == 0 ? 0 : sum * *trips / samples;
}

Executions gpuopt::computeExecutions(const AccessFunction &access,
                                     const VariableTable &variables,
                                     const BlockShape &block,
                                     const SizeMap &sizes) {
  Executions executions;
  std::vector<Polynomial> bounds;
  for (int loop : access.loops)
    if (loop >= 0)
      addBounds(bounds, loop, variables);
  Evaluation evaluation(variables, block, sizes, bounds);
  executions.count =
      countExecutions(access.loops, variables, evaluation, executions);
  return executions;
}

TrafficFact gpuopt::computeTraffic(const AccessFunctions &functions,
                                   TargetAttr target, const BlockShape &block,
                                   int64_t itemsPerBlock,
                                   const SizeMap &sizes) {
  TrafficFact fact;
  const VariableTable &variables = functions.variables();
  int64_t threads = block[0] * block[1] * block[2];
  double requestsOfWholeBlock =
      static_cast<double>(threads) / target.getSubgroupSize();
  AccessCosts costs(variables, target, block, sizes);
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space != MemorySpace::Global || !costs.isReached(access))
      continue;
    const CoalescingFact &coalescing = costs.coalescingOf(access);
    Executions executions = computeExecutions(access, variables, block, sizes);
    double requests = coalescing.requestsPerBlock;
    double sectorsPerRequest = coalescing.sectorsPerRequest();
    if (coalescing.verdict == Verdict::Unresolved) {
      ++fact.unresolvedAccesses;
      requests = std::max(requestsOfWholeBlock, 1.0);
      sectorsPerRequest = std::min(threads, target.getSubgroupSize());
    }
    if (requests == 0)
      continue;
    addNotes(fact.assumptions, coalescing.assumptions);
    addNotes(fact.assumptions, executions.assumptions);
    double perItem = requests * executions.count / itemsPerBlock;
    fact.requestsPerItem += perItem;
    fact.sectorsPerItem += perItem * sectorsPerRequest;
    (access.kind == AccessKind::Load ? fact.loadSectorsPerItem
                                     : fact.storeSectorsPerItem) +=
        perItem * sectorsPerRequest;
  }
  return fact;
}

TrafficFact gpuopt::computeTraffic(mlir::Operation *kernel, TargetAttr target,
                                   std::optional<BlockShape> defaultBlock,
                                   const SizeMap &sizes) {
  BlockShape block = blockShapeOf(kernel, defaultBlock);
  int64_t items = block[0] * block[1] * block[2];
  if (auto geometry = kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName)) {
    items = 1;
    for (int64_t count : geometry.getItemsPerBlock())
      items *= count;
  }
  TrafficFact fact =
      computeTraffic(AccessFunctions(kernel), target, block, items, sizes);
  double ofEach = countItemsOfEach(kernel, sizes);
  for (double *perItem : {&fact.sectorsPerItem, &fact.loadSectorsPerItem,
                          &fact.storeSectorsPerItem, &fact.requestsPerItem})
    *perItem *= ofEach;
  return fact;
}
