//===- ReplaceCountedLoops.cpp - from scf.while to scf.for ----------------===//

#include "passes/Analysis/Conditions.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Raising/CountedLoops.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/LoopLength.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gpuopt;

namespace {

/// Whether an access in every iteration has an index that moves with the
/// iteration variable one to one: 2^63 iterations would leave every object.
bool movesThroughMemory(scf::WhileOp loop, unsigned position) {
  std::function<bool(Value)> moves = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == loop.getAfterBody() &&
             loop.getConditionOp().getArgs()[argument.getArgNumber()] ==
                 loop.getBeforeArguments()[position];
    if (auto add = value.getDefiningOp<arith::AddIOp>())
      return (moves(add.getLhs()) && isDefinedOutside(add.getRhs(), loop)) ||
             (moves(add.getRhs()) && isDefinedOutside(add.getLhs(), loop));
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      return cast.getIn().getType().isInteger(64) && moves(cast.getIn());
    return false;
  };
  for (Operation &op : *loop.getAfterBody()) {
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && llvm::any_of(load.getIndices(), moves))
      return true;
    if (auto store = dyn_cast<memref::StoreOp>(op);
        store && llvm::any_of(store.getIndices(), moves))
      return true;
  }
  return false;
}

/// Extends a bound of the loop to `index`.
Value extendToIndex(OpBuilder &builder, Location loc, Value value,
                    bool isSigned, bool clamp) {
  Type index = builder.getIndexType();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    APInt wide = isSigned ? constant.sext(64) : constant.zext(64);
    return arith::ConstantIndexOp::create(builder, loc, wide.getSExtValue());
  }
  if (value.getType() == index) {
    if (isSigned || !clamp)
      return value;
    return arith::MinUIOp::create(
        builder, loc, value,
        arith::ConstantIndexOp::create(builder, loc,
                                       std::numeric_limits<int64_t>::max()));
  }
  if (isSigned)
    return arith::IndexCastOp::create(builder, loc, index, value);
  if (clamp && value.getType().isInteger(64) && !isSmall(value)) {
    Value most = arith::ConstantOp::create(
        builder, loc,
        builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()));
    value = arith::MinUIOp::create(builder, loc, value, most);
  }
  // At 64 bits both casts are the same: one spelling for all.
  if (value.getType().isInteger(64))
    return arith::IndexCastOp::create(builder, loc, index, value);
  return arith::IndexCastUIOp::create(builder, loc, index, value);
}

Value makeConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Bounds of the `scf.for`; it counts from 0 where the source counts down.
struct ForBounds {
  Value lower, upper, step;
  /// Value of the source's variable in the first iteration.
  Value start;
};

ForBounds makeBounds(OpBuilder &builder, scf::WhileOp loop,
                     const CountedLoop &counted) {
  Location loc = loop.getLoc();
  bool clamp = counted.mayExceedIndex && !counted.mayWrap &&
               !movesThroughMemory(loop, counted.position);
  Value start = extendToIndex(builder, loc, loop.getInits()[counted.position],
                              counted.isSigned, clamp);
  Value bound = extendToIndex(builder, loc, counted.bound,
                              counted.isBoundSigned(), clamp);
  if (counted.offset != 0)
    bound = builder.createOrFold<arith::SubIOp>(
        loc, bound, makeConstant(builder, loc, counted.offset));
  Value step =
      counted.stepValue
          ? extendToIndex(builder, loc, counted.stepValue, counted.isSigned,
                          /*clamp=*/false)
          : makeConstant(builder, loc, std::abs(counted.step));
  if (counted.step > 0) {
    if (counted.inclusive)
      bound = builder.createOrFold<arith::AddIOp>(
          loc, bound, makeConstant(builder, loc, 1));
    return {start, bound, step, start};
  }
  LoopLength length(bound, start, counted.inclusive);
  return {makeConstant(builder, loc, 0), length.emitBound(builder, loc), step,
          start};
}

/// The first iteration is not asked for.
void includeFirst(OpBuilder &builder, Location loc, ForBounds &bounds) {
  Value second = builder.createOrFold<arith::AddIOp>(
      loc, bounds.lower, makeConstant(builder, loc, 1));
  bounds.upper =
      builder.createOrFold<arith::MaxSIOp>(loc, bounds.upper, second);
}

