//===- RowRewrite.cpp - lanes that share a work item ----------------------===//

#include "passes/Transforms/Reduce/RowRewrite.h"

#include "passes/Analysis/IntegerValues.h"
#include "passes/Transforms/Utils/SubgroupBarrier.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gpuopt;

namespace {
class RowRewriter {
public:
  RowRewriter(gpu::GPUFuncOp kernel, Value lane, int64_t lanes)
      : rewriter(kernel.getContext()), kernel(kernel), lane(lane),
        lanes(lanes) {}

  void share(SharedLoop &shared);
  void restrictToFirstLane(Operation *op);
  void insertBarrier(Operation *op);

private:
  /// What `value` is in the lane whose number is this one's ^ `distance`, or in
  /// the first lane.
  Value fromLane(Value value, int64_t distance);
  Value fromFirstLane(Value value);
  Value exchange(Value value, int64_t number, gpu::ShuffleMode mode);
  Value isFirstLane(Location loc);

  void spreadIterations(LoopLikeOpInterface loop);
  LoopLikeOpInterface addPositions(SharedLoop &shared);
  void combine(LoopLikeOpInterface loop, const CarriedValue &value,
               unsigned number, Value init);
  void elect(LoopLikeOpInterface loop, const CarriedValues &values,
             unsigned leader, unsigned position);
  using MadeOperations = llvm::SmallPtrSet<Operation *, 16>;
  /// The operations between `loop` and where the next one is inserted.
  MadeOperations madeBehind(Operation *loop);
  /// Has all users of a loop's result but those in `made` use `replacement`,
  /// which follows from it.
  void replaceResult(Value result, Value replacement,
                     const MadeOperations &made);

  IRRewriter rewriter;
  gpu::GPUFuncOp kernel;
  Value lane;
  int64_t lanes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

Value RowRewriter::exchange(Value value, int64_t number,
                            gpu::ShuffleMode mode) {
  Location loc = value.getLoc();
  Type type = value.getType();
  // Shuffles take no indices, and languages have none of fewer than 32 bits.
  Type bits = type, moved = type;
  if (auto floats = dyn_cast<FloatType>(type); floats && floats.getWidth() < 32)
    bits = rewriter.getIntegerType(floats.getWidth());
  if (type.isIndex())
    moved = rewriter.getI64Type();
  else if (bits.isInteger() && bits.getIntOrFloatBitWidth() < 32)
    moved = rewriter.getI32Type();
  if (bits != type)
    value = arith::BitcastOp::create(rewriter, loc, bits, value);
  if (type.isIndex())
    value = arith::IndexCastOp::create(rewriter, loc, moved, value);
  else if (moved != bits)
    value = arith::ExtUIOp::create(rewriter, loc, moved, value);
  value = gpu::ShuffleOp::create(rewriter, loc, value, number, lanes, mode)
              .getShuffleResult();
  if (type.isIndex())
    return arith::IndexCastOp::create(rewriter, loc, type, value);
  if (moved != bits)
    value = arith::TruncIOp::create(rewriter, loc, bits, value);
  if (bits != type)
    value = arith::BitcastOp::create(rewriter, loc, type, value);
  return value;
}

Value RowRewriter::fromLane(Value value, int64_t distance) {
  return exchange(value, distance, gpu::ShuffleMode::XOR);
}

Value RowRewriter::fromFirstLane(Value value) {
  return exchange(value, 0, gpu::ShuffleMode::IDX);
}

Value RowRewriter::isFirstLane(Location loc) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lane,
                               zero);
}

void RowRewriter::restrictToFirstLane(Operation *op) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value isFirst = isFirstLane(loc);
  if (op->getNumResults() == 0 || op->use_empty()) {
    auto branch = scf::IfOp::create(rewriter, loc, isFirst, false);
    op->moveBefore(branch.thenBlock()->getTerminator());
    return;
  }
  Type type = op->getResult(0).getType();
  auto branch = scf::IfOp::create(rewriter, loc, type, isFirst, true);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  Value none =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  scf::YieldOp::create(rewriter, loc, none);
  rewriter.setInsertionPointAfter(branch);
  Value told = fromFirstLane(branch.getResult(0));
  rewriter.replaceAllUsesWith(op->getResult(0), told);
  op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  rewriter.setInsertionPointAfter(op);
  scf::YieldOp::create(rewriter, loc, op->getResult(0));
}

void RowRewriter::insertBarrier(Operation *op) {
  rewriter.setInsertionPoint(op);
  createSubgroupBarrier(rewriter, op->getLoc());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void RowRewriter::spreadIterations(LoopLikeOpInterface loop) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  if (auto counted = dyn_cast<scf::ForOp>(*loop)) {
    Value number = arith::ConstantIndexOp::create(rewriter, loc, lanes);
    Value step = counted.getStep();
    Value offset = arith::MulIOp::create(rewriter, loc, lane, step);
    counted.setLowerBound(
        arith::AddIOp::create(rewriter, loc, counted.getLowerBound(), offset));
    counted.setStep(arith::MulIOp::create(rewriter, loc, step, number));
    return;
  }
  auto affineLoop = cast<affine::AffineForOp>(*loop);
  AffineMap map = affineLoop.getLowerBoundMap();
  int64_t step = affineLoop.getStepAsInt();
  AffineExpr offset = rewriter.getAffineSymbolExpr(map.getNumSymbols()) * step;
  SmallVector<AffineExpr> begins;
  for (AffineExpr begin : map.getResults())
    begins.push_back(begin + offset);
  SmallVector<Value> operands(affineLoop.getLowerBoundOperands());
  operands.push_back(lane);
  affineLoop.setLowerBound(
      operands, AffineMap::get(map.getNumDims(), map.getNumSymbols() + 1,
                               begins, rewriter.getContext()));
  affineLoop.setStep(step * lanes);
}

