//===- Passes.td - workgroup memory in turns ---------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_MULTIPLEX_PASSES_TD
#define GPUOPT_TRANSFORMS_MULTIPLEX_PASSES_TD

include "mlir/Pass/PassBase.td"

def MultiplexWorkgroupMemory
    : Pass<"gpuopt-multiplex-workgroup-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let blocks of more threads take turns with workgroup memory";
  let description = [{
    *Why.* A block has its workgroup memory from its first instruction to its last,
    but data lies there for a part of that only, a quarter of the time in the ten
    programs of Yang 2012 (chapter 5, figure 5.1). Where this memory is what limits
    the number of blocks that a multiprocessor holds, too few threads wait for
    global memory at once. Blocks that take turns with one copy of the arrays are
    more threads for the same memory (*virtual thread blocks*, section 5.4.1).

    *Checks.* Those of `gpuopt-merge-blocks`, but for memory, and
    * the kernel's workgroup arrays are the source's own: no collective loop fills them;
    * former blocks are whole subgroups of the new one, and next to each other;
    * between two regions no thread needs what an array holds: each element that is
      loaded has been stored since (`passes/Analysis/WorkgroupLiveness.h`), else they are
      one region;
    * what decides how often a barrier in a region is reached is not computed from
      what only some of the former blocks do, and what a region hands on are numbers;
    * the kernel reads the block's id along the last dimension that its blocks extend in.

    *Rewrite.* Affine loops of up to 32 iterations (and 512 operations in all) at the start
    of a region that store there what they load from elsewhere are unrolled. What stands
    at the start of a region and has to do with no workgroup memory moves in front of it.
    Then the region is written once for each former block, with barriers between:
    ```mlir
    affine.store %a, %s[%t * 4]
    gpu.barrier
    %b = affine.load %s[%t]
    ```
    becomes, for a factor of 2, with `%v` the former block that a thread belongs to
    and `%u` its id there,
    ```mlir
    %is0 = arith.cmpi eq, %v, %c0 : index
    %is1 = arith.cmpi eq, %v, %c1 : index
    scf.if %is0 {
      affine.store %a, %s[%u * 4]
    }
    gpu.barrier
    %b0 = scf.if %is0 -> (f32) {
      %x = affine.load %s[%u]
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    gpu.barrier
    scf.if %is1 {
      affine.store %a, %s[%u * 4]
    }
    gpu.barrier
    %b = scf.if %is1 -> (f32) {
      %x = affine.load %s[%u]
      scf.yield %x : f32
    } else {
      scf.yield %b0 : f32
    }
    ```
    With a factor of 2, what stands between two regions of one block of operations, with
    barriers at its ends at most, is done by one former block while the other one is in a region (*VTB_pipe*, section
    5.4.2), in the `else` of its last condition:
    ```mlir
    %v:2 = scf.if %is1 -> (f32, f32) {
      %x = affine.load %s[%u]
      scf.yield %x, %zero : f32, f32
    } else {
      %e = arith.mulf %b0, %b0 : f32
      scf.yield %b0, %e : f32, f32
    }
    ```
    Loops with barriers inside are written once for each former block, too, with
    what is between the barriers under its condition; loops of which every iteration
    has regions of its own stay one.

    *Cost.* Done where workgroup memory limits the blocks of a multiprocessor, and the
    model of a launch finds a work item quicker by a tenth (`Coarsening.h`), with a factor
    of 2, then 4. Blocks are merged along the last dimension that they extend in. With
    `factor` it is done whatever the model says.

    *Remarks.* `MultiplexWorkgroupMemory`: passed with factor, bytes and the number of
    regions, missed with the reason.
  }];
  let options =
      [Option<"factor", "factor", "int64_t", /*default=*/"0",
              "number of blocks that take turns (default 0: what the model "
              "finds)">,
       Option<"target", "target", "std::string", /*default=*/"",
              "machine description (default: the 'gpuopt.target' attribute)">];
  let statistics = [Statistic<"multiplexed", "kernels-multiplexed",
                              "kernels whose blocks take turns">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_MULTIPLEX_PASSES_TD
