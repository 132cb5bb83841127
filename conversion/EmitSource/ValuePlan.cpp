//===- ValuePlan.cpp - which values get a variable ------------------------===//

#include "conversion/EmitSource/ValuePlan.h"

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt::source;

/// An index or a condition longer than this gets a variable of its own where it
/// is used more than once.
static constexpr unsigned maxRepeatedSize = 24;

ValuePlan::ValuePlan(gpu::GPUFuncOp function) {
  number(function.getBody());
  function.walk([&](LoopLikeOpInterface loop) { markAccumulators(loop); });
  chooseInline(function);
  merge(function);
}

Value ValuePlan::leader(Value value) const {
  auto found = leaders.find(value);
  return found == leaders.end() ? value : found->second;
}

void ValuePlan::number(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      starts[&op] = nextPosition++;
      for (Region &inner : op.getRegions())
        number(inner);
      ends[&op] = nextPosition++;
    }
}

//===--- Values without a variable ----------------------------------------===//

bool gpuopt::source::isUndefined(Operation *op) {
  return isa_and_nonnull<ub::PoisonOp, LLVM::PoisonOp, LLVM::UndefOp>(op);
}

/// Whether `op` only names something or has no cost: a constant, a view, a part
/// of a vector.
static bool isTrivial(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isUndefined(op) ||
         isa<memref::ReinterpretCastOp, memref::CastOp,
             memref::AssumeAlignmentOp, memref::ExtractAlignedPointerAsIndexOp,
             vector::ExtractOp, vector::BroadcastOp, gpu::ThreadIdOp,
             gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::GlobalIdOp,
             arith::IndexCastOp, memref::AllocaOp, memref::GetGlobalOp,
             gpuopt::GetVariableOp>(op) ||
         (isa<ViewLikeOpInterface>(op));
}

static bool isLoad(Operation *op) {
  return isa<affine::AffineLoadOp, memref::LoadOp, vector::LoadOp>(op);
}

/// A step of an accumulator: `sum + a * b`, the running value on the left or on
/// the right.
static Operation *stepOf(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  bool isStep =
      op && op->getBlock() == body &&
      (isa<arith::SelectOp>(op) || op->hasOneUse()) &&
      isa<arith::SelectOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
          arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
          arith::XOrIOp, arith::OrIOp, arith::AndIOp, math::FmaOp>(op) &&
      !isa<IndexType>(value.getType());
  return isStep ? op : nullptr;
}

/// Collects the steps from `value` back to `argument`.
static bool collectSteps(Value value, Value argument, Block *body,
                         SmallVectorImpl<Operation *> &steps,
                         llvm::SmallDenseSet<Operation *> &seen) {
  if (value == argument)
    return true;
  Operation *op = stepOf(value, body);
  if (!op || !seen.insert(op).second)
    return false;
  // The running value is an operand, and so are those of all steps before.
  for (unsigned depth = steps.size(); Value operand : op->getOperands()) {
    steps.push_back(op);
    if (operand.getType() == value.getType() &&
        collectSteps(operand, argument, body, steps, seen))
      return true;
    steps.truncate(depth);
  }
  return false;
}

static bool collectSteps(Value value, Value argument, Block *body,
                         SmallVectorImpl<Operation *> &steps) {
  llvm::SmallDenseSet<Operation *> seen;
  return collectSteps(value, argument, body, steps, seen);
}

void ValuePlan::markAccumulators(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  if (!isa<affine::AffineForOp, scf::ForOp>(op))
    return;
  for (auto [argument, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    SmallVector<Operation *> steps;
    Block *body = &op->getRegion(0).front();
    if (collectSteps(yielded, argument, body, steps))
      accumulators.insert(steps.begin(), steps.end());
  }
}

void ValuePlan::chooseInline(gpu::GPUFuncOp function) {
  SmallVector<Operation *> order;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() > 0 && op->getNumRegions() == 0)
      order.push_back(op);
  });
  for (Operation *op : order)
    chooseSmall(op);
  for (Operation *op : llvm::reverse(order))
    chooseSingleUse(op);
}

/// Whether `op` reads only parameters and constants.
static bool isInLaunch(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return !argument || isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  });
}

void ValuePlan::chooseSmall(Operation *op) {
  unsigned size = 1;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      size += inlined.contains(producer) ? sizes.lookup(producer) : 1;
  sizes[op] = size;
  if (isTrivial(op)) {
    inlined.insert(op);
    return;
  }
  if (!isPure(op) || op->getNumResults() != 1)
    return;
  Type type = op->getResult(0).getType();
  // The size of an array less one is as short as any name.
  bool isOfSizes =
      type.isInteger() && size <= 3 &&
      llvm::all_of(op->getOperands(), [](Value operand) {
        return isa<BlockArgument>(operand) ||
               operand.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
      });
  if (isOfSizes && isInLaunch(op)) {
    inlined.insert(op);
    return;
  }
  if (!isa<IndexType>(type) && !type.isInteger(1))
    return;
  // A quotient that several places need has a name.
  bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                        arith::RemUIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if (isQuotient && op->getResult(0).hasNUsesOrMore(3))
    return;
  // So has what several divisions divide, or divide by, and a sum with one.
  auto isDivision = [](Operation *user) {
    return isa_and_nonnull<arith::DivUIOp, arith::RemUIOp>(user) &&
           !matchPattern(user->getOperand(1), m_Constant());
  };
  bool addsDivision = op->getResult(0).hasNUsesOrMore(3) &&
                      isa<arith::AddIOp>(op) &&
                      llvm::any_of(op->getOperands(), [&](Value operand) {
                        return isDivision(operand.getDefiningOp());
                      });
  if (addsDivision || llvm::count_if(op->getUsers(), isDivision) > 1)
    return;
  bool readsNumbers = llvm::any_of(op->getOperands(), [](Value operand) {
    return isa<FloatType, VectorType>(operand.getType());
  });
  if (!readsNumbers && (op->hasOneUse() || size <= maxRepeatedSize))
    inlined.insert(op);
}

