//===- CarriedValues.cpp - what lanes put together after a loop -----------===//

#include "passes/Transforms/Reduce/CarriedValues.h"

#include "passes/Transforms/BlockOrder/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Leaders
//===----------------------------------------------------------------------===//

/// Which of two values leads where `comparison` compares them and the new one
/// wins if it is `true`, or false; nothing where that is no order. NaN makes
/// the opposite of an ordered comparison true.
static std::optional<LeaderOrder> orderOf(Operation *comparison,
                                          bool isNewFirst, bool winsIf) {
  LeaderOrder order;
  if (auto compare = dyn_cast<arith::CmpFOp>(comparison)) {
    using enum arith::CmpFPredicate;
    arith::CmpFPredicate predicate = compare.getPredicate();
    if (!winsIf || !llvm::is_contained({OGT, OGE, OLT, OLE}, predicate))
      return std::nullopt;
    order.isLargest = llvm::is_contained({OGT, OGE}, predicate);
    order.isLast = llvm::is_contained({OGE, OLE}, predicate);
  } else {
    using enum arith::CmpIPredicate;
    arith::CmpIPredicate predicate =
        cast<arith::CmpIOp>(comparison).getPredicate();
    if (!winsIf)
      predicate = arith::invertPredicate(predicate);
    if (predicate == eq || predicate == ne)
      return std::nullopt;
    order.isLargest = llvm::is_contained({sgt, sge, ugt, uge}, predicate);
    order.isLast = llvm::is_contained({sge, sle, uge, ule}, predicate);
    order.isUnsigned = llvm::is_contained({ugt, uge, ult, ule}, predicate);
  }
  if (!isNewFirst)
    order.isLargest = !order.isLargest;
  return order;
}

/// A selection between `argument` and a new value.
struct Selection {
  arith::SelectOp op;
  Value candidate;
  /// The new value is taken where the condition holds, or does not.
  bool winsIf;
};

static std::optional<Selection> findSelection(BlockArgument argument,
                                              Value yielded) {
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (!select || select->getBlock() != argument.getOwner() ||
      select.getCondition() == argument || !select->hasOneUse())
    return std::nullopt;
  bool winsIf = select.getFalseValue() == argument;
  Value kept = winsIf ? select.getFalseValue() : select.getTrueValue();
  Value candidate = winsIf ? select.getTrueValue() : select.getFalseValue();
  if (kept != argument || candidate == argument)
    return std::nullopt;
  return Selection{select, candidate, winsIf};
}

/// Whether `op` compares `candidate` with `argument`; and in which order.
static bool compares(Operation *op, Value candidate, Value argument,
                     bool &isNewFirst) {
  if (!isa_and_nonnull<arith::CmpFOp, arith::CmpIOp>(op) ||
      op->getBlock() != argument.getParentBlock())
    return false;
  isNewFirst = op->getOperand(0) == candidate;
  return op->getOperand(isNewFirst ? 0 : 1) == candidate &&
         op->getOperand(isNewFirst ? 1 : 0) == argument;
}

static bool isUsedBy(BlockArgument argument, Operation *first,
                     Operation *second) {
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    return user == first || user == second;
  });
}

/// The leader that a selection makes of `argument`, if it does.
static std::optional<CarriedValue> matchLeader(BlockArgument argument,
                                               Value yielded) {
  std::optional<Selection> selection = findSelection(argument, yielded);
  if (!selection)
    return std::nullopt;
  Operation *comparison = selection->op.getCondition().getDefiningOp();
  bool isNewFirst = true;
  if (!compares(comparison, selection->candidate, argument, isNewFirst) ||
      !isUsedBy(argument, comparison, selection->op))
    return std::nullopt;
  auto order = orderOf(comparison, isNewFirst, selection->winsIf);
  if (!order)
    return std::nullopt;
  CarriedValue leader;
  leader.kind = CarriedValue::Kind::Leader;
  leader.comparison = comparison;
  leader.winsIf = selection->winsIf;
  leader.order = *order;
  return leader;
}

