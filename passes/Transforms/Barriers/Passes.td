//===- Passes.td - who waits at barriers -------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_BARRIERS_PASSES_TD
#define GPUOPT_TRANSFORMS_BARRIERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RelaxBarriers : Pass<"gpuopt-relax-barriers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let nobody wait at a barrier who need not";
  let description = [{
    *Why.* At a barrier all subgroups of a block wait for the last one. Kernels that
    are written for blocks have more of them than they need: in the last steps of a
    tree all that is read was written by the same subgroup ("unrolling the last warp",
    Harris, Optimizing Parallel Reduction in CUDA); two tiles that are filled one behind
    the other need one barrier; a block may be a single subgroup. Yang, Xiang, Kong and Zhou
    2012 remove what their merges leave over (section 3.5).

    *Checks.* For a kernel whose block's shape is known, each barrier that all threads
    of the block reach (`passes/Transforms/Barriers/BarrierScope.h`): what each thread
    accesses before it, up to the barrier before, and behind it, up to the next one,
    loops included. Elements that one thread writes and another one accesses on the
    other side are found by counting them, thread by thread, with exact addresses.
    * Where there are none, the barrier goes.
    * Where they are in the same subgroup, its lanes wait for each other, on targets
      that have shuffles.
    * Where an address is not known, arrays may overlap, or operations may concern other
      blocks (fences, volatile accesses, updates of global memory), it stays.

    Barriers are judged in the order of the program. One that has been relaxed keeps
    nothing apart for those behind it.

    *Rewrite.* In a block of 64 threads, subgroups of 32:
    ```mlir
    affine.store %a, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = affine.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %v, %r[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = affine.load %r[%t - %t mod 32] : memref<64xf32, #gpu.address_space<workgroup>>
    ```
    becomes
    ```mlir
    affine.store %a, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %v = affine.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %v, %r[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    llvm.call @__gpuopt_subgroup_barrier(%all) {gpuopt.of_whole_block} : (i64) -> ()
    %w = affine.load %r[%t - %t mod 32] : memref<64xf32, #gpu.address_space<workgroup>>
    ```

    *Remarks.* `RelaxBarriers`: passed with how many barriers there were, are gone, and
    concern a subgroup only; missed where something is not known, with the reason for the
    first barrier that is kept for that.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"removed", "barriers-removed", "barriers at which nobody had to wait">,
    Statistic<"relaxed", "barriers-relaxed", "barriers that became those of a subgroup">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // GPUOPT_TRANSFORMS_BARRIERS_PASSES_TD
