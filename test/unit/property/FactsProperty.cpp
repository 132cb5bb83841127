//===- FactsProperty.cpp - inequalities that hold at an operation ---------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;

/// Inequalities that may hold at the store: between what is compared anywhere,
/// and between values that are near each other.
static std::vector<Polynomial>
drawGoals(BuiltKernel &built, IntegerValues &values, RandomNumbers &random) {
  std::vector<Polynomial> goals;
  auto exact = [&](Value value) {
    return values.getExact(value, random.below(4) == 0).value;
  };
  built.kernel->walk([&](arith::CmpIOp compare) {
    Polynomial difference = exact(compare.getRhs()) - exact(compare.getLhs());
    int64_t slack = static_cast<int64_t>(random.below(4)) - 2;
    goals.push_back((random.below(2) ? difference : -difference) + slack);
  });
  std::vector<Value> numbers;
  for (Value value : built.values)
    if (value && getBits(value.getType()) > 1)
      numbers.push_back(value);
  for (unsigned i = 0; i < 2 && !numbers.empty(); ++i) {
    Value left = numbers[random.below(numbers.size())];
    Value right = numbers[random.below(numbers.size())];
    goals.push_back(exact(left) - exact(right) +
                    static_cast<int64_t>(random.below(5)) - 2);
    goals.push_back(exact(left) * exact(right));
  }
  while (goals.size() > 4)
    goals.erase(goals.begin() + random.below(goals.size()));
  return goals;
}

Violation gpuopt::property::checkFacts(const Program &program, Tally &tally) {
  BuiltKernel built = build(program);
  IntegerValues values(built.kernel);
  RandomNumbers random(program.seed);
  restrictLaunches(built.kernel, random);
  SmallVector<Polynomial> facts = collectFacts(built.store, values);
  std::vector<Polynomial> proven;
  for (const Polynomial &goal : drawGoals(built, values, random)) {
    bool isProven = provesNonNegative(built.store, goal, values);
    if (!isProven)
      continue;
    tally.add(values.getRange(goal).low >= 0 ? "proven by ranges"
                                             : "proven by facts");
    proven.push_back(goal);
  }
  auto check = [&](StringRef claim, const Polynomial &polynomial,
                   const Interpreter &run) -> Violation {
    Number number = evaluate(polynomial, values, run);
    if (!number)
      return std::nullopt;
    tally.add(claim);
    if (*number >= 0)
      return std::nullopt;
    return (claim + ": " + values.str(polynomial) + " >= 0, but it is " +
            toString(*number))
        .str();
  };
  return runSamples(built.kernel, program.seed,
                    [&](const Interpreter &run, Operation *op) -> Violation {
                      if (op != built.store)
                        return std::nullopt;
                      for (const Polynomial &fact : facts)
                        if (Violation wrong = check("fact", fact, run))
                          return wrong;
                      for (const Polynomial &goal : proven)
                        if (Violation wrong = check("proven", goal, run))
                          return wrong;
                      return std::nullopt;
                    });
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// A load in front of the store, of a matrix whose extents and subscripts are
/// values of the kernel.
static Operation *addLoad(BuiltKernel &built, RandomNumbers &random) {
  std::vector<Value> indices;
  for (Value value : built.values)
    if (value && value.getType().isIndex())
      indices.push_back(value);
  if (indices.empty())
    return nullptr;
  auto draw = [&] { return indices[random.below(indices.size())]; };
  OpBuilder builder(built.store);
  Location loc = builder.getUnknownLoc();
  Value array = built.kernel.getArguments().back();
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<Value> subscripts;
  for (unsigned i = 0; i < 2; ++i) {
    if (random.below(2))
      sizes.push_back(draw());
    else
      sizes.push_back(builder.getIndexAttr(int64_t(1) << random.below(12)));
    subscripts.push_back(draw());
  }
  strides = {sizes[1], builder.getIndexAttr(1)};
  auto view = memref::ReinterpretCastOp::create(
      builder, loc, array, builder.getIndexAttr(0), sizes, strides);
  return memref::LoadOp::create(builder, loc, view, subscripts);
}

/// What the memref's type or the view says of its extent.
static Number extentOf(Value memref, unsigned dimension,
                       const Interpreter &run) {
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  OpFoldResult size = view.getMixedSizes()[dimension];
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return llvm::DynamicAPInt(*constant);
  return read(run.get(cast<Value>(size)), false);
}

Violation gpuopt::property::checkSubscripts(const Program &program,
                                            Tally &tally) {
  BuiltKernel built = build(program);
  RandomNumbers random(program.seed);
  SmallVector<std::pair<Operation *, unsigned>> proven;
  IntegerValues values(built.kernel);
  DominatingFacts facts(values);
  for (unsigned i = 0; i < 2; ++i)
    if (Operation *load = addLoad(built, random))
      for (unsigned first : {0, 1})
        if (proveSubscripts(load, first, facts)) {
          proven.push_back({load, first});
          break;
        }
  return runSamples(built.kernel, program.seed,
                    [&](const Interpreter &run, Operation *op) -> Violation {
                      for (auto [load, first] : proven) {
                        if (op != load)
                          continue;
                        auto indices = cast<memref::LoadOp>(op).getIndices();
                        for (unsigned i = first; i < indices.size(); ++i) {
                          Number index = read(run.get(indices[i]), false);
                          Number extent = extentOf(
                              cast<memref::LoadOp>(op).getMemref(), i, run);
                          if (!index || !extent)
                            continue;
                          tally.add("subscript");
                          if (*index < 0 || *index >= *extent)
                            return "subscript " + std::to_string(i) + " of " +
                                   toString(op->getResult(0)) + " is " +
                                   toString(*index) + " of " +
                                   toString(*extent);
                        }
                      }
                      return std::nullopt;
                    });
}
