//===- IntegerValues.cpp - what integer SSA values amount to --------------===//
//
// Atoms, ranges and names; IntegerValuesOfOps.cpp has the meaning of each
// operation.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IntegerValues.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpuopt;

/// Launchers check that there are fewer work items per dimension.
static constexpr int64_t maxWorkItems = int64_t(1) << 31;
/// The same of a subgroup.
static constexpr int64_t maxSubgroupSize = 128;

unsigned gpuopt::getBits(Type type) {
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? integer.getWidth() : 0;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

static Interval rangeOfId(Atom::Kind kind,
                          std::optional<int64_t> knownBlockSize,
                          int64_t itemsOfBlock) {
  // Rounded up: the last block may hold work items beyond the launch.
  int64_t mostBlocks = llvm::divideCeil(maxWorkItems - 1, itemsOfBlock);
  switch (kind) {
  case Atom::Kind::ThreadId:
    return {0, knownBlockSize.value_or(kMostThreadsOfBlock) - 1};
  case Atom::Kind::BlockDim:
    return {knownBlockSize.value_or(1),
            knownBlockSize.value_or(kMostThreadsOfBlock)};
  case Atom::Kind::BlockId:
    return {0, mostBlocks - 1};
  case Atom::Kind::GridDim:
    return {1, mostBlocks};
  case Atom::Kind::GlobalSize:
    return {1, maxWorkItems - 1};
  default:
    return {0, maxWorkItems - 2};
  }
}

/// Kernels have some dozen atoms, most of which differ in kind or value.
Polynomial IntegerValues::addAtom(Atom atom) {
  for (auto [variable, other] : llvm::enumerate(atoms))
    if (other.kind == atom.kind && other.value == atom.value &&
        other.dimension == atom.dimension && other.divisor == atom.divisor &&
        other.numerator == atom.numerator && other.op == atom.op &&
        other.left == atom.left && other.right == atom.right)
      return Polynomial::variable(variable);
  atoms.push_back(std::move(atom));
  return Polynomial::variable(atoms.size() - 1);
}

Polynomial IntegerValues::getId(Atom::Kind kind, unsigned dimension) {
  Atom atom;
  atom.kind = kind;
  atom.dimension = dimension;
  std::optional<int64_t> knownBlockSize;
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    if (std::optional<ArrayRef<int32_t>> shape = kernel.getKnownBlockSize())
      knownBlockSize = (*shape)[dimension];
  int64_t itemsOfBlock = knownBlockSize.value_or(1);
  if (auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    itemsOfBlock = geometry.getItemsPerBlock()[dimension];
  atom.range = rangeOfId(kind, knownBlockSize, itemsOfBlock);
  atom.isParameter = kind == Atom::Kind::BlockDim ||
                     kind == Atom::Kind::GridDim ||
                     kind == Atom::Kind::GlobalSize;
  return addAtom(std::move(atom));
}

Polynomial IntegerValues::floorDivide(const Polynomial &numerator,
                                      int64_t divisor) {
  if (divisor == 1)
    return numerator;
  // Multiples of the divisor leave the division: (4*x + y) floordiv 4.
  auto [multiples, rest] = numerator.partition([&](const Monomial &monomial) {
    return numerator.getCoefficient(monomial) % divisor == 0;
  });
  // What is left has to fit an index for itself.
  if (!getRange(rest).isFinite()) {
    rest = numerator;
    multiples = Polynomial();
  }
  Polynomial whole = multiples.divide(divisor).quotient;
  Interval range = getRange(rest);
  if (range.isFinite() && range.low >= 0 && range.high < divisor)
    return whole;
  Atom atom;
  atom.kind = Atom::Kind::FloorDiv;
  atom.numerator = rest;
  atom.divisor = divisor;
  if (range.low != Interval::minusInfinity)
    atom.range.low = llvm::divideFloorSigned(range.low, divisor);
  if (range.high != Interval::plusInfinity)
    atom.range.high = llvm::divideFloorSigned(range.high, divisor);
  atom.isParameter = isParameter(rest);
  return whole + addAtom(std::move(atom));
}

/// True for a value that the source treats as unsigned: it, or a sum or
/// product of it, is widened, compared or divided as one. Only a choice
/// between two ways to read the value; both are right.
static bool isReadUnsigned(Value value, unsigned depth = 4) {
  for (Operation *user : value.getUsers()) {
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp, arith::DivUIOp,
            arith::CeilDivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp,
            arith::UIToFPOp>(user))
      return true;
    // Not the number of bits.
    if (isa<arith::ShRUIOp>(user) && user->getOperand(0) == value)
      return true;
    if (auto compare = dyn_cast<arith::CmpIOp>(user))
      if (isUnsigned(compare.getPredicate()))
        return true;
    if (auto loop = dyn_cast<scf::ForOp>(user))
      if (loop.getUnsignedCmp())
        return true;
    if (depth > 0 && isa<arith::AddIOp, arith::MulIOp, arith::SubIOp>(user))
      if (isReadUnsigned(user->getResult(0), depth - 1))
        return true;
  }
  return false;
}

/// True for an extent of an array that is a parameter.
static bool isArrayExtent(Operation *op) {
  auto extent = dyn_cast<memref::DimOp>(op);
  return extent && isa<BlockArgument>(extent.getSource()) &&
         extent.getConstantIndex();
}

/// Whether `op` and what it is computed from can be computed again at the top
/// of the kernel. A value that is carried around a loop cannot, also where no
/// iteration changes it; nor a quotient that may be undefined, unless it is
/// computed there already. Nobody computes again what takes more operations
/// than these, and to follow each link of a long chain back to its beginning
/// would take time that grows with the square.
static bool canMoveToTop(Operation *op, FunctionOpInterface function) {
  constexpr size_t mostOperations = 128;
  Block *top = &function.getFunctionBody().front();
  // Ranges are what is being computed here.
  auto isTotalForAllRanges = [](Operation *op) {
    return isTotal(op, [](Value, bool) { return Interval(); });
  };
  llvm::SmallSetVector<Operation *, 8> needed;
  needed.insert(op);
  for (unsigned i = 0; i < needed.size(); ++i) {
    if (needed.size() > mostOperations || needed[i]->getNumRegions() != 0 ||
        !isMemoryEffectFree(needed[i]) ||
        (!isPure(needed[i]) && !getDivisor(needed[i])) ||
        (needed[i]->getBlock() != top && !isTotalForAllRanges(needed[i])))
      return false;
    for (Value operand : needed[i]->getOperands()) {
      if (Operation *definition = operand.getDefiningOp())
        needed.insert(definition);
      else if (operand.getParentBlock() != top)
        return false;
    }
  }
  return true;
}

IntegerValue IntegerValues::opaque(Value value, bool isUnsigned) {
  Atom atom;
  atom.kind = isUnsigned ? Atom::Kind::Unsigned : Atom::Kind::Signed;
  atom.value = value;
  atom.range = computeRange(value, isUnsigned);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    atom.isParameter = argument.getOwner()->getParentOp() == function &&
                       argument.getOwner()->isEntryBlock();
  } else {
    Operation *op = value.getDefiningOp();
    if (isArrayExtent(op))
      atom.range = atom.range.intersect({0, Interval::plusInfinity});
    bool isUniform = isFunctionOfOperands(op) ||
                     isa<gpu::SubgroupSizeOp, gpu::NumSubgroupsOp>(op);
    atom.isParameter = isArrayExtent(op) ||
                       (isUniform && canMoveToTop(op, function) &&
                        llvm::all_of(op->getOperands(), [&](Value operand) {
                          return getBits(operand.getType()) != 0 &&
                                 isParameter(get(operand).value);
                        }));
  }
  Interval range = atom.range;
  return fit(addAtom(std::move(atom)), range, getBits(value.getType()),
             !isUnsigned, isUnsigned);
}

