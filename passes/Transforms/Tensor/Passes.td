//===- Passes.td - units that multiply matrices ------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_TENSOR_PASSES_TD
#define GPUOPT_TRANSFORMS_TENSOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanWarpgroups
    : Pass<"gpuopt-plan-warpgroups", "::mlir::gpu::GPUModuleOp"> {
  let summary = "choose blocks and tiles for products of warpgroups";
  let description = [{
    *Why.* `wgmma` (sm_90a) multiplies half again as fast as `mma.sync` does on the
    same chip, but has its own wishes: 64 rows for four subgroups, up to 256
    columns, both matrices in workgroup memory in lines of 128 bytes. Which thread
    has which items, and how long tiles are, is decided before tiles are made.

    *Checks.* For a kernel whose launch is still open, with a contraction
    (`passes/Analysis/Contraction.h`) for which the target has a unit of 64 rows:
    * sums may be reordered (`reassoc`; sums of integers have no order);
    * one matrix follows the work items along y, the other one along x; each is in
      global memory, and neighbouring elements are those of a row or a column. For
      other types than those of 16 bits they have to be the elements of one sum;
    * results of neighbours along x are neighbours;
    * the model (`WarpgroupModel.h`) sees more of the unit's rate than the unit of
      subgroups has.

    *Rewrite.* The plan is recorded as that of `gpuopt-share-arrays` is. For
    halves and two warpgroups of 64 x 256 sums:
    ```mlir
    gpu.func @mm(%a: …, …) kernel attributes {gpuopt.partition = {
      arrays = ["a", "b"], block = array<i32: 4, 64, 1>, items = array<i32: 64, 2, 1>,
      contiguous = array<i32: 2, 1, 1>, iterations = 64 : i64}}
    ```
    `gpuopt-use-matrix-units` makes `gpuopt.warpgroup_product` of the loop over a
    tile then, or `nvgpu.mma.sync` where something has come in between.

    *Remarks.* `WarpgroupsPlanned` with the shares of the peak; `WarpgroupsNotPlanned`
    with the reason.
  }];
  let options = [
    ListOption<"block", "block", "int64_t", "the block that is asked for">,
    ListOption<"blocks", "blocks", "int64_t", "how many blocks become one">,
    ListOption<"threads", "threads", "int64_t", "how many threads become one">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [Statistic<"planned", "planned-products",
                              "products planned for warpgroups">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::gpu::GPUDialect",
                           "::gpuopt::GPUOptDialect"];
}

def SpareRegisters
    : Pass<"gpuopt-spare-registers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave registers to the sums of warpgroups";
  let description = [{
    *Why.* A thread of a warpgroup holds up to 128 sums. What is defined in front
    of their loop and used behind it, such as the places and guards of its work
    items, takes as many registers again, and so do the loads of a fill that goes
    element by element, once LLVM has unrolled it: the assembler spills.

    *Checks.* For a kernel with `gpuopt.warpgroup_product`: operations without
    effects that may stand anywhere.

    *Rewrite.* Each moves to its first use, into branches but not into loops:
    ```mlir
    %guard = arith.cmpi slt, %row, %m : index
    %sums:128 = affine.for … { … gpuopt.warpgroup_product … }
    scf.if %guard { … }
    // becomes
    %sums:128 = affine.for … { … gpuopt.warpgroup_product … }
    %guard = arith.cmpi slt, %row, %m : index
    scf.if %guard { … }
    ```
    Of loops that fill a tile beside products eight iterations become one, and they
    stay loops (`gpuopt.rolled`).
  }];
  let statistics = [Statistic<"sunk", "sunk-operations",
                              "operations that have moved to their first use">];
}

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
