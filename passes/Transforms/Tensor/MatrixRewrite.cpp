//===- MatrixRewrite.cpp - loops of matrix instructions -------------------===//

#include "passes/Transforms/Tensor/MatrixRewrite.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gpuopt;

/// Adds the products of two fragments to the sums that they belong to.
static void multiply(OpBuilder &builder, const MatrixPlan &plan,
                     const ColumnPair &pair, ArrayRef<unsigned> rows,
                     Value rowFragment, Value columnFragment,
                     SmallVectorImpl<Value> &sums) {
  Location loc = plan.contraction.loop->getLoc();
  const FragmentLayout &layout = plan.layout;
  SmallVector<unsigned> numbers;
  for (unsigned row : rows)
    for (unsigned column : {pair.first, pair.second})
      numbers.push_back(plan.contraction.sumOf(row, column));
  SmallVector<Value> old;
  for (unsigned number : numbers)
    old.push_back(sums[number]);
  auto type = VectorType::get({layout.rowParts, FragmentLayout::kColumns},
                              plan.contraction.sumType);
  Value result = nvgpu::MmaSyncOp::create(
      builder, loc, rowFragment, columnFragment,
      vector::FromElementsOp::create(builder, loc, type, old),
      ArrayRef<int64_t>{layout.rows(), layout.columns(), layout.depth()});
  for (auto [position, number] : llvm::enumerate(numbers))
    sums[number] = vector::ExtractOp::create(
        builder, loc, result,
        ArrayRef<int64_t>{int64_t(position) / FragmentLayout::kColumns,
                          int64_t(position) % FragmentLayout::kColumns});
}

int64_t gpuopt::multiplyByUnits(const MatrixPlan &plan,
                                const SubgroupIds &ids) {
  affine::AffineForOp old = plan.contraction.loop;
  OpBuilder builder(old);
  auto loop = affine::AffineForOp::create(
      builder, old.getLoc(), old.getConstantLowerBound(),
      old.getConstantUpperBound(), plan.layout.depth(), old.getInits());
  builder.setInsertionPointToStart(loop.getBody());
  FragmentLoader loader(plan, ids, builder, loop);
  SmallVector<Value> sums(loop.getRegionIterArgs());
  SmallVector<Value> rowFragments;
  for (ArrayRef<unsigned> rows : plan.rowGroups)
    rowFragments.push_back(loader.loadRows(rows));
  SmallVector<Value> columnFragments = loader.loadColumns();
  for (auto [pair, columns] :
       llvm::zip_equal(plan.columnPairs, columnFragments))
    for (auto [rows, fragment] : llvm::zip_equal(plan.rowGroups, rowFragments))
      multiply(builder, plan, pair, rows, fragment, columns, sums);
  affine::AffineYieldOp::create(builder, old.getLoc(), sums);
  old.replaceAllUsesWith(loop.getResults());
  old.erase();
  return llvm::range_size(loop.getBody()->getOps<nvgpu::LdMatrixOp>());
}

void gpuopt::placeThreads(gpu::GPUFuncOp kernel, const SubgroupIds &ids) {
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfterValue(ids.subgroup);
  SmallVector<Operation *> known;
  kernel.walk([&](gpu::ThreadIdOp id) {
    if (id.getResult() != ids.lane && id.getResult() != ids.subgroup &&
        id.getDimension() != gpu::Dimension::z)
      known.push_back(id);
  });
  std::array<AffineExpr, 2> positions = {ids.x(), ids.y()};
  std::array<Value, 2> values;
  for (unsigned dim : {0u, 1u})
    values[dim] = affine::AffineApplyOp::create(
        builder, kernel.getLoc(), AffineMap::get(0, 2, positions[dim]),
        ValueRange{ids.lane, ids.subgroup});
  for (Operation *id : known) {
    auto dimension = cast<gpu::ThreadIdOp>(id).getDimension();
    id->replaceAllUsesWith(
        ValueRange{values[static_cast<unsigned>(dimension)]});
    id->erase();
  }
}
