//===- RaiseArithmetic.cpp - arithmetic of the LLVM dialect to arith ------===//
//
// Poison-generating flags are kept: they are what index arithmetic is raised
// by later. `or disjoint` becomes an addition that cannot overflow and
// `zext nneg` a sign extension, which mean the same and say more.
//
//===----------------------------------------------------------------------===//

#include "passes/Raising/RaiseOperations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace {

/// Whether `arith` computes with values of this type.
bool isArithmetic(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && isArithmetic(vector.getElementType());
  return type.isSignlessInteger() || isa<FloatType>(type);
}

arith::IntegerOverflowFlags raiseFlags(LLVM::IntegerOverflowFlags flags) {
  auto result = arith::IntegerOverflowFlags::none;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nsw))
    result = result | arith::IntegerOverflowFlags::nsw;
  if (bitEnumContainsAny(flags, LLVM::IntegerOverflowFlags::nuw))
    result = result | arith::IntegerOverflowFlags::nuw;
  return result;
}

/// Copies what a flag interface of the LLVM dialect says to the `arith` op.
void copyFlags(Operation *from, Operation *to) {
  if (auto overflow = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(from))
    if (auto target = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(to))
      to->setAttr(
          target.getIntegerOverflowAttrName(),
          arith::IntegerOverflowFlagsAttr::get(
              to->getContext(), raiseFlags(overflow.getOverflowFlags())));
  if (auto exact = dyn_cast<LLVM::ExactFlagInterface>(from))
    if (exact.getIsExact())
      to->setAttr("isExact", UnitAttr::get(to->getContext()));
  if (auto math = dyn_cast<LLVM::FastmathFlagsInterface>(from))
    if (auto target = dyn_cast<arith::ArithFastMathInterface>(to))
      to->setAttr(target.getFastMathAttrName(),
                  gpuopt::raiseFastMath(math.getFastmathAttr()));
}

/// An operation with the same operands and result and, where both have them,
/// the same flags.
template <typename From, typename To>
struct RaiseSame : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    for (Type type : op->getOperandTypes())
      if (!isArithmetic(type))
        return rewriter.notifyMatchFailure(op, "operand type");
    if (!isArithmetic(op.getType()))
      return rewriter.notifyMatchFailure(op, "result type");
    Operation *raised = To::create(rewriter, op.getLoc(), op->getResultTypes(),
                                   op->getOperands());
    copyFlags(op, raised);
    rewriter.replaceOp(op, raised);
    return success();
  }
};

/// `or disjoint` adds numbers that share no bit.
struct RaiseOr : OpRewritePattern<LLVM::OrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::OrOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIsDisjoint() || op.getType().isInteger(1))
      rewriter.replaceOpWithNewOp<arith::OrIOp>(op, op.getLhs(), op.getRhs());
    else
      rewriter.replaceOpWithNewOp<arith::AddIOp>(
          op, op.getLhs(), op.getRhs(),
          arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
    return success();
  }
};

/// `zext nneg` of a number that is not negative is its sign extension.
struct RaiseZeroExtend : OpRewritePattern<LLVM::ZExtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::ZExtOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNonNeg())
      rewriter.replaceOpWithNewOp<arith::ExtSIOp>(op, op.getType(),
                                                  op.getArg());
    else
      rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(),
                                                  op.getArg());
    return success();
  }
};

struct RaiseIntegerComparison : OpRewritePattern<LLVM::ICmpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::ICmpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isArithmetic(op.getLhs().getType()))
      return rewriter.notifyMatchFailure(op, "compares pointers");
    static_assert(static_cast<int>(LLVM::ICmpPredicate::uge) ==
                  static_cast<int>(arith::CmpIPredicate::uge));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(
        op, static_cast<arith::CmpIPredicate>(op.getPredicate()), op.getLhs(),
        op.getRhs());
    return success();
  }
};

struct RaiseFloatComparison : OpRewritePattern<LLVM::FCmpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::FCmpOp op,
                                PatternRewriter &rewriter) const override {
    static_assert(static_cast<int>(LLVM::FCmpPredicate::uno) ==
                  static_cast<int>(arith::CmpFPredicate::UNO));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(
        op, static_cast<arith::CmpFPredicate>(op.getPredicate()), op.getLhs(),
        op.getRhs(),
        gpuopt::raiseFastMath(op.getFastmathFlagsAttr()).getValue());
    return success();
  }
};

struct RaiseSelect : OpRewritePattern<LLVM::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isArithmetic(op.getType()))
      return rewriter.notifyMatchFailure(op, "selects pointers or aggregates");
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, op.getCondition(), op.getTrueValue(), op.getFalseValue());
    return success();
  }
};

