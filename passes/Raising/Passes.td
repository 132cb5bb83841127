//===- Passes.td - from the LLVM dialect to gpu.func -------*- tablegen -*-===//
//
// Entries are in alphabetical order. RaisePipeline.cpp says in which order the
// passes run.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_PASSES_RAISING_TD
#define GPUOPT_PASSES_RAISING_TD

include "mlir/Pass/PassBase.td"
include "passes/Raising/LaunchPasses.td"

def DelinearizeAccesses : Pass<"gpuopt-delinearize-accesses", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Give flat array accesses rows and columns, affine where possible";
  let description = [{
    *Why.* `a[idy * w + i]` is not affine in `idy` and `w`, but `A[idy][i]` is,
    and which subscript runs along a row decides how well memory is used.

    *Checks.* Per array, every flat subscript is read as a polynomial over ids,
    loop variables and parameters; division with remainder by a candidate row
    length (a factor that a subscript has: `w`, `w + kw - 1`, `h * w`, 512)
    splits it. The layout that most accesses fit is taken, among equals the one
    with the most subscripts proven to stay in their row. Accesses that do not
    fit keep the one-dimensional array, as do those of more than 128 terms.

    *What holds.* The sum of subscript times stride equals the flat subscript as
    a polynomial, so the address is the same for every value of the variables.
    Not claimed: that a subscript is less than its extent. Guards and loops
    often prove it; `proveSubscripts` (passes/Analysis/SubscriptRanges.h) tells.
    Lowering has to compute these addresses modulo 2^64, without `nuw` or `nsw`.
    The outermost extent is a bound that guards or loops prove for all accesses,
    else the largest index.

    *Rewrite.*
    ```mlir
    %3 = affine.apply affine_map<()[s0, s1, s2] -> …>  // idy * k + i
    %x = memref.load %a[%3] : memref<?xf32>
    // becomes
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %x = affine.load %A[symbol(%idy), %i] : memref<?x?xf32, strided<[?, 1]>>
    ```

    *Remarks.* `DelinearizeAccesses`: passed with both spellings; missed where
    an access is not affine.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numViews", "num-views", "Arrays given several dimensions">,
    Statistic<"numAffineAccesses", "num-affine-accesses", "Accesses made affine">];
}

