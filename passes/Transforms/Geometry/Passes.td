//===- Passes.td - the shape of blocks ---------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_GEOMETRY_PASSES_TD
#define GPUOPT_TRANSFORMS_GEOMETRY_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignGeometry : Pass<"gpuopt-assign-geometry", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fix the block shape of kernels that depend on the work item's id only";
  let description = [{
    *Why.* Sharing data between the threads of a block, and giving a thread more
    than one work item, need a block shape that is known. A kernel that reads
    nothing but `gpu.global_id` runs in any.

    *Checks.*
    * No `gpu.thread_id`, `gpu.block_dim`, `gpu.lane_id`, `gpu.subgroup_id`,
      barrier, shuffle or vote, and no call that could hide one.
    * `gpu.block_id d` and `gpu.grid_dim d` only where nothing else is read along
      `d`: the kernel then takes each block for a work item, such as one of a
      batch.
    * No workgroup memory.
    * No subscript that takes the same values again in more than 10000 steps (`x =
      x + x * n`, fourteen times): the affine dialect goes each of them whenever
      it classifies an operand.
    * No use of what an atomic operation returns: which work item is first
      depends on the order in which blocks run.

    *Rewrite.* The kernel is kept as `<symbol>__original` (`gpuopt.fallback`
    names it); here `gpu.global_id d` becomes `block_id d * B_d + thread_id d`:
    ```mlir
    %idx = gpu.global_id x
    ```
    becomes, for a block of 16 x 16,
    ```mlir
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    ```
    and `gpuopt.geometry` records the block and, where every side effect of the
    kernel is guarded by `id_d < E_d` with `E_d` affine in the arguments, the
    extents `E` that let a launch be rounded up (see `GeometryAttr`).

    A `gpu.block_id d` that stands alone is the work item's id if the original
    launch has one thread per block along `d`. It becomes `gpu.global_id d`
    first, and `original_block` in the geometry sends all other launches to the
    original kernel. Where no guard bounds it or the kernel reads `gpu.grid_dim
    d`, the new block has one thread along `d` as well, so that any number of
    blocks will do.

    *Cost.* The default block of a one-dimensional kernel is
    `coalesced_threads`; of others, 16 x 16 (what one coalesced segment of four
    byte elements needs in both directions) where coalescing may need a square,
    that is for loads in loops that threads along x or y repeat and for accesses
    that are not contiguous along x, else 256 threads in rows of `coalesced_threads`.
    Where two such squares with 4 x 4 items a thread do not fit the registers and
    workgroup memory of a multiprocessor (`fitsSquareBlocks`), a product of rows
    and columns gets one row of `coalesced_threads`, from which Yang et al. start;
    `gpuopt-merge-for-target` merges it along one direction then.
    A kernel that `gpuopt-share-arrays` has a plan for gets that plan's block.
    With `fastest` rows lie along another dimension, so that
    `gpuopt-permute-geometry` can make it x. `resident` is recorded for the assembler
    (`gpuopt.resident_blocks`); whether it can do so without spilling, it alone knows.

    *Remarks.* `AssignGeometry`: passed with the block and with what it asks of
    the original launch, missed with what keeps the kernel from it.
  }];
  let options = [
    ListOption<"block", "block", "int64_t",
               "threads per block in x, y, z (default: by dimensionality and target)">,
    Option<"fastest", "fastest", "std::string", /*default=*/"\"x\"",
           "dimension along which rows of threads lie: x, y, z, or auto: the one "
           "that gpuopt-permute-geometry makes x if it must only be better">,
    Option<"resident", "resident", "int64_t", /*default=*/"0",
           "blocks that the assembler shall leave a multiprocessor room for, by "
           "fewer registers where it has to (default: one)">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"assigned", "kernels-assigned", "kernels given a block shape">,
    Statistic<"kept", "kernels-kept", "kernels that keep their launch">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect",
                           "::gpuopt::GPUOptDialect"];
}

def PermuteGeometry : Pass<"gpuopt-permute-geometry", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make neighbours of threads that access neighbouring memory";
  let description = [{
    *Why.* Lanes are threads that are neighbours along x. Where a kernel gives
    the column of a matrix to `threadIdx.y`, as codes translated from nests of
    loops do, each lane touches a row of its own; with x and y exchanged the same
    accesses are coalesced (Fauzia, Pouchet and Sadayappan, CGO 2015, section 4.2).

    *Checks.* Threads of a block run in any order, so each renumbering of them
    is exact, whatever the kernel computes. What does depend on it stays as it is:
    * nothing asks for or speaks to the other lanes of a subgroup: no lane or
      subgroup id, shuffle, vote, matrix operation; no assembly, and no call
      that could hide one;
    * no volatile access (code that relies on lanes in lockstep).

    *Rewrite.* With y as x, for a kernel with `gpuopt.geometry`:
    ```mlir
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y     // block = [8, 32, 1], items_per_block = [8, 32, 1]
    ```
    becomes
    ```mlir
    %tx = gpu.thread_id y
    %ty = gpu.thread_id x     // block = [32, 8, 1], items_per_block = [8, 32, 1]
    ```
    The grid stays what it is. A kernel without geometry keeps its launch: in
    the block that it is launched with, of any shape, thread n becomes the n-th
    thread counted along y first:
    ```mlir
    %n = (thread_id z * block_dim y + thread_id y) * block_dim x + thread_id x
    %ty = %n mod block_dim y
    %tx = (%n / block_dim y) mod block_dim x
    %tz = %n / block_dim y / block_dim x
    ```

    *Cost.* The paper's 0/1 program over the accesses of global memory, weighted
    by how often a thread executes each (`passes/Analysis/ThreadOrder.h`):
    addresses are evaluated for `subgroup_size` threads along each dimension
    alone, by the target's rule of transactions. The pipeline sets `only-better`.

    *Remarks.* `PermuteGeometry`: passed with the new x and the numbers of
    uncoalesced accesses, missed with the reason; silent where every access is
    coalesced already or threads have one dimension only.
  }];
  let options = [
    Option<"fastest", "fastest", "std::string", /*default=*/"\"auto\"",
           "dimension whose neighbours become neighbouring lanes: x, y, z, or "
           "auto: by the model">,
    Option<"onlyBetter", "only-better", "bool", /*default=*/"false",
           "only where no access becomes uncoalesced by it, and sectors become fewer">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"permuted", "kernels-permuted", "kernels whose threads have other numbers">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_GEOMETRY_PASSES_TD
