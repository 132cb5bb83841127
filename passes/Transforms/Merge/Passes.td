//===- Passes.td - more work for a block or a thread -------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_MERGE_PASSES_TD
#define GPUOPT_TRANSFORMS_MERGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def MergeBlocks : Pass<"gpuopt-merge-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let one block of more threads do the work of several neighbouring blocks";
  let description = [{
    *Why.* Blocks that stage the same data in workgroup memory stage it once when
    they are one block, and small blocks grow to what hides latency (Yang et al.
    2012, section 3.5.1).

    *Checks.*
    * `gpuopt.geometry` is known, and nothing reads the number of blocks, unless
      their size is the original's and no guard bounds work items: launches come
      in multiples of merged blocks then, so that their number is known.
    * Blocks do not communicate while they run (see `gpuopt-merge-threads`), and
      nothing depends on which threads form a subgroup, unless each block has a
      whole number of them: lanes that exchange values stay together then.
    * Control flow around a barrier is the same for the merged blocks.
    * Threads and workgroup memory of the new block are within the target's
      limits; arrays of which each merged block needs its own copy are only
      loaded from and stored to.

    *Rewrite.* A kernel in *position form* uses the id of the block only in
    positions, `block_id * B + v` with 0 <= v < B, B = `items_per_block`: v is
    `thread_id`, or the iterator of a collective loop (`gpuopt.collective`) that
    fills element v of a workgroup array. Then B grows, and nothing else changes:
    ```mlir
    affine.parallel (%v) = (0) to (16) {
      %x = affine.load %a[%b * 16 + %v]
      affine.store %x, %tile[%v] : memref<16xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    ```
    becomes, for a factor of 2,
    ```mlir
    affine.parallel (%v) = (0) to (32) {
      %x = affine.load %a[%b * 32 + %v]
      affine.store %x, %tile[%v] : memref<32xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    ```
    In other kernels, with N = `factor` and B the old extent of the block: the old
    block's id becomes `b * N + t floordiv B`, the old thread's `t mod B`. An
    array that all merged blocks fill with the same data, with barriers between
    stores and loads, stays single and is filled by the first of them (the
    guard of figure 8); others get a leading dimension of N. A collective loop
    that fills single arrays stays as it is, for more threads to share out; in
    others the blocks become a leading dimension.
    ```mlir
    %t = gpu.thread_id x
    %v = affine.load %a[%t]
    affine.store %v, %same[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %x, %own[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    ```
    becomes, for a factor of 2 and 16 threads,
    ```mlir
    %s = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
    %first = arith.cmpi eq, %s, %c0 : index
    scf.if %first {
      %v = affine.load %a[%t mod 16]
      affine.store %v, %same[%t mod 16] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    affine.store %x, %own[%s, %t mod 16] : memref<2x16xf32, #gpu.address_space<workgroup>>
    ```
    and the geometry's `block` and `items_per_block` grow by the factor.

    *Cost.* `threads_per_workgroup`, `workgroup_memory_per_workgroup_bytes`.

    *Remarks.* `MergeBlocks`: passed with factor and dimension, missed with
    the reason at the operation that is in the way.
  }];
  let options = [
    Option<"dim", "dim", "std::string", /*default=*/"\"x\"",
           "dimension of the blocks that are merged: x, y or z">,
    Option<"factor", "factor", "int64_t", /*default=*/"1",
           "number of blocks that become one">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"merged", "kernels-merged", "kernels whose blocks were merged">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

def MergeForTarget : Pass<"gpuopt-merge-for-target", "::mlir::gpu::GPUModuleOp"> {
  let summary = "merge blocks and threads by as much as suits a target";
  let description = [{
    *Why.* How many blocks and threads to merge is a matter of what neighbouring
    blocks share and of what the target has room for (Yang et al. 2012, sections
    3.5.3 and 4.1).

    *Checks.* Those of `gpuopt-merge-blocks` and `gpuopt-merge-threads`.

    *Rewrite.* Theirs, with factors from `MergePlan.h`: blocks are merged
    up to a quarter of the threads that a block may have, threads along
    dimensions in which a load in a loop does not depend on the block, or in
    which tiles of neighbouring blocks overlap. Loops over the neighbours of a
    stencil do not count: up to 27 iterations in which items share at most what
    all of them load. Where the accesses of
    neighbouring items make aligned vectors, groups of as many are contiguous and
    the groups interleaved; a kernel that only streams gets one such group per
    thread.

    A kernel that gets nothing by that is *coarsened* where the model of a launch
    says that it is quicker (`Coarsening.h`): copies of it, merged by 2, 4 and 8
    along the dimensions that a guard bounds, are compared with it in time,
    sectors, wavefronts and registers. What items of a thread do once for all,
    addresses, loads of one datum, loops and barriers, is what it gains, and loads
    of several items are in flight together:
    ```mlir
    affine.for %j = 0 to %n {            affine.for %j = 0 to %n {
      %p = affine.load %q[%j]              %p = affine.load %q[%j]
      … one item …                         … two items …
    }                                    }
    ```
    Dimensions without a guard are left alone: merged blocks would have to come in
    multiples, and other launches would get the original kernel.

    With `blocks` or `threads` the factors are these, and 1 where nothing is
    given: one point of a design space. What is illegal of it is left out, and
    a remark says that the kernel is not what was asked for.

    *Cost.* `threads_per_workgroup`, `registers_per_thread`, `vector_elements`
    (NVIDIA: from 4 on), and half of `registers_per_multiprocessor` and
    `workgroup_memory_per_multiprocessor_bytes`, so that two blocks fit; all of
    them where else a thread would get fewer than 16 items. Blocks that are rows of
    threads (`gpuopt-assign-geometry` makes them where registers are few) give the
    registers to items along y first, and are merged along x only.

    *Remarks.* `MergeForTarget`: analysis with the factors and estimates, and of a
    coarsened kernel the instructions of an item before and after; missed where
    nothing is to be merged or not all that was asked for; `MergeBlocks` and
    `MergeThreads`.
  }];
  let options = [
    ListOption<"blocks", "blocks", "int64_t",
               "how many blocks become one along x, y, z (default: what suits the target)">,
    Option<"coarsen", "coarsen", "bool", /*default=*/"true",
           "give threads of kernels that share no loads several items where that "
           "is quicker by the model">,
    ListOption<"contiguous", "contiguous", "int64_t",
               "how many items of a thread are neighbours along x, y, z (default: as "
               "many as make vectors)">,
    Option<"matrixUnits", "matrix-units", "bool", /*default=*/"true",
           "make pairs of items along x, as matrix units of the target want them">,
    Option<"neighbours", "neighbours", "bool", /*default=*/"true",
           "let items of a thread be neighbours where vectors can access them">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">,
    ListOption<"threads", "threads", "int64_t",
               "how many threads become one along x, y, z (default: what suits the target)">,
    Option<"width", "width", "int64_t", /*default=*/"0",
           "bytes of the widest access (default: what the target prefers)">
  ];
  let statistics = [
    Statistic<"merged", "kernels-merged", "kernels whose blocks or threads were merged">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

def MergeThreads : Pass<"gpuopt-merge-threads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let one thread do the work of several neighbouring blocks' threads";
  let description = [{
    *Why.* Data that neighbouring blocks share is loaded into registers once and
    used several times; address computation and control flow are shared too
    (Yang et al. 2012, section 3.5.2). The price is registers.

    *Checks.*
    * `gpuopt.geometry` is known, and nothing reads the number of blocks, unless
      their size is the original's and no guard bounds work items: launches come
      in multiples of merged blocks then, so that their number is known.
    * Blocks do not communicate while they run: no volatile or atomic access
      whose result is used, no fence, no operation with unknown effects.
    * Control flow around a barrier is the same for the merged blocks, and made
      of `scf.if`, `scf.for`, `scf.while` and `affine.for`.
    * The arrays that each replica needs fit into workgroup memory.
    * For `ownership=contiguous`: the kernel is in position form (see
      `gpuopt-merge-blocks`), as it is before threads have been merged
      interleaved.

    *Rewrite.* Old block `b * factor + r` is replica r. What depends on the
    block's id is made per replica, the rest once: loops whose bounds agree are
    jammed, a branch that the replicas decide differently is made per replica,
    barriers stay single, workgroup arrays are made per replica unless all blocks
    fill them with the same data. A guard around a loop that only reads tiles
    goes, so that all replicas share the loop; `arith.select %guard, %computed,
    %before` follows it where the items outside have a use for it. A guard around
    another loop is made per replica and once more around the jammed loop, for
    threads all of whose replicas take it.
    ```mlir
    %b = gpu.block_id y
    %v = affine.load %a[%b]
    %w = affine.load %c[%i]
    %p = arith.mulf %v, %w : f32
    ```
    becomes, for a factor of 2,
    ```mlir
    %b = gpu.block_id y
    %b0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%b)
    %b1 = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%b)
    %v0 = affine.load %a[%b0]
    %v1 = affine.load %a[%b1]
    %w = affine.load %c[%i]
    %p0 = arith.mulf %v0, %w : f32
    %p1 = arith.mulf %v1, %w : f32
    ```
    and `items_per_thread` and `items_per_block` grow by the factor. Arrays that
    collective loops fill by positions stay single and grow, as for
    `gpuopt-merge-blocks`; replica r uses `%tile[%t + 16 * r]` of them.

    That is `ownership=interleaved`: thread t gets positions t, t + B, …; lanes
    stay neighbours. With `ownership=contiguous` it gets t * N, t * N + 1, …, so
    that it can load and store vectors (section 3.1, inter-thread):
    ```mlir
    %v = affine.load %a[%b * 16 + %t]
    ```
    becomes, for a factor of 2,
    ```mlir
    %v0 = affine.load %a[%b * 32 + %t * 2]
    %v1 = affine.load %a[%b * 32 + %t * 2 + 1]
    ```
    Both compose: contiguous first, then blocks, then interleaved.

    *Cost.* The caller's choice; `gpuopt-merge-for-target` chooses factors for a target.

    *Remarks.* `MergeThreads`: passed with factor and dimension, missed with
    the reason at the operation that is in the way.
  }];
  let options = [
    Option<"dim", "dim", "std::string", /*default=*/"\"x\"",
           "dimension of the blocks that are merged: x, y or z">,
    Option<"factor", "factor", "int64_t", /*default=*/"1",
           "number of blocks that become one">,
    Option<"ownership", "ownership", "std::string", /*default=*/"\"interleaved\"",
           "which work items a thread gets: interleaved (one of each block) or "
           "contiguous (neighbours)">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"merged", "kernels-merged", "kernels whose threads were merged">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_MERGE_PASSES_TD
