//===- Extents.cpp - the part of a launch that a kernel acts on -----------===//
//
// Guards are read exactly: integers of 32 bits and less wrap as the source
// says, and 64-bit values are taken to lie between -2^61 and 2^61, those that
// are divided as unsigned not to be negative.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Utils/Extents.h"

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// Larger by far than what 64-bit values are taken to be, whose negatives stay
/// large modulo it.
static constexpr int64_t largeValue = int64_t(1) << 62;

namespace {
/// Turns values into expressions of the global ids (dimensions 0 to 2) and the
/// kernel's arguments (symbols).
class ExtentReader {
public:
  explicit ExtentReader(gpu::GPUFuncOp kernel)
      : kernel(kernel), context(kernel.getContext()), values(kernel) {}

  /// Reads what holds where `op` runs.
  void moveTo(Operation *op) { position = op; }
  /// The value as a signed number, or null.
  AffineExpr read(Value value);
  /// The extents that follow from `conjunct`, added to `extents`.
  void addExtents(const Conjunct &conjunct,
                  std::array<SmallVector<AffineExpr, 2>, 3> &extents);

private:
  AffineExpr readOp(Operation *op);
  AffineExpr readCast(Operation *op);
  AffineExpr readDivision(Operation *op);
  AffineExpr readApply(affine::AffineApplyOp apply);
  AffineExpr wrapSigned(AffineExpr expr, Type type);
  AffineExpr readUnsigned(Value value);
  bool dependsOnId(AffineExpr expr);

  gpu::GPUFuncOp kernel;
  MLIRContext *context;
  IntegerValues values;
  Operation *position = nullptr;
};
} // namespace

/// Width of an integer for wrapping; 64 for index.
static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

bool ExtentReader::dependsOnId(AffineExpr expr) {
  return expr.isFunctionOfDim(0) || expr.isFunctionOfDim(1) ||
         expr.isFunctionOfDim(2);
}

/// What `expr`, computed without limits, is in a signed integer of `type`.
AffineExpr ExtentReader::wrapSigned(AffineExpr expr, Type type) {
  unsigned width = widthOf(type);
  if (!expr || width == 64)
    return expr;
  if (dependsOnId(expr)) // An id itself is less than 2^31.
    return isa<AffineDimExpr>(expr) && width >= 32 ? expr : AffineExpr();
  int64_t half = int64_t(1) << (width - 1);
  return (expr + half) % (2 * half) - half;
}

/// The value as an unsigned number, or null.
AffineExpr ExtentReader::readUnsigned(Value value) {
  AffineExpr expr = read(value);
  if (!expr)
    return {};
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
    if (binary.getKind() == AffineExprKind::Mod)
      return expr; // Never negative.
  unsigned width = widthOf(value.getType());
  if (!dependsOnId(expr))
    return expr % (width == 64 ? largeValue : int64_t(1) << width);
  // Which of the work items wrap depends on their ids.
  Polynomial number = values.getExact(value, /*isUnsigned=*/false).value;
  return provesNonNegative(position, number, values) ? expr : AffineExpr();
}

/// The same bits in another width.
AffineExpr ExtentReader::readCast(Operation *op) {
  Value from = op->getOperand(0);
  Type type = op->getResult(0).getType();
  unsigned width = widthOf(type), widthBefore = widthOf(from.getType());
  if (width < widthBefore)
    return wrapSigned(read(from), type);
  bool fillsWithZeros = isa<arith::IndexCastUIOp, arith::ExtUIOp>(op);
  return fillsWithZeros && width > widthBefore ? readUnsigned(from)
                                               : read(from);
}

/// Quotients and remainders by constants.
AffineExpr ExtentReader::readDivision(Operation *op) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  APInt divisor;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive() || divisor.getActiveBits() > 31)
    return {};
  int64_t by = divisor.getZExtValue();
  AffineExpr left = isSigned || by == 1 ? read(op->getOperand(0))
                                        : readUnsigned(op->getOperand(0));
  if (!left || dependsOnId(left))
    return {};
  AffineExpr numerator = left;
  // Signed division rounds toward zero: add by - 1 where it is negative.
  if (isSigned && by > 1)
    numerator = left - left.floorDiv(largeValue) * (by - 1);
  AffineExpr quotient = numerator.floorDiv(by);
  return isRemainder ? left - quotient * by : quotient;
}

