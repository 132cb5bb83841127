//===- IndexBoundsProperty.cpp - minima of indices over a block -----------===//
//===----------------------------------------------------------------------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/IndexBounds.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;

namespace {

class Judge {
public:
  Judge(const Interpreter &run, IndexBounds &bounds, Tally &tally)
      : run(run), bounds(bounds), tally(tally) {}

  Violation checkValue(Value index);
  Violation checkComparison(arith::CmpIOp compare);

private:
  Number valueOf(const Polynomial &polynomial) {
    return evaluate(polynomial, [&](unsigned variable) -> Number {
      Value value = bounds.valueOf(variable);
      return value ? read(run.get(value), false) : std::nullopt;
    });
  }

  const Interpreter &run;
  IndexBounds &bounds;
  Tally &tally;
};

} // namespace

Violation Judge::checkValue(Value index) {
  Number actual = read(run.get(index), false);
  if (!index.getType().isIndex() || !actual)
    return std::nullopt;
  Polynomial form = bounds.formOf(index);
  if (Number number = valueOf(form)) {
    tally.add("form");
    if (*number != *actual)
      return "form of " + toString(index) + " is " + toString(*number) +
             " but it is " + toString(*actual);
  }
  for (int64_t sign : {1, -1}) {
    Polynomial least = bounds.minimum(Polynomial(sign) * form);
    Number number = valueOf(least);
    if (!number)
      continue;
    if (least != Polynomial(sign) * form)
      tally.add("minimum");
    if (*number > llvm::DynamicAPInt(sign) * *actual)
      return std::string(sign > 0 ? "minimum" : "maximum") + " of " +
             toString(index) + " is " +
             toString(llvm::DynamicAPInt(sign) * *number) + " but it is " +
             toString(*actual);
  }
  return std::nullopt;
}

Violation Judge::checkComparison(arith::CmpIOp compare) {
  std::optional<Polynomial> margin = bounds.marginOf(
      compare.getPredicate(), compare.getLhs(), compare.getRhs());
  Number holds = read(run.get(compare), true);
  if (!margin || !holds)
    return std::nullopt;
  Number number = valueOf(*margin);
  if (!number)
    return std::nullopt;
  tally.add("margin");
  if (*number >= 0 && *holds == 0)
    return "margin of " + toString(compare) + " is " + toString(*number) +
           " but it does not hold";
  return std::nullopt;
}

/// Whether all iterations around `op` that are taken for full tiles are.
static bool isInFullTiles(Operation *op, const Interpreter &run) {
  for (auto loop = op->getParentOfType<affine::AffineForOp>(); loop;
       loop = loop->getParentOfType<affine::AffineForOp>()) {
    auto end =
        run.evaluate(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    Number first = read(run.get(loop.getInductionVar()), false);
    if (IndexBounds::isTileLoop(loop) &&
        (!end || !first || *first + loop.getStepAsInt() > end->front()))
      return false;
  }
  return true;
}

Violation gpuopt::property::checkIndexBounds(const Program &program,
                                             Tally &tally) {
  BuiltKernel built = build(program);
  // One analysis for each block shape.
  std::map<std::array<int64_t, 3>, IndexBounds> all;
  bool tilesAreFull = program.seed & 1;
  return runSamples(built.kernel, program.seed,
                    [&](const Interpreter &run, Operation *op) -> Violation {
                      if (op->getNumRegions() != 0)
                        return std::nullopt;
                      if (tilesAreFull && !isInFullTiles(op, run))
                        return std::nullopt;
                      auto shape = run.getItem().blockDim;
                      auto [entry, isNew] =
                          all.try_emplace(shape, built.kernel, shape);
                      if (isNew && tilesAreFull)
                        built.kernel.walk([&bounds = entry->second](
                                              affine::AffineForOp loop) {
                          if (IndexBounds::isTileLoop(loop))
                            bounds.assumeFullTiles(loop);
                        });
                      Judge judge(run, entry->second, tally);
                      if (auto compare = dyn_cast<arith::CmpIOp>(op))
                        return judge.checkComparison(compare);
                      for (Value result : op->getResults())
                        if (Violation wrong = judge.checkValue(result))
                          return wrong;
                      return std::nullopt;
                    });
}
