//===- StagingPlan.h - loads to go through workgroup memory -----*- C++ -*-===//
//
// What `gpuopt-coalesce-accesses` decides about loads. An access f(p, i) by the
// thread p of a block in iteration i of a loop is served from a *tile* of
// workgroup memory that holds f(l, i0 + j) for every thread l (along the thread
// ids that f depends on) and the T iterations from i0. Its last dimension is
// that of the smallest stride, so that consecutive elements are consecutive in
// the array.
//
//   access in a 16x16 block     tile      element (u, v) of the tile
//   a[idy][i], T = 16           [ty][j]   a[by*16 + u][i0 + v]
//   b[i][idx], T = 16           [j][tx]   b[i0 + u][bx*16 + v]
//   a[idx][i], T = 16           [tx][j]   a[bx*16 + u][i0 + v]
//   a[idx][idy], no loop        [tx][ty]  a[bx*16 + u][by*16 + v]
//
// The block fills the tile together, in a collective loop. Who loads
// f(l, i0 + j) checks the conditions under which thread l would have loaded it,
// so no load happens that the source does not do.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_COALESCE_STAGINGPLAN_H
#define PASSES_TRANSFORMS_COALESCE_STAGINGPLAN_H

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Transforms/Coalesce/FirstItem.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <vector>

namespace gpuopt {

/// What the decisions rest on.
struct StagingContext {
  mlir::gpu::GPUFuncOp kernel;
  TargetAttr target;
  BlockShape block;
  /// Whether to stage coalesced loads that threads of the block repeat.
  bool stageReused = true;
  /// What `gpuopt-share-arrays` has chosen; null where it has not.
  mlir::DictionaryAttr partition = {};

  /// Whether `access` may go through workgroup memory.
  bool mayStage(const AccessFunction &access) const;
  /// The iterations that a tile shall serve; nothing where any number may.
  std::optional<int64_t> wantedIterations() const;
};

/// One dimension of a tile: a thread id, or the iterations of the loop.
struct TileDimension {
  /// 0, 1, 2 for the thread ids x, y, z; `iterations` for the loop.
  unsigned source;
  int64_t extent;

  static constexpr unsigned iterations = 3;
  bool isIteration() const { return source == iterations; }
};

/// A load that goes through a tile.
struct StagedLoad {
  mlir::Operation *op = nullptr;
  /// Slowest first.
  llvm::SmallVector<TileDimension> dimensions;
  /// Conditions around the load that the loading thread evaluates.
  llvm::SmallVector<Condition> conditions;
  /// Whose conditions they are.
  FirstItem firstItem = {};
  /// Sectors that a block moves for the tile's worth of loads.
  double sectorsBefore = 0;
  double sectorsAfter = 0;
  Verdict verdict = Verdict::Unresolved;

  int64_t bytes() const;
};

/// The loads that are staged together: in one loop, or alone where they stand.
struct StagingPlan {
  /// The loop; null for a load that is staged where it stands.
  mlir::Operation *loop = nullptr;
  /// Iterations that a tile serves; 1 without a loop.
  int64_t iterations = 1;
  std::vector<StagedLoad> loads;
};

/// Bytes of workgroup memory that a tile takes.
int64_t tileBytes(llvm::ArrayRef<TileDimension> dimensions, mlir::Type element);

/// Bytes of workgroup memory that are left in a block.
int64_t freeWorkgroupBytes(const StagingContext &context);

/// Whether a tile can hold data of this type.
bool isTileType(mlir::Type type);

/// Sorts the dimensions of a tile for an address, the one with the smallest
/// stride last. False where the address is no linear function of one of them;
/// `iterator` is the variable of a dimension of iterations.
bool orderDimensions(const Polynomial &address, const VariableTable &table,
                     std::optional<unsigned> iterator,
                     llvm::SmallVectorImpl<TileDimension> &dimensions);

/// Whether `address` changes with `variable` in another way than by a factor.
bool isEntangled(const Polynomial &address, unsigned variable,
                 const VariableTable &table);

/// Whether `polynomial` depends on ids of `dim` by block_id * B + thread_id.
bool isPosition(const Polynomial &polynomial, const VariableTable &table,
                const BlockShape &block, unsigned dim);

/// Orders strides of an address: parameters count as large, products of more of
/// them as larger.
std::pair<int64_t, int64_t> strideRank(const Polynomial &stride);

/// A load that stays as it is although it is not coalesced.
struct MissedAccess {
  mlir::Operation *op;
  std::string reason;
};

/// Plans the loads directly in the loop `loop` (also under conditions in it).
/// Adds to `missed` those that look as if they should be staged but are not.
/// `functions` are those of the kernel.
StagingPlan planLoop(const StagingContext &context, AccessFunctions &functions,
                     mlir::Operation *loop, std::vector<MissedAccess> &missed);

/// Plans to stage `load` where it stands.
StagingPlan planInPlace(const StagingContext &context,
                        AccessFunctions &functions, mlir::Operation *load,
                        std::vector<MissedAccess> &missed);

/// Collects the conditions of `op` that a thread checks that acts for another
/// at `anchor`: not those that all threads have passed to get there.
llvm::SmallVector<Condition> conditionsToCheck(mlir::Operation *op,
                                               mlir::Operation *anchor);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_COALESCE_STAGINGPLAN_H
