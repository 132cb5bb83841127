//===- Passes.td - tiles and their loops -------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_TILES_PASSES_TD
#define GPUOPT_TRANSFORMS_TILES_PASSES_TD

include "mlir/Pass/PassBase.td"

def DistributeTiles : Pass<"gpuopt-distribute-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give each thread its part of the loops that a block shares out";
  let description = [{
    *Why.* `gpuopt-coalesce-accesses` says what a block loads together, in collective
    loops, and the passes after it may make that more. Which thread loads what
    is decided when the tiles, the block and the guards are final: consecutive
    threads consecutive addresses, and several elements at once where that is a
    vector access (Yang et al. 2012, sections 3.1 and 3.3).

    *Checks.* A loop that fails one stays; every thread then runs it as a whole.
    * `gpuopt.geometry` is known and the loop counts from 0 by 1 to constants.
    * Its body loads, stores, branches and computes, nothing else.

    A thread takes 2 or 4 neighbouring elements at once, up to 16 bytes and what
    the target prefers, where
    * they are neighbours in global memory, and their number divides the extent
      of the tile;
    * the address is proven to be aligned (see `Utils/Alignment.h`);
    * each condition holds for all or none of them: it does not depend on which
      it is, or is `i + v < n` with i and n multiples of the width;
    * no thread is idle that would have had an element of its own.

    *Rewrite.*
    ```mlir
    affine.parallel (%r, %j) = (0, 0) to (32, 32) {
      %v = affine.load %a[%r * 64 + %j]
      affine.store %v, %tile[%r, %j]
    } {gpuopt.collective}
    ```
    becomes, for 16 x 16 threads and without knowing that %a is aligned,
    ```mlir
    %v0 = affine.load %a[(%ty floordiv 2) * 64 + %tx + (%ty mod 2) * 16]
    %v1 = affine.load %a[(%ty floordiv 2 + 8) * 64 + %tx + (%ty mod 2) * 16]
    …
    affine.store %v0, %tile[%ty floordiv 2, %tx + (%ty mod 2) * 16]
    affine.store %v1, %tile[%ty floordiv 2 + 8, %tx + (%ty mod 2) * 16]
    …
    ```
    and with that, one `vector.load` and `vector.store` of four elements. Where
    something is guarded, each round is, loads and stores together. More rounds
    than `max-unrolled-rounds` become an `affine.for`; so do those of code with
    guards that has a version without them (`gpuopt.unguarded`) inside a loop,
    marked `gpuopt.rolled` to stay a loop: what its rounds have in common would take registers
    from the version that matters.

    *Cost.* Elements are counted in the order of the loop's dimensions that
    moves the fewest sectors (`coalescing`, `sector_bytes`, `subgroup_size`); of
    those, in the one with the widest vectors (`vector_elements`).

    *Remarks.* `DistributeTiles`: passed with the width, rounds and sectors;
    missed with why vectors are not wider, or why the loop stays.
  }];
  let options = [
    Option<"maxUnrolledRounds", "max-unrolled-rounds", "int64_t", /*default=*/"8",
           "most rounds that become straight-line code">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">,
    Option<"width", "width", "int64_t", /*default=*/"0",
           "bytes of the widest access (default: what the target prefers)">
  ];
  let statistics = [
    Statistic<"distributed", "loops-distributed", "collective loops given to threads">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::gpuopt::GPUOptDialect"];
}

def PadTiles : Pass<"gpuopt-pad-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fill tiles up with zeros, so that the last one is full as well";
  let description = [{
    *Why.* A loop over tiles ends with a tile that is not full. Its inner loop has
    fewer iterations there, so that `gpuopt-version-guards` splits it off, and it
    is neither unrolled nor loaded ahead. Filled up with elements that change no
    sum, all tiles are alike.

    *Checks.* For a kernel with `gpuopt.geometry`, on targets with asynchronous
    copies, which load the last tile ahead like any other; a loop
    `0 to min(16, %k - %i)` that fails one stays.
    * It sums up: to each value that it carries it adds, or subtracts from it,
      elements of tiles or products of two of them, and does nothing else.
    * There are zeros for the tiles that leave every sum as it is, in all bits:
      x + -0.0 and x - 0.0 are x. A product is -0.0 where one factor is 0.0 and
      the other -0.0, so a tile of floats cannot be multiplied with itself.
      Integers have one zero, which is always right.
    * It runs along one side of each tile, which is no shorter than the loop,
      and nothing else reads the tile.
    * One collective loop fills a tile, all of it, under one guard that is false
      for the elements that the loop does not get to. What else the guard says
      of an element is the same each time: no iteration reads what an earlier one
      has left.

    *Rewrite.*
    ```mlir
    affine.parallel (%r, %c) = (0, 0) to (16, 16) {
      scf.if %exists {   // %i + %c < %k
        %v = affine.load %a[%by * 16 + %r, %i + %c]
        affine.store %v, %a_tile[%r, %c]
      }
    } {gpuopt.collective}
    …
    affine.for %j = 0 to min(16, %k - %i) iter_args(%s = …) {
      %x = affine.load %a_tile[%ty, %j]
      %y = affine.load %b_tile[%j, %tx]
      %p = arith.mulf %x, %y
      %t = arith.addf %s, %p
      affine.yield %t
    }
    ```
    becomes
    ```mlir
    affine.parallel (%r, %c) = (0, 0) to (16, 16) {
      %w = scf.if %exists {
        %v = affine.load %a[%by * 16 + %r, %i + %c]
        scf.yield %v
      } else {
        scf.yield %negative_zero   // 0.0 in %b_tile
      }
      affine.store %w, %a_tile[%r, %c]
    } {gpuopt.collective}
    …
    affine.for %j = 0 to 16 iter_args(%s = …) {
    ```

    *Cost.* A loop with more products than loads: in others most of the time goes
    into the fill, and the last tile's is the longer one.

    *Remarks.* `PadTiles`: passed with the tiles and the iterations of a full
    one; missed with the reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"padded", "tiles-padded", "tiles that are filled up with zeros">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def UnrollTiles : Pass<"gpuopt-unroll-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "unroll loops over a tile in workgroup memory";
  let description = [{
    *Why.* The loops over a tile are short and, without guards, of constant
    length. Unrolled, their addresses are constants and their loads can be
    moved ahead; the back end does so for small bodies only.

    *Checks.* The loop reads workgroup memory, holds no barrier and has a constant
    number of iterations of at most `max-trip-count`. It is unrolled as often as
    divides that number and keeps its body at `max-operations`: a thread with
    many work items has enough to overlap in few iterations, and more of them
    cost registers and time to compile.

    *Rewrite.*
    ```mlir
    affine.for %k = 0 to 2 { %v = affine.load %tile[%k] … }
    ```
    becomes
    ```mlir
    %v0 = affine.load %tile[0] …
    %v1 = affine.load %tile[1] …
    ```
  }];
  let options = [
    Option<"maxTripCount", "max-trip-count", "int64_t", /*default=*/"32",
           "most iterations of a loop that is unrolled">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"640",
           "most operations of an unrolled body">
  ];
  let statistics = [
    Statistic<"unrolled", "loops-unrolled", "loops over tiles that were unrolled">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
}

#endif // GPUOPT_TRANSFORMS_TILES_PASSES_TD
