//===- Passes.td - loads and stores through tiles ----------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_COALESCE_PASSES_TD
#define GPUOPT_TRANSFORMS_COALESCE_PASSES_TD

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
      above by the launch's extent and from below by what is the same for all
      blocks, or by an id that the tile tells apart, as in the mask `x <= y`, so
      that the first item above the bound stands for all. Under a mask that is the
      launch's first item where blocks do not differ otherwise: the tile is then
      the same for all of them.
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

#endif // GPUOPT_TRANSFORMS_COALESCE_PASSES_TD
