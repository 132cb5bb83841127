//===- NumberBlocks.cpp - keep upstream from comparing blocks -------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_NUMBERBLOCKS
#include "conversion/GPUToLLVM/Passes.h.inc"

static constexpr llvm::StringLiteral attributeName = "block_number";

namespace {
struct NumberBlocks : impl::NumberBlocksBase<NumberBlocks> {
  using NumberBlocksBase::NumberBlocksBase;

  void runOnOperation() override {
    int64_t number = 0;
    getOperation().walk([&](Block *block) {
      // Only terminators that branch: others end regions, not blocks of a CFG.
      if (!block->mightHaveTerminator() || block->getNumSuccessors() == 0)
        return;
      Operation *terminator = block->getTerminator();
      if (remove)
        terminator->removeDiscardableAttr(attributeName);
      else
        terminator->setDiscardableAttr(
            attributeName,
            IntegerAttr::get(IntegerType::get(&getContext(), 64), number++));
    });
  }
};
} // namespace
} // namespace gpuopt