/// What launchers promise of an argument of `kernel` (see LaunchConditions.h),
/// read as unsigned or signed: conditions of the form n >= c and n <= c. As
/// unsigned it is written n mod 2^bits.
static Interval promisedRange(Operation *kernel, BlockArgument argument,
                              bool isUnsigned) {
  unsigned bits = getBits(argument.getType());
  Interval range;
  IntegerSet set = launchConditions(kernel);
  for (AffineExpr expr : set ? set.getConstraints() : ArrayRef<AffineExpr>()) {
    int64_t constant = 0, factor = 1;
    auto take = [&](AffineExprKind kind, int64_t &value) {
      auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
      auto right = operation && operation.getKind() == kind
                       ? dyn_cast<AffineConstantExpr>(operation.getRHS())
                       : AffineConstantExpr();
      if (!right)
        return false;
      value = right.getValue();
      expr = operation.getLHS();
      return true;
    };
    take(AffineExprKind::Add, constant);
    take(AffineExprKind::Mul, factor);
    int64_t modulus = 0;
    bool isReadUnsigned = take(AffineExprKind::Mod, modulus);
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol || symbol.getPosition() != argument.getArgNumber() ||
        isReadUnsigned != isUnsigned)
      continue;
    if (isReadUnsigned && (bits > 62 || modulus != int64_t(1) << bits))
      continue;
    if (factor == 1)
      range = range.intersect({-constant, Interval::plusInfinity});
    else if (factor == -1)
      range = range.intersect({Interval::minusInfinity, constant});
  }
  return range;
}

