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

def ReorderAccesses : Pass<"gpuopt-reorder-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "start loops over workgroup arrays in another bank for each thread";
  let description = [{
    *Why.* Threads that walk along rows of a workgroup array are in one bank at a
    time where rows are a multiple of the banks long. Another layout helps
    (`gpuopt-eliminate-bank-conflicts`), where the array may have one and there is
    memory for it. Where not, threads can walk from different elements on, as far
    as the order does not matter ("access reorder" of Li et al. 2016, table 1 and
    figure 4).

    *Checks.* For a kernel whose block shape is known, and a loop with constant
    bounds around loads that meet in a bank:
    * What the loop carries are sums, products, minima, maxima or bit operations;
      sums and products of floating-point numbers only with the `reassoc` flag
      (`--reassociate`), since their order changes.
    * It writes nothing, and nothing in it concerns other threads: no barrier, no
      operation of a subgroup.
    * It reads no array of the thread's own, which could be in no registers then.

    *Rewrite.* Thread t starts t iterations further on, and comes back to the
    beginning:
    ```mlir
    %s = affine.for %k = 0 to 32 iter_args(%u = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<32x32xi32, #gpu.address_space<workgroup>>
      …
    ```
    becomes
    ```mlir
    %start = arith.remui %t, %c32 : index
    %s = affine.for %j = 0 to 32 iter_args(%u = %zero) -> (i32) {
      %k = select %j + %start >= 32, %j + %start - 32, %j + %start
      %v = memref.load %tile[%t, %k] : memref<32x32xi32, #gpu.address_space<workgroup>>
      …
    ```
    Where several rows fill the banks, that many threads start in the same
    iteration. Sums of integers lose `nsw` and `nuw`.

    *Cost.* Wavefronts of a block (`passes/Analysis/BankConflicts.h`): each
    iteration of a subgroup has to save four at least, which is what the new index
    costs, and sectors of global memory may not become more.

    *Remarks.* `ReorderAccesses`: passed with the distance and the conflict degrees;
    missed with the reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"reordered", "loops-reordered", "loops that threads start elsewhere">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
}

def RemapThreads : Pass<"gpuopt-remap-threads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let threads do each other's work between barriers";
  let description = [{
    *Why.* Which thread does what between two barriers matters to nobody, but to
    banks: lanes that are neighbours in a column meet in one, lanes on a diagonal do
    not. Where no layout helps and no loop can be rotated, threads take other work
    items ("thread remap" of Li et al. 2016, table 1 and figure 4; the placement
    matrices are those of x and x + y, of x + y and y, and of y and x).

    *Checks.* For a kernel whose block shape is known, of two dimensions, and
    operations between two barriers of one block of operations, or between a barrier
    and the beginning or end of the kernel:
    * All that they use of the thread is computed from its ids, and all that is used
      of them behind is the same for all threads: nothing that one thread has in
      registers is another one's then. Barriers order what is in memory.
    * They are loads and stores of workgroup and global memory, arithmetic, loops and
      branches: nothing that concerns other threads, as operations of subgroups do.

    *Rewrite.* All ids between the barriers become those of the other work item, which
    is a bijection of the block:
    ```mlir
    gpu.barrier
    %v = affine.load %a[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %v, %b[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    ```
    becomes
    ```mlir
    %y = affine.apply (x, y) -> ((x + y) mod 32)(%tx, %ty)
    gpu.barrier
    %v = affine.load %a[%tx, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %v, %b[%y, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    ```

    *Cost.* Wavefronts of a block (`passes/Analysis/BankConflicts.h`) have to become
    fewer by a fifth at least, and sectors of global memory may not become more.

    *Remarks.* `RemapThreads`: passed with the work item and the conflict degrees;
    missed with the reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"remapped", "phases-remapped", "phases in which threads do each other's work">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect"];
}

#endif // GPUOPT_TRANSFORMS_BANKS_PASSES_TD
