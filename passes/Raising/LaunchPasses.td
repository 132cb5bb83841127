//===- LaunchPasses.td - how kernels are launched ----------*- tablegen -*-===//
//
// Raising passes that look at launches; entries are in alphabetical order.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_PASSES_RAISING_LAUNCHPASSES_TD
#define GPUOPT_PASSES_RAISING_LAUNCHPASSES_TD

include "mlir/Pass/PassBase.td"

def InferLaunchBlock : Pass<"gpuopt-infer-launch-block", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Find the block that a kernel's code is written for";
  let description = [{
    *Why.* A kernel that has the size of its block as a constant is right in
    blocks of that size only. Where its host code is in another file, nothing
    else says it; `gpuopt-assume-block-shape` needs to know it, and so does
    whoever runs the kernel.

    *Checks.* Subscripts of arrays and comparisons, as polynomials. Along each
    dimension of which the kernel reads its thread's id, in one of them the
    block's id is multiplied by what the thread's is multiplied by, times the
    size; no other says another size. Not known is the block of a kernel that
    reads the size of its block, whose blocks overlap (`blockIdx.x * (16 - 2) +
    threadIdx.x` where that is no constant), whose threads go on to the next
    part of what is the block's in steps of subgroups, or whose threads would
    leave a tile.

    *Rewrite.* None. The block is a guess, which launchers check:
    ```mlir
    gpu.func @f(%a: memref<?xf32>) kernel {
      // a[blockIdx.x * 64 + threadIdx.x]
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<?xf32>) kernel attributes {gpuopt.launch_block = array<i32: 64, 1, 1>} {
    ```

    *Cost.* None.

    *Remarks.* None: `gpuopt-assume-block-shape` says what it takes.
  }];
  let dependentDialects = ["::gpuopt::GPUOptDialect"];
  let statistics = [
    Statistic<"numInferred", "num-inferred", "Kernels whose code tells their block">];
}

def PrepareLaunches : Pass<"gpuopt-prepare-launches", "::mlir::ModuleOp"> {
  let summary = "Make outlined kernels independent of the shape of their launch";
  let description = [{
    *Why.* Upstream outlines a parallel loop to a kernel with one thread per
    block, no guards, and arrays as descriptors. Our kernels take pointers and
    sizes, and a launch may have more work items than the loop iterations.

    *Checks.* Blocks become work items only where a launch's blocks are single
    threads and the kernel has no barrier and no workgroup memory. Only arrays
    in the default space with rows that lie one behind the other are expanded.

    *Rewrite.* A `memref<?x?xf32>` becomes a `memref<?xf32>` and its unknown
    extents, `NAME_dim0`, `NAME_dim1`, after all other parameters; the launch
    passes them. `gpuopt.extents` and `gpuopt.domain` keep the sizes as
    expressions over the parameters, for tools that run the kernel.
    ```mlir
    gpu.func @k(%a: memref<?x8xf32>) kernel {
      %i = gpu.block_id x
      …
    // becomes
    gpu.func @k(%a: memref<?xf32> {gpuopt.extents = ["arg0_dim0", "8"]},
                %m: index {gpuopt.name = "arg0_dim0"})
        kernel attributes {gpuopt.domain = ["arg0_dim0"]} {
      %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, 8], strides: [8, 1] : …
      %i = gpu.global_id x
      %inside = arith.cmpi slt, %i, %m : index
      scf.if %inside {
        …
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numExpandedArrays", "num-expanded-arrays", "Arrays passed as pointer and extents">,
    Statistic<"numGuardedKernels", "num-guarded-kernels", "Kernels that check the work item's id">];
}

def SplitAtGridBarriers : Pass<"gpuopt-split-at-grid-barriers", "::mlir::ModuleOp"> {
  let summary = "Make a sequence of launches of a kernel with grid-wide synchronisation";
  let description = [{
    *Why.* Blocks of a launch cannot wait for each other unless all are resident;
    the end of a launch is the synchronisation that every GPU has (section 3.5 of
    Yang et al. 2012). What lies between is a kernel like any other.

    *Checks.* The `if`s and loops around each `gpuopt.grid_barrier` are the same
    for all work items: their conditions, bounds and the values that they carry
    follow from scalar parameters and the size of the launch by arithmetic. What
    a part of the kernel needs of an earlier part can be computed again from ids,
    parameters, loop variables and memory that the kernel does not write.
    Workgroup memory is used in one part only, which no such loop repeats. Else
    the pass fails with an error at the operation.

    *Rewrite.* The kernel goes. Each part that acts becomes a kernel with the same
    parameters and the variables of the loops around it (`gpuopt.phase_of` names
    the host function), and a `func.func` of the kernel's name launches them. It
    takes the kernel's arguments and the original launch:
    ```mlir
    gpu.func @rd(%a: memref<?xf32>, %n: i32) kernel {
      %id = gpu.global_id x
      scf.while (%s = %half) : (i32) -> i32 {
        …
      } do {
      ^bb0(%s: i32):
        … a[%id] += a[%id + %s] …
        gpuopt.grid_barrier
        %next = arith.shrui %s, %c1 : i32
        scf.yield %next : i32
      }
    // becomes
    func.func @rd(%a: memref<?xf32>, %n: i32, %gx: index, …, %bx: index, …) {
      scf.while (%s = %half) : (i32) -> i32 {
        …
      } do {
      ^bb0(%s: i32):
        gpu.launch_func @kernels::@rd__phase0 blocks in (%gx, %gy, %gz)
            threads in (%bx, %by, %bz) args(%a : memref<?xf32>, %n : i32, %s : i32)
        %next = arith.shrui %s, %c1 : i32
        scf.yield %next : i32
      }
    // and
    gpu.func @rd__phase0(%a: memref<?xf32>, %n: i32, %carried0: i32) kernel
    ```
    Grid and block are the original ones; a phase that gets a geometry later is
    launched as that says. Launchers evaluate the function for the scalar
    arguments at hand.

    *Cost.* A launch for each barrier that is passed.

    *Remarks.* `SplitAtGridBarriers`: passed with the number of barriers and of
    kernels.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of kernels split">];
}

#endif // GPUOPT_PASSES_RAISING_LAUNCHPASSES_TD
