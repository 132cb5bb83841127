//===- GPUOptOps.td - operations of the gpuopt dialect -----*- tablegen -*-===//

#ifndef GPUOPT_OPS_TD
#define GPUOPT_OPS_TD

include "dialects/GPUOpt/GPUOptBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class GPUOpt_Op<string mnemonic, list<Trait> traits = []>
    : Op<GPUOpt_Dialect, mnemonic, traits>;

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

def GPUOpt_MatrixDescriptorOp : GPUOpt_Op<"matrix_descriptor"> {
  let summary = "where a matrix for a warpgroup begins in workgroup memory";
  let description = [{
    What `warpgroup_product` takes for a matrix: the place of an element of a
    tile, from which on 64 rows (or as many columns as the product has) and
    `depth` products are read. Lines of 128 bytes lie in the swizzle of 128 bytes
    that `wgmma` knows: chunk c of line l at chunk c xor (l mod 8).

    ```mlir
    %d = gpuopt.matrix_descriptor %tile[%row, %k] {interleave = 64 : i64}
        : memref<128x64xbf16, #gpu.address_space<workgroup>>
    ```

    The tile is `[line][product]`, or with `transposed` `[product][line]`. With
    `interleave = n`, lines l and l + n, which one thread has sums of, are eight
    lines apart in memory: those of a subgroup are then neighbours.

    Subscripts are of the tile as it is written, row by row, until
    `gpuopt-eliminate-bank-conflicts` lays it out; from then on they are those of
    a tile with rows of 128 bytes, and `panel_bytes` is how far apart the parts
    of 128 bytes are that a row of a transposed tile was cut into (0 where the
    tile is not transposed).
  }];
  let arguments = (ins
    Arg<AnyStaticShapeMemRef, "", [MemRead]>:$tile,
    Variadic<Index>:$indices,
    OptionalAttr<I64Attr>:$interleave,
    UnitAttr:$transposed,
    OptionalAttr<I64Attr>:$panel_bytes);
  let results = (outs I64:$descriptor);
  let assemblyFormat = "$tile `[` $indices `]` attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def GPUOpt_WarpgroupProductOp : GPUOpt_Op<"warpgroup_product",
    [MemoryEffects<[MemRead]>]> {
  let summary = "a warpgroup multiplies two matrices in workgroup memory";
  let description = [{
    `steps` instructions `wgmma.mma_async` of shape `[64, n, depth]` one after the
    other, for the same sums: what four subgroups do together. From one to the
    next, the matrices begin `row_step` and `column_step` bytes further on.

    ```mlir
    %new:128 = gpuopt.warpgroup_product %rows, %columns, %old#0, %old#1, …
        {shape = array<i64: 64, 256, 16>, operands = bf16, steps = 4 : i64,
         row_step = 32 : i64, column_step = 32 : i64} : f32
    ```

    Each thread has `n / 2` sums, in the order of the instruction's registers.
    All threads of the warpgroup come here, with the same descriptors.

    With `pending = p`, the last p groups of products may still be on their way
    behind the operation: its results are for another product, or for
    `warpgroup_wait`, and nothing else; and what the matrices lie in must stay.
  }];
  let arguments = (ins I64:$rows, I64:$columns, Variadic<AnyType>:$sums,
    DenseI64ArrayAttr:$shape, TypeAttr:$operands, I64Attr:$steps,
    I64Attr:$row_step, I64Attr:$column_step,
    UnitAttr:$rows_transposed, UnitAttr:$columns_transposed,
    DefaultValuedAttr<I64Attr, "0">:$pending);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $rows `,` $columns `,` $sums attr-dict `:`
    custom<SumTypes>(ref($sums), type($sums), type($results))
  }];
  let hasVerifier = 1;
}

def GPUOpt_WarpgroupWaitOp : GPUOpt_Op<"warpgroup_wait",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all products of the warpgroup are done";
  let description = [{
    Gives sums back once no product is on its way any more.
  }];
  let arguments = (ins Variadic<AnyType>:$sums);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $sums attr-dict `:`
    custom<SumTypes>(ref($sums), type($sums), type($results))
  }];
}

#endif // GPUOPT_OPS_TD
