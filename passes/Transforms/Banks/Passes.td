//===- Passes.td - layouts of tiles in banks ---------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_BANKS_PASSES_TD
#define GPUOPT_TRANSFORMS_BANKS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EliminateBankConflicts
    : Pass<"gpuopt-eliminate-bank-conflicts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lay out workgroup arrays so that accesses do not meet in a bank";
  let description = [{
    *Why.* Workgroup memory delivers one word of each bank at a time. Lanes of a
    subgroup that want different words of the same bank wait for each other: a
    column of a tile with rows of 32 floats takes 32 times as long as a row.

    *Checks.* For a kernel whose block shape is known (`gpuopt.geometry` or
    `known_block_size`); an array that fails one stays as it is.
    * It is a workgroup attribution that is only loaded from and stored to, by
      operations on it itself: `memref`, `affine` and `vector` loads and stores,
      atomic updates, `nvgpu.device_async_copy` to it.
    * The subscripts of each access are known functions of ids and iterators, and
      proven to stay in their dimensions (vectors with all their elements): so
      they tell elements apart, whatever the layout.
    * For a swizzle, vector accesses are aligned to their size; for another order of
      dimensions, and for arrays of one dimension, all are of single elements.

    *Rewrite.* The array gets the layout with the fewest wavefronts. Rows (or
    another dimension) are padded by the smallest multiple of the widest vector
    access:
    ```mlir
    gpu.func @k() workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) … {
      %v = affine.load %tile[%tx, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
    ```
    becomes
    ```mlir
    gpu.func @k() workgroup(%tile: memref<32x33xf32, #gpu.address_space<workgroup>>) … {
      %v = affine.load %tile[%tx, %k] : memref<32x33xf32, #gpu.address_space<workgroup>>
    ```
    Where no padding takes all conflicts away without costing a multiprocessor
    resident blocks, columns are swizzled if that does better:
    ```mlir
    %step = arith.andi %tx, %c31 : index
    %column = arith.xori %k, %step : index
    %v = memref.load %tile[%tx, %column] : memref<32x32xf32, #gpu.address_space<workgroup>>
    ```

    Dimensions change places where that does: a transposed matrix, and a structure of
    arrays in the place of an array of structures:
    ```mlir
    gpu.func @k() workgroup(%bodies: memref<64x4xf32, #gpu.address_space<workgroup>>) … {
      %m = affine.load %bodies[%tx, 3] : memref<64x4xf32, #gpu.address_space<workgroup>>
    ```
    becomes
    ```mlir
    gpu.func @k() workgroup(%bodies: memref<4x64xf32, #gpu.address_space<workgroup>>) … {
      %m = memref.load %bodies[%c3, %tx] : memref<4x64xf32, #gpu.address_space<workgroup>>
    ```
    Of one dimension, element n of structures of four goes to `n / 4 + n % 4 * 64`, or,
    where accesses have several strides that are powers of two, to `n + n / 32`.

    *Cost.* Wavefronts of a block over all accesses of the array
    (`passes/Analysis/BankConflicts.h`: `workgroup_memory_banks`,
    `workgroup_memory_bank_bytes`, `vendor`), weighted by how often a thread
    executes each; what takes a division for each access has to save a fifth of them.
    `workgroup_memory_per_workgroup_bytes` and the occupancy with
    the registers that loops carry.

    *Remarks.* `EliminateBankConflicts`: passed with the layout, the conflict
    degree and the wavefronts before and after; analysis where there is no
    conflict; missed with the reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"changed", "arrays-changed", "workgroup arrays with another layout">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // GPUOPT_TRANSFORMS_BANKS_PASSES_TD