IntegerValue IntegerValues::opaque(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  // What is promised not to be negative is one number in both readings; that of
  // 64 bits has bounds with a sign only.
  bool isNonNegative =
      argument && argument.getOwner()->getParentOp() == function &&
      promisedRange(function, argument, /*isUnsigned=*/false).low >= 0;
  return opaque(value, !isNonNegative && isReadUnsigned(value));
}

/// The range of a minimum or maximum: of those of its operands in the reading
/// that it compares them in.
Interval IntegerValues::computeRangeOfChoice(Operation *op, bool isUnsigned) {
  bool comparesUnsigned = isa<arith::MinUIOp, arith::MaxUIOp>(op);
  Interval left = getExact(op->getOperand(0), comparesUnsigned).range;
  Interval right = getExact(op->getOperand(1), comparesUnsigned).range;
  Interval range = isa<arith::MinSIOp, arith::MinUIOp>(op)
                       ? Interval{std::min(left.low, right.low),
                                  std::min(left.high, right.high)}
                       : Interval{std::max(left.low, right.low),
                                  std::max(left.high, right.high)};
  // The other reading is the same number where the first bit is 0.
  unsigned bits = getBits(op->getResult(0).getType());
  bool isSame = range.low >= 0 &&
                (!comparesUnsigned || range.high < Interval::plusInfinity) &&
                range.high <= Interval::ofSigned(bits).high;
  return comparesUnsigned == isUnsigned || isSame ? range : Interval();
}

/// The range of a quotient or remainder of a number that is not negative by a
/// positive one; everything of others.
Interval IntegerValues::computeRangeOfQuotient(Operation *op, bool isUnsigned) {
  bool dividesUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  Interval left = getExact(op->getOperand(0), dividesUnsigned).range;
  Interval right = getExact(op->getOperand(1), dividesUnsigned).range;
  if (left.low < 0 || right.low < 1)
    return {};
  Interval range{0, left.high};
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) &&
      right.high < Interval::plusInfinity)
    range.high = std::min(range.high, right.high - 1);
  bool isSame =
      range.high < Interval::plusInfinity &&
      range.high <=
          Interval::ofSigned(getBits(op->getResult(0).getType())).high;
  return dividesUnsigned == isUnsigned || isSame ? range : Interval();
}

