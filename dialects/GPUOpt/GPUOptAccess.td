//===- GPUOptAccess.td - facts about loads and stores ------*- tablegen -*-===//

#ifndef GPUOPT_ACCESS_TD
#define GPUOPT_ACCESS_TD

include "dialects/GPUOpt/GPUOptBase.td"

//===----------------------------------------------------------------------===//
// Enumerations, shared with passes/Analysis
//===----------------------------------------------------------------------===//

class GPUOpt_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::gpuopt";
}

def GPUOpt_AccessKind : GPUOpt_Enum<"AccessKind", "what an access does", [
    I32EnumAttrCase<"Load", 0, "load">,
    I32EnumAttrCase<"Store", 1, "store">,
    I32EnumAttrCase<"Atomic", 2, "atomic">]>;

def GPUOpt_MemorySpace : GPUOpt_Enum<"MemorySpace", "memory of an array", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Workgroup", 1, "workgroup">,
    I32EnumAttrCase<"Private", 2, "private">,
    I32EnumAttrCase<"Constant", 3, "constant">]>;

// Coalesced: as few transactions as the bytes need. Broadcast: neighbouring
// lanes read the same address, a[idy][i]. Strided: neighbours lie a constant
// distance apart, a[idx][i] or a[3 * idx]. Misaligned: neighbours touch, but
// segments start elsewhere, b[idx + 1]. Irregular: the address is known, but
// neighbours are not evenly spaced. Unresolved: the address is not known.
def GPUOpt_Verdict : GPUOpt_Enum<"Verdict",
    "how the lanes of a subgroup lie in memory", [
    I32EnumAttrCase<"Coalesced", 0, "coalesced">,
    I32EnumAttrCase<"Broadcast", 1, "broadcast">,
    I32EnumAttrCase<"Strided", 2, "strided">,
    I32EnumAttrCase<"Misaligned", 3, "misaligned">,
    I32EnumAttrCase<"Irregular", 4, "irregular">,
    I32EnumAttrCase<"Unresolved", 5, "unresolved">]>;

def GPUOpt_Staging : GPUOpt_Enum<"Staging",
    "where a load from global memory puts its value", [
    I32EnumAttrCase<"Registers", 0, "g2r">,
    I32EnumAttrCase<"Workgroup", 1, "g2s">]>;

def GPUOpt_Neighbours : GPUOpt_Enum<"Neighbours", "who shares data", [
    I32EnumAttrCase<"Threads", 0, "threads">,
    I32EnumAttrCase<"Blocks", 1, "blocks">]>;

// Full: the same data. Partial: some of it, in a halo or in another iteration.
// Segments: different elements of the same memory transactions. None: nothing.
// Unknown: the address is not known.
def GPUOpt_SharingKind : GPUOpt_Enum<"SharingKind",
    "how much of its data a neighbour shares", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Full", 1, "full">,
    I32EnumAttrCase<"Partial", 2, "partial">,
    I32EnumAttrCase<"Segments", 3, "segments">,
    I32EnumAttrCase<"Unknown", 4, "unknown">]>;

