//===- GPUOptOps.td - operations of the gpuopt dialect -----*- tablegen -*-===//

#ifndef GPUOPT_OPS_TD
#define GPUOPT_OPS_TD

include "dialects/GPUOpt/GPUOptBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def GPUOpt_GridBarrierOp : Op<GPUOpt_Dialect, "grid_barrier",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all work items of the launch meet";
  let description = [{
    What `gpuopt_global_sync()` of the source (and `grid.sync()` of cooperative
    groups) becomes: no work item goes on before all of the launch have come, and
    what any of them wrote to memory before is seen by all behind. Every work
    item reaches it, equally often.

    `gpuopt-split-at-grid-barriers` makes separate launches of what lies between
    two of them; where it stays, the launch must be cooperative, with all blocks
    resident at once.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // GPUOPT_OPS_TD
