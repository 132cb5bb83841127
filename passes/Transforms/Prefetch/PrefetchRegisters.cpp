//===- PrefetchRegisters.cpp - the next iteration's data in registers -----===//
//
// Figure 3.8 of the thesis: a value that a fill loads is loaded one iteration
// earlier, behind the barrier, and carried around the loop. It is on its way
// while the threads compute. The tile, the stores and the barriers stay.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Prefetch/PrefetchRegisters.h"

#include "passes/Transforms/Prefetch/PrefetchFill.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gpuopt;

void gpuopt::prefetchIntoRegisters(TileLoop &tile) {
  unrollFill(tile);
  Iterations iterations(tile.loop);
  Location loc = tile.loop.getLoc();
  IRRewriter rewriter(tile.loop->getContext());
  rewriter.setInsertionPoint(tile.loop);
  Value first = iterations.number(rewriter, 0);
  SmallVector<Value> initial = guarded(
      rewriter, loc, iterations.exists(rewriter, first),
      [&](OpBuilder &inside) { return FillCopy(tile, first).load(inside); });

  auto prefetch = [&](OpBuilder &, Location,
                      ArrayRef<BlockArgument> carried) -> SmallVector<Value> {
    OpBuilder builder(tile.loop->getContext());
    builder.setInsertionPointAfter(tile.filled);
    Value next = iterations.ahead(builder, 1);
    SmallVector<Value> values = guarded(
        builder, loc, iterations.exists(builder, next),
        [&](OpBuilder &inside) { return FillCopy(tile, next).load(inside); });
    for (auto [load, value] : llvm::zip_equal(tile.loads, carried))
      load->getResult(0).replaceAllUsesWith(value);
    for (Operation *load : llvm::reverse(tile.loads))
      load->erase();
    return values;
  };
  DictionaryAttr attributes = tile.loop->getDiscardableAttrDictionary();
  FailureOr<LoopLikeOpInterface> carrying =
      tile.loop.replaceWithAdditionalYields(
          rewriter, initial, /*replaceInitOperandUsesInLoop=*/false, prefetch);
  assert(succeeded(carrying) && "affine.for and scf.for carry values");
  tile.loop = *carrying;
  tile.loop->setDiscardableAttrs(attributes);
}
