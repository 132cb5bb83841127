//===- RaiseCalls.cpp - intrinsics and known functions to math and gpu ----===//
//
// A mathematical function is known by its LLVM intrinsic or by its C name
// (`erff`: the `f` says float); the meaning and the precision are those that
// the target's library gives the function either way. Of the `__gpuopt_*`
// functions, ids and extents become `gpu` operations of type `index`, cast
// back to the 32 bits that the source sees: what follows still wraps as the
// source says.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Raising/RaiseOperations.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace {

bool isFixedWidth(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || !vector.isScalable();
}

/// An intrinsic whose operands and result are those of the `math` or `arith`
/// operation.
template <typename From, typename To>
struct RaiseIntrinsic : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    if (!isFixedWidth(op.getType()))
      return rewriter.notifyMatchFailure(op, "scalable vector");
    Operation *raised = To::create(rewriter, op.getLoc(), op->getResultTypes(),
                                   op->getOperands());
    if (auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op.getOperation()))
      if (auto target = dyn_cast<arith::ArithFastMathInterface>(raised))
        raised->setAttr(target.getFastMathAttrName(),
                        gpuopt::raiseFastMath(flags.getFastmathAttr()));
    rewriter.replaceOp(op, raised);
    return success();
  }
};

/// Counting zeros and absolute values have a flag for the inputs that
/// `math` defines anyway: dropping it only defines more.
template <typename From, typename To>
struct RaiseUnaryInteger : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    if (!isFixedWidth(op.getType()))
      return rewriter.notifyMatchFailure(op, "scalable vector");
    rewriter.replaceOpWithNewOp<To>(op, op->getOperand(0));
    return success();
  }
};

/// Intrinsics that only pass facts on, which raising reads from elsewhere.
template <typename From>
struct EraseHint : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

//===--- Functions known by name ------------------------------------------===//

/// Makes the operation for a call's operands, all of type `type`.
using MakeMath = Value (*)(OpBuilder &, Location, ValueRange);

template <typename Op>
Value makeUnary(OpBuilder &builder, Location loc, ValueRange operands) {
  return Op::create(builder, loc, operands[0]);
}

template <typename Op>
Value makeBinary(OpBuilder &builder, Location loc, ValueRange operands) {
  return Op::create(builder, loc, operands[0], operands[1]);
}

template <typename Op>
Value makeTernary(OpBuilder &builder, Location loc, ValueRange operands) {
  return Op::create(builder, loc, operands[0], operands[1], operands[2]);
}

struct MathFunction {
  /// C name of the double version; the float version ends in `f`.
  StringLiteral name;
  unsigned numOperands;
  MakeMath make;
};

constexpr MathFunction mathFunctions[] = {
    {"acos", 1, makeUnary<math::AcosOp>},
    {"acosh", 1, makeUnary<math::AcoshOp>},
    {"asin", 1, makeUnary<math::AsinOp>},
    {"asinh", 1, makeUnary<math::AsinhOp>},
    {"atan", 1, makeUnary<math::AtanOp>},
    {"atan2", 2, makeBinary<math::Atan2Op>},
    {"atanh", 1, makeUnary<math::AtanhOp>},
    {"cbrt", 1, makeUnary<math::CbrtOp>},
    {"ceil", 1, makeUnary<math::CeilOp>},
    {"copysign", 2, makeBinary<math::CopySignOp>},
    {"cos", 1, makeUnary<math::CosOp>},
    {"cosh", 1, makeUnary<math::CoshOp>},
    {"erf", 1, makeUnary<math::ErfOp>},
    {"erfc", 1, makeUnary<math::ErfcOp>},
    {"exp", 1, makeUnary<math::ExpOp>},
    {"exp2", 1, makeUnary<math::Exp2Op>},
    {"expm1", 1, makeUnary<math::ExpM1Op>},
    {"fabs", 1, makeUnary<math::AbsFOp>},
    {"floor", 1, makeUnary<math::FloorOp>},
    {"fma", 3, makeTernary<math::FmaOp>},
    {"log", 1, makeUnary<math::LogOp>},
    {"log10", 1, makeUnary<math::Log10Op>},
    {"log1p", 1, makeUnary<math::Log1pOp>},
    {"log2", 1, makeUnary<math::Log2Op>},
    {"pow", 2, makeBinary<math::PowFOp>},
    {"round", 1, makeUnary<math::RoundOp>},
    {"rsqrt", 1, makeUnary<math::RsqrtOp>},
    {"sin", 1, makeUnary<math::SinOp>},
    {"sinh", 1, makeUnary<math::SinhOp>},
    {"sqrt", 1, makeUnary<math::SqrtOp>},
    {"tan", 1, makeUnary<math::TanOp>},
    {"tanh", 1, makeUnary<math::TanhOp>},
    {"trunc", 1, makeUnary<math::TruncOp>},
};

