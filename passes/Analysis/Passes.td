//===- Passes.td - passes that write down what analyses find *- tablegen -*-===//

#ifndef GPUOPT_ANALYSIS_PASSES_TD
#define GPUOPT_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateAccesses : Pass<"gpuopt-annotate-accesses"> {
  let summary = "write down how each access of a kernel uses memory";
  let description = [{
    *Why.* What the transforms decide on becomes visible: for reading, and for
    golden tests of the analyses. The attributes are output only; no transform
    reads them.

    *Does.* For each load and store of a `gpu.func`: attaches `#gpuopt.access`
    (the address as a function of block id, thread id, loop iterators and
    parameters) and, for global memory, `#gpuopt.segment` (verdict, stride and
    sectors per request on `target`) and `#gpuopt.sharing` (which neighbouring
    threads and blocks load the same data). The block shape is that of the kernel's
    `gpuopt.geometry`, else `block`. Parameters have the values of `sizes`, else
    a large power of two.

    *Before → after*, for floats, `target=sm_90 block=32`:
    ```mlir
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<?xf32>
    ```
    ```mlir
    %i = gpu.global_id x
    %v = memref.load %a[%i] {
        gpuopt.access = #gpuopt.access<array = "a", kind = load, space = global,
            element_bytes = 4, bytes = 4, function = "bx*bdx + tx">,
        gpuopt.segment = #gpuopt.segment<verdict = coalesced, stride_bytes = 4,
            sectors = 4, staging = g2r>} : memref<?xf32>
    ```

    *Remarks.* Analysis remarks `Coalescing` at each global access, `Sharing` at
    each global load that neighbouring blocks share, `BankConflicts` at each
    workgroup access and `Traffic` at each kernel, the last with the sectors that
    one original work item costs.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90\"",
           "machine description: a known name or a file">,
    ListOption<"block", "block", "int64_t",
               "block shape of kernels without a geometry (default 16,16, "
               "or 256 where only ids in x are read)">,
    ListOption<"sizes", "sizes", "std::string",
               "values of parameters, as name=value">
  ];
  let statistics = [
    Statistic<"numResolved", "accesses-resolved", "accesses with an address">,
    Statistic<"numUnresolved", "accesses-unresolved",
              "accesses without an address">
  ];
  let dependentDialects = ["gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_ANALYSIS_PASSES_TD
