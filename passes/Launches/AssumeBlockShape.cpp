//===- AssumeBlockShape.cpp - for the blocks that a kernel is launched in -===//
//
// find kernels that depend on their block → keep the original → constants for
// the block's size, which launchers check → raise what has become affine.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LargestBlock.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/BlockItems.h"
#include "passes/Launches/Passes.h"
#include "passes/Launches/ShapeTiles.h"
#include "passes/Launches/ThreadLoops.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSUMEBLOCKSHAPE
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
using LaunchBlock = std::array<int32_t, 3>;

struct AssumeBlockShape
    : public gpuopt::impl::AssumeBlockShapeBase<AssumeBlockShape> {
  using AssumeBlockShapeBase::AssumeBlockShapeBase;

  void runOnOperation() override {
    if (!block.empty() && (block.size() > 3 || !isBlock(block))) {
      getOperation().emitError("expected 'block' to be one to three numbers "
                               "whose product is from 1 to ")
          << kMostThreadsOfBlock;
      return signalPassFailure();
    }
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (std::optional<Refusal> refusal = assume(kernel))
        sayMissed(RemarkCode::BlockShapeUnknown, kernel, *refusal);
  }

  static bool isBlock(ArrayRef<int64_t> sizes);
  std::optional<LaunchBlock> blockOf(gpu::GPUFuncOp kernel);
  std::optional<Refusal> assume(gpu::GPUFuncOp kernel);
  void raiseAgain(gpu::GPUFuncOp kernel);
};
} // namespace

bool AssumeBlockShape::isBlock(ArrayRef<int64_t> sizes) {
  int64_t threads = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > kMostThreadsOfBlock)
      return false;
    threads *= size;
  }
  return threads <= kMostThreadsOfBlock;
}

/// The block that is known of the kernel, else what the option gives.
std::optional<LaunchBlock> AssumeBlockShape::blockOf(gpu::GPUFuncOp kernel) {
  auto known = kernel->getAttrOfType<DenseI32ArrayAttr>(kLaunchBlockAttrName);
  LaunchBlock shape = {1, 1, 1};
  if (known && isBlock(llvm::to_vector_of<int64_t>(known.asArrayRef())))
    llvm::copy(known.asArrayRef(), shape.begin());
  else if (!block.empty())
    llvm::copy(block, shape.begin());
  else
    return std::nullopt;
  return shape;
}

/// Writes the size of the block as what it is.
static void replaceBlockSizes(gpu::GPUFuncOp kernel, const LaunchBlock &block) {
  kernel.walk([&](gpu::BlockDimOp size) {
    OpBuilder builder(size);
    int64_t threads = block[static_cast<unsigned>(size.getDimension())];
    size.replaceAllUsesWith(
        arith::ConstantIndexOp::create(builder, size.getLoc(), threads)
            .getResult());
    size.erase();
  });
}

/// Launchers compare the block of a launch with `block`.
static void requireBlock(gpu::GPUFuncOp kernel, const LaunchBlock &block) {
  unsigned numArguments = kernel.getNumArguments();
  SmallVector<AffineExpr> differences;
  for (unsigned dim = 0; dim < 3; ++dim)
    differences.push_back(
        getAffineSymbolExpr(numArguments + 3 + dim, kernel.getContext()) -
        block[dim]);
  addLaunchEqualities(kernel, numArguments, differences);
}

/// Ids that the source puts together from constants are ids now, and loops and
/// subscripts affine.
void AssumeBlockShape::raiseAgain(gpu::GPUFuncOp kernel) {
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseAgainPipeline(again);
  if (failed(runPipeline(again, kernel)))
    return signalPassFailure();
  numCounted += countThreadLoops(kernel);
  numShaped += shapeTiles(kernel);
}

std::optional<Refusal> AssumeBlockShape::assume(gpu::GPUFuncOp kernel) {
  bool isDecided = geometryOf(kernel) || kernel->hasAttr(kPhaseOfAttrName) ||
                   kernel->hasAttr(kWorkItemsAttrName) ||
                   kernel.getKnownBlockSizeAttr();
  if (isDecided || !kernel.getBody().hasOneBlock())
    return std::nullopt;
  std::optional<LaunchObstacle> obstacle =
      findLaunchObstacle(kernel, findBlockItems(kernel), {});
  // What keeps its launch in any block is no matter of this pass.
  if (!obstacle || !obstacle->mayKeepBlock)
    return std::nullopt;
  std::optional<LaunchBlock> shape = blockOf(kernel);
  if (!shape)
    return Refusal{obstacle->location,
                   obstacle->reason + ", and its block is not known"};
  keepOriginal(kernel);
  replaceBlockSizes(kernel, *shape);
  requireBlock(kernel, *shape);
  kernel.setKnownBlockSizeAttr(
      DenseI32ArrayAttr::get(kernel.getContext(), *shape));
  sayPassed(RemarkCode::BlockShapeAssumed, kernel, kernel.getLoc(),
            {{"block", llvm::formatv("{0}x{1}x{2}", (*shape)[0], (*shape)[1],
                                     (*shape)[2])
                           .str()}});
  ++numAssumed;
  raiseAgain(kernel);
  // Where the block only made up work items' ids, these may go in any other.
  if (!findLaunchObstacle(kernel, findBlockItems(kernel), {}))
    kernel.removeKnownBlockSizeAttr();
  return std::nullopt;
}
