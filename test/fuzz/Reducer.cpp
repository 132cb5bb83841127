//===- Reducer.cpp - the smallest kernel that still fails -----------------===//

#include "test/fuzz/Reducer.h"

#include "test/fuzz/Forked.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::fuzz;

/// How an operation goes away.
enum class Edit { Zero, One, Operand, Inline };
static constexpr Edit kEdits[] = {Edit::Zero, Edit::Operand, Edit::Inline,
                                  Edit::One};

/// What stands for `result` where its operation is gone; null for nothing.
static Value substitute(OpBuilder &builder, OpResult result, Edit edit) {
  Operation *op = result.getOwner();
  if (edit == Edit::Operand) {
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType())
        return operand;
    return {};
  }
  Type type = result.getType();
  TypedAttr zero = isa<IntegerType, IndexType, FloatType, VectorType>(type)
                       ? builder.getZeroAttr(type)
                       : TypedAttr();
  if (isa<IntegerType, IndexType>(type) && edit == Edit::One)
    zero = builder.getIntegerAttr(type, 1);
  return zero ? arith::ConstantOp::create(builder, op->getLoc(), zero)
                    .getResult()
              : Value();
}

/// Puts what `branch` does where it holds in its place.
static bool inlineThen(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return false;
  Operation *end = branch.thenBlock()->getTerminator();
  branch->replaceAllUsesWith(end->getOperands());
  branch->getBlock()->getOperations().splice(
      branch->getIterator(), branch.thenBlock()->getOperations(),
      branch.thenBlock()->begin(), end->getIterator());
  branch.erase();
  return true;
}

static bool apply(Operation *op, Edit edit) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      isa<ModuleOp, gpu::GPUModuleOp, gpu::GPUFuncOp>(op))
    return false;
  if (edit == Edit::Inline)
    return inlineThen(op);
  bool isPlain = op->hasTrait<OpTrait::ConstantLike>();
  if (op->getNumResults() == 0 || op->use_empty()) {
    if (edit != Edit::Zero)
      return false;
    op->erase();
    return true;
  }
  if (isPlain)
    return false;
  OpBuilder builder(op);
  SmallVector<Value> values;
  for (OpResult result : op->getResults()) {
    Value value = substitute(builder, result, edit);
    if (!value && !result.use_empty())
      return false;
    values.push_back(value);
  }
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    if (value)
      result.replaceAllUsesWith(value);
  op->erase();
  return true;
}

/// `text` with the edit made at the operation `number` of its walk; empty where
/// it cannot be. Past the last operation `isEnd` is set.
static std::string edited(MLIRContext &context, const std::string &text,
                          unsigned number, Edit edit, bool &isEnd) {
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  SmallVector<Operation *> operations;
  module->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  isEnd = number >= operations.size();
  // From the end: what comes last is often of no use to what fails.
  if (isEnd || !apply(operations[operations.size() - 1 - number], edit) ||
      failed(verify(*module)))
    return "";
  std::string result;
  llvm::raw_string_ostream(result) << *module;
  return result;
}

GeneratedKernel gpuopt::fuzz::reduce(GeneratedKernel kernel,
                                     const std::string &passes,
                                     Outcome::Kind kind, unsigned secondsEach) {
  std::unique_ptr<MLIRContext> context = createCompilerContext();
  ScopedDiagnosticHandler silence(context.get(),
                                  [](Diagnostic &) { return success(); });
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (Edit edit : kEdits) {
      bool isEnd = false;
      for (unsigned number = 0; !isEnd;) {
        GeneratedKernel smaller = kernel;
        smaller.text = edited(*context, kernel.text, number, edit, isEnd);
        bool fails = false;
        if (!smaller.text.empty()) {
          auto outcomes = runForked(smaller, {passes}, secondsEach);
          fails = outcomes.size() == 2 && outcomes[1].kind == kind;
        }
        if (fails) {
          kernel = smaller;
          hasChanged = true;
        } else {
          ++number;
        }
      }
    }
  }
  return kernel;
}
