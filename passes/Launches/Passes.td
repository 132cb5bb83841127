//===- Passes.td - transforms of sequences of launches -----*- tablegen -*-===//
//
// Alphabetical. Every pass works on the module, with the host functions and the
// kernels that they launch.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_LAUNCHES_PASSES_TD
#define GPUOPT_LAUNCHES_PASSES_TD

include "mlir/Pass/PassBase.td"

def MergeGridSteps : Pass<"gpuopt-merge-grid-steps", "::mlir::ModuleOp"> {
  let summary = "do several steps of a tree or of butterflies in one launch";
  let description = [{
    *Why.* A tree over an array with grid-wide synchronisation between its levels
    reads and writes memory once for each level, in as many launches (sections
    3.5, 3.7 and 7 of Yang et al. 2012: threads are merged until the work fits a
    block, where a barrier of the block will do and arrays that are no outputs
    need no global memory).

    *Checks.*
    * A loop of the host over s, s/2, s/4, …, 1 launches one kernel with s as its
      last argument.
    * The kernel does nothing outside of `if (id < s)`, `id` being the work item
      in x. Of the arrays that it writes it accesses the elements `id` and
      `id + s` only; they overlap with no other array.
    * For any s, the work items that lead to work item t of a later step L are t
      plus sums of the steps in between, `t + b` with b made of some of `s_(i+1),
      …, s_L` in step i. Since `s_k + s_k <= s_(k-1)`, they exist and differ, and
      those of two t share no element: a thread or a block that has all of them
      needs no other (`passes/Launches/StepLoop.h` has the proof). The order of
      operations on each element stays that of the source.
    * What they leave out of a step are elements that no later step reads: the
      last one of an odd number, and what leads to it. Where the source does not
      say that these are no outputs, s has to be a multiple of a power of two, so
      that there are none.
    * The original launch has a work item for each of the first step. That, and
      such a multiple, is tested on the host; else a step stays a launch.

    Or butterflies, as in a fast Fourier transform: with `i = id / s * (2 * s) +
    id % s`, written in any way that gives the same position, the kernel accesses
    the elements `i` and `i + s` only, if `i + s < n` or `id < n`. The host tests
    that n is a whole number of groups of these elements, so that the same work
    items act in each step.

    *Rewrite.* Two kernels are added (`passes/Launches/StepKernels.h`): one whose
    threads have up to five steps in registers and whose blocks have three more in
    workgroup memory; and one for a single block, which does all steps that are
    left with barriers of the block, the last of them with elements in workgroup
    memory and, where the target has shuffles, in lanes of a subgroup.
    ```mlir
    scf.while (%s = %n0) … {                scf.while (%s = %n0) … {
      gpu.launch_func @rd__phase0 (%s)        scf.if (%s <= 32768) {
      %next = arith.shrui %s, %c1               gpu.launch_func @rd__last_steps (%s)
      scf.yield %next                           yield 0
                                     →        } else {
                                                gpu.launch_func @rd__steps (%s)
                                                yield %s / 256
                                              }
    ```
    Where all elements count, the second branch is `if (%s mod 128 == 0)`, and else
    a step is done as before. Elements that the source's pragma does not count among the outputs
    (`gpuopt.outputs`) and that no later step reads are not stored. A launch
    right before the loop that sets each element from arrays that the steps do
    not write is done by the first of them: they compute the element instead of
    loading it.

    Of butterflies a thread does three steps s, s/2, s/4 with eight elements in
    registers, which no other thread touches (section 7: a transform of eight
    points for each thread); of what is left two steps, then one
    (`passes/Launches/ButterflyKernels.h`). The thread computes one quotient and
    one remainder; those of its twelve work items follow.
    ```mlir
    scf.while (%h = %n0) … {                scf.while (%h = %n0) … {
      gpu.launch_func @fft__phase0 (%h)       scf.if (%n is whole, %h mod 4 == 0) {
      %next = arith.shrui %h, %c1       →       gpu.launch_func @fft__8_points (%h)
      scf.yield %next                           yield %h / 8
                                              } else { 4 points, or as before }
    ```

    *Cost.* Steps of trees up to s = 32768 take one block: up to there a launch costs
    more than what other multiprocessors would save. Registers decide how many steps a
    thread does at once, and how many threads that block has
    (`registers_per_thread`, `registers_per_multiprocessor`): five and 512 on sm_90.

    *Remarks.* `MergeGridSteps`: passed with the number of steps and why they need
    no synchronisation, missed with what the loop or its kernel has else.
  }];
  let options = [
    Option<"target", "target", "std::string", "", "machine description: a known name or a file">];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Number of loops with merged steps">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def AssumeBlockShape : Pass<"gpuopt-assume-block-shape", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make kernels that depend on their block for the one they are launched in";
  let description = [{
    *Why.* A kernel that shares workgroup memory, or gives its threads parts of
    their own, is written for blocks of one shape, which its host code has as a
    constant. With `blockDim` unknown hardly an index is affine, and no tile has
    a known extent.

    *Checks.*
    * The kernel depends on its block: it reads thread ids or the size of the
      block apart from the work item's id, has workgroup memory or barriers, or
      whatever else keeps `gpuopt-assign-geometry` from choosing one.
    * No block may wait for another one, nor call what is not known: kernels that
      do may count on blocks that start in the order of their ids.
    * Its block is known, from `gpuopt.launch_block` (host code, launch bounds)
      or the option `block`. That may be wrong: launchers compare.

    *Rewrite.* The kernel is kept as `<symbol>__original`. In the other one the
    block's size is a constant, and `known_block_size` has it; the launcher takes
    it where the launch has that block (`gpuopt.requires`). Subscripts and loops
    that have become affine are raised, and ids that are put together from
    constants are work items' ids. Loops from the thread's id in steps of the block's
    size run equally often in all threads, or are branches (`passes/Launches/ThreadLoops.h`):
    ```mlir
    affine.for %i = %t to 1024 step 64 {     affine.for %k = 0 to 16 {
      … %i …                             →     … %t + %k * 64 …
    ```
    Flat workgroup arrays get the rows that their
    subscripts keep (`passes/Launches/ShapeTiles.h`):
    ```mlir
    %size = gpu.block_dim x                  %i = affine.apply
    %start = arith.muli %t, %size       →        affine_map<()[t, s] -> (t * 256 + s)>
    %i = arith.addi %start, %s                   ()[%t, %s]
    ```

    *Cost.* None.

    *Remarks.* `AssumeBlockShape`: passed with the block; missed with what
    depends on it where it is not known.
  }];
  let options = [
    ListOption<"block", "block", "int64_t",
               "threads per block in x, y, z of the launches of kernels without "
               "'gpuopt.launch_block'">];
  let statistics = [
    Statistic<"numAssumed", "blocks-assumed", "kernels whose block became known">,
    Statistic<"numCounted", "thread-loops-counted", "loops whose iterations threads share">,
    Statistic<"numShaped", "tiles-shaped", "flat workgroup arrays that got rows">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def AssumeSizeRanges : Pass<"gpuopt-assume-size-ranges", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave launches with sizes beyond what arrays have to the original kernel";
  let description = [{
    *Why.* `x < n`, `x < n - 1`, `k <= n` and `for (k = n; k > 0; --k)` with sizes
    that are unsigned (`unsigned`, `size_t`), or that become so by what they are
    compared with, may wrap where n is 0 or larger than any array. No other loop
    and guard is as good for that: the loop might be endless, and the guard that
    of another number.

    *Checks.*
    * A scalar argument of 32 or 64 bits, or one and a constant, is compared
      without a sign, cast to an index without one, or where a loop of 64 bits
      begins.
    * Not all of the numbers that it may be are the same with a sign and without.

    *Rewrite.* The kernel is kept as `<symbol>__original` (`gpuopt.fallback`
    names it). The launcher takes the other one where n is in the range in which
    nothing of this wraps (`gpuopt.requires`), of 64 bits below 2^62, and loops,
    guards and subscripts are raised again, since they are exact now:
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %n: i64) kernel {
      %last = arith.subi %n, %c1 : i64
      %inside = arith.cmpi ult, %id64, %last : i64
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %n: i64) kernel attributes {
        gpuopt.fallback = @f__original,
        gpuopt.requires = affine_set<()[a, n, gx, gy, gz, bx, by, bz] :
                                     (n - 1 >= 0, -n + 4611686018427387903 >= 0)>} {
      %size = arith.index_cast %n : i64 to index
      %last = affine.apply affine_map<()[n] -> (n - 1)>()[%size]
      %inside = arith.cmpi slt, %id, %last : index
    ```

    *Cost.* One or two comparisons for each launch and size.

    *Remarks.* `AssumeSizeRanges`: passed with the number of conditions.
  }];
  let statistics = [
    Statistic<"assumed", "kernels-assumed", "kernels whose launcher checks sizes">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def JoinStores : Pass<"gpuopt-join-stores", "::mlir::gpu::GPUModuleOp"> {
  let summary = "store behind a branch what both of its sides store";
  let description = [{
    *Why.* The elements of a tile that lie outside of an array are zeros: authors write
    `if (inside) s[t] = a[i]; else s[t] = 0;` or `s[t] = inside ? a[i] : 0;`. With one
    store the first is the second, which other passes know.

    *Checks.* Both sides of a branch end with a store to the same element of workgroup
    memory, by the same operands.

    *Rewrite.*
    ```mlir
    scf.if %inside {
      %v = affine.load %a[%i] : memref<?xf32>
      affine.store %v, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    } else {
      affine.store %zero, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    ```
    becomes
    ```mlir
    %w = scf.if %inside -> (f32) {
      %v = affine.load %a[%i] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %w, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let statistics = [
    Statistic<"joined", "stores-joined", "pairs of stores that are one">];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def ForwardTiles : Pass<"gpuopt-forward-tiles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "have the loads of hand-made tiles read what these were filled from";
  let description = [{
    *Why.* A kernel that its author has tiled is written for one shape of blocks
    and one size of tiles. Without its tiles it is the naive kernel again, of
    which the other passes make what suits the target: larger tiles that several
    work items of a thread share, vectors, asynchronous copies.

    *Checks.*
    * The block's shape is known (`gpuopt-assume-block-shape`).
    * Before each load of workgroup memory, in the same iterations of the loops
      around both, all threads store to the array, perhaps in loops of their own,
      and wait at a barrier. No store in a loop around the load comes behind it.
    * Address and ranges say which thread has stored what is loaded, and in which
      iteration (`passes/Launches/TileFills.h`).
    * What it has stored is computed from ids, iterators, values that all threads
      of the block have, and memory that the kernel does not write.
    * Loops around loads of tiles end where no other loop's variable says
      (`i < min(32, k - p)`): each load would be guarded by that.
    * All workgroup arrays go, and no barrier orders anything else: stores come
      behind all barriers, to memory that nothing loads.

    *Rewrite.* What the other thread has stored is computed where it was loaded.
    Stores to tiles and barriers go. Loops whose results only one branch of a
    conditional uses move there, since threads without a work item of their own
    had to help to fill the tiles:
    ```mlir
    affine.for %p = 0 to %tiles {
      %x = affine.load %a[symbol(%y), %p * 16 + symbol(%tx)]
      affine.store %x, %tile[symbol(%ty), symbol(%tx)]
      gpu.barrier
      affine.for %k = 0 to 16 {
        %e = affine.load %tile[symbol(%ty), %k]
    ```
    becomes
    ```mlir
    affine.for %p = 0 to %tiles {
      affine.for %k = 0 to 16 {
        %e = affine.load %a[symbol(%y), %p * 16 + %k]
    ```

    *Cost.* None here: more accesses of global memory, until other passes make
    tiles of their own. `gpuopt compile` keeps what is quicker by the model.

    *Remarks.* `ForwardTiles`: passed with the number of tiles; missed with what
    keeps the first one.
  }];
  let statistics = [
    Statistic<"numForwarded", "tiles-forwarded", "workgroup arrays that are gone">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def TrimPadding : Pass<"gpuopt-trim-padding", "::mlir::gpu::GPUModuleOp"> {
  let summary = "end loops over tiles where the data ends";
  let description = [{
    *Why.* Authors of tiles fill the last one up with zeros and go on to its end. Without
    its tiles (`gpuopt-forward-tiles`) such a kernel is the naive one but for guards in its
    innermost loop, behind which zeros are added, and which keep all other passes away.

    *Checks.*
    * A loop over tiles whose only work is the loop over a tile's elements; all that is
      computed depends on the position, `16 * tile + element`.
    * A comparison says that the position is before an end, which is the same for all
      iterations and behind which there are tiles at most: `(n + 15) / 16` of them.
    * Behind that end, where the comparison is false, an iteration adds zeros to, or
      subtracts them from, what it carries, and does nothing else.

    *Rewrite.*
    ```mlir
    %s = affine.for %t = 0 to %n step 16 iter_args(%s0 = %init) -> (f32) {
      %u = affine.for %e = 0 to 16 iter_args(%s1 = %s0) -> (f32) {
        %p = affine.apply (t, e) -> (t + e)(%t, %e)
        %exists = arith.cmpi slt, %p, %n : index
        %x = scf.if %exists -> (f32) { … yield %a[%row, %p] } else { … yield %zero }
        %y = scf.if %exists -> (f32) { … yield %b[%p, %col] } else { … yield %zero }
        %xy = arith.mulf %x, %y : f32
        %s2 = arith.addf %s1, %xy : f32
    ```
    becomes
    ```mlir
    %t = affine.for %p = 0 to %n iter_args(%s1 = %init) -> (f32) {
      %xy = arith.mulf %a[%row, %p], %b[%p, %col] : f32
      %s2 = arith.addf %s1, %xy : f32
    }
    %u = arith.addf %t, %zero : f32
    %s = arith.select %padded, %u, %t : f32
    ```
    -0.0 + 0.0 is 0.0: where there were zeros to add, one is added, so that all bits are
    what they were. In what a guard guards its conditions are true.

    *Remarks.* `TrimPadding`: passed with the elements of a tile; silent elsewhere: few
    loops are such loops.
  }];
  let statistics = [
    Statistic<"numTrimmed", "loops-trimmed", "loops over tiles that end where the data ends">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def DistributeLoops : Pass<"gpuopt-distribute-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give each iteration of independent loops a work item";
  let description = [{
    *Why.* A work item that walks along a row has neighbours that are rows apart,
    so that no access is coalesced; and a loop that nobody has declared parallel
    is done by one work item alone. With its iterations as work items a kernel
    is what other passes know (section 4.3 of Fauzia et al., CGO 2015, whose
    permutations mix dimensions of threads and loops).

    *Checks.*
    * The loops are around everything that the kernel does to memory, and no
      other loop is beside them. Their bounds are parameters, or ids and what
      makes them end earlier or begin later than others: `j <= i`.
    * No iteration writes an element that another one accesses, nor takes a value
      from the one before (`passes/Launches/IndependentIterations.h`).
    * The launch has dimensions left. Along the others a guard says how many work
      items do anything.
    * Fewer accesses are uncoalesced behind it, with whichever dimension is best
      as x (`passes/Analysis/ThreadOrder.h`); or the kernel has one work item.

    *Rewrite.* The kernel is kept as `<symbol>__original`. In the other one loops
    are guards, from the outermost loop on as many as there are dimensions. The
    launcher launches a work item for each iteration (`gpuopt.work_items`); rows
    of fewer than 16 take the original.
    ```mlir
    %row = gpu.global_id x                    %row = gpu.global_id y
    scf.if %inside {                          %j = gpu.global_id x
      affine.for %j = 0 to %w {          →    scf.if %inside {
        … affine.load %A[symbol(%row), %j]      %more = arith.cmpi slt, %j, %w
      }                                         scf.if %more {
    }                                             … affine.load %A[symbol(%row), symbol(%j)]
    ```

    *Cost.* What a work item has computed once in front of the loop each
    iteration computes; merges of threads take that back.

    *Remarks.* `DistributeLoops`: passed with the dimensions; missed with the
    reason where neighbouring iterations access neighbouring elements.
  }];
  let options = [
    Option<"target", "target", "std::string", "", "machine description: a known name or a file">];
  let statistics = [
    Statistic<"numDistributed", "loops-distributed", "loops that became a guard">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def ExpandGridStrideLoops
    : Pass<"gpuopt-expand-grid-stride-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give each iteration of a grid-stride loop a work item";
  let description = [{
    *Why.* Kernels that loop from their id by the size of the launch are right for
    launches of any size, and hide which accesses are neighbours': other passes
    know of ids that an access moves by a row, not of loops over all rows.

    *Checks.*
    * Loops from an id, or one and an offset, by the number of work items along
      its dimension, one loop for a dimension and each in the one before; their
      bounds are parameters.
    * Ids and sizes of the launch are used for these bounds only, and everything
      with an effect stands in all of the loops. Ids along dimensions without a
      loop are free where a guard says how many of them do anything.
    * No iteration writes an element that another one accesses: addresses differ
      for any two values of an iterator, given the guards and loops around the
      accesses. Atomic updates of integers by the same operation may meet.

    Where that cannot be shown, iterations are those of the launch: with at least
    as many work items as iterations, which launchers look after, each thread has
    one or none, and the step is past the end. The kernel then needs no more than
    sizes of the launch that are used for steps only, and loops without results.

    *Rewrite.* The kernel is kept as `<symbol>__original`. In the other one the
    loop is a guard; the launcher launches a work item for each iteration
    (`gpuopt.work_items`):
    ```mlir
    %id = gpu.global_id x                     %id = gpu.global_id x
    %size = arith.muli %grid_dim, %block_dim
    scf.for %i = %id to %n step %size {   →   %inside = arith.cmpi slt, %id, %n
      … memref.load %a[%i]                    scf.if %inside {
    }                                           … affine.load %a[symbol(%id)]
                                              }
    ```

    *Cost.* None: threads of small launches had several iterations, which merges
    of threads find again where that is of use.

    *Remarks.* `ExpandGridStrideLoops`: passed with the numbers of work items,
    missed with the reason.
  }];
  let statistics = [
    Statistic<"numExpanded", "loops-expanded", "loops that became a guard">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

def SplitFlatIds : Pass<"gpuopt-split-flat-ids", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give a kernel that takes its flat id apart an id for each part";
  let description = [{
    *Why.* Kernels over matrices and tensors are often launched in one dimension,
    and compute rows, columns and what else there is by dividing. What neighbours
    share, and whether an access is coalesced, cannot be seen in quotients by a
    number that is not known.

    *Checks.*
    * Of all ids and sizes of the launch the kernel uses the id t along x only.
    * What it computes of t by quotients, remainders, shifts, masks and
      differences are digits of it in one system of widths w0, w1, …, integer
      parameters, products and quotients of such, or constants
      (`passes/Launches/FlatIdDigits.h`): t = d0 + w0 * (d1 + w1 * (d2 + …)).
      Constants below 32 are no widths; such quotients stay as they are.
    * Everything with an effect stands under a guard `t < N` or `t / w < n` with
      the same number of work items, a multiple of all widths but the last.
    * No barriers and no workgroup memory: the new guard may divide a block.

    *Rewrite.* The kernel is kept as `<symbol>__original`. In the other one the
    work item (x, y, z) has x for the first digit, y for the second, and all
    others in z, where there are more than three as digits again: blocks are one
    item deep, so that these are the same for a block. The launcher launches as
    many (`gpuopt.work_items`) where the original launch has their product along x
    and none but the first along y and z, w0 is 32 or more and every other width
    1 or more:
    ```mlir
    %t = gpu.global_id x
    %row = arith.divsi %t, %w : index
    %column = arith.remsi %t, %w : index
    %inside = arith.cmpi slt, %row, %h : index
    scf.if %inside {
      … memref.load %a[%row * %w + %column]
    ```
    becomes
    ```mlir
    %x = gpu.global_id x
    %y = gpu.global_id y
    …                             // %x < %w and %y < %h
    scf.if %inside {
      … affine.load %A[symbol(%y), symbol(%x)]
    ```

    *Cost.* Rows that do not fill a block leave threads without work, and rows
    that start within a sector need one more (`passes/Launches/FlatIdGain.h`). Ids
    for the digits pay where a loop goes along elements that rows or columns share,
    where neighbours along the flat id are far apart in an array, or where an array
    is read in neighbouring rows: tiles come of these. A kernel without any such
    access that goes around no loop is split for rows of whole sectors only, which
    launchers see to; one whose arrays all lie along the flat id is not.

    *Remarks.* `SplitFlatIds`: passed with the sizes, missed with the reason.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"numSplit", "kernels-split", "kernels that got several ids">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_LAUNCHES_PASSES_TD