AffineExpr ExtentReader::readApply(affine::AffineApplyOp apply) {
  SmallVector<AffineExpr> dims, symbols;
  for (Value operand : apply.getDimOperands())
    dims.push_back(read(operand));
  for (Value operand : apply.getSymbolOperands())
    symbols.push_back(read(operand));
  if (llvm::is_contained(dims, AffineExpr()) ||
      llvm::is_contained(symbols, AffineExpr()))
    return {};
  return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(dims, symbols);
}

AffineExpr ExtentReader::readOp(Operation *op) {
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    return getAffineDimExpr(static_cast<unsigned>(id.getDimension()), context);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return readApply(apply);

  auto operand = [&](unsigned number) { return read(op->getOperand(number)); };
  Type type = op->getResult(0).getType();
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp,
          arith::IndexCastUIOp, arith::ExtUIOp>(op))
    return readCast(op);
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op))
    return readDivision(op);
  if (op->getNumOperands() != 2)
    return {};
  AffineExpr left = operand(0), right = operand(1);
  if (!left || !right)
    return {};
  // Overflow that the source rules out needs no wrapping.
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool exact = flags && flags.hasNoSignedWrap();
  auto wrap = [&](AffineExpr expr) {
    return exact ? expr : wrapSigned(expr, type);
  };
  if (isa<arith::AddIOp>(op))
    return wrap(left + right);
  if (isa<arith::SubIOp>(op))
    return wrap(left - right);
  if (isa<arith::MulIOp>(op))
    return left.isSymbolicOrConstant() || right.isSymbolicOrConstant()
               ? wrap(left * right)
               : AffineExpr();
  if (auto shift = dyn_cast<AffineConstantExpr>(right);
      shift && shift.getValue() >= 0 && shift.getValue() < 31) {
    int64_t scale = int64_t(1) << shift.getValue();
    if (isa<arith::ShLIOp>(op))
      return wrap(left * scale);
    if (isa<arith::ShRSIOp>(op) && !dependsOnId(left))
      return left.floorDiv(scale);
    if (isa<arith::ShRUIOp>(op) && !dependsOnId(left))
      return scale == 1 ? left
                        : readUnsigned(op->getOperand(0)).floorDiv(scale);
  }
  return {};
}

AffineExpr ExtentReader::read(Value value) {
  // Those of 62 and 63 bits leave no room to wrap in.
  unsigned width = getBits(value.getType());
  if (width == 0 || (width > 61 && width < 64))
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &kernel.getBody().front() ||
        argument.getArgNumber() >= kernel.getNumArguments())
      return {};
    return getAffineSymbolExpr(argument.getArgNumber(), context);
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 62
               ? getAffineConstantExpr(constant.getSExtValue(), context)
               : AffineExpr();
  return readOp(value.getDefiningOp());
}

void ExtentReader::addExtents(
    const Conjunct &conjunct,
    std::array<SmallVector<AffineExpr, 2>, 3> &extents) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = conjunct.predicate;
  if (predicate == Predicate::ne)
    return;
  Value less = conjunct.left, more = conjunct.right;
  if (predicate == Predicate::sgt || predicate == Predicate::sge ||
      predicate == Predicate::ugt || predicate == Predicate::uge)
    std::swap(less, more);
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt ||
                  predicate == Predicate::ult || predicate == Predicate::ugt;
  bool isUnsigned = predicate == Predicate::ult ||
                    predicate == Predicate::ugt ||
                    predicate == Predicate::ule || predicate == Predicate::uge;
  // x <u E implies x < E for the value that E has without a sign: that of x is
  // x or more.
  AffineExpr left = read(less);
  AffineExpr right = isUnsigned ? readUnsigned(more) : read(more);
  if (!left || !right)
    return;

  // a * id + rest <= 0, from which id < floor(-rest / a) + 1.
  for (unsigned dim = 0; dim < 3; ++dim)
    for (auto [low, high] : {std::pair(left, right), std::pair(right, left)}) {
      AffineExpr difference = low - high;
      AffineExpr id = getAffineDimExpr(dim, context);
      AffineExpr zero = getAffineConstantExpr(0, context);
      AffineExpr rest = simplifyAffineExpr(difference.replace(id, zero), 3,
                                           kernel.getNumArguments());
      auto factor = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(difference.replace(id, id + 1) - difference, 3,
                             kernel.getNumArguments()));
      bool bounds = factor && factor.getValue() > 0 && !dependsOnId(rest);
      if (bounds) {
        AffineExpr extent = isStrict ? (-rest).ceilDiv(factor.getValue())
                                     : (-rest).floorDiv(factor.getValue()) + 1;
        extents[dim].push_back(
            simplifyAffineExpr(extent, 0, kernel.getNumArguments()));
      }
      if (predicate != Predicate::eq)
        break;
    }
}

