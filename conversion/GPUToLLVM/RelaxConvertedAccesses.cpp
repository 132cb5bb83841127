//===- RelaxConvertedAccesses.cpp - promise what the source promises ------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_RELAXCONVERTEDACCESSES
#include "conversion/GPUToLLVM/Passes.h.inc"

/// Drops both flags from the sums and products with both that make `index`: the
/// shape in which the conversion writes linearised subscripts.
static void relaxIndex(Value index) {
  SmallVector<Value> worklist = {index};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!isa_and_nonnull<LLVM::AddOp, LLVM::MulOp>(op))
      continue;
    auto arithmetic = cast<LLVM::IntegerOverflowFlagsInterface>(op);
    if (!arithmetic.hasNoSignedWrap() || !arithmetic.hasNoUnsignedWrap())
      continue;
    arithmetic.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
    worklist.append(op->operand_begin(), op->operand_end());
  }
}

namespace {
struct RelaxConvertedAccesses
    : impl::RelaxConvertedAccessesBase<RelaxConvertedAccesses> {
  using RelaxConvertedAccessesBase::RelaxConvertedAccessesBase;

  void relaxAddress(LLVM::GEPOp address) {
    auto flags = address.getNoWrapFlags();
    constexpr auto both =
        LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
    if ((flags & both) != both)
      return;
    address.setNoWrapFlags(LLVM::GEPNoWrapFlags::inbounds);
    for (Value index : address.getDynamicIndices())
      relaxIndex(index);
    ++relaxedAddresses;
  }

  void relaxAtomic(LLVM::AtomicRMWOp atomic) {
    if (atomic->removeAttr(kSourceOrderAttrName))
      return;
    atomic.setOrdering(LLVM::AtomicOrdering::monotonic);
    atomic.setSyncscope(StringRef(vendor == "amd" ? "agent" : "device"));
    ++relaxedAtomics;
  }

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto address = dyn_cast<LLVM::GEPOp>(op))
        relaxAddress(address);
      else if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
        relaxAtomic(atomic);
    });
  }
};
} // namespace
} // namespace gpuopt
