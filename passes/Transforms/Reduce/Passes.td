//===- Passes.td - several threads for a row ---------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_REDUCE_PASSES_TD
#define GPUOPT_TRANSFORMS_REDUCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DistributeReductions
    : Pass<"gpuopt-distribute-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary =
      "let the lanes of a subgroup share the row that a work item walks along";
  let description = [{
    *Why.* Softmax, layer normalisation, sums and largest elements of rows, and
    products of a matrix and a vector are written with a thread for each row:
    neighbouring threads are a row apart in memory, and there are as few threads
    as rows. Partial sums (Fauzia, Pouchet and Sadayappan, CGO 2015, section 4.4)
    make neighbours of the threads that read neighbouring elements.

    *Checks.* For a kernel that could get any block (as
    `gpuopt-assign-geometry`), with a loop along a row: one in whose iterations
    something is contiguous that is not from one work item to the next.
    * Each loop that lanes share: what it carries is a sum, product, minimum,
      maximum or bit operation (sums and products of floating-point numbers only
      with the `reassoc` flag, `--reassociate`), or the first or last of the
      largest or least elements with what belongs to it, such as its position. No
      iteration accesses what another one writes.
    * Other loops are around such loops, or have at most 8 iterations: all lanes
      go around them.
    * What else happens is arithmetic, loads, stores, updates whose results are
      not used, and calls of mathematical functions.
    * The target's lanes can exchange values.

    *Rewrite.* For subgroups of 32:
    ```mlir
    %r = gpu.global_id x
    %g = arith.cmpi slt, %r, %n : index
    scf.if %g {
      %m = affine.for %i = 0 to %w iter_args(%s = %init) -> (i32) {
        %x = affine.load %a[%r, %i]
        %t = arith.addi %s, %x : i32
        affine.yield %t : i32
      }
      affine.store %m, %out[%r]
    }
    ```
    becomes
    ```mlir
    %lane = %t mod 32, %r = %b * 4 + %t floordiv 32
    scf.if %g {
      %p = affine.for %i = %lane to %w step 32 iter_args(%s = %zero) -> (i32) { … }
      %q = %p + (%p of lane ^ 16), then ^ 8, ^ 4, ^ 2, ^ 1        gpu.shuffle xor
      %m = arith.addi %init, %q : i32
      scf.if %lane == 0 { affine.store %m, %out[%r] }
    }
    ```
    All lanes of a subgroup have the same work item, so that they agree on all
    conditions: none is missing where values are exchanged. What they exchange is
    symmetric, so that all get the same result. What only one of them may
    do, or what reads memory that the kernel writes, the first one does, and tells
    the others what it has read. Where a lane accesses what another one has
    written, or may have, a barrier of the subgroup stands between: in softmax,
    where each lane reads what it wrote itself, there is none. Sums of integers
    lose `nsw` and `nuw`.

    The geometry has `rows` items and `rows` times `subgroup_size` threads a
    block.

    *Cost.* A row that is known to have fewer elements than half a subgroup has
    lanes stays with its thread; where launchers can tell its length, they take
    the original kernel for such rows. All others are taken to be long. Loops in which lanes
    would be far apart although threads are neighbours keep the kernel as it is.

    *Remarks.* `DistributeReductions`: passed with the lanes and rows of a block,
    missed with the reason; silent where no loop is along a row.
  }];
  let options =
      [Option<"rows", "rows", "int64_t", /*default=*/"4",
              "work items of a block">,
       Option<"target", "target", "std::string", /*default=*/"",
              "machine description (default: the 'gpuopt.target' attribute)">];
  let statistics = [Statistic<"distributed", "kernels-distributed",
                              "kernels whose rows lanes share">,
                    Statistic<"loops", "loops-shared",
                              "loops whose iterations lanes share">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_REDUCE_PASSES_TD