/// Whether all that `op` does is to make an array of its thread, or to access
/// an element of one that is the same for all.
static bool touchesPrivateMemoryOnly(Operation *op) {
  if (isa<memref::AllocaOp>(op))
    return true;
  if (!isa<memref::LoadOp, memref::StoreOp>(op))
    return false;
  Operation *array = memoryRoot(getAccessedMemRef(op)).getDefiningOp();
  ValueRange subscripts = isa<memref::LoadOp>(op)
                              ? cast<memref::LoadOp>(op).getIndices()
                              : cast<memref::StoreOp>(op).getIndices();
  return isa_and_nonnull<memref::AllocaOp>(array) &&
         llvm::all_of(subscripts, [](Value subscript) {
           return matchPattern(subscript, m_Constant());
         });
}

/// Whether running `op` for a work item that the original launch did not have
/// could be observed. `dependsOnId` says whether a value varies with the item.
static bool needsGuard(Operation *op,
                       const llvm::SmallPtrSetImpl<Operation *> &varying) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      isa<scf::IfOp, scf::ForOp, scf::WhileOp, affine::AffineForOp,
          affine::AffineIfOp>(op) ||
      isPure(op) || touchesPrivateMemoryOnly(op))
    return false;
  // Divisions trap only for some divisors: for those that are the same for all
  // work items, the original has run them too.
  if (isMemoryEffectFree(op) && op->getNumOperands() == 2 &&
      op->getNumRegions() == 0 && op->getParentOfType<scf::IfOp>() == nullptr) {
    Value divisor = op->getOperand(1);
    if (auto argument = dyn_cast<BlockArgument>(divisor))
      return !isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    return varying.contains(divisor.getDefiningOp());
  }
  return true;
}

std::array<AffineExpr, 3> gpuopt::findExtents(gpu::GPUFuncOp kernel) {
  // Operations whose results may differ between work items.
  llvm::SmallPtrSet<Operation *, 32> varying;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GlobalIdOp>(op) || !isPure(op) || op->getNumRegions() ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          Operation *definition = operand.getDefiningOp();
          return definition && varying.contains(definition);
        }))
      varying.insert(op);
  });

  ExtentReader reader(kernel);
  std::array<std::optional<SmallVector<AffineExpr, 2>>, 3> common;
  kernel.walk([&](Operation *op) {
    if (op == kernel || !needsGuard(op, varying))
      return;
    reader.moveTo(op);
    Conjunction conjunction;
    for (Condition condition : conditionsAround(op))
      takeApart(condition, conjunction);
    std::array<SmallVector<AffineExpr, 2>, 3> extents;
    for (const Conjunct &conjunct : conjunction.conjuncts)
      reader.addExtents(conjunct, extents);
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (!common[dim])
        common[dim] = extents[dim];
      llvm::erase_if(*common[dim], [&](AffineExpr extent) {
        return !llvm::is_contained(extents[dim], extent);
      });
    }
  });

  std::array<AffineExpr, 3> result;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (common[dim] && !common[dim]->empty())
      result[dim] = common[dim]->front();
  return result;
}
