//===- UniformityProperty.cpp - work items that compute the same ----------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/Uniformity.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;

namespace {

/// A value at one point of the program, for work items that agree in some ids.
using Point = std::tuple<void *, std::vector<int64_t>, std::vector<int64_t>>;

class Judge {
public:
  Judge(const UniformityAnalysis &uniformity, Tally &tally)
      : uniformity(uniformity), tally(tally) {}

  void beginLaunch() {
    seen.clear();
    counts.clear();
  }
  Violation check(Value value, const Interpreter &run);
  /// Of an operation that a work item has run `count` times.
  Violation checkCount(Operation *op, uint64_t count, const WorkItem &item);

private:
  const UniformityAnalysis &uniformity;
  Tally &tally;
  std::map<Point, llvm::APInt> seen;
  std::map<std::vector<int64_t>, uint64_t> counts;
};

} // namespace

/// The ids of `item` that are in `dependence`; nothing where that has more than
/// ids.
static std::optional<std::vector<int64_t>> idsOf(const WorkItem &item,
                                                 Dependence dependence) {
  std::vector<int64_t> ids;
  Dependence all = Dependence::None;
  for (unsigned i = 0; i < 3; ++i) {
    Dependence thread = threadDependence(static_cast<gpu::Dimension>(i));
    Dependence block = blockDependence(static_cast<gpu::Dimension>(i));
    all |= thread | block;
    if ((dependence & thread) != Dependence::None)
      ids.push_back(item.threadId[i]);
    if ((dependence & block) != Dependence::None)
      ids.push_back(item.blockId[i]);
  }
  if ((dependence & ~all) != Dependence::None)
    return std::nullopt;
  return ids;
}

Violation Judge::check(Value value, const Interpreter &run) {
  Bits bits = run.get(value);
  auto ids = idsOf(run.getItem(), uniformity.dependsOn(value));
  if (!bits || !ids)
    return std::nullopt;
  Point point{value.getAsOpaquePointer(), run.getIterations().vec(), *ids};
  auto [entry, isNew] = seen.try_emplace(std::move(point), *bits);
  if (isNew)
    return std::nullopt;
  tally.add("two work items");
  if (entry->second == *bits)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value << "\n  depends on ";
  printDependence(os, uniformity.dependsOn(value));
  os << " but has been " << entry->second << " and is " << *bits;
  return text;
}

Violation Judge::checkCount(Operation *op, uint64_t count,
                            const WorkItem &item) {
  auto ids = idsOf(item, uniformity.controlDependsOn(op));
  if (!ids)
    return std::nullopt;
  auto [entry, isNew] = counts.try_emplace(*ids, count);
  if (!isNew)
    tally.add("two runs");
  if (entry->second == count)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "how often the store runs depends on ";
  printDependence(os, uniformity.controlDependsOn(op));
  os << " but has been " << entry->second << " and is " << count;
  return text;
}

Violation gpuopt::property::checkUniformity(const Program &program,
                                            Tally &tally) {
  BuiltKernel built = build(program);
  UniformityAnalysis uniformity(built.kernel);
  Judge judge(uniformity, tally);
  uint64_t count = 0;
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        if (&op->getBlock()->front() == op && op->getParentOp() == built.kernel)
          count = 0;
        count += op == built.store;
        if (isa<gpu::ReturnOp>(op))
          return judge.checkCount(built.store, count, run.getItem());
        if (op->getNumRegions() != 0)
          return std::nullopt;
        for (Value operand : op->getOperands())
          if (operand.getType().isIntOrIndex())
            if (Violation wrong = judge.check(operand, run))
              return wrong;
        for (Value result : op->getResults())
          if (Violation wrong = judge.check(result, run))
            return wrong;
        return std::nullopt;
      },
      [&] { judge.beginLaunch(); });
}