def ExpandIndexCasts : Pass<"gpuopt-expand-index-casts"> {
  let summary = "Take casts of indices to fewer bits apart";
  let description = [{
    *Why.* Upstream folds `index_cast` of an `index_cast` from the same type
    away, whatever lies between: an index that went through 8 bits would come
    back whole. Kernels that arrive in MLIR may mean the bits that are dropped.

    *Checks.* Only casts from `index` to integers of fewer than 64 bits; an
    index has 64.

    *Rewrite.* A truncation of its own, which no pass takes for nothing.
    ```mlir
    %low = arith.index_cast %i : index to i8
    // becomes
    %wide = arith.index_cast %i : index to i64
    %low = arith.trunci %wide : i64 to i8
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numExpandedCasts", "num-expanded-casts", "Casts taken apart">];
}

def InferNoWrap : Pass<"gpuopt-infer-no-wrap", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Mark sums and products in subscripts that guards keep from wrapping";
  let description = [{
    *Why.* InstCombine turns `w - 1 - x`, which must not wrap, into `w + ~x`,
    which may; unsigned arithmetic may anyway. Where a guard says `x < w` the
    value is exact all the same.

    *Checks.* The value, as a polynomial over ids, loop variables and
    parameters, lies in what its type holds wherever the operation runs: proven
    from the conditions and loops around it (`passes/Analysis/DominatingFacts.h`).
    Only what subscripts and bounds are made of is looked at.

    *Rewrite.* The operation gets `nsw`, `nuw` or both; `a + ~b` becomes
    `a - (b + 1)` first, of which neither wraps as unsigned numbers where b < a:
    ```mlir
    %0 = arith.xori %x, %c-1_i32 : i32
    %1 = arith.addi %w, %0 : i32
    %2 = arith.index_cast %1 : i32 to index
    scf.if %inside {                       // x < w, both i32
      memref.store %v, %b[%2]
    ```
    becomes
    ```mlir
    scf.if %inside {
      %0 = arith.addi %x, %c1_i32 overflow<nsw, nuw> : i32
      %1 = arith.subi %w, %0 overflow<nsw> : i32
      %2 = arith.index_cast %1 : i32 to index
      memref.store %v, %b[%2]
    ```

    *Cost.* None.

    *Remarks.* None: what may wrap, `gpuopt-version-index-range` and
    `gpuopt-raise-index-arithmetic` speak of.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numMarked", "num-marked", "Flags set">];
}

def LowerInput : Pass<"gpuopt-lower-input", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower what MLIR input may hold that no other pass takes";
  let description = [{
    *Why.* Vectorizers leave transfers of vectors of several dimensions, with
    masks at the ends of arrays, and front ends assertions. Analyses know loads,
    stores and branches.

    *Checks.* It runs before launches are prepared, while arrays know their
    extents: masks are made of them. Vectors in forms that the analyses and
    LLVM's conversion take are left alone.

    *Rewrite.* Upstream's patterns, one dimension at a time; an assertion is the
    trap of CUDA C++.
    ```mlir
    %x = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<4xf32>
    cf.assert %holds, "text"
    // becomes
    %x = vector.maskedload %a[%i], %mask, %zeros : …
    %fails = arith.xori %holds, %true : i1
    scf.if %fails {
      llvm.call @__gpuopt_trap() : () -> ()
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"];
}

def PromoteMemory : Pass<"gpuopt-promote-memory", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Keep an element that a loop updates in a register";
  let description = [{
    *Why.* `c[idx] += a[i] * b[i]` in a loop reads and writes global memory in
    every iteration, and hides the reduction from every analysis.

    *Checks.* The element's address does not change in the loop, and the loop
    stores to it in every iteration. Nothing else in the loop may touch it:
    other arrays are in other memory or one of the two is `llvm.noalias`, no
    other element of the same array, no barrier, atomic update or call. No store
    is added where the source has none: the loop runs at least once, or is
    guarded, or the element was stored right before it.

    *Rewrite.*
    ```mlir
    memref.store %zero, %c[%id] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %s = memref.load %c[%id] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      memref.store %t, %c[%id] : memref<?xf32>
    }
    // becomes
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    memref.store %sum, %c[%id] : memref<?xf32>
    ```

    *Remarks.* `PromoteMemory`: passed with the number of accesses; missed with
    what may touch the element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numPromoted", "elements-promoted", "Number of elements kept in a register">];
}

def RaiseControlFlow : Pass<"gpuopt-raise-control-flow", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn the branches of a kernel into scf loops and conditionals";
  let description = [{
    *Why.* Loops and conditions are what access functions, uniformity and every
    transform are computed over.

    *Checks.* None to structure a kernel: every graph of `cf` branches has a
    form in `scf`, and no operation with effects is duplicated or speculated.
    A loop is counted (`scf.for`) only where its variable provably cannot wrap:
    the table is in CountedLoops.h. With a step that is not constant (grid-stride
    loops) it gets a version for bounds with which it cannot, under a test.

    *Rewrite.* Loops with the test on top become `scf.while`, then `scf.for`
    over `index`, and so do those with a test at the end that count
    (`do … while (++i < n)` runs to the maximum of n and the second value);
    everything else goes through upstream's structurisation:
    `break` and `return` out of loops leave an `scf.while`, an early `return`
    encloses the rest of the kernel in `scf.if`, `p += stride` in a counted loop
    becomes `p0 + k * stride`.
    ```mlir
    ^bb1(%i: i32, %s: f32):
      %c = arith.cmpi slt, %i, %n : i32
      cf.cond_br %c, ^bb2, ^bb3
    ^bb2:
      …
      %next = arith.addi %i, %c1 overflow<nsw> : i32
      cf.br ^bb1(%next, %t : i32, f32)
    // becomes
    %sum = scf.for %k = %c0 to %ni step %c1 iter_args(%s = %zero) -> (f32) {
      %i = arith.index_cast %k : index to i32
      …
      scf.yield %t : f32
    }
    ```

    *Remarks.* `RaiseControlFlow`: passed with the step of a counted loop; missed
    with the reason why a loop is not counted.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"numCounted", "loops-counted", "Number of loops raised to scf.for">,
    Statistic<"numWhile", "loops-not-counted", "Number of loops left as scf.while">];
}

def RaiseFunctions : Pass<"gpuopt-raise-functions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn kernels of the LLVM dialect into gpu.func over arith, math, cf and gpu";
  let description = [{
    *Why.* Everything after the import works on upstream's own dialects.

    *Checks.* A kernel whose blocks end in branches, switches and returns is
    raised; another (indirect branches, `invoke`) stays an `llvm.func`, and so
    does one whose branches are nested more than 256 deep. An operation is
    replaced only by one that means the same, flags included.

    *Rewrite.* `llvm.func` to `gpu.func` with the same parameters, LLVM
    arithmetic to `arith`, intrinsics and C's mathematical functions to `math`,
    branches to `cf`, `__gpuopt_*` to `gpu`. Facts that hold for the launch or
    the meaning of code stay as attributes. What has no counterpart (shuffles with
    a mask, fences, inline assembly, `fmuladd`) stays in the LLVM dialect. Markers
    of the lifetime of stack slots go.
    ```mlir
    %0 = llvm.call @__gpuopt_thread_id_x() : () -> i32
    %1 = llvm.add %0, %n overflow<nsw> : i32
    // becomes
    %id = gpu.thread_id x
    %0 = arith.index_cast %id : index to i32
    %1 = arith.addi %0, %n overflow<nsw> : i32
    ```

    *Remarks.* `RaiseFunctions`: missed with the reason where a kernel stays.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::gpuopt::GPUOptDialect",
    "::mlir::math::MathDialect", "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"numKept", "kernels-kept", "Number of kernels left as llvm.func">,
    Statistic<"numRaised", "kernels-raised", "Number of kernels raised to gpu.func">];
}

def RaiseGlobalIds : Pass<"gpuopt-raise-global-ids", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Recognise block_id * block_dim + thread_id as the work item's id";
  let description = [{
    *Why.* A kernel that only uses the ids of work items can be launched with
    any block shape.

    *Checks.* None beyond arithmetic: the value is congruent to the work item's
    id in every integer width, whatever the order of operands, with constants
    and casts in between. It is exact because a launch has fewer than 2^31 work
    items per dimension, which launchers check.

    *Rewrite.*
    ```mlir
    %0 = arith.muli %block_id, %block_dim : i32
    %1 = arith.addi %0, %thread_id : i32
    // becomes
    %id = gpu.global_id x
    %1 = arith.index_cast %id : index to i32
    ```

    A block id that stands alone along its dimension stays as it is, so that the
    raised kernel is right in every launch. It is the work item's id where a
    block has one thread along the dimension; `gpuopt-assign-geometry` makes use
    of that.

    *Remarks.* `RaiseGlobalIds`: passed per dimension; analysis for a block id
    that stands alone; missed where thread or block ids are left, since the
    kernel then keeps its original launch.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numGlobalIds", "num-global-ids", "Values raised to global ids">];
}

def RaiseIndexArithmetic : Pass<"gpuopt-raise-index-arithmetic", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn integer arithmetic on ids and sizes into index arithmetic";
  let description = [{
    *Why.* Affine analyses read `index` values and `affine.apply`, sources use
    `int`, `unsigned` and `size_t`.

    *Checks.* A value becomes an index where it provably equals the mathematical
    value of its expression: signed arithmetic that must not wrap (`nsw`), or
    operands whose ranges (ids are in [0, 2^31), loop variables within their
    bounds) leave no room to. Arithmetic of 64 bits is congruent to that of
    indices, which is all that an address needs. Comparisons of ids, loop
    variables and parameters compare indices; conditions lose negations
    (De Morgan) and short circuits whose second operand is safe to evaluate; an
    early return (an empty `then`) becomes a guard around the rest.

    *Rewrite.*
    ```mlir
    %0 = arith.cmpi sge, %idx_i32, %n : i32
    %1 = arith.cmpi sge, %idy_i32, %m : i32
    %2 = arith.select %0, %true, %1 : i1
    scf.if %2 { } else { … }
    // becomes
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i32 to index
    %0 = arith.cmpi slt, %idx, %ni : index
    %1 = arith.cmpi slt, %idy, %mi : index
    %2 = arith.andi %0, %1 : i1
    scf.if %2 { … }
    ```

    *Remarks.* `RaiseIndexArithmetic`: missed where an index may wrap.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numCasts", "num-casts", "Casts to index moved up">,
    Statistic<"numComparisons", "num-comparisons", "Comparisons of indices">];
}

def RaiseIndices : Pass<"gpuopt-raise-indices", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn the integer arithmetic behind subscripts and bounds into index arithmetic";
  let description = [{
    *Why.* Subscripts and bounds are affine only when they are computed in
    `index`, not in 32 bits and extended.

    *Checks.* An extension moves inwards only where nothing can wrap, by flags
    or by ranges: the table is in IndexArithmetic.h. Otherwise the narrow
    computation stays and its result is cast.

    *Rewrite.*
    ```mlir
    %0 = arith.muli %idy, %k overflow<nsw> : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.index_cast %1 : i64 to index
    // becomes
    %0 = arith.index_cast %idy : i32 to index
    %1 = arith.index_cast %k : i32 to index
    %2 = arith.muli %0, %1 : index
    ```
    Integer arithmetic over values of the kernel's top level moves there.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RaiseLoops : Pass<"gpuopt-raise-loops", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn counted loops into affine.for";
  let description = [{
    *Why.* Transforms tile and stage loops whose trip counts and strides are
    affine.

    *Checks.* The bounds are exact sums of ids, outer loops' variables and
    parameters (or minima and maxima of such), the step is a positive constant.
    Where they are no such sums, but their difference is, as of a pointer that
    moves along a row of `k` elements, the loop counts from 0. So does one that
    work items, or iterations of loops around, begin at different numbers but
    count as far: they do the same at the same time then. Loops that are affine
    already are asked for that again, since the block may be known by now;
    accesses by rows that were found for the old iterator are flat again. A loop
    that fails all this becomes an `scf.for` over `index`.

    *Rewrite.*
    ```mlir
    scf.for %i = %c0 to %k step %c1 : i32 { … }
    // becomes
    %ki = arith.index_cast %k : i32 to index
    affine.for %i = 0 to %ki { … }

    scf.for %p = %row to %end step %c1 { … }     // %row = %y * %k, %end = %row + %k
    // becomes
    affine.for %i = 0 to %k { %p = arith.addi %row, %i … }
    ```

    *Remarks.* `RaiseLoops`: passed; missed with the bound that is not affine.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numAffineLoops", "num-affine-loops", "Loops raised to affine.for">];
}

def RaiseMemory : Pass<"gpuopt-raise-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn pointers into memrefs and pointer arithmetic into indices";
  let description = [{
    *Why.* A pointer says nothing about what it points into; a memref and an
    index do.

    *Checks.* Every pointer is traced to the array it points into. An array
    becomes a memref when all that happens to its pointers are loads, stores and
    atomic updates of numbers, at offsets that are multiples of the smallest.
    Volatile and atomic loads, addresses that are stored or passed on, pointers
    into two arrays, structs by value and memory whose size the launch sets
    keep an array as it is.

    *Rewrite.* Parameters become `memref<?xT>`, workgroup variables attributions,
    other variables `gpuopt.get_variable`, local arrays `memref.alloca`. Pointers that are passed along branches become
    offsets. Structs of numbers are accessed by the number, wider accesses as
    vectors.
    ```mlir
    %0 = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %1 = llvm.load %0 : !llvm.ptr -> f32
    // becomes
    %0 = arith.index_cast %i : i64 to index
    %1 = memref.load %a[%0] : memref<?xf32>
    ```
    Atomic updates become `memref.atomic_rmw` where the source's are relaxed
    and of the device's scope at most: lowering makes it that.

    *Remarks.* `RaiseMemory`: missed with the reason where an array stays.
  }];
  let dependentDialects = [
    "::gpuopt::GPUOptDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numKept", "arrays-kept", "Number of arrays left as pointers">,
    Statistic<"numRaised", "arrays-raised", "Number of arrays raised to memrefs">];
}

def RerollLoops : Pass<"gpuopt-reroll-loops", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Undo unrolling by hand";
  let description = [{
    *Why.* What is unrolled in the source, with another loop for the iterations
    that are left over, has twice the accesses, none of them neighbours from
    one iteration to the next: tiles, prefetching and register tiles see two
    loops that load more than they need. Passes unroll what is worth it.

    *Checks.* An `affine.for` in steps of S > 1 from 0 hands all that it carries
    on to another one in steps of 1, which begins where it ends, with fewer than
    S iterations left. Its body is S times the body of that one, matched from
    what it yields, for as many values of the variable. Both only read memory.

    *Rewrite.* The second loop begins at 0:
    ```mlir
    %s = affine.for %i = 0 to %k - 1 step 2 iter_args(%a = %zero) -> (f32) {
      %x = affine.load %p[%i]
      %b = arith.addf %a, %x
      %y = affine.load %p[%i + 1]
      %c = arith.addf %b, %y
      affine.yield %c
    }
    %r = affine.for %i = %end to %k iter_args(%a = %s) -> (f32) {  // %end = (k - 1) ceildiv 2 * 2
      %x = affine.load %p[%i]
      %b = arith.addf %a, %x
      affine.yield %b
    }
    ```
    becomes
    ```mlir
    %r = affine.for %i = 0 to %k iter_args(%a = %zero) -> (f32) {
      %x = affine.load %p[%i]
      %b = arith.addf %a, %x
      affine.yield %b
    }
    ```

    *Cost.* None: the sums are the same, in the same order.

    *Remarks.* `RerollLoops`: passed, with the number of iterations that were
    written out.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
  let statistics = [
    Statistic<"numRerolled", "num-rerolled", "Loops that are one again">];
}

def VersionIndexRange : Pass<"gpuopt-version-index-range", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Add a version of the kernel for sizes where indices cannot wrap";
  let description = [{
    *Why.* `a[y * w + x]` with `unsigned` operands wraps at 2^32 by the rules of
    the language, so its address is no affine function. No real size wraps.

    *Checks.* Each widened sum or product is bounded over all work items and
    iterations by a polynomial over parameters and launch sizes: guards, loop
    bounds and the number of work items bound its variables. The test compares
    every partial product and the sum with what the narrow type holds; it is the
    same for all threads.

    *Rewrite.*
    ```mlir
    %flat = arith.addi %row, %x : i32
    %i = arith.index_castui %flat : i32 to index
    memref.store %v, %c[%i] : memref<?xf32>
    // becomes
    scf.if %sizes_fit {
      memref.store %v, %c[%exact] : memref<?xf32>
    } else {
      … // as it was
    }
    ```

    *Remarks.* `VersionIndexRange`: passed for each index; missed where a value
    computed at the top level is an affine symbol that a version would enclose.
    What cannot be bounded is reported by `gpuopt-raise-index-arithmetic`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numIndices", "num-indices", "Indices made exact in a version">];
}

#endif // GPUOPT_PASSES_RAISING_TD