/// The function that `name` means for operands of type `type`, else null.
const MathFunction *lookupMathFunction(StringRef name, Type type) {
  if (type.isF32() ? !name.consume_back("f") : !type.isF64())
    return nullptr;
  const auto *it = llvm::find_if(
      mathFunctions, [&](const MathFunction &f) { return f.name == name; });
  return it == std::end(mathFunctions) ? nullptr : it;
}

struct RaiseMathCall : OpRewritePattern<LLVM::CallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallOp op,
                                PatternRewriter &rewriter) const override {
    auto callee = op.getCallee();
    if (!callee || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not a function of numbers");
    Type type = op.getResult().getType();
    const MathFunction *function = lookupMathFunction(*callee, type);
    if (!function || op->getNumOperands() != function->numOperands ||
        !llvm::all_of(op->getOperandTypes(),
                      [&](Type operand) { return operand == type; }))
      return rewriter.notifyMatchFailure(op, "not a known function");
    // A function of this name that the file defines itself is not C's.
    auto symbol = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        op, op.getCalleeAttr());
    if (symbol && !symbol.isExternal())
      return rewriter.notifyMatchFailure(op, "defined in the source");
    Value result = function->make(rewriter, op.getLoc(), op->getOperands());
    if (auto target =
            dyn_cast<arith::ArithFastMathInterface>(result.getDefiningOp()))
      target->setAttr(target.getFastMathAttrName(),
                      gpuopt::raiseFastMath(op.getFastmathFlagsAttr()));
    rewriter.replaceOp(op, result);
    return success();
  }
};

//===--- Device functions -------------------------------------------------===//

/// The op for `__gpuopt_` + `name`, of type `index`; null where there is none.
Value makeIndexOp(OpBuilder &builder, Location loc, StringRef name) {
  if (name == "lane_id")
    return gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/nullptr);
  if (name == "subgroup_size")
    return gpu::SubgroupSizeOp::create(builder, loc, /*upper_bound=*/nullptr);
  auto dimension = gpu::symbolizeDimension(name.take_back(1));
  if (!dimension || !name.drop_back(1).ends_with("_"))
    return nullptr;
  StringRef kind = name.drop_back(2);
  if (kind == "thread_id")
    return gpu::ThreadIdOp::create(builder, loc, *dimension);
  if (kind == "block_id")
    return gpu::BlockIdOp::create(builder, loc, *dimension);
  if (kind == "block_dim")
    return gpu::BlockDimOp::create(builder, loc, *dimension);
  if (kind == "grid_dim")
    return gpu::GridDimOp::create(builder, loc, *dimension);
  return nullptr;
}

struct RaiseDeviceFunction : OpRewritePattern<LLVM::CallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallOp op,
                                PatternRewriter &rewriter) const override {
    StringRef name = op.getCallee().value_or("");
    if (!name.consume_front("__gpuopt_"))
      return rewriter.notifyMatchFailure(op, "not a device function");
    if (name == "barrier" && op->getNumResults() == 0) {
      rewriter.replaceOpWithNewOp<gpu::BarrierOp>(op);
      return success();
    }
    if (name == "global_sync" && op->getNumResults() == 0) {
      rewriter.replaceOpWithNewOp<gpuopt::GridBarrierOp>(op);
      return success();
    }
    if (op->getNumResults() != 1 || op->getNumOperands() != 0 ||
        !op.getResult().getType().isSignlessInteger())
      return rewriter.notifyMatchFailure(op, "not an id");
    Value index = makeIndexOp(rewriter, op.getLoc(), name);
    if (!index)
      return rewriter.notifyMatchFailure(op, "no gpu operation for it");
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(
        op, op.getResult().getType(), index);
    return success();
  }
};

} // namespace

