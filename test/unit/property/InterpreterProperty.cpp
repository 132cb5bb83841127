//===- InterpreterProperty.cpp - the interpreter and constant folding -----===//
//
// What the judge of the analyses computes is what the dialect folds.
//
//===----------------------------------------------------------------------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gpuopt::property;

/// `op` folded for constant operands; nothing where it does not fold.
static Bits fold(Operation *op, const Interpreter &run) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(IntegerAttr::get(operand.getType(), *run.get(operand)));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  if (auto value = dyn_cast<Value>(results[0]))
    return run.get(value);
  auto constant = dyn_cast<IntegerAttr>(cast<Attribute>(results[0]));
  return constant ? Bits(constant.getValue()) : std::nullopt;
}

Violation gpuopt::property::checkInterpreter(const Program &program,
                                             Tally &tally) {
  BuiltKernel built = build(program);
  if (failed(verify(*built.module)))
    return "the kernel is not valid";
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) {
          return run.get(operand).has_value();
        });
        if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
            op->getNumRegions() != 0 || !isKnown ||
            isa<MemRefType>(op->getOperand(0).getType()))
          return std::nullopt;
        // Folding may move constant operands to the right: of a copy only.
        Operation *copy = op->clone();
        Bits folded = fold(copy, run);
        copy->destroy();
        Bits computed = run.get(op->getResult(0));
        if (!computed || !folded)
          return std::nullopt;
        tally.add("folded");
        if (*computed == *folded)
          return std::nullopt;
        return toString(op->getResult(0)) + "\n  is folded to " +
               toString(*read(folded, false)) + " but computed as " +
               toString(*read(computed, false));
      });
}
