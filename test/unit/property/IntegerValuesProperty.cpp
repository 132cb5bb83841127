//===- IntegerValuesProperty.cpp - polynomials of integer values ----------===//

#include "ArgumentExpr.h"
#include "BuildProgram.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/ArgumentExpressions.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

namespace {

/// Compares what IntegerValues claims of the values of one kernel.
class Judge {
public:
  Judge(gpu::GPUFuncOp function, IntegerValues &integerValues, Tally &counts)
      : kernel(function), values(integerValues), tally(counts) {}

  void beginLaunch() { parameters.clear(); }
  Violation check(Value value, const Interpreter &run);

private:
  Violation checkPolynomial(Value value, const Interpreter &run);
  Violation checkLauncher(Value value, const Polynomial &polynomial,
                          const DynamicAPInt &number, const Interpreter &run);
  Violation checkExact(Value value, bool isUnsigned, const Interpreter &run);
  Violation checkAtoms(const Polynomial &polynomial, const Interpreter &run);
  Violation wrong(StringRef claim, Value value, const Polynomial &polynomial,
                  const DynamicAPInt &claimed, const Interpreter &run);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  Tally &tally;
  /// Values of polynomials of parameters in this launch.
  std::map<Polynomial, DynamicAPInt> parameters;
};

} // namespace

Violation Judge::wrong(StringRef claim, Value value,
                       const Polynomial &polynomial,
                       const DynamicAPInt &claimed, const Interpreter &run) {
  Number actual = read(run.get(value), false);
  return (claim + ": " + toString(value) + "\n  has the polynomial " +
          values.str(polynomial) + " = " + toString(claimed) + " but is " +
          (actual ? toString(*actual) : "?") + " as signed")
      .str();
}

Violation Judge::checkAtoms(const Polynomial &polynomial,
                            const Interpreter &run) {
  for (unsigned variable : polynomial.getVariables()) {
    Number number = evaluate(Polynomial::variable(variable), values, run);
    const Interval &range = values.getAtom(variable).range;
    if (number && !encloses(range, *number))
      return "range of the atom " + values.nameOf(variable) + " [" +
             std::to_string(range.low) + ", " + std::to_string(range.high) +
             "] does not have " + toString(*number);
  }
  return std::nullopt;
}

Violation Judge::checkPolynomial(Value value, const Interpreter &run) {
  IntegerValue claim = values.get(value);
  Number number = evaluate(claim.value, values, run);
  if (!number)
    return std::nullopt;
  if (Violation violation = checkAtoms(claim.value, run))
    return violation;
  Bits bits = run.get(value);
  DynamicAPInt actual = *read(bits, true), actualSigned = *read(bits, false);
  DynamicAPInt modulus(
      llvm::APInt::getOneBitSet(bits->getBitWidth() + 2, bits->getBitWidth()));
  if (mod(*number - actual, modulus) != 0)
    return wrong("not congruent", value, claim.value, *number, run);
  if (claim.isSigned && *number != actualSigned)
    return wrong("not exact as signed", value, claim.value, *number, run);
  if (claim.isUnsigned && *number != actual)
    return wrong("not exact as unsigned", value, claim.value, *number, run);
  if (!encloses(claim.range, *number) ||
      !encloses(values.getRange(claim.value), *number))
    return wrong("not in its range", value, claim.value, *number, run);
  bool isAtom = claim.value.getVariable().has_value();
  tally.add(claim.isSigned || claim.isUnsigned
                ? isAtom ? "exact atom" : "exact polynomial"
                : "congruent polynomial");
  if (!values.isParameter(claim.value))
    return std::nullopt;
  tally.add("parameter");
  auto [entry, isNew] = parameters.try_emplace(claim.value, *number);
  if (!isNew && entry->second != *number)
    return wrong("a parameter, and was " + toString(entry->second), value,
                 claim.value, *number, run);
  return std::nullopt;
}

/// What launchers compute in the place of a polynomial is its value.
Violation Judge::checkLauncher(Value value, const Polynomial &polynomial,
                               const DynamicAPInt &number,
                               const Interpreter &run) {
  AffineExpr expr = expressionOverArguments(kernel, values, polynomial, true);
  Number computed = expr ? evaluate(expr, symbolsOf(run)) : Number();
  if (!computed)
    return std::nullopt;
  tally.add("what a launcher computes");
  if (*computed == number)
    return std::nullopt;
  return wrong("a launcher computes " + toString(*computed), value, polynomial,
               number, run);
}

Violation Judge::checkExact(Value value, bool isUnsigned,
                            const Interpreter &run) {
  IntegerValue claim = values.getExact(value, isUnsigned);
  Number number = evaluate(claim.value, values, run);
  if (!number)
    return std::nullopt;
  if (Violation violation = checkAtoms(claim.value, run))
    return violation;
  tally.add("getExact");
  StringRef sign = isUnsigned ? "unsigned" : "signed";
  if (*number != *read(run.get(value), isUnsigned))
    return wrong(("not exact, read as " + sign).str(), value, claim.value,
                 *number, run);
  if (!encloses(claim.range, *number))
    return wrong(("not in its range, read as " + sign).str(), value,
                 claim.value, *number, run);
  return checkLauncher(value, claim.value, *number, run);
}

Violation Judge::check(Value value, const Interpreter &run) {
  if (getBits(value.getType()) == 0 || !run.get(value))
    return std::nullopt;
  if (Violation violation = checkPolynomial(value, run))
    return violation;
  for (bool isUnsigned : {false, true})
    if (Violation violation = checkExact(value, isUnsigned, run))
      return violation;
  return std::nullopt;
}

Violation gpuopt::property::checkIntegerValues(const Program &program,
                                               Tally &tally) {
  BuiltKernel built = build(program);
  RandomNumbers random(program.seed);
  restrictLaunches(built.kernel, random);
  IntegerValues values(built.kernel);
  // What is known of one value must not depend on what was asked before.
  if (program.seed & 1)
    for (Value value : llvm::reverse(built.values))
      if (value)
        (void)values.get(value);
  Judge judge(built.kernel, values, tally);
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        // Loops come before the first iteration: what they hold is asked for
        // by the operations in them.
        if (op->getNumRegions() != 0)
          return std::nullopt;
        for (Value result : op->getResults())
          if (Violation violation = judge.check(result, run))
            return violation;
        for (Value operand : op->getOperands())
          if (isa<BlockArgument>(operand))
            if (Violation violation = judge.check(operand, run))
              return violation;
        return std::nullopt;
      },
      [&] { judge.beginLaunch(); });
}
