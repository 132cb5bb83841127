//===- Passes.td - units that multiply matrices ------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_TENSOR_PASSES_TD
#define GPUOPT_TRANSFORMS_TENSOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def UseMatrixUnits
    : Pass<"gpuopt-use-matrix-units", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let subgroups multiply tiles by the units that the target has";
  let description = [{
    *Why.* Tensor cores multiply halves sixteen times as fast as the vector
    units do. One instruction takes the operands of all lanes of a subgroup, and
    leaves in each lane the sums that it owns. A block that has been tiled and
    merged has all that is needed: tiles of both matrices in workgroup memory,
    and a set of sums for each thread. What changes is which thread owns which
    sums, and the loop that adds to them; fills, stages, layout, guards and what
    follows the loop stay as they are.

    *Checks.* For a kernel with `gpuopt.geometry`, a loop over tiles of a constant
    number of iterations that fails one stays.
    * It is a contraction (`passes/Analysis/Contraction.h`): each sum that it
      carries gets the product of an element of one tile and one of another;
      each row is multiplied with each column, and nothing else happens.
    * The target has a unit for these types whose depth divides the iterations.
    * Sums of floating-point numbers may be reordered: `reassoc` on the
      additions (`--reassociate`, `#pragma gpuopt reassociate`). The unit adds
      `depth` products at once, in an order that its vendor leaves open. Sums of
      integers have no order.
    * Rows depend on the thread's id along y and no other, columns on that along
      x; the block has a multiple of 4 threads along x and of 8 along y.
    * What the kernel becomes has a form of the instructions (`instructions`).
    * All threads of the block get to the loop, and nothing in the kernel depends
      on which threads form a subgroup: threads swap their work items.

    *Rewrite.* For a block of 16 x 16 threads with items (y + 16 i, 2 x + 32 j) and
    (…, 2 x + 32 j + 1), and m16n8k16:
    ```mlir
    %s:4 = affine.for %k = 0 to 16 iter_args(%s00, %s01, %s10, %s11) {
      %a0 = affine.load %a[%y, %k]        %a1 = affine.load %a[%y + 16, %k]
      %b0 = affine.load %b[%k, %x * 2]    %b1 = affine.load %b[%k, %x * 2 + 1]
      %p00 = arith.mulf (extf %a0), (extf %b0)
      %t00 = arith.addf %s00, %p00 fastmath<reassoc>
      …
    }
    ```
    becomes, for blocks of 32 x 8 threads with
    x = lane mod 4 + (warp mod 4) * 4 and y = lane floordiv 4 + (warp floordiv 4) * 8,
    ```mlir
    affine.for %k = 0 to 16 step 16 iter_args(…) {
      %a = (elements of %a[y, …], %a[y + 16, …]) : vector<4x2xf16>
      %b = (elements of %b[…, …]) : vector<2x2xf16>
      %c = (%s00, %s01, %s10, %s11) : vector<2x2xf32>
      %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}
    }
    ```
    A row of a matrix fragment is any row of the tile, as long as sums and
    operands agree: lane g * 4 + c owns sums of the rows that its items have.

    *Cost.* Threads keep as many sums as they had; the unit's rate is the
    target's (`matrix_units`). Where it is slower than the vector units the
    loop stays.

    *Remarks.* `UseMatrixUnits`: passed with the unit and the sums of a subgroup;
    missed with the reason, for contractions of types that the target has a unit
    for.
  }];
  let options = [
    Option<"instructions", "instructions", "bool", /*default=*/"true",
           "whether what kernels become has a form of the instructions: source has none">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [Statistic<"rewritten", "loops-on-matrix-units",
                              "loops that matrix units run">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::vector::VectorDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_TENSOR_PASSES_TD
