//===- Passes.td - what is left over -----------------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_CLEANUP_PASSES_TD
#define GPUOPT_TRANSFORMS_CLEANUP_PASSES_TD

include "mlir/Pass/PassBase.td"

def CleanUp : Pass<"gpuopt-clean-up", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fold and canonicalize what has changed since the last time";
  let description = [{
    *Why.* Every transform leaves folding, dead code and common subexpressions to
    upstream's `canonicalize` and `cse`. In a pipeline of many transforms most
    change nothing in most functions, and the two would take a fifth of the time.

    *Rewrite.* In each function of the module what those two passes do, once:
    ```mlir
    %a = arith.addi %x, %c0 : index
    %b = arith.muli %a, %y : index
    %c = arith.muli %x, %y : index
    ```
    becomes
    ```mlir
    %b = arith.muli %x, %y : index
    ```
    with `%b` in the place of `%c`. Control flow of a `gpu.func` is left as it
    is: it is structured.

    *Checks.* A function that is, operation by operation, the one that this pass
    left the last time is skipped.
  }];
  let statistics = [
    Statistic<"cleaned", "functions-cleaned", "Functions that had changed">
  ];
}

def HoistInvariants : Pass<"gpuopt-hoist-invariants", "::mlir::gpu::GPUModuleOp"> {
  let summary = "compute before a loop what all of its iterations share";
  let description = [{
    *Why.* Upstream's `loop-invariant-code-motion` takes a remainder for defined
    whatever its divisor is, and moves it out of loops that do not run, whose
    bounds may be what keeps the divisor from being zero.

    *Rewrite.* From the innermost loop out:
    ```mlir
    affine.for %i = 0 to %n {
      %a = arith.muli %x, %y : i32
      %b = arith.remsi %x, %n_i32 : i32
      …
    }
    ```
    becomes
    ```mlir
    %a = arith.muli %x, %y : i32
    affine.for %i = 0 to %n {
      %b = arith.remsi %x, %n_i32 : i32
      …
    }
    ```

    *Checks.* What is moved has no effect and is defined whatever its operands
    are, or stands in front of all that may end the first iteration of a loop
    whose constant bounds say that there is one. A division is defined where the
    divisor is a constant, or known to be positive and no poison.
  }];
  let statistics = [
    Statistic<"hoisted", "operations-hoisted", "Operations moved out of loops">
  ];
}

def UnrollGeometricLoops
    : Pass<"gpuopt-unroll-geometric-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "unroll loops whose counter doubles or halves";
  let description = [{
    *Why.* Trees and scans in workgroup memory go through distances of 128, 64, …, 1.
    What they access at such a distance has a known address, and a known number of
    threads that take part, only where each step is written out. Then banks and
    barriers can be judged. (The back end unrolls such loops anyway.)

    *Checks.* An `scf.while` with a barrier or accesses of workgroup memory whose
    condition follows from numbers for at most `max-trip-count` iterations; an
    `affine.for` of as many in which something is shifted by the iterator. What comes
    out has at most `max-operations` operations. Outer loops are unrolled first: what
    the inner ones of a sorting network begin with is a number then.

    *Rewrite.*
    ```mlir
    scf.while (%i = %c64) : (i32) -> i32 {
      %o = arith.shrui %i, %c1 : i32
      %more = arith.cmpi ne, %o, %c0 : i32
      scf.condition(%more) %o : i32
    } do {
    ^bb0(%o: i32):
      %active = arith.cmpi slt, %t, %o : i32
      scf.if %active { … }
      gpu.barrier
      scf.yield %o : i32
    }
    ```
    becomes
    ```mlir
    %active = arith.cmpi slt, %t, %c32 : i32
    scf.if %active { … }
    gpu.barrier
    %active_0 = arith.cmpi slt, %t, %c16 : i32
    scf.if %active_0 { … }
    gpu.barrier
    …
    ```

    *Remarks.* `UnrollGeometricLoops`: passed with the number of steps.
  }];
  let options = [
    Option<"maxTripCount", "max-trip-count", "int64_t", /*default=*/"16",
           "most iterations of a loop that is unrolled">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"1024",
           "most operations of an unrolled loop">
  ];
  let statistics = [
    Statistic<"unrolled", "loops-unrolled", "loops whose steps were written out">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

#endif // GPUOPT_TRANSFORMS_CLEANUP_PASSES_TD
