//===- TilePasses.td - transforms of tiles and their loops --*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_TILEPASSES_TD
#define GPUOPT_TRANSFORMS_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

def CoalesceAccesses : Pass<"gpuopt-coalesce-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make accesses of global memory coalesced by way of workgroup memory";
  let description = [{
    *Why.* A request of a subgroup costs as many transactions as it touches
    segments of memory. Data that lanes pick from many segments, or that several
    threads of a block load again, is cheaper to load once, by consecutive
    threads from consecutive addresses, into workgroup memory, and to pick from
    there (Yang et al. 2012, sections 3.3 and 3.4).

    *Checks.* For a kernel with `gpuopt.geometry` and no barrier of its own; an
    access that fails one stays as it is.
    * Another thread can compute the address and every condition around the
      access: their slices end in ids, iterators, arguments and constants.
    * Where the address does not depend on a thread id, the condition of the
      thread with id 0 follows from that of any other; or ids are bounded from
      below by what is the same for all blocks and from above by the launch's
      extent, so that the first item above the bound stands for all.
    * All threads of the block can be brought to the barriers: loops around them
      have uniform bounds, conditions are uniform or can be sunk below them.
    * Nothing in the kernel may write the array before the load
      (`llvm.noalias` arguments overlap with no other); for stores: nothing may
      access it afterwards.
    * The tile fits in the target's workgroup memory. Where not all do, those that
      save most sectors for each byte are made.

    *Rewrite.* Every load happens that the source does, and no other: element
    (l, j) of a tile is loaded on behalf of thread l in iteration i0 + j, where
    l's condition holds and the iteration exists. The block does it together, in
    a collective loop (`gpuopt.collective`), which `gpuopt-distribute-tiles` shares
    out.
    ```mlir
    scf.if %g {
      %sum = affine.for %i = 0 to %w iter_args(%s = %zero) -> (f32) {
        %x = affine.load %a[%idx, %i]
        …
      }
      affine.store %sum, %c[%idx]
    }
    ```
    becomes, in blocks of 16 threads,
    ```mlir
    %sum = affine.for %i = 0 to %w step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%l, %j) = (0, 0) to (16, 16) {
        scf.if %legal {   // %bx * 16 + %l < %h, %i + %j < %w
          %d = affine.load %a[%bx * 16 + %l, %i + %j]
          affine.store %d, %tile[%l, %j]
        }
      } {gpuopt.collective}
      gpu.barrier
      %n = scf.if %g {
        affine.for %k = 0 to min(16, %w - %i) iter_args(…) {
          %x = affine.load %tile[%tx, %k]
          …
      gpu.barrier
      affine.yield %n
    }
    scf.if %g { affine.store %sum, %c[%idx] }
    ```
    Where the address adds a loop's iterator to a work item's id, neighbours read
    the same in other iterations. A tile then holds what the block reads in all
    iterations of the loops inside, which have to fit (a uniform test decides),
    and in 32 or fewer of the outermost:
    ```mlir
    affine.for %i = 0 to %kh { affine.for %j = 0 to %kw {
      %x = affine.load %image[%idy + %i, %idx + %j]
    ```
    becomes, where 0 < %kw <= 32,
    ```mlir
    affine.for %i0 = 0 to %kh step 32 {
      affine.parallel (%u, %v) = (0, 0) to (47, 47) {
        scf.if %legal {   // work item (%bx * 16 + %v - (%kw - 1), …) loads it
          %d = affine.load %image[%by * 16 + %u + %i0, %bx * 16 + %v]
          affine.store %d, %tile[%u, %v]
        }
      } {gpuopt.collective}
      gpu.barrier
      affine.for %i = 0 to min(32, %kh - %i0) { affine.for %j = 0 to %kw {
        %x = affine.load %tile[%ty + %i, %tx + %j]
      gpu.barrier
    ```
    Element (u, v) is loaded on behalf of the leftmost work item that reads it,
    be it in this block or in one before it. Guards have to hold for smaller
    work items wherever they hold for larger ones, so that this one's decides.

    Loads of one array at constant offsets from each other share a tile in the same
    way, under a guard or not:
    ```mlir
    scf.if %g {
      %x = affine.load %a[%idy + 1, %idx]
      %y = affine.load %a[%idy + 1, %idx + 2]
      %z = affine.load %a[%idy, %idx + 1]
      …
    ```
    becomes, in blocks of 32 x 8 threads,
    ```mlir
    affine.parallel (%u, %v) = (0, 0) to (10, 34) {
      scf.if %needed {  // by work item (%v, %u - 1), (%v - 2, %u - 1), …
        %d = affine.load %a[%by * 8 + %u, %bx * 32 + %v]
        affine.store %d, %tile[%u, %v]
      }
    } {gpuopt.collective}
    gpu.barrier
    scf.if %g {
      %x = affine.load %tile[%ty + 1, %tx]
      %y = affine.load %tile[%ty + 1, %tx + 2]
      %z = affine.load %tile[%ty, %tx + 1]
      …
    ```
    An element is needed iff, for some of the loads, the work item that would
    load it there is in the block and in the load's guard. Loads under the same
    guard that fill a box are tested together: dimension by dimension, where no
    comparison of the guard takes two ids, and by the leftmost work item alone
    where the guard only bounds ids from above. Tests against the block's ends
    are marked `gpuopt.in_block`. Loads may stand under different guards, but in
    the same iteration of the loops around.

    Loads that do not move with a loop are staged where they stand. A store that
    is coalesced in another order of the threads (a transpose) goes through a
    tile, and a collective loop stores from there in the order of the addresses.
    The last dimension of a tile is that of the smallest stride in the array.

    *Cost.* Sectors that a block moves before and after, as the analyses count
    them (`coalescing`, `sector_bytes`, `subgroup_size`): staged from a factor of
    2, from 4 where the load is coalesced and only repeated (2 on targets without
    a cache in the multiprocessor), from 8 where each thread loads once. A tile
    serves 16 / gcd(m, 16) iterations for A[m*i + n] under the half-warp rule,
    else as many as fill a sector and at most a line.
    Loads at constant offsets, at most 32 elements away: from a factor of 2, in a
    loop from 4 on targets with a cache in the multiprocessor.

    *Remarks.* `CoalesceAccesses`: passed with the tile, the sectors before and after;
    missed with the reason, for each access that is not coalesced.
  }];
  let options = [
    Option<"stageReused", "stage-reused", "bool", /*default=*/"true",
           "also stage coalesced loads that other threads of the block repeat">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"accesses", "accesses-coalesced", "accesses that go through workgroup memory">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

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

def EliminateBankConflicts
    : Pass<"gpuopt-eliminate-bank-conflicts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "pad or swizzle workgroup arrays whose accesses meet in a bank";
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
    * For a swizzle, vector accesses are aligned to their size.

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

    *Cost.* Wavefronts of a block over all accesses of the array
    (`passes/Analysis/BankConflicts.h`: `workgroup_memory_banks`,
    `workgroup_memory_bank_bytes`, `vendor`), weighted by how often a thread
    executes each; `workgroup_memory_per_workgroup_bytes` and the occupancy with
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
    Statistic<"changed", "arrays-changed", "workgroup arrays that were padded or swizzled">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
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

#endif // GPUOPT_TRANSFORMS_TILEPASSES_TD