Operation *ValuePlan::placeOf(Operation *user) const {
  while (inlined.contains(user)) {
    if (!user->hasOneUse())
      return nullptr;
    user = *user->user_begin();
  }
  return user;
}

/// Whether `op`, or what is in it, may change memory that others read.
static bool mayWrite(Operation *op) {
  if (isMemoryEffectFree(op))
    return false;
  if (isLoad(op) || isa<memref::AssumeAlignmentOp, LLVM::LoadOp>(op))
    return false;
  bool writes = op->getNumRegions() == 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      writes |= mayWrite(&inner);
  return writes;
}

/// The array that `op`, a load or a store, accesses; null for all else.
static Value arrayOf(Operation *op) {
  Value array =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
                memref::StoreOp>([](auto access) { return access.getMemRef(); })
          .Case<vector::LoadOp, vector::StoreOp>(
              [](auto access) { return access.getBase(); })
          .Default([](Operation *) { return Value(); });
  while (array)
    if (auto view =
            dyn_cast_or_null<ViewLikeOpInterface>(array.getDefiningOp()))
      array = view.getViewSource();
    else
      break;
  return array;
}

/// Whether `left` is an array of a block and `right` one that the kernel is
/// given, or the other way round: they share no memory.
static bool areApart(Value left, Value right) {
  auto first = dyn_cast_or_null<BlockArgument>(left);
  auto second = dyn_cast_or_null<BlockArgument>(right);
  if (!first || !second || first.getOwner() != second.getOwner())
    return false;
  auto function = dyn_cast<gpu::GPUFuncOp>(first.getOwner()->getParentOp());
  if (!function)
    return false;
  unsigned count = function.getFunctionType().getNumInputs();
  return (first.getArgNumber() < count) != (second.getArgNumber() < count);
}

bool ValuePlan::canMoveLoad(Operation *load, Operation *place) const {
  if (place->getBlock() != load->getBlock())
    return false;
  for (Operation *op = load->getNextNode(); op && op != place;
       op = op->getNextNode())
    if (mayWrite(op) && !areApart(arrayOf(load), arrayOf(op)))
      return false;
  return true;
}

void ValuePlan::chooseSingleUse(Operation *op) {
  if (inlined.contains(op) || accumulators.contains(op) ||
      op->getNumResults() != 1 || !op->hasOneUse())
    return;
  Operation *place = placeOf(*op->user_begin());
  if (!place)
    return;
  if (isLoad(op)) {
    if (canMoveLoad(op, place))
      inlined.insert(op);
    return;
  }
  // Not into a loop, where it would be computed again and again; conditions
  // of branches do no harm.
  Operation *ancestor = place;
  while (ancestor->getBlock() != op->getBlock()) {
    ancestor = ancestor->getParentOp();
    if (!ancestor || !isa<scf::IfOp>(ancestor))
      return;
  }
  if (isPure(op))
    inlined.insert(op);
}

//===--- Values that share a variable -------------------------------------===//

bool ValuePlan::hasVariable(Value value) const {
  if (isa<MemRefType>(value.getType()))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<gpu::GPUFuncOp>(parent))
      return false;
    if (isa<affine::AffineForOp, scf::ForOp>(parent))
      return argument.getArgNumber() > 0;
    return isa<scf::WhileOp>(parent);
  }
  return !inlined.contains(value.getDefiningOp());
}

int64_t ValuePlan::definedAt(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return starts.lookup(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() > 0 ? ends.lookup(op) : starts.lookup(op);
}

void ValuePlan::collectUses(Value value,
                            SmallVectorImpl<UsePoint> &uses) const {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (inlined.contains(user)) {
      for (Value result : user->getResults())
        collectUses(result, uses);
      continue;
    }
    // The bounds of a loop are read until its end.
    auto loop = dyn_cast<LoopLikeOpInterface>(user);
    bool isInit = !loop || llvm::any_of(loop.getInits(), [&](Value init) {
      return init == value;
    });
    uses.push_back({user, !isInit});
  }
}

