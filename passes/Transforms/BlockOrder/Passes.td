//===- Passes.td - which blocks work at the same time ------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_BLOCKORDER_PASSES_TD
#define GPUOPT_TRANSFORMS_BLOCKORDER_PASSES_TD

include "mlir/Pass/PassBase.td"

def EliminatePartitionCamping
    : Pass<"gpuopt-eliminate-partition-camping", "::mlir::gpu::GPUModuleOp"> {
  let summary = "spread what neighbouring blocks access over the memory partitions";
  let description = [{
    *Why.* Global memory is divided into partitions, and blocks that are active
    at the same time queue up where they access the same one: a column of a
    matrix whose rows are a multiple of all partitions' widths long lies in a
    single partition (Yang et al. 2012, section 3.7).

    *Checks.* For a kernel with `gpuopt.geometry`; an access camps by the rule
    of `passes/Analysis/PartitionCamping.h`.
    * In a grid of two dimensions: the diagonal order tells neighbouring blocks
      apart in what camps, and does not let other accesses camp as often. It is
      exact always, as blocks are independent.
    * In a grid of one dimension: the loop along the row counts from one bound to
      another; it may run in any order. What it carries are sums, products, minima,
      maxima or bit operations; sums and products of floating-point numbers only
      with the `reassoc` flag (`--reassociate`), since their order changes. It
      writes nothing but tiles that each iteration fills for itself.

    *Rewrite.* In two dimensions (b = blockIdx.y * gridDim.x + blockIdx.x where
    the grid is not square):
    ```mlir
    %x = gpu.block_id x
    %y = gpu.block_id y
    ```
    becomes, where the rows' length is known at launch only,
    ```mlir
    %camps = arith.cmpi eq, %row_bytes mod 2048, 0
    %x, %y = scf.if %camps {
      square grids:   y = bx,            x = (bx + by) mod gx
      others:         y = b mod gy,      x = (b / gy + y) mod gx
    } else { yield %bx, %by }
    ```
    In one dimension the loop starts a partition's width further on for each
    block, and comes back to the beginning (figure 15 (c)):
    ```mlir
    affine.for %i = 0 to %w step 16 { %v = affine.load %a[%row, %i + %t] … }
    ```
    becomes, for floats and partitions of 256 bytes,
    ```mlir
    %start = select %camps, (%b * 64) mod %w, 0
    affine.for %j = 0 to %w step 16 {
      %i = select %j + %start >= %w, %j + %start - %w, %j + %start
      %v = memref.load %a[%row, %i + %t]
    }
    ```
    Where a tile is read behind the loop, the last iteration stays the last. Sums
    of integers lose `nsw` and `nuw`: in another order they may wrap around on the
    way.

    *Cost.* `memory_partitions`, `memory_partition_bytes`; nothing happens for
    targets with one partition.

    *Remarks.* `EliminatePartitionCamping`: analysis for each access that camps,
    with the condition; passed with the order or the offset; missed with the
    reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"reordered", "kernels-reordered", "kernels whose blocks work in diagonal order">,
    Statistic<"offset", "loops-offset", "loops that each block starts elsewhere">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SwizzleBlocks : Pass<"gpuopt-swizzle-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "work on compact rectangles of blocks, which share more in the cache";
  let description = [{
    *Why.* Blocks of a row of the grid read the same rows of one matrix, blocks of
    a column the same columns of another. The hardware starts blocks row by row;
    those that are active together then lie in a strip and read all of the second
    matrix at a time. In a rectangle of the same number of blocks they read less,
    and the last cache serves more of it. Triton's grouped order and CUTLASS's
    rasterisation do the same.

    *Checks.* For a kernel with `gpuopt.geometry` that reads `gpu.block_id` in x
    and y. Exact for every grid: blocks are independent, and the new ids are a
    permutation of the grid. A kernel whose blocks have another order already
    (`gpuopt-eliminate-partition-camping`) keeps that.

    *Rewrite.*
    ```mlir
    %x = gpu.block_id x
    %y = gpu.block_id y
    ```
    becomes, in groups of 8 rows,
    ```mlir
    %first = (%by / 8) * 8                 // row of the group
    %height = min(gridDim.y - %first, 8)   // the last one may have fewer
    %n = (%by - %first) * gridDim.x + %bx  // number in the group
    %x = %n / %height
    %y = %first + %n mod %height
    ```

    *Cost.* The group that moves the fewest bytes from DRAM, by the bytes that a
    block reads of what its row and its column share (`SwizzlePlan.h`):
    `l2_bytes`, `multiprocessors`, and the blocks that fit on one. None where all
    that is shared fits into the cache, or where less than a tenth is saved.
    Sizes that are not known count as 4096.

    *Remarks.* `SwizzleBlocks`: passed with the group and MiB from DRAM before and
    after; missed with the reason.
  }];
  let options = [
    Option<"group", "group", "int64_t", /*default=*/"-1",
           "rows of blocks in a group, 2 or more; 0: none (default, -1: what suits "
           "kernel and target)">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"swizzled", "kernels-swizzled", "kernels whose blocks work in groups">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
}

#endif // GPUOPT_TRANSFORMS_BLOCKORDER_PASSES_TD
