//===- Passes.td - programs of the CPU beside the GPU ------*- tablegen -*-===//

#ifndef GPUOPT_ASSIST_PASSES_TD
#define GPUOPT_ASSIST_PASSES_TD

include "mlir/Pass/PassBase.td"

def SliceAccesses : Pass<"gpuopt-slice-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave of a kernel its accesses of global memory, as prefetches";
  let description = [{
    *Why.* A CPU that shares a cache with the GPU can load what the threads of a kernel
    are about to (Yang 2012, chapter 6, step 1 of figures 6.2 and 6.8). It keeps ahead
    of them, as it has to compute addresses only.

    *Checks.* What is left has to be the same for a CPU that runs before the threads do:
    * no address, and no branch or loop around an access, depends on memory that the
      kernel writes or may write (`UniformityAnalysis::isReadOnly`: pointers without
      `__restrict__` may point to the same), on workgroup memory, on the result of an
      atomic operation or on values of other threads (shuffles, votes);
    * every access of global memory is one that is raised: none by inline assembly, by
      a call, or by an `!llvm.ptr`.
    Otherwise the kernel stays as it is.

    *Rewrite.* Loads and stores become prefetches that read; an access that one with the
    same address precedes on every way is left out. What no prefetch needs goes: barriers,
    workgroup memory, arithmetic, loops without accesses. A load that an address or a
    branch needs stays a load.
    ```mlir
    gpu.func @tmv(%a: memref<?x64xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
      %zero = arith.constant 0.0 : f32
      %x = gpu.global_id x
      %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
        %l = affine.load %a[%i, symbol(%x)]
        %r = affine.load %b[%i]
        %p = arith.mulf %l, %r : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[symbol(%x)]
      gpu.return
    }
    ```
    becomes
    ```mlir
    gpu.func @tmv(%a: memref<?x64xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
      %x = gpu.global_id x
      affine.for %i = 0 to %n {
        affine.prefetch %a[%i, symbol(%x)], read, locality<3>, data
        affine.prefetch %b[%i], read, locality<3>, data
      }
      affine.prefetch %c[symbol(%x)], read, locality<3>, data
      gpu.return
    }
    ```

    *Cost.* None is estimated: this is no transform of the kernel, but another program.

    *Remarks.* `SliceAccesses`: passed with the number of accesses, missed with what
    stands in the way, at its place.
  }];
  let statistics = [Statistic<"sliced", "kernels-sliced",
                              "kernels that are left with their accesses">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect"];
}

def SplitSlices : Pass<"gpuopt-split-slices", "::mlir::ModuleOp"> {
  let summary = "visit all threads for an iteration of a loop before the next one";
  let description = [{
    *Why.* A GPU runs many threads at once: an iteration of a loop that all of them run
    is over for all before the next begins. A CPU that went through the loop for one
    thread after the other would be early for that one and late for all others (Yang 2012,
    section 6.4.3).

    *Checks.* Works on what `gpuopt-slice-accesses` leaves: prefetches, in any order. A
    loop moves outwards that carries no value from one iteration to the next, and whose
    bounds are the same for all threads of the launch and can be computed without the
    branches around it, where its step, if that is no constant, may be zero. Others stay in
    the function of a thread.

    *Rewrite.* The accesses between the ends of these loops (*kernel loops*, figure 6.8)
    become a kernel each, with the iterators as arguments; a host function has
    the loops, nested as they were, and visits all threads for each of them. Variables
    of the module become arguments.
    ```mlir
    gpu.func @tmv(%a: memref<?x64xf32>, %n: index) kernel {
      %x = gpu.global_id x
      affine.for %i = 0 to %n {
        affine.prefetch %a[%i, symbol(%x)], read, locality<3>, data
      }
      gpu.return
    }
    ```
    becomes
    ```mlir
    func.func @tmv(%a: memref<?x64xf32>, %n: index, %grid_x: index, …) {
      affine.for %i = 0 to %n {
        gpu.launch_func @kernels::@tmv__part1 blocks in (%grid_x, …) threads in (%block_x, …)
            args(%a : memref<?x64xf32>, %i : index)
      }
      return
    }
    gpu.func @tmv__part1(%a: memref<?x64xf32>, %i: index) kernel {
      %x = gpu.global_id x
      affine.prefetch %a[symbol(%i), symbol(%x)], read, locality<3>, data
      gpu.return
    }
    ```

    *Cost.* None is estimated.

    *Remarks.* `SplitSlices`: passed with the number of functions and loops.
  }];
  let statistics = [Statistic<"split", "slices-split",
                              "kernels whose loops are the host's">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect"];
}

#endif // GPUOPT_ASSIST_PASSES_TD
