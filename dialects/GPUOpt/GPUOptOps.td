//===- GPUOptOps.td - operations of the gpuopt dialect -----*- tablegen -*-===//

#ifndef GPUOPT_OPS_TD
#define GPUOPT_OPS_TD

include "dialects/GPUOpt/GPUOptBase.td"
include "mlir/IR/SymbolInterfaces.td"
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

def GPUOpt_GetVariableOp : Op<GPUOpt_Dialect, "get_variable",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a variable of the module, as an array";
  let description = [{
    The memory of a `__constant__` or `__device__` variable (`__constant`, in
    OpenCL C), from its first byte on, as elements of the result's type:

    ```mlir
    llvm.mlir.global external constant @w(dense<0.0> : tensor<5xf32>)
        {addr_space = 4 : i32, externally_initialized} : !llvm.array<5 x f32>
    …
      %w = gpuopt.get_variable @w : memref<5xf32, 4>
    ```

    The variable stays what it is, an `llvm.mlir.global` with its name, contents,
    linkage and alignment: the host looks for it in the binary. Constant memory
    is memory space 4, on all targets; other variables are in the default space,
    as arrays that the kernel is given are. Nothing writes constant memory while
    a kernel runs. A pointer that the kernel is given may point to any other
    variable; two variables are distinct.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs AnyStaticShapeMemRef:$array);
  let assemblyFormat = "$variable attr-dict `:` type($array)";
  let extraClassDeclaration = [{
    /// The memory space of arrays in constant memory.
    static constexpr unsigned kConstantSpace = 4;
  }];
}

#endif // GPUOPT_OPS_TD