/// What a value of this many bits holds, narrowed by what is known of it.
Interval IntegerValues::computeRange(Value value, bool isUnsigned) {
  unsigned bits = getBits(value.getType());
  Interval all =
      isUnsigned ? Interval::ofUnsigned(bits) : Interval::ofSigned(bits);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<gpu::LaneIdOp>(op))
    return {0, maxSubgroupSize - 1};
  if (isa_and_nonnull<gpu::SubgroupSizeOp>(op))
    return {1, maxSubgroupSize};
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner()->getParentOp() == function)
    return all.intersect(promisedRange(function, argument, isUnsigned));
  if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
                      arith::MaxUIOp>(op))
    return all.intersect(computeRangeOfChoice(op, isUnsigned));
  if (isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                      arith::RemUIOp>(op))
    return all.intersect(computeRangeOfQuotient(op, isUnsigned));
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
    Interval left = getExact(select.getTrueValue(), isUnsigned).range;
    Interval right = getExact(select.getFalseValue(), isUnsigned).range;
    return Interval{std::min(left.low, right.low),
                    std::max(left.high, right.high)}
        .intersect(all);
  }
  return all;
}

IntegerValue IntegerValues::fit(Polynomial polynomial, Interval range,
                                unsigned bits, bool isSigned, bool isUnsigned) {
  IntegerValue result;
  result.range = range.intersect(getRange(polynomial));
  result.value = std::move(polynomial);
  Interval whole = Interval::ofSigned(bits);
  result.isSigned =
      isSigned || (result.range.isFinite() && result.range.isWithin(whole));
  result.isUnsigned =
      isUnsigned || (result.range.isFinite() && result.range.low >= 0 &&
                     result.range.isWithin(Interval::ofUnsigned(bits)));
  if (result.isSigned)
    result.range = result.range.intersect(whole);
  if (result.isUnsigned)
    result.range = result.range.intersect(Interval::ofUnsigned(bits));
  if (result.isSigned && result.range.low >= 0)
    result.isUnsigned = true;
  if (result.isUnsigned && result.range.high < Interval::plusInfinity &&
      result.range.isWithin(whole))
    result.isSigned = true;
  return result;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

IntegerValue IntegerValues::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  IntegerValue result = compute(value);
  if (result.value.isUnknown())
    result = opaque(value);
  known[value] = result;
  return result;
}

IntegerValue IntegerValues::getExact(Value value, bool isUnsigned) {
  IntegerValue result = get(value);
  if (isUnsigned ? result.isUnsigned : result.isSigned)
    return result;
  auto other = knownReadings.find({value, isUnsigned});
  if (other != knownReadings.end())
    return other->second;
  result = readOtherwise(value, result, isUnsigned);
  return knownReadings[{value, isUnsigned}] = result;
}

/// What `value` is in the reading in which it does not equal `congruent`.
IntegerValue IntegerValues::readOtherwise(Value value,
                                          const IntegerValue &congruent,
                                          bool isUnsigned) {
  IntegerValue result = congruent;
  // -1 - n of 32 bits, n below 2^31, is 2^32 - 1 - n as unsigned.
  unsigned bits = getBits(value.getType());
  if (bits < 64 && result.range.isFinite()) {
    int64_t turn = (isUnsigned ? 1 : -1) * (int64_t(1) << bits);
    Interval range = result.range + Interval{turn, turn};
    if (range.isWithin(isUnsigned ? Interval::ofUnsigned(bits)
                                  : Interval::ofSigned(bits)))
      return fit(result.value + turn, range, bits, !isUnsigned, isUnsigned);
  }
  return opaque(value, isUnsigned);
}