/// Whether `left` and `right` stand in different branches of one `if`.
static bool areExclusive(Operation *left, Operation *right) {
  for (Operation *op = left; op; op = op->getParentOp()) {
    auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
    if (!branch)
      continue;
    Region *other = op->getParentRegion() == &branch.getThenRegion()
                        ? &branch.getElseRegion()
                        : &branch.getThenRegion();
    if (other->isAncestor(right->getParentRegion()))
      return true;
  }
  return false;
}

/// The operation at which `value` comes into being.
static Operation *placeOfDefinition(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->getParentOp();
  return value.getDefiningOp();
}

/// Whether `value` is read after `defined` has been written.
bool ValuePlan::isLiveAfter(Value value, Value defined) const {
  SmallVector<UsePoint> uses;
  collectUses(value, uses);
  int64_t written = definedAt(defined);
  Operation *writer = placeOfDefinition(defined);
  for (const UsePoint &use : uses) {
    int64_t read = use.atEnd ? ends.lookup(use.op) : starts.lookup(use.op);
    if (read > written && !areExclusive(writer, use.op))
      return true;
    // A loop around both comes back to the read, unless the value is made
    // anew in it.
    for (Operation *loop = use.op->getParentOp(); loop;
         loop = loop->getParentOp()) {
      if (!isa<LoopLikeOpInterface>(loop) || !loop->isAncestor(writer) ||
          (loop == writer && isa<OpResult>(defined)))
        continue;
      auto argument = dyn_cast<BlockArgument>(value);
      bool isMadeInside =
          argument ? loop->isAncestor(argument.getOwner()->getParentOp())
                   : loop->isProperAncestor(value.getDefiningOp());
      if (!isMadeInside)
        return true;
    }
  }
  return false;
}

bool ValuePlan::interfere(Value left, Value right) const {
  int64_t leftStart = definedAt(left), rightStart = definedAt(right);
  if (leftStart == rightStart)
    return true;
  return leftStart < rightStart ? isLiveAfter(left, right)
                                : isLiveAfter(right, left);
}

SmallVector<Value> ValuePlan::membersOf(Value leader) const {
  auto found = members.find(leader);
  if (found != members.end())
    return found->second;
  SmallVector<Value> alone;
  alone.push_back(leader);
  return alone;
}

void ValuePlan::forceMerge(Value left, Value right) {
  Value to = leader(left), from = leader(right);
  if (to == from)
    return;
  SmallVector<Value> moved = membersOf(from), kept = membersOf(to);
  llvm::append_range(kept, moved);
  for (Value value : moved)
    leaders[value] = to;
  members.erase(from);
  members[to] = std::move(kept);
}

void ValuePlan::tryMerge(Value left, Value right) {
  if (!hasVariable(left) || !hasVariable(right) ||
      left.getType() != right.getType())
    return;
  Value to = leader(left), from = leader(right);
  if (to == from)
    return;
  SmallVector<Value> one = membersOf(to), other = membersOf(from);
  for (Value a : one)
    for (Value b : other)
      if (interfere(a, b))
        return;
  forceMerge(to, from);
}

void ValuePlan::merge(gpu::GPUFuncOp function) {
  // What must share first, then what may.
  function.walk([&](LoopLikeOpInterface loop) {
    if (isa<affine::AffineForOp, scf::ForOp>(loop))
      for (auto [argument, result] :
           llvm::zip(loop.getRegionIterArgs(), loop->getResults()))
        forceMerge(argument, result);
    auto whileOp = dyn_cast<scf::WhileOp>(loop.getOperation());
    if (!whileOp)
      return;
    for (auto [argument, result, passed] :
         llvm::zip(whileOp.getAfterArguments(), whileOp.getResults(),
                   whileOp.getConditionOp().getArgs())) {
      forceMerge(argument, result);
      // What is passed on unchanged keeps its value until the next iteration.
      auto before = dyn_cast<BlockArgument>(passed);
      if (before && before.getOwner() == whileOp.getBeforeBody())
        forceMerge(before, argument);
    }
  });
  function.walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      mergeLoop(op);
    else if (isa<scf::IfOp>(op))
      mergeIf(op);
  });
}

void ValuePlan::mergeLoop(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [argument, init] :
         llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      tryMerge(argument, init);
    for (auto [argument, yielded] :
         llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getOperands()))
      tryMerge(argument, yielded);
    for (auto [argument, passed] :
         llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
      tryMerge(argument, passed);
    return;
  }
  if (!isa<affine::AffineForOp, scf::ForOp>(op))
    return;
  auto loop = cast<LoopLikeOpInterface>(op);
  Block *body = &op->getRegion(0).front();
  for (auto [argument, init, yielded] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits(),
                 loop.getYieldedValues())) {
    SmallVector<Operation *> steps;
    if (collectSteps(yielded, argument, body, steps))
      for (Operation *step : llvm::reverse(steps))
        tryMerge(argument, step->getResult(0));
    tryMerge(argument, yielded);
    if (llvm::count(loop.getInits(), init) == 1)
      tryMerge(argument, init);
  }
}

void ValuePlan::mergeIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty())
      continue;
    for (auto [result, yielded] :
         llvm::zip(branch.getResults(),
                   region->front().getTerminator()->getOperands()))
      tryMerge(result, yielded);
  }
}
