//===- IntegerValuesOfOps.cpp - the meaning of integer operations ---------===//
//
// Each function gives the polynomial of one family of operations and says why
// it is exact, or returns nothing: then the value is an atom.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

/// The constant, read as signed.
static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getBitWidth() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

IntegerValue IntegerValues::compute(Value value) {
  unsigned bits = getBits(value.getType());
  assert(bits != 0 && "only integers and indices have a polynomial");
  if (std::optional<int64_t> constant = getConstant(value))
    return fit(*constant, {*constant, *constant}, bits, true, false);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  Operation *op = value.getDefiningOp();
  // Conditions are no numbers.
  if (bits == 1)
    return opaque(value, true);
  if (std::optional<IntegerValue> result = computeArithmetic(op))
    return *result;
  if (std::optional<IntegerValue> result = computeCast(op))
    return *result;
  if (std::optional<IntegerValue> result = computeDivision(op))
    return *result;
  if (std::optional<IntegerValue> result = computeId(op))
    return *result;
  return opaque(value);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// `block_id * block_dim` is `global_id - thread_id`: with the thread's id
/// added, only the work item's id is left. It is less than 2^31 because the
/// launch has fewer work items. `block_dim * grid_dim` is their number.
Polynomial IntegerValues::multiply(const Polynomial &left,
                                   const Polynomial &right) {
  Polynomial product = left * right;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    unsigned blockDim = *getId(Atom::Kind::BlockDim, dimension).getVariable();
    if (!product.contains(blockDim))
      continue;
    Polynomial offset = getId(Atom::Kind::GlobalId, dimension) -
                        getId(Atom::Kind::ThreadId, dimension);
    std::pair<unsigned, Polynomial> rules[] = {
        {*getId(Atom::Kind::BlockId, dimension).getVariable(), offset},
        {*getId(Atom::Kind::GridDim, dimension).getVariable(),
         getId(Atom::Kind::GlobalSize, dimension)}};
    Polynomial result;
    for (const auto &[monomial, coefficient] : product.getTerms()) {
      Monomial rest = monomial;
      Polynomial factor(coefficient);
      for (const auto &[partner, replacement] : rules) {
        auto *first = llvm::find(rest, blockDim);
        if (first == rest.end() || !llvm::is_contained(rest, partner))
          continue;
        rest.erase(first);
        rest.erase(llvm::find(rest, partner));
        factor = factor * replacement;
      }
      result += factor * Polynomial::term(rest, 1);
    }
    product = result;
  }
  return product;
}

/// LLVM writes `-1 - x` as `x ^ -1`. As signed numbers they never wrap.
std::optional<IntegerValue> IntegerValues::computeComplement(arith::XOrIOp op) {
  if (getConstant(op.getRhs()) != -1)
    return std::nullopt;
  IntegerValue operand = get(op.getLhs());
  Interval minus{-1, -1};
  return fit(Polynomial(-1) - operand.value, minus + minus * operand.range,
             getBits(op.getType()), operand.isSigned, false);
}

std::optional<IntegerValue> IntegerValues::computeArithmetic(Operation *op) {
  // Affine arithmetic does not wrap.
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return fit(get(apply.getAffineMap(), apply.getMapOperands()).front(), {},
               64, true, false);
  if (auto bits = dyn_cast<arith::XOrIOp>(op))
    return computeComplement(bits);
  bool isShift = isa<arith::ShLIOp>(op);
  if (!isShift && !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  IntegerValue left = get(op->getOperand(0)), right = get(op->getOperand(1));
  unsigned bits = getBits(op->getResult(0).getType());
  if (isShift) {
    std::optional<int64_t> amount = right.value.getConstant();
    if (!amount || *amount < 0 || *amount >= std::min(bits, 63u))
      return std::nullopt;
    right = fit(int64_t(1) << *amount, {}, 64, true, true);
  }
  auto overflow =
      cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr();
  bool noSignedWrap = arith::bitEnumContainsAny(
      overflow.getValue(), arith::IntegerOverflowFlags::nsw);
  bool noUnsignedWrap = arith::bitEnumContainsAny(
      overflow.getValue(), arith::IntegerOverflowFlags::nuw);

  Interval minus{-1, -1};
  Polynomial value;
  Interval range;
  if (isa<arith::AddIOp>(op)) {
    value = left.value + right.value;
    range = left.range + right.range;
  } else if (isa<arith::SubIOp>(op)) {
    value = left.value - right.value;
    range = left.range + minus * right.range;
  } else {
    value = multiply(left.value, right.value);
    range = left.range * right.range;
  }
  return fit(value, range, bits,
             noSignedWrap && left.isSigned && right.isSigned,
             noUnsignedWrap && left.isUnsigned && right.isUnsigned);
}

std::optional<IntegerValue> IntegerValues::computeCast(Operation *op) {
  // `index` has 64 bits: its casts are extensions and truncations.
  bool isSigned = isa<arith::ExtSIOp, arith::IndexCastOp>(op);
  if (!isSigned &&
      !isa<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(op))
    return std::nullopt;
  Value operand = op->getOperand(0);
  unsigned from = getBits(operand.getType());
  unsigned to = getBits(op->getResult(0).getType());
  if (from == 0 || to == 0)
    return std::nullopt;
  if (to > from) {
    IntegerValue value = getExact(operand, !isSigned);
    return fit(value.value, value.range, to, isSigned, !isSigned);
  }
  IntegerValue value = get(operand);
  if (to == from)
    return value;
  auto truncation = dyn_cast<arith::TruncIOp>(op);
  return fit(value.value, value.range, to,
             truncation && truncation.hasNoSignedWrap() && value.isSigned,
             truncation && truncation.hasNoUnsignedWrap() && value.isUnsigned);
}

//===----------------------------------------------------------------------===//
// Division by constants
//===----------------------------------------------------------------------===//

/// Takes the atoms of `value` off `room`, those of all that is divided in it
/// as often as it is written out; stops where there is no room left.
static void takeWritten(const IntegerValues &values, const Polynomial &value,
                        int64_t &room) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (unsigned factor : monomial) {
      if (--room < 0)
        return;
      takeWritten(values, values.getAtom(factor).numerator, room);
    }
}

