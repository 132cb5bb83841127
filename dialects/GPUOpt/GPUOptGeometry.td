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
    without a known extent holds `unit`.

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

#endif // GPUOPT_GEOMETRY_TD
