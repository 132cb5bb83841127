//===- Passes.td - iterations of outer loops ---------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_JAM_PASSES_TD
#define GPUOPT_TRANSFORMS_JAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollAndJam : Pass<"gpuopt-unroll-and-jam", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let several iterations of an outer loop share the loads of the inner one";
  let description = [{
    *Why.* Rows that a thread computes one after the other often read the same
    data: a triangular solver reads every row that it has solved for each row
    that is left. Taken several at a time, they load it once, into registers
    (Yang et al. 2012, section 3.5: G2R), and the inner loop becomes the product
    of a block of rows with what is solved.

    *Checks.* For a loop with one reducing loop in it, both affine, in which at
    least one load does not depend on the outer iterator:
    * The reduction starts from nothing that the outer iteration before
      computes, and writes no memory.
    * Its bounds move evenly with the outer iterator (or not at all), and it has
      iterations that all of the T outer ones have.
    * What is done earlier than in the source is shown to touch no element that
      is written in between: the difference of the addresses is not 0 by the
      bounds of the loops and the guards around them (see Utils/Addresses.h).
      Other threads' writes are ordered by barriers alone.
    * No barrier, atomic or volatile access, nor call in the loop.

    Every reduction adds up in the order of the source: results are the same to
    the last bit.

    *Rewrite.* With T = `factor`, 2 here:
    ```mlir
    affine.for %i = 0 to %m {
      %x = affine.load %b[%i, %id]
      %y = affine.for %j = 0 to %i iter_args(%s = %x) -> (f32) {
        … %l[%i, %j] * %b[%j, %id]
      }
      affine.store %y, %b[%i, %id]
    }
    ```
    becomes
    ```mlir
    affine.for %i = 0 to (%m floordiv 2) * 2 step 2 {
      %x0 = affine.load %b[%i, %id]
      %x1 = affine.load %b[%i + 1, %id]
      %y:2 = affine.for %j = 0 to %i iter_args(%s = %x0, %t = %x1) -> (f32, f32) {
        … %l[%i, %j] * %v, %l[%i + 1, %j] * %v       // %v = %b[%j, %id]
      }
      affine.store %y#0, %b[%i, %id]
      %z = … %y#1, %l[%i + 1, %i] * %y#0             // stored just above
      affine.store %z, %b[%i + 1, %id]
    }
    affine.for %i = max(0, (%m floordiv 2) * 2) to %m { … }  // as before
    ```

    *Cost.* T is the largest power of two up to 8 for which what the iterations
    keep and load takes a quarter of `registers_per_thread`.

    *Remarks.* `UnrollAndJam`: passed with T and the number of loads shared;
    missed with the reason where loads could be shared.
  }];
  let options = [
    Option<"factor", "factor", "int64_t", /*default=*/"0",
           "outer iterations taken together (0: by registers)">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"1024",
           "most operations of triangles that are unrolled">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"jammed", "nests-jammed", "loop nests that were unrolled and jammed">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
}

#endif // GPUOPT_TRANSFORMS_JAM_PASSES_TD