/// Whether `value` stays small when it is written out, as affine expressions
/// are: 20 lines of `j = j / 3 + j` would have a million divisions.
static bool isSmall(const IntegerValues &values, const Polynomial &value) {
  int64_t room = 128;
  takeWritten(values, value, room);
  return room >= 0;
}

std::optional<IntegerValue> IntegerValues::computeDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
           arith::RemUIOp, arith::ShRSIOp, arith::ShRUIOp, arith::AndIOp>(op))
    return std::nullopt;
  std::optional<int64_t> divisor = getConstant(op->getOperand(1));
  unsigned bits = getBits(op->getResult(0).getType());
  if (!divisor)
    return std::nullopt;
  bool isShift = isa<arith::ShRSIOp, arith::ShRUIOp>(op);
  if (isShift && (*divisor < 0 || *divisor >= std::min(bits, 63u)))
    return std::nullopt;
  if (isShift)
    divisor = int64_t(1) << *divisor;
  // x & (2^k - 1) is x mod 2^k.
  bool isMask = isa<arith::AndIOp>(op);
  if (isMask && *divisor == std::numeric_limits<int64_t>::max())
    return std::nullopt;
  if (isMask)
    *divisor += 1;
  if (*divisor < 1 || (isMask && !llvm::isPowerOf2_64(*divisor)))
    return std::nullopt;

  // Rounding is down for these, toward zero for the others.
  bool roundsDown = isa<arith::FloorDivSIOp, arith::ShRSIOp, arith::AndIOp>(op);
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp>(op);
  IntegerValue left = getExact(op->getOperand(0), isUnsigned);
  if (!isUnsigned && !roundsDown && left.range.low < 0)
    return std::nullopt;
  // An index is signed: a dividend of 2^63 or more would be divided as a
  // negative number.
  if (isUnsigned && bits == 64 && !left.isSigned)
    return std::nullopt;
  if (!isSmall(*this, left.value))
    return std::nullopt;
  Polynomial quotient = floorDivide(left.value, *divisor);
  if (!isMask && !isa<arith::RemSIOp, arith::RemUIOp>(op))
    return fit(quotient, {}, bits, !isUnsigned, isUnsigned);
  return fit(left.value - Polynomial(*divisor) * quotient, {0, *divisor - 1},
             bits, false, false);
}

//===----------------------------------------------------------------------===//
// Ids, induction variables, values carried around loops
//===----------------------------------------------------------------------===//

std::optional<IntegerValue> IntegerValues::computeId(Operation *op) {
  auto id = [&](Atom::Kind kind, gpu::Dimension dimension) {
    return fit(getId(kind, static_cast<unsigned>(dimension)), {}, 64, true,
               true);
  };
  if (auto globalId = dyn_cast<gpu::GlobalIdOp>(op))
    return id(Atom::Kind::GlobalId, globalId.getDimension());
  if (auto blockId = dyn_cast<gpu::BlockIdOp>(op))
    return id(Atom::Kind::BlockId, blockId.getDimension());
  if (auto threadId = dyn_cast<gpu::ThreadIdOp>(op))
    return id(Atom::Kind::ThreadId, threadId.getDimension());
  if (auto blockDim = dyn_cast<gpu::BlockDimOp>(op))
    return id(Atom::Kind::BlockDim, blockDim.getDimension());
  if (auto gridDim = dyn_cast<gpu::GridDimOp>(op))
    return id(Atom::Kind::GridDim, gridDim.getDimension());
  return std::nullopt;
}