/// The source's variable after the last iteration, of type `index`.
Value makeFinalValue(OpBuilder &builder, Location loc, const ForBounds &bounds,
                     const CountedLoop &counted) {
  LoopLength length(bounds.lower, bounds.upper);
  Value distance = length.emit(builder, loc);
  if (counted.stepValue || std::abs(counted.step) != 1) {
    distance = length.fits()
                   ? builder.createOrFold<arith::CeilDivSIOp>(loc, distance,
                                                              bounds.step)
                   : builder.createOrFold<arith::CeilDivUIOp>(loc, distance,
                                                              bounds.step);
    distance = builder.createOrFold<arith::MulIOp>(loc, distance, bounds.step);
  }
  if (counted.step > 0)
    return builder.createOrFold<arith::AddIOp>(loc, bounds.start, distance);
  return builder.createOrFold<arith::SubIOp>(loc, bounds.start, distance);
}

/// Clones what the loop's test computes, so that `mapping` holds what the
/// test forwards for the loop-carried values that it maps.
SmallVector<Value> cloneForwarded(OpBuilder &builder, scf::WhileOp loop,
                                  IRMapping &mapping) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> forwarded;
  for (Value value : loop.getConditionOp().getArgs())
    forwarded.push_back(mapping.lookupOrDefault(value));
  return forwarded;
}

/// Maps the arguments of the loop's test to the variable and the carried
/// values.
IRMapping mapArguments(scf::WhileOp loop, unsigned position, Value variable,
                       ValueRange carried) {
  IRMapping mapping;
  unsigned next = 0;
  for (BlockArgument argument : loop.getBeforeArguments())
    mapping.map(argument, argument.getArgNumber() == position
                              ? variable
                              : carried[next++]);
  return mapping;
}

} // namespace

/// `last`, which may be behind the ends of `type`, wrapped as the source does:
/// upstream takes a cast from and back to `index` for nothing.
static Value truncateTo(OpBuilder &builder, Location loc, Type type,
                        Value last) {
  if (type.isIndex())
    return last;
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), last);
  return type.isInteger(64)
             ? wide
             : arith::TruncIOp::create(builder, loc, type, wide).getResult();
}

/// What `counted` needs to hold, as a condition in front of the loop.
static Value makeTest(OpBuilder &builder, Location loc,
                      const CountedLoop &counted) {
  using Predicate = arith::CmpIPredicate;
  Value step = counted.stepValue, holds;
  Type type = step.getType();
  if (counted.mayNotAdvance) {
    Value zero =
        arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, 0));
    holds = arith::CmpIOp::create(
        builder, loc, counted.isSigned ? Predicate::sgt : Predicate::ugt, step,
        zero);
  }
  if (counted.mayWrap) {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    // Unsigned values of 64 bits have to be those of an index as well.
    APInt limit = counted.isSigned || width == 64
                      ? APInt::getSignedMaxValue(width)
                      : APInt::getMaxValue(width);
    Value most =
        arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, limit));
    Value room = arith::SubIOp::create(builder, loc, most, step);
    Value fits = arith::CmpIOp::create(
        builder, loc, counted.isSigned ? Predicate::sle : Predicate::ule,
        counted.bound, room);
    holds = holds ? arith::AndIOp::create(builder, loc, holds, fits) : fits;
  }
  return holds;
}

scf::WhileOp gpuopt::versionCountedLoop(RewriterBase &rewriter,
                                        scf::WhileOp loop,
                                        const CountedLoop &counted) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value test = makeTest(rewriter, loc, counted);
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), test,
                                  /*withElseRegion=*/true);
  branch->setAttr(kIndexRangeVersionAttrName, rewriter.getUnitAttr());
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  auto fill = [&](Block *block, scf::WhileOp version) {
    if (branch.getNumResults() == 0)
      return;
    rewriter.setInsertionPointToEnd(block);
    scf::YieldOp::create(rewriter, loc, version.getResults());
  };
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto copy = cast<scf::WhileOp>(rewriter.clone(*loop));
  fill(branch.thenBlock(), copy);
  fill(branch.elseBlock(), loop);
  rewriter.moveOpBefore(loop, branch.elseBlock(), branch.elseBlock()->begin());
  return copy;
}