void gpuopt::populateRaiseCallPatterns(RewritePatternSet &patterns) {
  patterns.add<
      EraseHint<LLVM::AssumeOp>, EraseHint<LLVM::DbgDeclareOp>,
      EraseHint<LLVM::DbgLabelOp>, EraseHint<LLVM::DbgValueOp>,
      EraseHint<LLVM::NoAliasScopeDeclOp>, RaiseDeviceFunction,
      RaiseIntrinsic<LLVM::ACosOp, math::AcosOp>,
      RaiseIntrinsic<LLVM::ASinOp, math::AsinOp>,
      RaiseIntrinsic<LLVM::ATan2Op, math::Atan2Op>,
      RaiseIntrinsic<LLVM::ATanOp, math::AtanOp>,
      RaiseIntrinsic<LLVM::CopySignOp, math::CopySignOp>,
      RaiseIntrinsic<LLVM::CosOp, math::CosOp>,
      RaiseIntrinsic<LLVM::CoshOp, math::CoshOp>,
      RaiseIntrinsic<LLVM::CtPopOp, math::CtPopOp>,
      RaiseIntrinsic<LLVM::Exp2Op, math::Exp2Op>,
      RaiseIntrinsic<LLVM::ExpOp, math::ExpOp>,
      RaiseIntrinsic<LLVM::FAbsOp, math::AbsFOp>,
      RaiseIntrinsic<LLVM::FCeilOp, math::CeilOp>,
      RaiseIntrinsic<LLVM::FFloorOp, math::FloorOp>,
      RaiseIntrinsic<LLVM::FMAOp, math::FmaOp>,
      RaiseIntrinsic<LLVM::FTruncOp, math::TruncOp>,
      RaiseIntrinsic<LLVM::Log10Op, math::Log10Op>,
      RaiseIntrinsic<LLVM::Log2Op, math::Log2Op>,
      RaiseIntrinsic<LLVM::LogOp, math::LogOp>,
      RaiseIntrinsic<LLVM::MaxNumOp, arith::MaxNumFOp>,
      RaiseIntrinsic<LLVM::MaximumOp, arith::MaximumFOp>,
      RaiseIntrinsic<LLVM::MinNumOp, arith::MinNumFOp>,
      RaiseIntrinsic<LLVM::MinimumOp, arith::MinimumFOp>,
      RaiseIntrinsic<LLVM::PowOp, math::PowFOp>,
      RaiseIntrinsic<LLVM::RoundEvenOp, math::RoundEvenOp>,
      RaiseIntrinsic<LLVM::RoundOp, math::RoundOp>,
      RaiseIntrinsic<LLVM::SMaxOp, arith::MaxSIOp>,
      RaiseIntrinsic<LLVM::SMinOp, arith::MinSIOp>,
      RaiseIntrinsic<LLVM::SinOp, math::SinOp>,
      RaiseIntrinsic<LLVM::SinhOp, math::SinhOp>,
      RaiseIntrinsic<LLVM::SqrtOp, math::SqrtOp>,
      RaiseIntrinsic<LLVM::TanOp, math::TanOp>,
      RaiseIntrinsic<LLVM::TanhOp, math::TanhOp>,
      RaiseIntrinsic<LLVM::UMaxOp, arith::MaxUIOp>,
      RaiseIntrinsic<LLVM::UMinOp, arith::MinUIOp>, RaiseMathCall,
      RaiseUnaryInteger<LLVM::AbsOp, math::AbsIOp>,
      RaiseUnaryInteger<LLVM::CountLeadingZerosOp, math::CountLeadingZerosOp>,
      RaiseUnaryInteger<LLVM::CountTrailingZerosOp,
                        math::CountTrailingZerosOp>>(patterns.getContext());
}
