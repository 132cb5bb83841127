//===- Poison.cpp - values that nobody may branch on ----------------------===//

#include "passes/Analysis/Poison.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Where values come from
//===----------------------------------------------------------------------===//

/// The operands that are handed over as `input`, a result of `branch` or an
/// argument of one of its regions.
static void addForwarded(RegionBranchOpInterface branch, Value input,
                         SmallVectorImpl<Value> &sources) {
  RegionBranchInverseSuccessorMapping mapping;
  branch.getSuccessorInputOperandMapping(mapping);
  for (OpOperand *operand : mapping.lookup(input))
    sources.push_back(operand->get());
}

llvm::SetVector<Operation *> gpuopt::arithmeticBehind(ValueRange values) {
  llvm::SetVector<Operation *> behind;
  llvm::SmallPtrSet<Value, 16> seen;
  SmallVector<Value> worklist(values);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    Operation *owner = op ? op : value.getParentBlock()->getParentOp();
    if (auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner)) {
      addForwarded(branch, value, worklist);
    } else if (op && op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
      behind.insert(op);
      worklist.append(op->operand_begin(), op->operand_end());
    }
  }
  return behind;
}

//===----------------------------------------------------------------------===//
// What makes poison
//===----------------------------------------------------------------------===//

static bool isShift(Operation *op) {
  return isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, LLVM::ShlOp,
             LLVM::AShrOp, LLVM::LShrOp>(op);
}

/// Whether `op` may make poison whatever it promises: shifts by as many bits as
/// there are, floating-point numbers that no integer can hold, what stands
/// where the source has no value.
static bool isPartial(Operation *op) {
  if (isa<arith::FPToSIOp, arith::FPToUIOp, LLVM::FPToSIOp, LLVM::FPToUIOp,
          ub::PoisonOp, LLVM::PoisonOp, LLVM::UndefOp>(op))
    return true;
  if (isa<vector::ExtractOp, vector::InsertOp, LLVM::ExtractElementOp,
          LLVM::InsertElementOp>(op))
    return llvm::any_of(op->getOperands(), [](Value operand) {
      return operand.getType().isIntOrIndex() &&
             !matchPattern(operand, m_Constant());
    });
  if (!isShift(op))
    return false;
  Type type = getElementTypeOrSelf(op->getResult(0));
  llvm::APInt amount;
  return !type.isIntOrIndex() ||
         !matchPattern(op->getOperand(1), m_ConstantInt(&amount)) ||
         amount.uge(type.isIndex() ? IndexType::kInternalStorageBitWidth
                                   : type.getIntOrFloatBitWidth());
}

/// Whether the floating-point arithmetic `op` promises that there is no NaN or
/// no infinity; the other flags of fast math only allow rewrites.
static bool promisesFinite(Operation *op) {
  if (auto math = dyn_cast<arith::ArithFastMathInterface>(op))
    return math.getFastMathFlagsAttr() &&
           bitEnumContainsAny(math.getFastMathFlagsAttr().getValue(),
                              kPoisonMath);
  auto math = dyn_cast<LLVM::FastmathFlagsInterface>(op);
  return math && math.getFastmathAttr() &&
         bitEnumContainsAny(math.getFastmathAttr().getValue(),
                            LLVM::FastmathFlags::nnan |
                                LLVM::FastmathFlags::ninf);
}

/// Whether `op` promises something about its operands or result.
static bool hasFlags(Operation *op) {
  using namespace mlir::arith;
  bool hasOwn =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<DivSIOp, DivUIOp, ShRSIOp, ShRUIOp, LLVM::ExactFlagInterface>(
              [](auto division) { return division.getIsExact(); })
          .Case([](ArithIntegerOverflowFlagsInterface arithmetic) {
            return arithmetic.getOverflowAttr().getValue() !=
                   IntegerOverflowFlags::none;
          })
          .Case([](LLVM::IntegerOverflowFlagsInterface arithmetic) {
            return arithmetic.getOverflowFlags() !=
                   LLVM::IntegerOverflowFlags::none;
          })
          .Case([](LLVM::DisjointFlagInterface either) {
            return either.getIsDisjoint();
          })
          .Case([](LLVM::NonNegFlagInterface cast) { return cast.getNonNeg(); })
          .Case([](LLVM::GEPOp address) {
            return address.getNoWrapFlags() != LLVM::GEPNoWrapFlags::none;
          })
          .Default(false);
  return hasOwn || promisesFinite(op);
}

bool gpuopt::mayBePoison(ValueRange values) {
  return llvm::any_of(arithmeticBehind(values), [](Operation *op) {
    return isPartial(op) || hasFlags(op);
  });
}

bool gpuopt::mayBePoisonWithoutFlags(ValueRange values) {
  return llvm::any_of(arithmeticBehind(values), isPartial);
}
