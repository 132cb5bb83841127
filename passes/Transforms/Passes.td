//===- Passes.td - transforms of raised kernels ------------*- tablegen -*-===//
//
// Alphabetical. Every pass works on a `gpu.module` and visits its kernels, so
// that a new one (a fallback, a version) can be put beside the old.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_TRANSFORMS_PASSES_TD
#define GPUOPT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "passes/Transforms/AssumptionPasses.td"
include "passes/Transforms/BlockOrderPasses.td"
include "passes/Transforms/LoopPasses.td"
include "passes/Transforms/TilePasses.td"
include "passes/Transforms/VectorPasses.td"

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

def CleanUp : Pass<"gpuopt-clean-up", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fold and canonicalize what has changed since the last time";
  let description = [{
    *Why.* Every transform leaves folding, dead code and common subexpressions to
    upstream's `canonicalize` and `cse`. In a pipeline of many transforms most
    change nothing in most functions, and the two would take a fifth of the time.

    *Rewrite.* In each function of the module what those two passes do, once:
    ```mlir
    %a = arith.addi %x, %c0 : index
    %b = arith.muli %a, %y : index
    %c = arith.muli %x, %y : index
    ```
    becomes
    ```mlir
    %b = arith.muli %x, %y : index
    ```
    with `%b` in the place of `%c`. Control flow of a `gpu.func` is left as it
    is: it is structured.

    *Checks.* A function that is, operation by operation, the one that this pass
    left the last time is skipped.
  }];
  let statistics = [
    Statistic<"cleaned", "functions-cleaned", "Functions that had changed">
  ];
}

