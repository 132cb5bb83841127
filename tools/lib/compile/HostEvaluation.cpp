//===- HostEvaluation.cpp - run the host's part of a kernel ---------------===//
//
// Control flow is followed here; every other operation is folded by its own
// folder. Folders may change an operation where they cannot fold it, so that a
// clone is run.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/compile/HostEvaluation.h"

#include "tools/lib/compile/Steps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;
using llvm::Error;

/// More iterations of loops are taken for endless ones.
static constexpr int64_t mostIterations = 1 << 20;

namespace {
class HostRun {
public:
  explicit HostRun(Block &entry) : entry(entry) {}

  Error run(Block &block);
  void set(Value value, Attribute constant) { values[value] = constant; }

  std::vector<HostLaunch> launches;

private:
  Error runIf(scf::IfOp branch);
  Error runFor(scf::ForOp loop);
  Error runWhile(scf::WhileOp loop);
  Error launch(gpu::LaunchFuncOp op);
  Error fold(Operation *op);
  Error iterate(Operation *loop);
  Error fail(Operation *op, const llvm::Twine &reason);
  llvm::Expected<llvm::APInt> integer(Value value, Operation *user);
  llvm::Expected<int64_t> size(Value value, Operation *user);
  void copy(ValueRange to, ValueRange from);

  Block &entry;
  llvm::DenseMap<Value, Attribute> values;
  int64_t iterations = 0;
};
} // namespace

Error HostRun::fail(Operation *op, const llvm::Twine &reason) {
  SourcePosition position = sourcePosition(op->getLoc());
  std::string place =
      position.line ? " at line " + std::to_string(position.line) : "";
  return llvm::createStringError("the sequence of launches is not known: '" +
                                 op->getName().getStringRef() + "'" + place +
                                 " " + reason);
}

llvm::Expected<llvm::APInt> HostRun::integer(Value value, Operation *user) {
  if (auto constant = dyn_cast_or_null<IntegerAttr>(values.lookup(value)))
    return constant.getValue();
  return fail(user, "needs a value that the arguments do not give");
}

llvm::Expected<int64_t> HostRun::size(Value value, Operation *user) {
  llvm::Expected<llvm::APInt> number = integer(value, user);
  if (!number)
    return number.takeError();
  return number->getSExtValue();
}

/// All at once: a loop may swap what it carries.
void HostRun::copy(ValueRange to, ValueRange from) {
  SmallVector<Attribute> constants;
  for (Value value : from)
    constants.push_back(values.lookup(value));
  for (auto [value, constant] : llvm::zip(to, constants))
    values[value] = constant;
}

Error HostRun::iterate(Operation *loop) {
  return ++iterations <= mostIterations ? Error::success()
                                        : fail(loop, "does not end");
}

Error HostRun::fold(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(values.lookup(operand));
  SmallVector<OpFoldResult> results;
  // A folder may first bring the operation into another form, with other
  // operands' order.
  for (unsigned attempt = 0; attempt < 4 && results.empty(); ++attempt) {
    operands.clear();
    for (Value operand : op->getOperands())
      operands.push_back(values.lookup(operand));
    if (failed(op->fold(operands, results)))
      break;
  }
  // What is not known is no error until someone needs it.
  for (auto [index, value] : llvm::enumerate(op->getResults())) {
    OpFoldResult result =
        index < results.size() ? results[index] : OpFoldResult();
    values[value] = !result              ? Attribute()
                    : isa<Value>(result) ? values.lookup(cast<Value>(result))
                                         : cast<Attribute>(result);
  }
  return Error::success();
}

Error HostRun::runIf(scf::IfOp branch) {
  llvm::Expected<llvm::APInt> condition =
      integer(branch.getCondition(), branch);
  if (!condition)
    return condition.takeError();
  Region &taken =
      condition->isZero() ? branch.getElseRegion() : branch.getThenRegion();
  if (taken.empty())
    return Error::success();
  if (Error error = run(taken.front()))
    return error;
  copy(branch.getResults(), taken.front().getTerminator()->getOperands());
  return Error::success();
}

