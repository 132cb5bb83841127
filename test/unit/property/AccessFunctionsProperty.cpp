//===- AccessFunctionsProperty.cpp - values and guards of accesses --------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

namespace {

class Judge {
public:
  Judge(const VariableTable &variables, const Interpreter &run)
      : variables(variables), run(run) {}

  Number valueOf(const Polynomial &polynomial) const {
    return evaluate(polynomial, [&](unsigned variable) {
      return valueOfVariable(variables[variable]);
    });
  }
  /// Whether the guard holds; nothing where a part of it is not known.
  std::optional<bool> holds(const Guard &guard) const;

private:
  Number valueOfVariable(const Variable &variable) const;

  const VariableTable &variables;
  const Interpreter &run;
};

} // namespace

Number Judge::valueOfVariable(const Variable &variable) const {
  const WorkItem &item = run.getItem();
  switch (variable.kind) {
  case Variable::Kind::BlockId:
    return DynamicAPInt(item.blockId[variable.dimension]);
  case Variable::Kind::ThreadId:
    return DynamicAPInt(item.threadId[variable.dimension]);
  case Variable::Kind::BlockDim:
    return DynamicAPInt(item.blockDim[variable.dimension]);
  case Variable::Kind::GridDim:
    return DynamicAPInt(item.gridDim[variable.dimension]);
  case Variable::Kind::Loop:
  case Variable::Kind::Parameter:
    return read(variable.value ? run.get(variable.value) : Bits(),
                variable.unsignedBits != 0);
  case Variable::Kind::Derived:
    break;
  }
  Number left = valueOf(variable.left), right = valueOf(variable.right);
  if (left && variable.op == Variable::Operator::Wrap) {
    DynamicAPInt turn(llvm::APInt::getOneBitSet(66, 64));
    DynamicAPInt rest = mod(*left, turn);
    bool isNegative = *right == 0 && rest * 2 >= turn;
    return isNegative ? rest - turn : rest;
  }
  if (!left || !right || *left < INT64_MIN || *left > INT64_MAX ||
      *right < INT64_MIN || *right > INT64_MAX)
    return std::nullopt;
  auto value =
      VariableTable::fold(variable.op, int64_t(*left), int64_t(*right));
  return value ? Number(DynamicAPInt(*value)) : std::nullopt;
}

std::optional<bool> Judge::holds(const Guard &guard) const {
  bool allHold = true;
  for (const Comparison &comparison : guard.comparisons) {
    Number left = valueOf(comparison.left);
    if (!left)
      return std::nullopt;
    int64_t sign = *left > 0 ? 1 : *left < 0 ? -1 : 0;
    allHold &= comparison.holds(sign);
  }
  if (!guard.complete && (guard.negated || allHold))
    return std::nullopt;
  return allHold != guard.negated;
}

/// Of the store: whether it runs exactly where its guards hold.
static Violation checkGuards(const AccessFunction &access, const Judge &judge,
                             bool runs, Tally &tally) {
  bool allHold = true;
  for (const Guard &guard : access.guards) {
    std::optional<bool> holds = judge.holds(guard);
    if (runs && holds && !*holds)
      return "the store runs although one of its guards does not hold";
    if (!holds)
      return std::nullopt;
    allHold &= *holds;
  }
  if (!access.guards.empty())
    tally.add("guards");
  if (allHold && !runs && access.loops.empty())
    return "the store does not run although its guards hold";
  return std::nullopt;
}

static Violation checkValue(Value value, AccessFunctions &functions,
                            const Interpreter &run, Tally &tally) {
  Number actual = read(run.get(value), false);
  if (!actual || value.getType().isInteger(1))
    return std::nullopt;
  std::optional<Polynomial> polynomial = functions.resolve(value);
  if (!polynomial)
    return std::nullopt;
  Number number = Judge(functions.variables(), run).valueOf(*polynomial);
  if (!number)
    return std::nullopt;
  tally.add("resolved value");
  if (*number == *actual)
    return std::nullopt;
  return toString(value) + "\n  is resolved as " +
         functions.variables().toString(*polynomial) + " = " +
         toString(*number) + " but is " + toString(*actual);
}

Violation gpuopt::property::checkAccessFunctions(const Program &program,
                                                 Tally &tally) {
  BuiltKernel built = build(program);
  AccessFunctions functions(built.kernel);
  const AccessFunction *access = functions.lookup(built.store);
  bool runs = false;
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        if (&op->getBlock()->front() == op && op->getParentOp() == built.kernel)
          runs = false;
        runs |= op == built.store;
        if (op->getNumRegions() != 0)
          return std::nullopt;
        bool isEnd = isa<gpu::ReturnOp>(op) && !runs;
        if (op == built.store || isEnd)
          return checkGuards(*access, Judge(functions.variables(), run), runs,
                             tally);
        for (Value result : op->getResults())
          if (Violation wrong = checkValue(result, functions, run, tally))
            return wrong;
        return std::nullopt;
      });
}