/// `arith.bitcast` goes element by element.
struct RaiseBitcast : OpRewritePattern<LLVM::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::BitcastOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getArg().getType();
    if (!isArithmetic(from) || !isArithmetic(op.getType()))
      return rewriter.notifyMatchFailure(op, "not numbers");
    auto fromVector = dyn_cast<VectorType>(from);
    auto toVector = dyn_cast<VectorType>(op.getType());
    if (!fromVector != !toVector ||
        (toVector && fromVector.getShape() != toVector.getShape()))
      return rewriter.notifyMatchFailure(op, "changes the number of elements");
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(),
                                                  op.getArg());
    return success();
  }
};

struct RaiseNegation : OpRewritePattern<LLVM::FNegOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::FNegOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::NegFOp>(
        op, op.getOperand(),
        gpuopt::raiseFastMath(op.getFastmathFlagsAttr()).getValue());
    return success();
  }
};

struct RaiseConstant : OpRewritePattern<LLVM::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto value = dyn_cast<TypedAttr>(op.getValue());
    if (!value || value.getType() != op.getType() ||
        !isArithmetic(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a number");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
    return success();
  }
};

struct RaiseZero : OpRewritePattern<LLVM::ZeroOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::ZeroOp op,
                                PatternRewriter &rewriter) const override {
    if (!isArithmetic(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a number");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getZeroAttr(op.getType()));
    return success();
  }
};

struct RaisePoison : OpRewritePattern<LLVM::PoisonOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::PoisonOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, op.getType());
    return success();
  }
};

} // namespace

arith::FastMathFlagsAttr
gpuopt::raiseFastMath(LLVM::FastmathFlagsAttr attribute) {
  using From = LLVM::FastmathFlags;
  using To = arith::FastMathFlags;
  static constexpr std::pair<From, To> flags[] = {
      {From::reassoc, To::reassoc}, {From::nnan, To::nnan},
      {From::ninf, To::ninf},       {From::nsz, To::nsz},
      {From::arcp, To::arcp},       {From::contract, To::contract},
      {From::afn, To::afn}};
  To result = To::none;
  for (auto [from, to] : flags)
    if (bitEnumContainsAny(attribute.getValue(), from))
      result = result | to;
  return arith::FastMathFlagsAttr::get(attribute.getContext(), result);
}

void gpuopt::populateRaiseArithmeticPatterns(RewritePatternSet &patterns) {
  patterns
      .add<RaiseSame<LLVM::AShrOp, arith::ShRSIOp>,
           RaiseSame<LLVM::AddOp, arith::AddIOp>,
           RaiseSame<LLVM::AndOp, arith::AndIOp>,
           RaiseSame<LLVM::FAddOp, arith::AddFOp>,
           RaiseSame<LLVM::FDivOp, arith::DivFOp>,
           RaiseSame<LLVM::FMulOp, arith::MulFOp>,
           RaiseSame<LLVM::FPExtOp, arith::ExtFOp>,
           RaiseSame<LLVM::FPToSIOp, arith::FPToSIOp>,
           RaiseSame<LLVM::FPToUIOp, arith::FPToUIOp>,
           RaiseSame<LLVM::FPTruncOp, arith::TruncFOp>,
           RaiseSame<LLVM::FRemOp, arith::RemFOp>,
           RaiseSame<LLVM::FSubOp, arith::SubFOp>,
           RaiseSame<LLVM::LShrOp, arith::ShRUIOp>,
           RaiseSame<LLVM::MulOp, arith::MulIOp>,
           RaiseSame<LLVM::SDivOp, arith::DivSIOp>,
           RaiseSame<LLVM::SExtOp, arith::ExtSIOp>,
           RaiseSame<LLVM::SIToFPOp, arith::SIToFPOp>,
           RaiseSame<LLVM::SRemOp, arith::RemSIOp>,
           RaiseSame<LLVM::ShlOp, arith::ShLIOp>,
           RaiseSame<LLVM::SubOp, arith::SubIOp>,
           RaiseSame<LLVM::TruncOp, arith::TruncIOp>,
           RaiseSame<LLVM::UDivOp, arith::DivUIOp>,
           RaiseSame<LLVM::UIToFPOp, arith::UIToFPOp>,
           RaiseSame<LLVM::URemOp, arith::RemUIOp>,
           RaiseSame<LLVM::XOrOp, arith::XOrIOp>, RaiseBitcast, RaiseConstant,
           RaiseFloatComparison, RaiseIntegerComparison, RaiseNegation, RaiseOr,
           RaisePoison, RaiseSelect, RaiseZero, RaiseZeroExtend>(
          patterns.getContext());
}
