//===- Passes.td - parts of arrays for blocks --------------*- tablegen -*-===//

#ifndef GPUOPT_TRANSFORMS_SHARE_PASSES_TD
#define GPUOPT_TRANSFORMS_SHARE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ShareArrays : Pass<"gpuopt-share-arrays", "::mlir::gpu::GPUModuleOp"> {
  let summary = "choose the arrays that blocks keep in workgroup memory, and the block";
  let description = [{
    *Why.* What a block works on can be said of data instead of threads: these
    rows of A, those columns of B. From that follow the iterations of a block, the
    parts of all other arrays, and what workgroup memory saves (Li et al., "Pragma
    Directed Shared Memory Centric Optimizations on GPUs", JCST 2016).

    *What it starts from.* `gpuopt.share`, the hints of the source; where there are
    none, a part of each array that is loaded: as many elements as the block has
    threads where a work item's id selects them.

    *Choice* (section 3.2).
    * Arrays that are computed from hinted ones, or they from them, are candidates.
    * The inverse images of hinted parts under affine accesses split the
      iterations; compatible splits are intersected.
    * A candidate's part is the hull of what its references access in these
      iterations; those whose subscripts differ by more than constants have parts of
      their own.
    * It is reused where a block's references are more than `reuse-threshold` times
      its elements, and not coalesced where neighbours along x do not access
      neighbouring elements in the same step, or the hint says so.
    * A plan saves the bytes of all references to reused arrays, and
      `transaction-bytes` for each transaction that is not coalesced. All blocks of
      powers of two are looked at, with all powers of two of iterations that a tile
      serves; what is not coalesced needs rows as long as a line, and tiles take up
      to `memory-share` of a multiprocessor's workgroup memory.
    It is an estimate: what is legal, the passes that follow the plan decide.

    *Rewrite.* The plan is recorded, for `gpuopt-assign-geometry` and
    `gpuopt-coalesce-accesses`; the matrix product
    ```mlir
    gpu.func @mm(%a: …, …) kernel attributes {gpuopt.share = ["a[TBY][*]:coalesce", "b[*][TBX]"]}
    ```
    becomes
    ```mlir
    gpu.func @mm(%a: …, …) kernel attributes {…, gpuopt.partition = {
      arrays = ["a", "b"], block = array<i32: 32, 32, 1>, items = array<i32: 1, 1, 1>,
      iterations = 32 : i64}}
    ```
    With `items=4` a thread has four of the 32 x 32 work items, along y as x is what
    keeps accesses coalesced (section 3.3.2): `block` is 32 x 8 x 1, `items` 1 x 4 x 1,
    which is what `gpuopt-merge-for-target` merges then.

    *Remarks.* `SharePlanned` with the block, the arrays, the profit and its
    formula, and what bounds it; `ShareAlternative` for each other split;
    `ShareNotPlanned` and `ShareHintIgnored` with the reason.
  }];
  let options = [
    Option<"memoryShare", "memory-share", "double", /*default=*/"0.25",
           "the part of a multiprocessor's workgroup memory that a block may have">,
    Option<"reuseThreshold", "reuse-threshold", "double", /*default=*/"1.5",
           "references for each element from which on an array is reused">,
    Option<"transactionBytes", "transaction-bytes", "int64_t", /*default=*/"0",
           "bytes of a transaction with global memory (default: a sector)">,
    Option<"items", "items", "int64_t", /*default=*/"1",
           "work items of a thread along y, or x where there is no y: the block has "
           "so many times fewer threads">,
    ListOption<"sizes", "sizes", "std::string",
               "values of parameters that profits are of: n=1024,… (default: 4096)">,
    Option<"target", "target", "std::string", /*default=*/"",
           "machine description (default: the 'gpuopt.target' attribute)">
  ];
  let statistics = [
    Statistic<"planned", "kernels-planned", "kernels with a plan">
  ];
  let dependentDialects = ["::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_SHARE_PASSES_TD
