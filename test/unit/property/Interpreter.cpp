//===- Interpreter.cpp - kernels of index arithmetic, run exactly ---------===//

#include "Interpreter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt::property;
using llvm::APInt;

/// Iterations of a loop that are run.
static constexpr uint64_t maxIterations = 4;

Interpreter::Interpreter(gpu::GPUFuncOp function, const WorkItem &workItem,
                         ArrayRef<APInt> argumentValues)
    : kernel(function), item(workItem), arguments(argumentValues) {}

void Interpreter::set(Value value, Bits bits) {
  // Poison and numbers beyond the first quarter of each sign.
  if (bits && bits->getBitWidth() == 64 && bits->getSignificantBits() > 62)
    sawLargeValue = true;
  values[value] = std::move(bits);
}

Interpreter::End Interpreter::run(Observer observe) {
  observer = &observe;
  for (auto [argument, value] : llvm::zip(kernel.getArguments(), arguments))
    set(argument, value);
  return run(kernel.getBody().front());
}

Interpreter::End Interpreter::run(Block &block) {
  for (Operation &op : block)
    if (End end = runOne(op); end != End::Returned)
      return end;
  return End::Returned;
}

Interpreter::End Interpreter::runOne(Operation &op) {
  if (isa<gpu::ReturnOp>(op))
    (*observer)(&op);
  if (op.hasTrait<OpTrait::IsTerminator>() ||
      isa<memref::ReinterpretCastOp>(op))
    return End::Returned;
  if (op.getNumRegions() != 0) {
    (*observer)(&op);
    return TypeSwitch<Operation *, End>(&op)
        .Case<scf::ForOp, affine::AffineForOp>(
            [&](auto loop) { return runFor(loop); })
        .Case<scf::IfOp, affine::AffineIfOp>(
            [&](auto branch) { return runIf(branch); })
        .Default([](Operation *) { return End::Unsupported; });
  }
  End end = runValue(op);
  if (end == End::Returned)
    (*observer)(&op);
  return end;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Bits Interpreter::computeId(Operation &op) {
  auto number = [](int64_t value) { return APInt(64, value); };
  auto of = [](auto id) { return static_cast<unsigned>(id.getDimension()); };
  return TypeSwitch<Operation *, Bits>(&op)
      .Case([&](gpu::ThreadIdOp id) { return number(item.threadId[of(id)]); })
      .Case([&](gpu::BlockIdOp id) { return number(item.blockId[of(id)]); })
      .Case([&](gpu::GlobalIdOp id) { return number(item.globalId(of(id))); })
      .Case([&](gpu::BlockDimOp id) { return number(item.blockDim[of(id)]); })
      .Case([&](gpu::GridDimOp id) { return number(item.gridDim[of(id)]); })
      .Case([&](gpu::LaneIdOp) {
        int64_t linear =
            (item.threadId[2] * item.blockDim[1] + item.threadId[1]) *
                item.blockDim[0] +
            item.threadId[0];
        return number(linear % 32);
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Notes where 64-bit arithmetic wraps as a signed number.
void Interpreter::noteWrap(Operation &op, ArrayRef<APInt> operands) {
  if (operands.front().getBitWidth() != 64 || operands.size() != 2)
    return;
  bool wraps = false;
  const APInt &a = operands[0], &b = operands[1];
  if (isa<arith::AddIOp>(op))
    (void)a.sadd_ov(b, wraps);
  else if (isa<arith::SubIOp>(op))
    (void)a.ssub_ov(b, wraps);
  else if (isa<arith::MulIOp>(op))
    (void)a.smul_ov(b, wraps);
  else if (isa<arith::ShLIOp>(op))
    (void)a.sshl_ov(b, wraps);
  sawLargeValue |= wraps;
}

Interpreter::End Interpreter::runValue(Operation &op) {
  if (isa<memref::StoreOp, memref::LoadOp, affine::AffineLoadOp,
          affine::AffineStoreOp>(op))
    return End::Returned; // What they access is none of our business.
  if (isa<gpu::GPUDialect>(op.getDialect())) {
    Bits id = computeId(op);
    set(op.getResult(0), id);
    return id ? End::Returned : End::Unsupported;
  }
  APInt constant;
  if (matchPattern(&op, m_ConstantInt(&constant))) {
    set(op.getResult(0), constant);
    return End::Returned;
  }
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          op)) {
    AffineMap map = cast<AffineMapAttr>(op.getAttr("map")).getValue();
    auto results = evaluate(map, op.getOperands());
    Bits value;
    sawLargeValue |= !results;
    if (results)
      value = APInt(64,
                    isa<affine::AffineMinOp>(op) ? *llvm::min_element(*results)
                                                 : *llvm::max_element(*results),
                    true);
    set(op.getResult(0), value);
    return End::Returned;
  }
  if (!isa<arith::ArithDialect>(op.getDialect()))
    return End::Unsupported;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Bits condition = get(select.getCondition());
    set(select, !condition ? Bits()
                           : get(condition->isOne() ? select.getTrueValue()
                                                    : select.getFalseValue()));
    return End::Returned;
  }
  SmallVector<APInt, 2> operands;
  for (Value operand : op.getOperands())
    if (Bits bits = get(operand))
      operands.push_back(*bits);
  bool isUndefined = false;
  Bits value;
  if (operands.size() == op.getNumOperands()) {
    value = computeArith(&op, operands, isUndefined);
    noteWrap(op, operands);
  }
  set(op.getResult(0), value);
  return isUndefined ? End::Undefined : End::Returned;
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// The value of `expr`, or nothing where it leaves 64 bits.
static std::optional<int64_t> evaluateExpr(AffineExpr expr, unsigned numDims,
                                           ArrayRef<int64_t> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = evaluateExpr(binary.getLHS(), numDims, operands);
  auto right = evaluateExpr(binary.getRHS(), numDims, operands);
  if (!left || !right)
    return std::nullopt;
  int64_t value;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*left, *right, value) ? std::nullopt
                                                   : std::optional(value);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*left, *right, value) ? std::nullopt
                                                   : std::optional(value);
  default:
    break;
  }
  if (*right <= 0)
    return std::nullopt;
  // Rounded down, without a library: the remainder has the divisor's sign.
  int64_t remainder = *left % *right;
  if (remainder < 0)
    remainder += *right;
  if (expr.getKind() == AffineExprKind::Mod)
    return remainder;
  int64_t quotient = *left / *right;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return quotient - (*left % *right < 0);
  return quotient + (*left % *right > 0);
}