/// An induction variable is an atom; `range` follows from the bounds.
IntegerValue IntegerValues::computeInduction(BlockArgument argument,
                                             Interval range, bool isUnsigned) {
  IntegerValue value = opaque(argument, isUnsigned);
  Atom &atom = atoms[*value.value.getVariable()];
  atom.range = atom.range.intersect(range);
  return fit(value.value, range, getBits(argument.getType()), !isUnsigned,
             isUnsigned);
}

IntegerValue IntegerValues::computeArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  Interval beforeEnd{0, -1};
  // From the largest of the first bounds to the least of the second ones.
  auto between = [&](ArrayRef<Polynomial> lower, ArrayRef<Polynomial> upper) {
    Interval range;
    for (const Polynomial &bound : lower)
      range.low = std::max(range.low, getRange(bound).low);
    for (const Polynomial &bound : upper)
      range.high = std::min(range.high, getRange(bound).high);
    return range;
  };
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (argument == loop.getInductionVar()) {
      bool isUnsigned = loop.getUnsignedCmp();
      Interval range{getExact(loop.getLowerBound(), isUnsigned).range.low,
                     getExact(loop.getUpperBound(), isUnsigned).range.high};
      return computeInduction(argument, range + beforeEnd, isUnsigned);
    }
  } else if (auto affineLoop = dyn_cast<affine::AffineForOp>(parent)) {
    if (argument == affineLoop.getInductionVar()) {
      Interval range = between(get(affineLoop.getLowerBoundMap(),
                                   affineLoop.getLowerBoundOperands()),
                               get(affineLoop.getUpperBoundMap(),
                                   affineLoop.getUpperBoundOperands())) +
                       beforeEnd;
      // From 0 to 32 in steps of 8 the last one is 24.
      if (affineLoop.hasConstantBounds() && range.low <= range.high)
        range.high -= (range.high - range.low) % affineLoop.getStepAsInt();
      return computeInduction(argument, range, false);
    }
  } else if (auto parallel = dyn_cast<affine::AffineParallelOp>(parent)) {
    unsigned dimension = argument.getArgNumber();
    return computeInduction(argument,
                            between(get(parallel.getLowerBoundMap(dimension),
                                        parallel.getLowerBoundsOperands()),
                                    get(parallel.getUpperBoundMap(dimension),
                                        parallel.getUpperBoundsOperands())) +
                                beforeEnd,
                            false);
  }
  if (isa<scf::ForOp, affine::AffineForOp>(parent))
    if (std::optional<IntegerValue> value = computeCarried(argument))
      return *value;
  return opaque(argument);
}

/// True where the atom has one value during a run of the loop.
static bool isInvariant(const IntegerValues &values, const Polynomial &amount,
                        Operation *loop) {
  return llvm::all_of(amount.getVariables(), [&](unsigned variable) {
    const Atom &atom = values.getAtom(variable);
    if (atom.kind == Atom::Kind::FloorDiv)
      return isInvariant(values, atom.numerator, loop);
    Value value = atom.value;
    return !value || !loop->isAncestor(value.getParentRegion()->getParentOp());
  });
}

/// A value that grows by the same amount in each iteration: init + amount *
/// number of the iteration. It is exact where each step's addition is.
std::optional<IntegerValue>
IntegerValues::computeCarried(BlockArgument argument) {
  auto [entry, isNew] = carried.try_emplace(argument, std::nullopt);
  if (!isNew)
    return entry->second;
  auto loop = cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  OpOperand *init = loop.getTiedLoopInit(argument);
  OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!init || !yielded || !steps)
    return std::nullopt;
  std::optional<int64_t> step = getConstantIntValue(steps->front());
  if (!step || *step < 1)
    return std::nullopt;

  IntegerValue self = opaque(argument);
  IntegerValue next = get(yielded->get());
  Polynomial amount = next.value - self.value;
  // What was computed on the way took the argument as an atom.
  known.clear();
  knownReadings.clear();
  if (amount.isUnknown() || amount.contains(*self.value.getVariable()) ||
      !isInvariant(*this, amount, loop))
    return std::nullopt;
  if (amount.getContent() % *step != 0)
    return std::nullopt;

  IntegerValue start = get(init->get());
  IntegerValue induction = get((*loop.getLoopInductionVars()).front());
  Polynomial lower;
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(loop.getOperation())) {
    if (affineLoop.getLowerBoundMap().getNumResults() != 1)
      return std::nullopt;
    lower =
        get(affineLoop.getLowerBoundMap(), affineLoop.getLowerBoundOperands())
            .front();
  } else {
    auto scfLoop = cast<scf::ForOp>(loop.getOperation());
    lower = getExact(scfLoop.getLowerBound(), scfLoop.getUnsignedCmp()).value;
  }
  Polynomial value = start.value + multiply(amount.divide(*step).quotient,
                                            induction.value - lower);
  IntegerValue result =
      fit(value, {}, getBits(argument.getType()),
          start.isSigned && self.isSigned && next.isSigned,
          start.isUnsigned && self.isUnsigned && next.isUnsigned);
  carried[argument] = result;
  return result;
}