/// The leader that a minimum or maximum of integers makes of `argument`, which
/// something else is compared with as well, in the same order.
static std::optional<CarriedValue> matchExtremum(BlockArgument argument,
                                                 Value yielded) {
  Operation *op = yielded.getDefiningOp();
  if (!isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
                       arith::MaxUIOp>(op) ||
      op->getBlock() != argument.getOwner() || !op->hasOneUse())
    return std::nullopt;
  Value candidate = op->getOperand(op->getOperand(0) == argument ? 1 : 0);
  bool isLargest = isa<arith::MaxSIOp, arith::MaxUIOp>(op);
  bool isUnsigned = isa<arith::MinUIOp, arith::MaxUIOp>(op);
  for (Operation *comparison : argument.getUsers()) {
    bool isNewFirst = true;
    if (!compares(comparison, candidate, argument, isNewFirst) ||
        !isUsedBy(argument, comparison, op))
      continue;
    for (bool winsIf : {true, false}) {
      auto order = orderOf(comparison, isNewFirst, winsIf);
      if (!order || order->isLargest != isLargest ||
          order->isUnsigned != isUnsigned)
        continue;
      CarriedValue leader;
      leader.kind = CarriedValue::Kind::Leader;
      leader.comparison = comparison;
      leader.winsIf = winsIf;
      leader.order = *order;
      return leader;
    }
  }
  return std::nullopt;
}

/// The follower of a leader among `all` that `argument` is, if it is one.
static std::optional<CarriedValue> matchFollower(BlockArgument argument,
                                                 Value yielded,
                                                 ArrayRef<CarriedValue> all) {
  std::optional<Selection> selection = findSelection(argument, yielded);
  if (!selection || !argument.hasOneUse())
    return std::nullopt;
  for (const CarriedValue &leader : all)
    if (leader.kind == CarriedValue::Kind::Leader &&
        selection->op.getCondition() == leader.comparison->getResult(0) &&
        selection->winsIf == leader.winsIf) {
      CarriedValue follower;
      follower.kind = CarriedValue::Kind::Follower;
      follower.comparison = leader.comparison;
      return follower;
    }
  return std::nullopt;
}