Polynomial IntegerValues::get(AffineExpr expr, unsigned dimensions,
                              ArrayRef<Polynomial> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dimension = dyn_cast<AffineDimExpr>(expr))
    return operands[dimension.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dimensions + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Polynomial left = get(binary.getLHS(), dimensions, operands);
  Polynomial right = get(binary.getRHS(), dimensions, operands);
  if (expr.getKind() == AffineExprKind::Add)
    return left + right;
  if (expr.getKind() == AffineExprKind::Mul)
    return multiply(left, right);
  std::optional<int64_t> divisor = right.getConstant();
  if (!divisor || *divisor < 1 || left.isUnknown())
    return Polynomial::unknown();
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return floorDivide(left, *divisor);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return floorDivide(left + (*divisor - 1), *divisor);
  return left - Polynomial(*divisor) * floorDivide(left, *divisor);
}

SmallVector<Polynomial> IntegerValues::get(AffineMap map, ValueRange operands) {
  SmallVector<Polynomial> inputs, results;
  for (Value operand : operands)
    inputs.push_back(getExact(operand, false).value);
  for (AffineExpr expr : map.getResults())
    results.push_back(get(expr, map.getNumDims(), inputs));
  return results;
}

Interval IntegerValues::getRange(const Monomial &monomial) const {
  Interval range{1, 1};
  for (unsigned factor : monomial)
    range = range * atoms[factor].range;
  return range;
}

Interval IntegerValues::getRange(const Polynomial &polynomial) const {
  if (polynomial.isUnknown())
    return {};
  Interval range{0, 0};
  for (const auto &[monomial, coefficient] : polynomial.getTerms())
    range = range + getRange(monomial) * Interval{coefficient, coefficient};
  return range;
}

bool IntegerValues::isParameter(const Monomial &monomial) const {
  return llvm::all_of(
      monomial, [&](unsigned factor) { return atoms[factor].isParameter; });
}

bool IntegerValues::isParameter(const Polynomial &polynomial) const {
  return !polynomial.isUnknown() &&
         llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
           return isParameter(term.first);
         });
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `i` for the outermost loop, `j` for the next, …
static std::string nameOfInduction(BlockArgument argument) {
  unsigned depth = 0;
  Operation *loop = argument.getOwner()->getParentOp();
  while ((loop = loop->getParentOfType<LoopLikeOpInterface>()))
    ++depth;
  return std::string(1, static_cast<char>('i' + std::min(depth, 10u)));
}

static std::string nameOfValue(Value value, FunctionOpInterface function,
                               unsigned variable) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner()->getParentOp() == function) {
    unsigned number = argument.getArgNumber();
    if (number < function.getNumArguments())
      if (auto name =
              function.getArgAttrOfType<StringAttr>(number, kNameAttrName))
        return name.str();
    return "arg" + std::to_string(number);
  }
  if (argument && isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp()))
    return nameOfInduction(argument);
  return "v" + std::to_string(variable);
}

std::string IntegerValues::nameOf(unsigned variable) {
  const Atom &atom = atoms[variable];
  char dimension = static_cast<char>('x' + atom.dimension);
  switch (atom.kind) {
  case Atom::Kind::Signed:
  case Atom::Kind::Unsigned:
    return nameOfValue(atom.value, function, variable);
  case Atom::Kind::GlobalId:
    return std::string("id") + dimension;
  case Atom::Kind::GlobalSize:
    return std::string("items_") + dimension;
  case Atom::Kind::BlockId:
    return std::string("blockIdx.") + dimension;
  case Atom::Kind::ThreadId:
    return std::string("threadIdx.") + dimension;
  case Atom::Kind::BlockDim:
    return std::string("blockDim.") + dimension;
  case Atom::Kind::GridDim:
    return std::string("gridDim.") + dimension;
  case Atom::Kind::FloorDiv:
    return "(" + str(atom.numerator) + ")/" + std::to_string(atom.divisor);
  case Atom::Kind::Derived:
    break;
  }
  return "?";
}

std::string IntegerValues::str(const Polynomial &polynomial) {
  return polynomial.str([&](unsigned variable) { return nameOf(variable); });
}