RowRewriter::MadeOperations RowRewriter::madeBehind(Operation *loop) {
  MadeOperations made;
  for (Operation *op = loop->getNextNode();
       op != &*rewriter.getInsertionPoint(); op = op->getNextNode())
    made.insert(op);
  return made;
}

void RowRewriter::replaceResult(Value result, Value replacement,
                                const MadeOperations &made) {
  rewriter.replaceUsesWithIf(result, replacement, [&](OpOperand &use) {
    return !made.contains(use.getOwner());
  });
}

/// Has the loop carry, for each leader, where it stood; behind what it carries
/// now, in order.
LoopLikeOpInterface RowRewriter::addPositions(SharedLoop &shared) {
  SmallVector<const CarriedValue *> leaders;
  for (const CarriedValue &value : shared.carried)
    if (value.kind == CarriedValue::Kind::Leader)
      leaders.push_back(&value);
  if (leaders.empty())
    return shared.loop;
  Value iterator = *shared.loop.getSingleInductionVar();
  Interval range = IntegerValues(kernel).getExact(iterator, false).range;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  bool isNarrow = range.low >= -most && range.high <= most;
  // What the loop begins with stands before all others.
  IntegerType type = rewriter.getIntegerType(isNarrow ? 32 : 64);
  rewriter.setInsertionPoint(shared.loop);
  Value none = arith::ConstantOp::create(
      rewriter, shared.loop.getLoc(),
      rewriter.getIntegerAttr(type, APInt::getSignedMinValue(type.getWidth())));
  SmallVector<Value> inits(leaders.size(), none);
  auto positions = [&](OpBuilder &builder, Location loc,
                       ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> yielded;
    Value here = arith::IndexCastOp::create(builder, loc, type, iterator);
    for (auto [leader, argument] : llvm::zip(leaders, arguments)) {
      Value held = argument;
      yielded.push_back(arith::SelectOp::create(
          builder, loc, leader->comparison->getResult(0),
          leader->winsIf ? here : held, leader->winsIf ? held : here));
    }
    return yielded;
  };
  return *shared.loop.replaceWithAdditionalYields(rewriter, inits, false,
                                                  positions);
}

void RowRewriter::combine(LoopLikeOpInterface loop, const CarriedValue &value,
                          unsigned number, Value init) {
  Value result = loop->getResult(number), total = result;
  Location loc = loop.getLoc();
  rewriter.setInsertionPointAfter(loop);
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2)
    total = createCombination(rewriter, loc, value, total,
                              fromLane(total, distance));
  if (mayDifferBetweenLanes(value))
    total = fromFirstLane(total);
  if (!isIdempotent(value))
    total = createCombination(rewriter, loc, value, init, total);
  replaceResult(result, total, madeBehind(loop));
}

void RowRewriter::elect(LoopLikeOpInterface loop, const CarriedValues &values,
                        unsigned leader, unsigned position) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPointAfter(loop);
  // The leader, where it stood, and what follows it.
  SmallVector<unsigned> numbers = {leader, position};
  for (auto [number, value] : llvm::enumerate(values))
    if (value.kind == CarriedValue::Kind::Follower &&
        value.comparison == values[leader].comparison)
      numbers.push_back(number);
  SmallVector<Value> held;
  for (unsigned number : numbers)
    held.push_back(loop->getResult(number));
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value value : held)
      others.push_back(fromLane(value, distance));
    Value isBetter = createChallenge(rewriter, loc, values[leader], held[0],
                                     held[1], others[0], others[1]);
    for (auto [mine, other] : llvm::zip(held, others))
      mine = arith::SelectOp::create(rewriter, loc, isBetter, other, mine);
  }
  MadeOperations made = madeBehind(loop);
  for (auto [number, value] : llvm::zip(numbers, held))
    replaceResult(loop->getResult(number), value, made);
}

/// Sums of integers may wrap on another way.
static void dropNoWrapFlags(const CarriedValue &value) {
  for (Operation *combiner : value.combiners)
    if (auto flags =
            dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(combiner))
      combiner->setAttr(
          flags.getIntegerOverflowAttrName(),
          arith::IntegerOverflowFlagsAttr::get(
              combiner->getContext(), arith::IntegerOverflowFlags::none));
}

void RowRewriter::share(SharedLoop &shared) {
  LoopLikeOpInterface loop = addPositions(shared);
  spreadIterations(loop);
  unsigned position = shared.carried.size();
  for (auto [number, value] : llvm::enumerate(shared.carried)) {
    OpOperand &init = loop.getInitsMutable()[number];
    Value begin = init.get();
    switch (value.kind) {
    case CarriedValue::Kind::Combined:
      dropNoWrapFlags(value);
      if (!isIdempotent(value)) {
        rewriter.setInsertionPoint(loop);
        init.set(
            createIdentity(rewriter, loop.getLoc(), value, begin.getType()));
      }
      combine(loop, value, number, begin);
      break;
    case CarriedValue::Kind::Leader:
      elect(loop, shared.carried, number, position++);
      break;
    case CarriedValue::Kind::Follower:
    case CarriedValue::Kind::Kept:
      break;
    }
  }
}

void gpuopt::shareRows(gpu::GPUFuncOp kernel, RowWork &work, Value lane,
                       int64_t lanes) {
  RowRewriter rewriter(kernel, lane, lanes);
  // While all operations are where they were found.
  for (Operation *op : work.waits)
    rewriter.insertBarrier(op);
  for (Operation *op : work.single)
    rewriter.restrictToFirstLane(op);
  for (SharedLoop &shared : work.loops)
    rewriter.share(shared);
}