def MergeBlocks : Pass<"gpuopt-merge-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let one block of more threads do the work of several neighbouring blocks";
  let description = [{
    *Why.* Blocks that stage the same data in workgroup memory stage it once when
    they are one block, and small blocks grow to what hides latency (Yang et al.
    2012, section 3.5.1).

    *Checks.*
    * `gpuopt.geometry` is known and nothing reads the number of blocks.
    * Blocks do not communicate while they run (see `gpuopt-merge-threads`), and
      nothing depends on which threads form a subgroup.
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

    *Rewrite.* Theirs, with factors from `plans/MergePlan.h`: blocks are merged
    up to a quarter of the threads that a block may have, threads along
    dimensions in which a load in a loop does not depend on the block, or in
    which tiles of neighbouring blocks overlap. Loops over the neighbours of a
    stencil do not count: up to 27 iterations in which items share at most what
    all of them load. Where the accesses of
    neighbouring items make aligned vectors, groups of as many are contiguous and
    the groups interleaved; a kernel that only streams gets one such group per
    thread.

    With `blocks` or `threads` the factors are these, and 1 where nothing is
    given: one point of a design space. What is illegal of it is left out, and
    a remark says that the kernel is not what was asked for.

    *Cost.* `threads_per_workgroup`, `registers_per_thread`, `vector_elements`
    (NVIDIA: from 4 on), and half of `registers_per_multiprocessor` and
    `workgroup_memory_per_multiprocessor_bytes`, so that two blocks fit; all of
    them where else a thread would get fewer than 16 items. Blocks that are rows of
    threads (`gpuopt-assign-geometry` makes them where registers are few) give the
    registers to items along y first, and are merged along x only.

    *Remarks.* `MergeForTarget`: analysis with the factors and estimates, missed
    where nothing is to be merged or not all that was asked for; `MergeBlocks`
    and `MergeThreads`.
  }];
  let options = [
    ListOption<"blocks", "blocks", "int64_t",
               "how many blocks become one along x, y, z (default: what suits the target)">,
    ListOption<"contiguous", "contiguous", "int64_t",
               "how many items of a thread are neighbours along x, y, z (default: as "
               "many as make vectors)">,
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
    * `gpuopt.geometry` is known and nothing reads the number of blocks.
    * Blocks do not communicate while they run: no volatile or atomic access
      whose result is used, no fence, no operation with unknown effects.
    * Control flow around a barrier is the same for the merged blocks, and made
      of `scf.if`, `scf.for` and `affine.for`.
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

def PrefetchTiles : Pass<"gpuopt-prefetch-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "load the tiles of the next iterations while this one computes";
  let description = [{
    *Why.* A thread that loads a tile and then meets the others waits for global
    memory with all of them. Loaded one iteration ahead, the data is on its way
    while the threads compute (Yang et al. 2012, section 3.6).

    *Checks.* For a loop of a fill, a barrier, a computation and a barrier, to
    which all threads of the block come:
    * The fill loads from global memory what it stores to workgroup tiles, may
      be under guards, and depends on no value that the loop carries.
    * Nothing in the loop may write what is loaded (`llvm.noalias`).
    * Tiles get stages only where each iteration fills the same elements, nothing
      uses the tile before the loop, and the computation only loads from it:
      then an iteration reads only what it has itself stored.
    * Asynchronous copies are of 4, 8 or 16 aligned bytes that are copied as
      they are.

    *Rewrite.* No load happens that the source does not do. Into registers:
    ```mlir
    affine.for %i = 0 to %w step 16 {
      %v = affine.load %a[%y, %i + %tx]
      affine.store %v, %tile[%tx]
      gpu.barrier
      …
      gpu.barrier
    }
    ```
    becomes
    ```mlir
    %first = scf.if %any { %v = affine.load %a[%y, %tx] … }
    affine.for %i = 0 to %w step 16 iter_args(%v = %first) {
      affine.store %v, %tile[%tx]
      gpu.barrier
      %next = scf.if %more { %n = affine.load %a[%y, %i + %tx + 16] … }
      …
      gpu.barrier
      affine.yield %next
    }
    ```
    With S stages a tile has a leading dimension of S, iteration j uses stage
    j mod S, and one barrier is left: the stores for a later iteration go to
    another stage than the loads of this one. Without asynchronous copies S is
    2, the loads stand before the computation and the stores behind it; with
    them:
    ```mlir
    scf.if %any { nvgpu.device_async_copy %a[%y, %tx], %tile[0, %tx], 1 }
    nvvm.cp.async.commit.group
    affine.for %i = 0 to %w step 16 {
      nvvm.cp.async.wait.group 0
      gpu.barrier
      scf.if %more { nvgpu.device_async_copy %a[%y, %i + %tx + 16], %tile[%stage, %tx], 1 }
      nvvm.cp.async.commit.group
      …
    }
    gpu.barrier
    ```
    Of a fill in two versions, with and without guards (`gpuopt.unguarded`), both
    are copied asynchronously; an element that a guard leaves out is a number,
    which is stored:
    ```mlir
    %v = scf.if %exists { %d = affine.load %a[%y, %i + %tx] … } else { %zero }
    affine.store %v, %tile[%tx]
    ```
    becomes, in the version with guards,
    ```mlir
    scf.if %exists { nvgpu.device_async_copy %a[%y, %i + %tx + 16], %tile[%stage, %tx], 1 }
    else { affine.store %zero, %tile[%stage, %tx] }
    ```
    Such a fill is not carried in registers. Loops in it that load into registers
    after all are unrolled: each round would wait for its load.

    *Cost.* As many blocks have to fit on a multiprocessor as before
    (`registers_per_multiprocessor`, `workgroup_memory_per_multiprocessor_bytes`,
    `workgroup_memory_per_workgroup_bytes`). Where the target has `async_copy`,
    the fewest stages, from 2 to 4, whose copies cover the latency of global
    memory at `bandwidth_gbps` / `multiprocessors`; else 2 stages by way of
    registers; else registers alone; else nothing.

    *Remarks.* `PrefetchTiles`: passed with stages, bytes of workgroup memory and
    barriers per iteration; analysis with the stores and loads that the barrier
    which goes has ordered, and why they stay apart; missed with the reason.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"0",
           "most stages of a tile, up to 4; 1 prefetches into registers (default: "
           "what suits the target)">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"prefetched", "loops-prefetched", "loops whose tiles are loaded ahead">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def VersionGuards : Pass<"gpuopt-version-guards", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give blocks that lie wholly inside the arrays a version without guards";
  let description = [{
    *Why.* Guards keep the compiler from moving loads, unrolling and pairing
    accesses, and most blocks of a launch do not need them.

    *Checks.*
    * `gpuopt.geometry` is known.
    * A guard is an ordering of indices whose worst case over the threads of a
      block and the iterations of the loops around it is linear in block ids
      and parameters, so that one test decides it for the whole block; barriers
      in the versions then stand under block-uniform control flow. Threads that
      do neighbouring work items and nothing together (no barrier, no workgroup
      memory) test for themselves, unless extents are as below: in the last
      block, too, most of them have no guards then, and accesses stay wide.
    * No subscript depends on a value loaded at the top of the kernel.

    *Rewrite.*
    ```mlir
    %i = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    %g = arith.cmpi slt, %i, %n : index
    scf.if %g { … }
    ```
    becomes, for a block of 16 threads,
    ```mlir
    %m = affine.apply affine_map<(b, n) -> (n - b * 16 - 16)>(%b, %n)
    %inside = arith.cmpi sge, %m, %c0 : index
    scf.if %inside {
      scf.if %true { … }
    } else {
      %g = arith.cmpi slt, %i, %n : index
      scf.if %g { … }
    }
    ```
    In the first version, loops over tiles (`0 to %k step 16` around guards
    `%i + %t < %k` or loops `0 to min(16, %k - %i)`) are split into full tiles
    and a rest; in full tiles the guards are true and the bounds constant. Where
    the geometry's extents are constants that blocks fill exactly, a block outside
    has nothing to do, and there is no second version.

    Where tiles are padded (`gpuopt-pad-tiles`), the computation is the same for
    all blocks and all tiles. Then only what is guarded stands twice, the fill of
    the one loop over tiles and what follows it:
    ```mlir
    affine.for %i = 0 to %k step 16 {
      %full = … %k - %i - 16 >= 0
      %now = arith.andi %inside, %full
      scf.if %now { fill } else { fill with guards } {gpuopt.unguarded}
      gpu.barrier
      …
    }
    scf.if %inside { store } else { store with guards } {gpuopt.unguarded}
    ```

    *Cost.* Code size: kernels of more than `max-operations` stay as they are.

    *Remarks.* `VersionGuards`: passed with the number of tests, guards and
    split loops; missed with the reason.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4000",
           "largest kernel, in operations, that is versioned">
  ];
  let statistics = [
    Statistic<"versioned", "kernels-versioned", "kernels with a version without guards">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // GPUOPT_TRANSFORMS_PASSES_TD