def GPUOpt_Direction : GPUOpt_Enum<"Direction", "dimension of a launch", [
    I32EnumAttrCase<"X", 0, "x">,
    I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def GPUOpt_AccessAttr : GPUOpt_Attr<"Access", "access"> {
  let summary = "the address of a load or store as a function of the ids";
  let description = [{
    Stands as `gpuopt.access` on a load or store, made by
    `gpuopt-annotate-accesses`. `function` is the position in the array, counted
    in its elements, as a polynomial over

    | variable | stands for |
    |---|---|
    | `bx`, `by`, `bz` | `gpu.block_id` |
    | `tx`, `ty`, `tz` | `gpu.thread_id` |
    | `bdx`, `bdy`, `bdz`; `gdx`, `gdy`, `gdz` | `gpu.block_dim`; `gpu.grid_dim` |
    | `i0`, `i1`, … | loop iterators, in the order in which the loops occur |
    | any other | the parameter of that name |

    (the types of index in section 3.2 of Yang et al. 2012: constant,
    predefined, loop). A position that is no whole number of elements is given
    as `(…) bytes`. The fourth type, unresolved, has no `function` and says in
    `unresolved` why.

    ```mlir
    // A[idy * k + i] of a naive matrix product.
    #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4,
                   bytes = 4, function = "by*bdy*k + ty*k + i0">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the array in the source">:$array,
    EnumParameter<GPUOpt_AccessKind>:$kind,
    EnumParameter<GPUOpt_MemorySpace>:$space,
    GPUOpt_Count<"bytes of an element of the array">:$element_bytes,
    GPUOpt_Count<"bytes that one thread moves">:$bytes,
    StringRefParameter<"position in elements", [{""}]>:$function,
    StringRefParameter<"why there is no function", [{""}]>:$unresolved
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GPUOpt_SegmentAttr : GPUOpt_Attr<"Segment", "segment"> {
  let summary = "the memory transactions of one access of a subgroup";
  let description = [{
    Stands as `gpuopt.segment` on an access to global memory, for the target and
    block shape that `gpuopt-annotate-accesses` was given.

    | parameter | meaning |
    |---|---|
    | `verdict` | how the lanes lie in memory |
    | `stride_bytes` | bytes from a lane to its neighbour in x; 0 where lanes are not evenly spaced |
    | `sectors`, `requests` | so many sectors (`sector_bytes` of the target) in so many requests of a subgroup, in lowest terms: the mean over the first sixteen values of the iterators |
    | `staging` | whether a load's value goes to registers (`g2r`) or straight to workgroup memory (`g2s`) |
    | `assuming` | parameters without a given value, and what was assumed |
    | `reason` | why the verdict is `unresolved` |

    ```mlir
    // a[2 * idx] of floats: 32 lanes span 256 bytes, 8 sectors of 32.
    #gpuopt.segment<verdict = strided, stride_bytes = 8, sectors = 8,
                    requests = 1, staging = g2r>
    ```
  }];
  let parameters = (ins
    EnumParameter<GPUOpt_Verdict>:$verdict,
    DefaultValuedParameter<"int64_t", "0">:$stride_bytes,
    DefaultValuedParameter<"int64_t", "0">:$sectors,
    DefaultValuedParameter<"int64_t", "1">:$requests,
    OptionalParameter<"std::optional<::gpuopt::Staging>">:$staging,
    StringRefParameter<"what was assumed", [{""}]>:$assuming,
    StringRefParameter<"why it is unresolved", [{""}]>:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GPUOpt_SharingAttr : GPUOpt_Attr<"Sharing", "sharing"> {
  let summary = "data that neighbours read in common";
  let description = [{
    Stands as `gpuopt.sharing` on a load, alone or as an array with one for each
    direction, made by `gpuopt-annotate-accesses`: threads of a block or blocks
    that lie `distance` apart along `direction` read the same data (section 3.4
    of Yang et al. 2012).

    | parameter | meaning |
    |---|---|
    | `kind` | `full`: all that one reads the other reads too; `partial`: some of it, in a halo or in another iteration; `segments`: none of it, but other elements of the same sectors |
    | `distance` | of the nearest neighbours that share: 4 where block b shares with block b + 4, but not with those between |
    | `overlap_percent` | how much of its elements (sectors, for `segments`) a neighbour shares with the one at `distance` |
    | `reuse`, `elements` | `reuse` reads by one neighbour after the other are of so many different `elements`, in lowest terms; absent where all neighbours along `direction` read the same |

    ```mlir
    // a[idy][i] of a matrix product with 16x16 blocks: the 16 threads of a row
    // read the same element, and so do all blocks of a row of blocks.
    gpuopt.sharing = [
      #gpuopt.sharing<between = threads, direction = x, kind = full, reuse = 16>,
      #gpuopt.sharing<between = blocks, direction = x, kind = full>]
    // image[idy + i][idx + j] with 32x32 iterations: rows of 16 + 31 elements.
    #gpuopt.sharing<between = blocks, direction = x, kind = partial,
                    overlap_percent = 65, reuse = 47, elements = 16>
    ```
  }];
  let parameters = (ins
    EnumParameter<GPUOpt_Neighbours>:$between,
    EnumParameter<GPUOpt_Direction>:$direction,
    EnumParameter<GPUOpt_SharingKind>:$kind,
    DefaultValuedParameter<"int64_t", "1">:$distance,
    DefaultValuedParameter<"int64_t", "100">:$overlap_percent,
    DefaultValuedParameter<"int64_t", "0">:$reuse,
    DefaultValuedParameter<"int64_t", "1">:$elements
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GPUOPT_ACCESS_TD
