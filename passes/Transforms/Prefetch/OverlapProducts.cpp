//===- OverlapProducts.cpp - products of the iteration before -------------===//

#include "passes/Transforms/Prefetch/OverlapProducts.h"

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

static SmallVector<WarpgroupProductOp> productsOf(TileLoop &tile) {
  SmallVector<WarpgroupProductOp> products;
  tile.loop->walk(
      [&](WarpgroupProductOp product) { products.push_back(product); });
  return products;
}

bool gpuopt::hasWarpgroupProducts(TileLoop &tile) {
  return !productsOf(tile).empty();
}

bool gpuopt::mayOverlapProducts(TileLoop &tile) {
  SmallVector<WarpgroupProductOp> products = productsOf(tile);
  // As many groups as may be pending.
  constexpr size_t most = 7;
  return isa<affine::AffineForOp>(*tile.loop) && products.size() <= most &&
         llvm::all_of(products, [&](WarpgroupProductOp product) {
           auto isCarried = [&](Operation *user) {
             return user == tile.body().getTerminator() ||
                    (isa<WarpgroupProductOp>(user) &&
                     user->getBlock() == &tile.body());
           };
           auto isOwn = [&](Value sum) {
             auto carried = dyn_cast<BlockArgument>(sum);
             return (carried && carried.getOwner() == &tile.body()) ||
                    isa_and_nonnull<WarpgroupProductOp>(sum.getDefiningOp());
           };
           return product->getBlock() == &tile.body() &&
                  llvm::all_of(product->getUsers(), isCarried) &&
                  llvm::all_of(product.getSums(), isOwn) &&
                  llvm::all_of(product.getSums(),
                               [](Value sum) { return sum.hasOneUse(); });
         });
}

void gpuopt::overlapProducts(TileLoop &tile) {
  SmallVector<WarpgroupProductOp> products = productsOf(tile);
  SmallVector<Value> pending;
  Operation *yield = tile.body().getTerminator();
  for (auto [result, sum] :
       llvm::zip_equal(tile.loop->getResults(), yield->getOperands()))
    if (isa_and_nonnull<WarpgroupProductOp>(sum.getDefiningOp()))
      pending.push_back(result);
  for (WarpgroupProductOp product : products)
    product.setPending(products.size());
  OpBuilder builder(tile.loop->getContext());
  builder.setInsertionPointAfter(tile.loop);
  auto wait = WarpgroupWaitOp::create(
      builder, tile.loop->getLoc(),
      SmallVector<Type>(
          llvm::map_range(pending, [](Value sum) { return sum.getType(); })),
      pending);
  for (auto [sum, done] : llvm::zip_equal(pending, wait.getResults()))
    sum.replaceAllUsesExcept(done, wait);
}
