//===- Passes.td - neighbours in tiles ---------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_STENCILS_PASSES_TD
#define GPUOPT_TRANSFORMS_STENCILS_PASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollStencils : Pass<"gpuopt-unroll-stencils", "::mlir::gpu::GPUModuleOp"> {
  let summary = "unroll small loops over the neighbours of a work item";
  let description = [{
    *Why.* Where the address adds a loop's iterator to a work item's id,
    neighbours load the same in other iterations, and `gpuopt-coalesce-accesses` makes a
    tile with a halo (Yang et al. 2012, section 3.4). That takes loads that all
    iterations do; a loop over the neighbours that leaves one out does not. If
    it is small, its loads at constant offsets can share a tile.

    *Checks.* For a kernel with `gpuopt.geometry`; a loop that fails one stays.
    * A load in it moves with the iterator as with a thread's id, gets no tile in
      the loop, and nothing in the kernel may write its array.
    * It and all loops inside it have constant numbers of iterations, at most
      `max-trip-count` each and `max-copies` of a body together.

    *Rewrite.* Then conditions on the iterators fold.
    ```mlir
    affine.for %i = 0 to 3 {
      %other = arith.cmpi ne, %i, %c1
      scf.if %other { %x = affine.load %a[%i + %idx] … }
    }
    ```
    becomes
    ```mlir
    %x0 = affine.load %a[%idx] …
    %x1 = affine.load %a[%idx + 2] …
    ```

    *Remarks.* `UnrollStencils`: passed, with the iterations; missed with the
    reason.
  }];
  let options = [
    Option<"maxTripCount", "max-trip-count", "int64_t", /*default=*/"8",
           "most iterations of a loop that is unrolled">,
    Option<"maxCopies", "max-copies", "int64_t", /*default=*/"64",
           "most iterations of a nest that is unrolled">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"unrolled", "loops-unrolled", "loops over neighbours that were unrolled">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_STENCILS_PASSES_TD
