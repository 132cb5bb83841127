//===- Passes.td - versions of the code --------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_VERSIONS_PASSES_TD
#define GPUOPT_TRANSFORMS_VERSIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def VersionAlignment : Pass<"gpuopt-version-alignment", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give launches with aligned rows and arrays a version of their own";
  let description = [{
    *Why.* A wide access must be aligned. Whether rows of n elements are, and the
    arrays that a kernel gets, is known at its launch only; mostly they are.

    *Checks.*
    * Some access is part of a vector access, by `gpuopt-vectorize-accesses` or
      by sharing out the iterations of a collective loop, if integer parameters
      were multiples of a small power of two and arrays began at multiples of
      that many bytes, but is not without that.
    * The test is made of kernel parameters only, the same for all threads of the
      launch, so that barriers may stand in the versions.

    *Rewrite.* All of the code is made twice; but where there is code without
    guards (see `gpuopt-version-guards`), that becomes the first version, and the code
    with guards, which is right for all blocks, the other. In the first version
    a parameter n that has to be a multiple of 4 is `(n floordiv 4) * 4`, which
    it is equal to there, and arrays are assumed to be aligned. Later passes
    prove alignments from that.
    ```mlir
    affine.for %i = 0 to %n {
      %v = affine.load %a[%idx * symbol(%n) + %i]
      …
    ```
    becomes
    ```mlir
    %m = affine.apply affine_map<()[n] -> ((n floordiv 4) * 4)>()[%n]
    %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
    …                          // %n and 3 == 0, %p and 15 == 0
    scf.if %aligned {
      %b = memref.assume_alignment %a, 16 : memref<?xf32>
      affine.for %i = 0 to %m {
        %v = affine.load %b[%idx * symbol(%m) + %i]
        …
    } else {
      affine.for %i = 0 to %n {
        …
    ```
    Parameters with `llvm.align` and constants need no test.

    Where nothing but the addresses of parameters is in question, and there is no
    code with guards, the kernel has one version: the arrays become `llvm.align`
    on the promise, `gpuopt.aligned`, that the launcher looks at their addresses,
    and the original kernel is kept for others as `gpuopt.fallback`.

    *Cost.* Code size: code of more than `max-operations` is not made twice.

    *Remarks.* `VersionAlignment`: passed with the number of accesses, sizes
    and arrays; missed with the reason.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4000",
           "most operations that are made twice">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">,
    Option<"width", "width", "int64_t", /*default=*/"0",
           "bytes of the widest access (default: what the target prefers)">
  ];
  let statistics = [
    Statistic<"versioned", "kernels-versioned", "kernels with a version for aligned launches">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
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

#endif // GPUOPT_TRANSFORMS_VERSIONS_PASSES_TD
