//===- Passes.td - vector accesses -------------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_VECTORIZE_PASSES_TD
#define GPUOPT_TRANSFORMS_VECTORIZE_PASSES_TD

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

#endif // GPUOPT_TRANSFORMS_VECTORIZE_PASSES_TD