/// What sees the comparison of `leader` other than the selections of values
/// that the loop carries.
static Operation *findWitness(const CarriedValue &leader,
                              const CarriedValues &values, ValueRange yielded) {
  for (Operation *user : leader.comparison->getUsers()) {
    auto selects = [&](auto pair) {
      auto [value, result] = pair;
      return value.comparison == leader.comparison &&
             result.getDefiningOp() == user;
    };
    if (llvm::none_of(llvm::zip(values, yielded), selects))
      return user;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool gpuopt::isExchangeable(Type type) {
  return type.isIndex() ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}

std::variant<CarriedValues, Refusal>
gpuopt::classifyCarriedValues(LoopLikeOpInterface loop) {
  auto arguments = loop.getRegionIterArgs();
  auto yielded = loop.getYieldedValues();
  CarriedValues values(arguments.size());
  for (auto [number, argument] : llvm::enumerate(arguments))
    if (auto leader = matchLeader(argument, yielded[number]))
      values[number] = *leader;
    else if (auto extremum = matchExtremum(argument, yielded[number]))
      values[number] = *extremum;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    CarriedValue &value = values[number];
    if (value.kind != CarriedValue::Kind::Kept || argument == yielded[number])
      continue;
    if (!isExchangeable(argument.getType()))
      return Refusal{loop.getLoc(),
                     "it carries what is no number of up to 64 bits"};
    if (auto follower = matchFollower(argument, yielded[number], values)) {
      value = *follower;
      continue;
    }
    SmallVector<Operation *> combiners;
    if (auto refusal = checkCarriedValueCommutes(loop, number, combiners))
      return *refusal;
    if (combiners.empty())
      return Refusal{loop.getLoc(),
                     "iterations depend on the one before by more than a sum"};
    value.kind = CarriedValue::Kind::Combined;
    value.combiners.assign(combiners.begin(), combiners.end());
  }
  for (const CarriedValue &value : values)
    if (value.kind == CarriedValue::Kind::Leader)
      if (Operation *witness = findWitness(value, values, yielded))
        return Refusal{witness->getLoc(),
                       "iterations depend on which of those before was the "
                       "largest or least"};
  return values;
}

bool gpuopt::isIdempotent(const CarriedValue &value) {
  if (value.kind != CarriedValue::Kind::Combined)
    return true;
  return !isa<arith::AddIOp, arith::AddFOp, arith::SubIOp, arith::SubFOp,
              math::FmaOp, arith::MulIOp, arith::MulFOp, arith::XOrIOp>(
      value.combiners.front());
}

bool gpuopt::isRoundedByOrder(const CarriedValue &value) {
  return value.kind == CarriedValue::Kind::Combined && !isIdempotent(value) &&
         isa<FloatType>(value.combiners.front()->getResult(0).getType());
}

bool gpuopt::mayDifferBetweenLanes(const CarriedValue &value) {
  return value.kind == CarriedValue::Kind::Combined &&
         isa<arith::MaxNumFOp, arith::MinNumFOp>(value.combiners.front());
}

Value gpuopt::createIdentity(OpBuilder &builder, Location loc,
                             const CarriedValue &value, Type type) {
  bool isProduct = isa<arith::MulIOp, arith::MulFOp>(value.combiners.front());
  if (auto floats = dyn_cast<FloatType>(type)) {
    // -0 leaves each number as it is, also -0.
    TypedAttr identity =
        isProduct ? builder.getFloatAttr(type, 1)
                  : builder.getFloatAttr(
                        type, APFloat::getZero(floats.getFloatSemantics(),
                                               /*Negative=*/true));
    return arith::ConstantOp::create(builder, loc, identity);
  }
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, isProduct ? 1 : 0));
}

Value gpuopt::createCombination(OpBuilder &builder, Location loc,
                                const CarriedValue &value, Value left,
                                Value right) {
  Operation *like = value.combiners.front();
  OperationState state(loc, llvm::TypeSwitch<Operation *, StringRef>(like)
                                .Case<arith::SubIOp>([](auto) {
                                  return arith::AddIOp::getOperationName();
                                })
                                .Case<arith::SubFOp, math::FmaOp>([](auto) {
                                  return arith::AddFOp::getOperationName();
                                })
                                .Default([](Operation *op) {
                                  return op->getName().getStringRef();
                                }));
  state.addOperands({left, right});
  state.addTypes(left.getType());
  // Without the flags of `like`: two lanes that add the same two numbers must
  // get the same sum, and not one of them fuse what it adds with a product.
  return builder.create(state)->getResult(0);
}

Value gpuopt::createChallenge(OpBuilder &builder, Location loc,
                              const CarriedValue &leader, Value holder,
                              Value holderPosition, Value challenger,
                              Value challengerPosition) {
  auto [isLargest, isLast, isUnsigned] = leader.order;
  Value better, equal;
  if (isa<FloatType>(holder.getType())) {
    using enum arith::CmpFPredicate;
    better = arith::CmpFOp::create(builder, loc, isLargest ? OGT : OLT,
                                   challenger, holder);
    equal = arith::CmpFOp::create(builder, loc, OEQ, challenger, holder);
  } else {
    using enum arith::CmpIPredicate;
    arith::CmpIPredicate predicate =
        isUnsigned ? (isLargest ? ugt : ult) : (isLargest ? sgt : slt);
    better = arith::CmpIOp::create(builder, loc, predicate, challenger, holder);
    equal = arith::CmpIOp::create(builder, loc, eq, challenger, holder);
  }
  Value inTime = arith::CmpIOp::create(builder, loc,
                                       isLast ? arith::CmpIPredicate::sgt
                                              : arith::CmpIPredicate::slt,
                                       challengerPosition, holderPosition);
  return arith::SelectOp::create(builder, loc, equal, inTime, better);
}