std::optional<SmallVector<int64_t>>
Interpreter::evaluate(AffineMap map, ValueRange operands) const {
  SmallVector<int64_t> inputs, results;
  for (Value operand : operands) {
    Bits bits = get(operand);
    if (!bits)
      return std::nullopt;
    inputs.push_back(bits->getSExtValue());
  }
  for (AffineExpr expr : map.getResults()) {
    auto value = evaluateExpr(expr, map.getNumDims(), inputs);
    if (!value)
      return std::nullopt;
    results.push_back(*value);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Interpreter::yieldTo(Operation *terminator, ValueRange targets) {
  SmallVector<Bits> yielded;
  for (Value value : terminator->getOperands())
    yielded.push_back(get(value));
  for (auto [target, bits] : llvm::zip(targets, yielded))
    set(target, bits);
}

Interpreter::End Interpreter::runIf(scf::IfOp branch) {
  Bits condition = get(branch.getCondition());
  if (!condition)
    return End::Undefined;
  Block *block = condition->isOne() ? branch.thenBlock() : branch.elseBlock();
  if (!block)
    return End::Returned;
  End end = run(*block);
  if (end == End::Returned)
    yieldTo(block->getTerminator(), branch.getResults());
  return end;
}

Interpreter::End Interpreter::runIf(affine::AffineIfOp branch) {
  IntegerSet set = branch.getIntegerSet();
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), branch.getContext());
  auto results = evaluate(map, branch.getOperands());
  if (!results)
    return End::Undefined;
  bool holds = true;
  for (auto [value, isEquality] : llvm::zip(*results, set.getEqFlags()))
    holds &= isEquality ? value == 0 : value >= 0;
  Block *block = holds ? branch.getThenBlock() : branch.getElseBlock();
  return block ? run(*block) : End::Returned;
}

Interpreter::End Interpreter::runIterations(LoopLikeOpInterface loop,
                                            const APInt &first,
                                            const APInt &step,
                                            const APInt &count) {
  for (auto [argument, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
    set(argument, get(init));
  Block &body = loop.getLoopRegions().front()->front();
  APInt induction = first;
  iterations.push_back(0);
  for (uint64_t i = 0; count.ugt(i); ++i, induction += step) {
    if (i == maxIterations)
      return End::TooLong;
    iterations.back() = static_cast<int64_t>(i);
    set((*loop.getLoopInductionVars()).front(), induction);
    if (End end = run(body); end != End::Returned)
      return end;
    yieldTo(body.getTerminator(), loop.getRegionIterArgs());
  }
  iterations.pop_back();
  for (auto [result, argument] :
       llvm::zip(loop->getResults(), loop.getRegionIterArgs()))
    set(result, get(argument));
  return End::Returned;
}

Interpreter::End Interpreter::runFor(scf::ForOp loop) {
  Bits lower = get(loop.getLowerBound()), upper = get(loop.getUpperBound());
  Bits step = get(loop.getStep());
  bool isUnsigned = loop.getUnsignedCmp();
  if (!lower || !upper || !step || step->isZero() ||
      (!isUnsigned && step->isNegative()))
    return End::Undefined;
  unsigned wide = lower->getBitWidth() + 2;
  auto extend = [&](const APInt &value) {
    return isUnsigned ? value.zext(wide) : value.sext(wide);
  };
  APInt distance = extend(*upper) - extend(*lower);
  APInt count(wide, 0);
  if (distance.isStrictlyPositive())
    count = (distance - 1).udiv(step->zext(wide)) + 1;
  return runIterations(loop, *lower, *step, count);
}

Interpreter::End Interpreter::runFor(affine::AffineForOp loop) {
  auto lower = evaluate(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  auto upper = evaluate(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  if (!lower || !upper)
    return End::Undefined;
  APInt first(66, *llvm::max_element(*lower), true);
  APInt distance = APInt(66, *llvm::min_element(*upper), true) - first;
  APInt step(66, loop.getStepAsInt());
  APInt count(66, 0);
  if (distance.isStrictlyPositive())
    count = (distance - 1).udiv(step) + 1;
  return runIterations(loop, first.trunc(64), step.trunc(64), count);
}
