//===- GPUOptGeometry.td - the launch geometry -------------*- tablegen -*-===//

#ifndef GPUOPT_GEOMETRY_TD
#define GPUOPT_GEOMETRY_TD

include "dialects/GPUOpt/GPUOptBase.td"

def GPUOpt_GeometryAttr : GPUOpt_Attr<"Geometry", "geometry"> {
  let summary = "how a kernel's launch covers the original work items";
  let description = [{
    Stands as `gpuopt.geometry` on a `gpu.func` whose body no longer depends on
    the launch's block shape. `block` is the block shape that it must be
    launched with; `items_per_thread` and `items_per_block` are the numbers of
    *original* work items that one thread and one block cover in x, y, z.

    With N work items launched originally along a dimension (grid * block), the
    new grid is ceil(N / items_per_block). The rounded-up launch is equal to the
    original when, in each dimension, N is a multiple of `items_per_block`, or
    `extents` holds a map from the kernel's arguments (argument i is symbol i)
    to the extent E that guards every side effect, and E <= N. A dimension
    without a known extent holds `unit`. Where E < N, ceil(E / items_per_block)
    blocks do, unless the kernel reads their number; where E <= 0, nothing has
    to be launched.

    A kernel that takes the block's id for the work item's id is covered only in
    launches for which that is true: `original_block` holds, where it stands,
    the block size that the original launch must have in x, y, z, and 0 where
    any will do.

    Where one of these conditions does not hold, the launcher runs the kernel
    that `gpuopt.fallback` names, with the original grid and block.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "threads per block in x, y, z">:$block,
    ArrayRefParameter<"int64_t", "original work items per thread">:$items_per_thread,
    ArrayRefParameter<"int64_t", "original work items per block">:$items_per_block,
    OptionalParameter<"::mlir::ArrayAttr", "guarding extent per dimension">:$extents,
    OptionalArrayRefParameter<"int64_t", "required original block, 0 for any">:$original_block
  );
  let assemblyFormat = [{
    `<` (`original_block` `=` `[` $original_block^ `]` `,` ` `)?
        `block` `=` `[` $block `]` `,`
        `items_per_thread` `=` `[` $items_per_thread `]` `,`
        `items_per_block` `=` `[` $items_per_block `]`
        (`,` `extents` `=` $extents^)? `>`
  }];
  let genVerifyDecl = 1;
}

// Diagonal: y from blockIdx.x, x from the sum of both, so that blocks which are
// started together lie in different rows and columns. Grouped: rows of blocks in
// groups, each worked on column by column.
def GPUOpt_BlockOrderKind : I32EnumAttr<"BlockOrderKind",
    "how a kernel's blocks are ordered", [
    I32EnumAttrCase<"Diagonal", 0, "diagonal">,
    I32EnumAttrCase<"Grouped", 1, "grouped">]> {
  let cppNamespace = "::gpuopt";
}

def GPUOpt_BlockOrderAttr : GPUOpt_Attr<"BlockOrder", "block_order"> {
  let summary = "in which order the blocks of a kernel work";
  let description = [{
    Stands as `gpuopt.block_order` on a kernel whose blocks do not work in the
    launch's order: `gpuopt-swizzle-blocks` has put them in groups of `rows`
    rows, or `gpuopt-eliminate-partition-camping` in diagonal order.

    ```mlir
    #gpuopt.block_order<diagonal>
    #gpuopt.block_order<grouped, rows = 8>
    ```
  }];
  let parameters = (ins
    EnumParameter<GPUOpt_BlockOrderKind>:$kind,
    DefaultValuedParameter<"int64_t", "0", "rows of blocks in a group">:$rows
  );
  let assemblyFormat = "`<` $kind (`,` `rows` `=` $rows^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// `diagonal`, `grouped by 8`.
    std::string describe() const;
  }];
}

#endif // GPUOPT_GEOMETRY_TD
