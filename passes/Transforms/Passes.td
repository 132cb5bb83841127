//===- Passes.td - transforms of raised kernels ------------*- tablegen -*-===//
//
// Alphabetical. Every pass works on a `gpu.module` and visits its kernels, so
// that a new one (a fallback, a version) can be put beside the old.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_TRANSFORMS_PASSES_TD
#define GPUOPT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignGeometryPass : Pass<"gpuopt-assign-geometry", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fix the block shape of kernels that depend on the work item's id only";
  let description = [{
    *Why.* Sharing data between the threads of a block, and giving a thread more
    than one work item, need a block shape that is known. A kernel that reads
    nothing but `gpu.global_id` runs in any.

    *Checks.*
    * No `gpu.thread_id`, `gpu.block_id`, `gpu.block_dim`, `gpu.grid_dim`,
      `gpu.lane_id`, `gpu.subgroup_id`, barrier, shuffle or vote, and no call
      that could hide one.
    * No workgroup memory.

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

    *Cost.* The default block of a one-dimensional kernel is
    `coalesced_threads`; of others, 16 x 16 (what one coalesced segment of four
    byte elements needs in both directions).

    *Remarks.* `AssignGeometry`: passed with the block, missed with what keeps
    the kernel from it.
  }];
  let options = [
    ListOption<"block", "block", "int64_t",
               "threads per block in x, y, z (default: by dimensionality and target)">,
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

def CoalesceAccessesPass : Pass<"gpuopt-coalesce", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make accesses of global memory coalesced by way of workgroup memory";
  let options = [
    Option<"stageReused", "stage-reused", "bool", /*default=*/"true",
           "also stage coalesced loads that other threads of the block repeat">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"accesses", "accesses-coalesced", "accesses that go through workgroup memory">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

def MergeThreadsPass : Pass<"gpuopt-merge-threads", "::mlir::gpu::GPUModuleOp"> {
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

    *Rewrite.* Old block `b * factor + r` is replica r. What depends on the
    block's id is made per replica, the rest once: loops whose bounds agree are
    jammed, a branch that the replicas decide differently is made per replica
    (and, where it guards a loop, once more jammed for threads all of whose
    replicas take it), barriers stay single, workgroup arrays are made per
    replica unless all blocks fill them with the same data.
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
    and `items_per_thread` and `items_per_block` grow by the factor.

    *Cost.* The caller's choice; `gpuopt-merge` chooses factors for a target.

    *Remarks.* `MergeThreads`: passed with factor and dimension, missed with
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
    Statistic<"merged", "kernels-merged", "kernels whose threads were merged">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

def VersionGuardsPass : Pass<"gpuopt-version-guards", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give blocks that lie wholly inside the arrays a version without guards";
  let description = [{
    *Why.* Guards keep the compiler from moving loads, unrolling and pairing
    accesses, and most blocks of a launch do not need them.

    *Checks.*
    * `gpuopt.geometry` is known.
    * A guard is an ordering of indices whose worst case over the threads of a
      block and the iterations of the loops around it is linear in block ids
      and parameters, so that one test decides it for the whole block; barriers
      in the versions then stand under block-uniform control flow.
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
    and a rest; in full tiles the guards are true and the bounds constant.

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