/// Creates the loop, without a terminator, that carries what `loop` does
/// besides its variable; and that variable as the source has it, at the start
/// of its body.
static std::pair<scf::ForOp, Value> createForLoop(RewriterBase &rewriter,
                                                  scf::WhileOp loop,
                                                  const CountedLoop &counted,
                                                  const ForBounds &bounds) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits(loop.getInits());
  Type type = inits[counted.position].getType();
  inits.erase(inits.begin() + counted.position);
  auto forOp = scf::ForOp::create(rewriter, loc, bounds.lower, bounds.upper,
                                  bounds.step, inits);
  forOp->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  // What the source calls them.
  unsigned next = 0;
  for (BlockArgument argument : loop.getBeforeArguments()) {
    bool isCounter = argument.getArgNumber() == counted.position;
    BlockArgument now = isCounter ? cast<BlockArgument>(forOp.getInductionVar())
                                  : forOp.getRegionIterArg(next++);
    now.setLoc(argument.getLoc());
  }

  if (inits.empty())
    rewriter.eraseOp(forOp.getBody()->getTerminator());
  rewriter.setInsertionPointToStart(forOp.getBody());
  Value variable = forOp.getInductionVar();
  bool isNarrow = !type.isIndex() && !type.isInteger(64);
  if (counted.step < 0 && isNarrow && !counted.isSigned) {
    // That it does not wrap says more than what is cast from an index.
    Value done = arith::IndexCastUIOp::create(rewriter, loc, type, variable);
    return {forOp, arith::SubIOp::create(
                       rewriter, loc, loop.getInits()[counted.position], done,
                       arith::IntegerOverflowFlags::nuw)};
  }
  if (counted.step < 0)
    variable = arith::SubIOp::create(rewriter, loc, bounds.start, variable);
  if (type.isIndex())
    return {forOp, variable};
  if (counted.isExtended()) {
    Value wide = arith::IndexCastOp::create(rewriter, loc,
                                            rewriter.getI64Type(), variable);
    return {forOp, arith::TruncIOp::create(
                       rewriter, loc, type, wide,
                       counted.isSigned ? arith::IntegerOverflowFlags::nsw
                                        : arith::IntegerOverflowFlags::nuw)};
  }
  if (counted.isSigned || !isNarrow)
    return {forOp, arith::IndexCastOp::create(rewriter, loc, type, variable)};
  return {forOp, arith::IndexCastUIOp::create(rewriter, loc, type, variable)};
}

/// The body of a loop with the test at its end is its first region.
static scf::ForOp replaceRotatedLoop(RewriterBase &rewriter, scf::WhileOp loop,
                                     const CountedLoop &counted) {
  Location loc = loop.getLoc();
  SmallVector<unsigned> positions = *matchEmptyBody(loop);
  rewriter.setInsertionPoint(loop);
  ForBounds bounds = makeBounds(rewriter, loop, counted);
  includeFirst(rewriter, loc, bounds);
  auto [forOp, variable] = createForLoop(rewriter, loop, counted, bounds);
  Block *body = forOp.getBody();
  Type type = variable.getType();
  SmallVector<Value> arguments(forOp.getRegionIterArgs());
  arguments.insert(arguments.begin() + counted.position, variable);
  SmallVector<Value> yielded;
  SmallVector<Value> forwarded(loop.getConditionOp().getArgs());
  rewriter.setInsertionPoint(loop.getConditionOp());
  for (auto [number, position] : llvm::enumerate(positions))
    if (number != counted.position)
      yielded.push_back(forwarded[position]);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(loop.getConditionOp(), yielded);
  rewriter.mergeBlocks(loop.getBeforeBody(), body, arguments);

  rewriter.setInsertionPointAfter(forOp);
  Value last = makeFinalValue(rewriter, loc, bounds, counted);
  SmallVector<Value> carried(forOp.getResults());
  carried.insert(carried.begin() + counted.position,
                 truncateTo(rewriter, loc, type, last));
  for (auto [number, position] : llvm::enumerate(positions))
    rewriter.replaceAllUsesWith(loop.getResult(position), carried[number]);
  rewriter.eraseOp(loop);
  return forOp;
}

scf::ForOp gpuopt::replaceCountedLoop(RewriterBase &rewriter, scf::WhileOp loop,
                                      const CountedLoop &counted) {
  if (counted.isRotated)
    return replaceRotatedLoop(rewriter, loop, counted);
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  ForBounds bounds = makeBounds(rewriter, loop, counted);
  auto [forOp, variable] = createForLoop(rewriter, loop, counted, bounds);
  Block *body = forOp.getBody();
  Type type = variable.getType();
  IRMapping inBody =
      mapArguments(loop, counted.position, variable, forOp.getRegionIterArgs());
  SmallVector<Value> forwarded = cloneForwarded(rewriter, loop, inBody);
  scf::YieldOp yield = loop.getYieldOp();
  rewriter.modifyOpInPlace(yield,
                           [&] { yield->eraseOperand(counted.position); });
  rewriter.mergeBlocks(loop.getAfterBody(), body, forwarded);

  rewriter.setInsertionPointAfter(forOp);
  Value last = makeFinalValue(rewriter, loc, bounds, counted);
  last = truncateTo(rewriter, loc, type, last);
  IRMapping after =
      mapArguments(loop, counted.position, last, forOp.getResults());
  rewriter.replaceOp(loop, cloneForwarded(rewriter, loop, after));
  return forOp;
}
