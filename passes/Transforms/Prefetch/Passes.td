//===- Passes.td - tiles loaded ahead ----------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_PREFETCH_PASSES_TD
#define GPUOPT_TRANSFORMS_PREFETCH_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // GPUOPT_TRANSFORMS_PREFETCH_PASSES_TD
