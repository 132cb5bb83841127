//===- VectorPasses.td - passes that make vector accesses --*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_VECTORPASSES_TD
#define GPUOPT_TRANSFORMS_VECTORPASSES_TD

include "mlir/Pass/PassBase.td"

def VectorizeAccesses : Pass<"gpuopt-vectorize-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "access neighbouring elements of an array with one instruction";
  let description = [{
    *Why.* A lane moves up to 16 bytes with one instruction; an access of one
    element moves a part of that and costs as much to issue. Old multiprocessors
    reach their bandwidth with pairs only (Yang et al. 2012, section 3.1).

    *Checks.* For accesses to an array, in global or workgroup memory, whose
    addresses are 0 to W-1 elements from each other:
    * They stand in one block of code without branches: each thread that makes
      one of them makes them all.
    * No store to memory that may be the same is in between (for stores, no
      load either), no barrier, no operation whose effects are not known.
    * Every byte of the wide access is accessed by the source.
    * The first address is proven to be a multiple of W elements: a wide access
      that is not aligned faults. Known are `memref.assume_alignment`,
      `llvm.align` on parameters, workgroup arrays, and the factors and steps of
      the address (see `gpuopt-version-alignment`).

    *Rewrite.* A wide load stands where the first of its loads stood, a wide
    store where the last of its stores did.
    ```mlir
    %re = affine.load %a[%i * 2]
    %im = affine.load %a[%i * 2 + 1]
    ```
    becomes
    ```mlir
    %p = affine.apply affine_map<(i) -> (i * 2)>(%i)
    %v = vector.load %a[%p] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    %re = vector.extract %v[0] : f32 from vector<2xf32>
    %im = vector.extract %v[1] : f32 from vector<2xf32>
    ```
    Before that, with `unroll`, innermost loops are unrolled by W where
    consecutive iterations then make such groups; what is left of the iterations
    is a second loop. Accesses of neighbouring threads become groups when the
    threads are merged before, each with contiguous work items.

    *Cost.* `vector_elements` gives the widest access. A loop is unrolled by what
    saves most accesses for each iteration, so that the arrays that are accessed
    most decide; on NVIDIA devices that prefer two elements loops stay as
    they are, since pairs gain less than 3 % there (figure 4).

    *Remarks.* `VectorizeAccesses`: passed for each array with the width and
    the number of accesses and for each unrolled loop; missed with the reason
    where neighbouring accesses stay apart.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"640",
           "most operations of an unrolled body">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">,
    Option<"unroll", "unroll", "bool", /*default=*/"true",
           "also unroll loops whose iterations access neighbouring elements">,
    Option<"width", "width", "int64_t", /*default=*/"0",
           "bytes of the widest access (default: what the target prefers)">
  ];
  let statistics = [
    Statistic<"unrolled", "loops-unrolled", "loops that were unrolled">,
    Statistic<"vectorized", "accesses-vectorized", "wide accesses that were made">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

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

#endif // GPUOPT_TRANSFORMS_VECTORPASSES_TD
