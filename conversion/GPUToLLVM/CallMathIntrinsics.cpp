//===- CallMathIntrinsics.cpp - intrinsics that survive conversion --------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_CALLMATHINTRINSICS
#include "conversion/GPUToLLVM/Passes.h.inc"

static bool isFloatLike(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// LLVM's name of the floating-point intrinsic that `op` stands for, empty
/// where it is something else.
static std::string getIntrinsicName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("llvm.intr.") || op->getNumResults() != 1 ||
      !isFloatLike(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), isFloatLike) ||
      op->getNumOperands() == 0)
    return "";
  return ("llvm." + name).str();
}

static void callIntrinsic(Operation *op, StringRef name) {
  OpBuilder builder(op);
  auto flags = op->getAttrOfType<LLVM::FastmathFlagsAttr>("fastmathFlags");
  auto call = LLVM::CallIntrinsicOp::create(
      builder, op->getLoc(), op->getResult(0).getType(),
      builder.getStringAttr(name), op->getOperands(),
      flags ? flags
            : LLVM::FastmathFlagsAttr::get(op->getContext(),
                                           LLVM::FastmathFlags::none));
  op->replaceAllUsesWith(call);
  op->erase();
}

/// LLVM's absolute value, which is that of the smallest integer for the
/// smallest integer; of indices, which LLVM has not, the larger of x and -x.
static void expandAbsolute(math::AbsIOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value operand = op.getOperand();
  if (LLVM::isCompatibleType(op.getType())) {
    op.replaceAllUsesWith(LLVM::AbsOp::create(builder, loc, op.getType(),
                                              operand,
                                              /*is_int_min_poison=*/false)
                              .getResult());
    op.erase();
    return;
  }
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(op.getType()));
  Value negated = arith::SubIOp::create(builder, loc, zero, operand);
  Value largest = arith::MaxSIOp::create(builder, loc, operand, negated);
  op.replaceAllUsesWith(largest);
  op.erase();
}

/// Upstream computes those of few digits as floats, and rounds twice.
static bool isNarrowFusion(Operation *op) {
  return isa<math::FmaOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType())
                 .getIntOrFloatBitWidth() < 32;
}

/// What changes the sign bit and nothing else, of NaNs as well. Upstream calls
/// the library's functions, those of few digits by way of floats.
static StringRef getSignOperation(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
          getElementTypeOrSelf(op->getResult(0).getType())))
    return "";
  return isa<math::AbsFOp>(op)       ? "llvm.fabs"
         : isa<math::CopySignOp>(op) ? "llvm.copysign"
                                     : "";
}

namespace {
struct CallMathIntrinsics : impl::CallMathIntrinsicsBase<CallMathIntrinsics> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto remainder = dyn_cast<LLVM::FRemOp>(op)) {
        OpBuilder builder(op);
        op->replaceAllUsesWith(arith::RemFOp::create(
            builder, op->getLoc(), remainder.getLhs(), remainder.getRhs()));
        op->erase();
        return;
      }
      if (auto absolute = dyn_cast<math::AbsIOp>(op))
        return expandAbsolute(absolute);
      if (isNarrowFusion(op))
        return callIntrinsic(op, "llvm.fma");
      if (StringRef sign = getSignOperation(op); !sign.empty())
        return callIntrinsic(op, sign);
      std::string name = getIntrinsicName(op);
      if (!name.empty())
        callIntrinsic(op, name);
    });
  }
};
} // namespace
} // namespace gpuopt
