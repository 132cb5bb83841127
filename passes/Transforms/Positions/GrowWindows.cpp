//===- GrowWindows.cpp - windows of several blocks -----------------------===//

#include "passes/Transforms/Positions/GrowWindows.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Positions/SharedArrays.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

using namespace mlir;
using namespace gpuopt;

/// Whether `op` compares with the first position of a block, which is 0 however
/// long the block.
static bool isBelowTest(Operation *op) {
  auto test = dyn_cast<arith::CmpIOp>(op);
  return test && (test.getPredicate() == arith::CmpIPredicate::sge ||
                  test.getPredicate() == arith::CmpIPredicate::sgt);
}

bool gpuopt::isInBlockTest(Operation *op, Value iterator, int64_t stride) {
  if (!op->hasAttr(kInBlockAttrName))
    return false;
  bool isOfIterator =
      op->getOperand(0) == iterator ||
      llvm::any_of(indexUsesOf(op), [&](const IndexUse &use) {
        return use.number == 0 && llvm::is_contained(use.operands, iterator);
      });
  return isOfIterator &&
         (isBelowTest(op) || getConstantIntValue(op->getOperand(1)) == stride);
}

/// `array`'s type with the windows of `factor` blocks in it.
static MemRefType grown(Value array, const PositionForm::Array &entry,
                        int64_t factor) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[entry.subscript] += (factor - 1) * entry.stride;
  return MemRefType::get(shape, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

int64_t gpuopt::workgroupBytesGrown(gpu::GPUFuncOp kernel,
                                    const PositionForm &form, int64_t factor) {
  int64_t bytes = 0;
  for (Value array : kernel.getWorkgroupAttributions()) {
    auto entry = form.arrays.find(array);
    bytes += staticBytes(entry == form.arrays.end()
                             ? array.getType()
                             : grown(array, entry->second, factor));
  }
  return bytes;
}

void gpuopt::growArrays(const PositionForm &form, int64_t factor) {
  for (auto [array, entry] : form.arrays) {
    Value value = array;
    value.setType(grown(array, entry, factor));
  }
}

void gpuopt::growLoop(Operation *loop, const PositionForm::Loop &old,
                      int64_t factor) {
  auto parallel = cast<affine::AffineParallelOp>(loop);
  Value iterator = parallel.getIVs()[old.iterator];
  parallel.getBody()->walk([&](arith::CmpIOp test) {
    OpBuilder builder(test);
    if (isInBlockTest(test, iterator, old.stride) && !isBelowTest(test))
      test.getRhsMutable().assign(arith::ConstantIndexOp::create(
          builder, test.getLoc(), factor * old.stride));
  });
  int64_t extent =
      parallel.getUpperBoundMap(old.iterator).getSingleConstantResult() +
      (factor - 1) * old.stride;
  SmallVector<AffineExpr> bounds(parallel.getUpperBoundsMap().getResults());
  AffineMap map = parallel.getUpperBoundsMap();
  unsigned first = 0;
  for (unsigned number = 0; number < old.iterator; ++number)
    first += parallel.getUpperBoundMap(number).getNumResults();
  bounds[first] = getAffineConstantExpr(extent, loop->getContext());
  parallel.setUpperBoundsMapAttr(AffineMapAttr::get(AffineMap::get(
      map.getNumDims(), map.getNumSymbols(), bounds, loop->getContext())));
}