Error HostRun::runFor(scf::ForOp loop) {
  auto lower = integer(loop.getLowerBound(), loop);
  auto upper = integer(loop.getUpperBound(), loop);
  auto step = integer(loop.getStep(), loop);
  Error error = llvm::joinErrors(
      lower.takeError(), llvm::joinErrors(upper.takeError(), step.takeError()));
  if (error)
    return error;
  if (step->isZero())
    return fail(loop, "does not end");
  copy(loop.getRegionIterArgs(), loop.getInitArgs());
  bool isUnsigned = loop.getUnsignedCmp();
  for (llvm::APInt iv = *lower; isUnsigned ? iv.ult(*upper) : iv.slt(*upper);) {
    values[loop.getInductionVar()] =
        IntegerAttr::get(loop.getInductionVar().getType(), iv);
    if (Error failed = iterate(loop))
      return failed;
    if (Error failed = run(*loop.getBody()))
      return failed;
    copy(loop.getRegionIterArgs(), loop.getYieldedValues());
    bool overflows = false;
    iv = isUnsigned ? iv.uadd_ov(*step, overflows)
                    : iv.sadd_ov(*step, overflows);
    if (overflows)
      break;
  }
  copy(loop.getResults(), loop.getRegionIterArgs());
  return Error::success();
}

Error HostRun::runWhile(scf::WhileOp loop) {
  copy(loop.getBeforeArguments(), loop.getInits());
  while (true) {
    if (Error failed = iterate(loop))
      return failed;
    if (Error failed = run(*loop.getBeforeBody()))
      return failed;
    llvm::Expected<llvm::APInt> condition =
        integer(loop.getConditionOp().getCondition(), loop);
    if (!condition)
      return condition.takeError();
    if (condition->isZero())
      break;
    copy(loop.getAfterArguments(), loop.getConditionOp().getArgs());
    if (Error failed = run(*loop.getAfterBody()))
      return failed;
    copy(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
  }
  copy(loop.getResults(), loop.getConditionOp().getArgs());
  return Error::success();
}

Error HostRun::launch(gpu::LaunchFuncOp op) {
  HostLaunch launch;
  launch.kernel = op.getKernelName().str();
  gpu::KernelDim3 grid = op.getGridSizeOperandValues();
  gpu::KernelDim3 block = op.getBlockSizeOperandValues();
  Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  for (auto [index, value] : llvm::enumerate(sizes)) {
    llvm::Expected<int64_t> number = size(value, op);
    if (!number)
      return number.takeError();
    (index < 3 ? launch.grid[index] : launch.block[index - 3]) = *number;
  }
  for (Value operand : op.getKernelOperands()) {
    HostOperand argument;
    auto parameter = dyn_cast<BlockArgument>(operand);
    if (parameter && parameter.getOwner() == &entry)
      argument.argument = parameter.getArgNumber();
    else
      argument.value = dyn_cast_or_null<TypedAttr>(values.lookup(operand));
    if (!argument.argument && !argument.value)
      return fail(op, "needs a value that the arguments do not give");
    launch.operands.push_back(argument);
  }
  launches.push_back(std::move(launch));
  return Error::success();
}

Error HostRun::run(Block &block) {
  for (Operation &op : block.without_terminator()) {
    Error error =
        llvm::TypeSwitch<Operation *, Error>(&op)
            .Case([&](scf::IfOp branch) { return runIf(branch); })
            .Case([&](scf::ForOp loop) { return runFor(loop); })
            .Case([&](scf::WhileOp loop) { return runWhile(loop); })
            .Case([&](gpu::LaunchFuncOp called) { return launch(called); })
            .Default([&](Operation *other) { return fold(other); });
    if (error)
      return error;
  }
  return Error::success();
}

llvm::Expected<std::vector<HostLaunch>>
gpuopt::evaluateHost(func::FuncOp host, ArrayRef<TypedAttr> arguments) {
  OwningOpRef<func::FuncOp> clone(host.clone());
  Block &entry = clone->getBody().front();
  HostRun run(entry);
  for (auto [value, constant] : llvm::zip(entry.getArguments(), arguments))
    run.set(value, constant);
  if (Error error = run.run(entry))
    return error;
  return std::move(run.launches);
}
