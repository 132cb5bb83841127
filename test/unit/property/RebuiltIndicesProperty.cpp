//===- RebuiltIndicesProperty.cpp - integers rebuilt as indices -----------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/IndexBuilder.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;

namespace {
struct Extension {
  Value from, to;
  bool isSigned;
};
} // namespace

/// Extends the integers of the kernel, from the last to the first or the other
/// way round.
static std::vector<Extension> extendAll(BuiltKernel &built, uint64_t seed) {
  IndexArithmetic arithmetic(built.kernel);
  std::vector<Value> integers;
  for (Value value : built.values)
    if (value && isa<IntegerType>(value.getType()))
      integers.push_back(value);
  if (seed & 1)
    std::reverse(integers.begin(), integers.end());
  std::vector<Extension> extensions;
  for (Value value : integers)
    for (bool isSigned : {false, true})
      extensions.push_back({value, arithmetic.extend(value, isSigned),
                            isSigned || value.getType().isInteger(64)});
  return extensions;
}

static Violation checkExtension(const Extension &extension,
                                const Interpreter &run, Tally &tally) {
  Bits before = run.get(extension.from);
  if (!before)
    return std::nullopt;
  tally.add("extension");
  if (!isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(
          extension.to.getDefiningOp()))
    tally.add("rebuilt");
  Bits after = run.get(extension.to);
  llvm::APInt wanted =
      extension.isSigned ? before->sextOrTrunc(64) : before->zextOrTrunc(64);
  if (after && *after == wanted)
    return std::nullopt;
  return toString(extension.from) + "\n  extended " +
         (extension.isSigned ? "as signed" : "as unsigned") + " is " +
         toString(extension.to) + "\n  " +
         (after ? toString(*read(after, false)) : "poison") + " and not " +
         toString(*read(wanted, false));
}

Violation gpuopt::property::checkRebuiltIndices(const Program &program,
                                                Tally &tally) {
  BuiltKernel built = build(program);
  std::vector<Extension> extensions = extendAll(built, program.seed);
  return runSamples(built.kernel, program.seed,
                    [&](const Interpreter &run, Operation *op) -> Violation {
                      // All that is rebuilt has run when the store runs.
                      if (op != built.store)
                        return std::nullopt;
                      for (const Extension &extension : extensions)
                        if (Violation wrong =
                                checkExtension(extension, run, tally))
                          return wrong;
                      return std::nullopt;
                    });
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Violation gpuopt::property::checkBuiltIndices(const Program &program,
                                              Tally &tally) {
  BuiltKernel built = build(program);
  IntegerValues values(built.kernel);
  IndexBuilder indices(built.kernel, values);
  OpBuilder builder(built.store);
  struct Made {
    Value from, index;
    Polynomial polynomial;
  };
  std::vector<Made> all;
  llvm::DynamicAPInt modulus(llvm::APInt::getOneBitSet(66, 64));
  for (Value value : built.values) {
    if (!value || getBits(value.getType()) < 2)
      continue;
    Polynomial polynomial = values.getExact(value, program.seed & 1).value;
    Value index = indices.build(builder, builder.getUnknownLoc(), polynomial,
                                /*isExact=*/false);
    all.push_back({value, index, polynomial});
  }
  return runSamples(built.kernel, program.seed,
                    [&](const Interpreter &run, Operation *op) -> Violation {
                      if (op != built.store)
                        return std::nullopt;
                      for (const auto &[from, index, polynomial] : all) {
                        Number wanted = evaluate(polynomial, values, run);
                        // Arithmetic on indices is not to wrap, and poison is
                        // whatever is made of it.
                        if (!wanted || run.hasLargeValues() || !run.get(from))
                          continue;
                        Number actual = read(run.get(index), false);
                        tally.add("index of a polynomial");
                        if (!actual || mod(*actual - *wanted, modulus) != 0)
                          return values.str(polynomial) + " = " +
                                 toString(*wanted) + "\n  has been made " +
                                 toString(index) + " = " +
                                 (actual ? toString(*actual) : "poison");
                      }
                      return std::nullopt;
                    });
}
