//===- AttributeNames.h - what is attached to other dialects ----*- C++ -*-===//
//
// Every attribute that this project attaches to functions, arguments and
// operations of other dialects: what it says, what it holds, and who reads it.
// `VerifyAttributes.cpp` checks what it holds and where it stands; another
// attribute that begins with `gpuopt.` is an error.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_ATTRIBUTENAMES_H
#define DIALECTS_GPUOPT_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

//===----------------------------------------------------------------------===//
// Kernels: what the source says
//===----------------------------------------------------------------------===//

/// A kernel's name in the source; the symbol itself is mangled. A string.
inline constexpr llvm::StringLiteral kSourceNameAttrName = "gpuopt.source_name";

/// Structures that the source passes by value, whose numbers and pointers are
/// parameters of their own: an array of dictionaries, each with the `name` of
/// the parameter in the source, the number of its `first` parameter here, the
/// `offsets` in bytes of these, its own `bytes` and `align`ment, and `type` and
/// `members` as in `kStructureAttrName`. What is emitted for a device takes the
/// structures again.
inline constexpr llvm::StringLiteral kStructuresAttrName = "gpuopt.structures";

/// What the source says is wanted of a kernel: a dictionary from array to the
/// extents of its leading part that counts, as texts over the parameters; none
/// for the whole array. All else that the kernel writes may be left undefined.
inline constexpr llvm::StringLiteral kOutputsAttrName = "gpuopt.outputs";

/// Arrays that the source wants in workgroup memory, each as a text,
/// "a[TBY][*]:coalesce" (ShareHint.h): what `gpuopt-share-arrays` starts from. An
/// array of strings.
inline constexpr llvm::StringLiteral kShareAttrName = "gpuopt.share";

/// The source computes every position in an array in 32 signed bits: all that
/// are accessed fit them. A unit attribute.
inline constexpr llvm::StringLiteral kNarrowPositionsAttrName =
    "gpuopt.narrow_positions";

/// The number of work items in x, y and z that the host code of an MLIR module
/// launches: an array of integer expressions, as texts over the parameters, as
/// `#pragma gpuopt` has them.
inline constexpr llvm::StringLiteral kDomainAttrName = "gpuopt.domain";

/// `__launch_bounds__`: the largest number of threads, and the fewest blocks
/// per multiprocessor if that is given. An array of one or two i32.
inline constexpr llvm::StringLiteral kLaunchBoundsAttrName =
    "gpuopt.launch_bounds";

/// The block that the kernel is launched with, as far as its host code, its
/// bounds or the user say: threads in x, y, z. A guess, which only launchers
/// can confirm. An array of three i32.
inline constexpr llvm::StringLiteral kLaunchBlockAttrName =
    "gpuopt.launch_block";

/// The kernel is quicker with the tiles that its source has than with those
/// that passes would make of it without: `gpuopt-forward-tiles` leaves it. A
/// unit attribute.
inline constexpr llvm::StringLiteral kKeepsTilesAttrName = "gpuopt.keeps_tiles";

/// What `gpuopt-share-arrays` or `gpuopt-plan-warpgroups` has chosen: a
/// dictionary with the names of the `arrays` that go through workgroup memory,
/// and no others, the `block` of threads in x, y and z, the work `items` of each
/// along these, how many of them are neighbours (`contiguous`, may be left out),
/// and, where loops are cut into parts, the `iterations` that a tile serves.
/// `gpuopt-merge-for-target` takes it away.
inline constexpr llvm::StringLiteral kPartitionAttrName = "gpuopt.partition";

//===----------------------------------------------------------------------===//
// Kernels: how they are launched
//===----------------------------------------------------------------------===//

/// The `TargetAttr` of a kernel, on the function, its `gpu.module` or the
/// module around it.
inline constexpr llvm::StringLiteral kTargetAttrName = "gpuopt.target";

/// The `GeometryAttr` of a `gpu.func`.
inline constexpr llvm::StringLiteral kGeometryAttrName = "gpuopt.geometry";

/// The kernel to launch where the geometry of a kernel cannot cover the
/// original launch (see `GeometryAttr`): its symbol.
inline constexpr llvm::StringLiteral kFallbackAttrName = "gpuopt.fallback";

/// Conditions on the numbers of a launch: an integer set without dimensions.
/// Its symbols are the kernel's arguments, `kNumLaunchSymbols` behind them the
/// original grid in x, y, z and the original block in x, y, z. Computed
/// exactly, without wrapping, all must hold. An argument of N bits is a signed
/// number, here and in extents, and modulo 2^N an unsigned one, whatever the
/// source declares it as.
inline constexpr llvm::StringLiteral kRequiresAttrName = "gpuopt.requires";
inline constexpr unsigned kNumLaunchSymbols = 6;

/// On a kernel whose work items are not those of the original launch: a map
/// from the arguments (argument i is symbol i) to their numbers in x, y, z, at
/// least 1 each. They stand for grid * block wherever a launcher computes the
/// new launch (see `GeometryAttr`).
inline constexpr llvm::StringLiteral kWorkItemsAttrName = "gpuopt.work_items";

/// On a kernel of which several work items do what one of the source's did: a
/// map from the arguments to how many do. Only estimates read it: what a work
/// item costs is said of the source's.
inline constexpr llvm::StringLiteral kItemsOfEachAttrName =
    "gpuopt.items_of_each";

/// On a kernel that others fall back to: its extents, as in `GeometryAttr`,
/// where what was assumed of the tuned one gave that others, or where several
/// guards end a dimension. The extent is the least of a map's results then.
inline constexpr llvm::StringLiteral kOwnExtentsAttrName = "gpuopt.own_extents";

/// The sizes that a kernel is specialised for: a dictionary from parameter to
/// value. Launches with other values take the kernel that `kFallbackAttrName`
/// names, with the original grid and block.
inline constexpr llvm::StringLiteral kSpecializedAttrName =
    "gpuopt.specialized";

/// On a kernel that is one of several launches in the place of one: the symbol
/// of the host function that launches it.
inline constexpr llvm::StringLiteral kPhaseOfAttrName = "gpuopt.phase_of";

/// How many blocks the assembler shall leave a multiprocessor room for, see
/// ResidentBlocks.h; none where one is enough. An integer.
inline constexpr llvm::StringLiteral kResidentBlocksAttrName =
    "gpuopt.resident_blocks";

/// The `BlockOrderAttr` of a kernel whose blocks do not work in the launch's
/// order.
inline constexpr llvm::StringLiteral kBlockOrderAttrName = "gpuopt.block_order";

/// The attributes of a kernel's parameters while it is converted to LLVM: an
/// array of dictionaries.
inline constexpr llvm::StringLiteral kParameterAttrsAttrName =
    "gpuopt.parameter_attributes";

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A parameter's name in the source. A string.
inline constexpr llvm::StringLiteral kNameAttrName = "gpuopt.name";

/// The parameter is unsigned in the source, or points to what is; on an
/// `llvm.mlir.global`, the variable's elements are. A unit attribute.
inline constexpr llvm::StringLiteral kUnsignedAttrName = "gpuopt.unsigned";

/// What the parameter points to in the source, as C++ writes it: "const
/// float4". Nothing where that is no type of C++ or of the vendor's headers.
/// The kernel may access it as something else. A string.
inline constexpr llvm::StringLiteral kPointeeAttrName = "gpuopt.pointee";

/// On a parameter of a kernel with `kOwnExtentsAttrName`: it bounds work items
/// as an unsigned number, so that they have no bound where it is negative. A
/// unit attribute.
inline constexpr llvm::StringLiteral kBoundsUnsignedAttrName =
    "gpuopt.bounds_unsigned";

/// The parameter is a pointer that the kernel has no use for: nobody knows what
/// it points to. A unit attribute.
inline constexpr llvm::StringLiteral kUnusedAttrName = "gpuopt.unused";

/// The parameter is a structure passed by value, a dictionary: `type`, its
/// name, and `members`, a dictionary for each with its `name`, `offset` in
/// bytes, the type of its `element`s, their number along each dimension in
/// `extents`, and what of `pointer`, `const` and `unsigned` it is.
inline constexpr llvm::StringLiteral kStructureAttrName = "gpuopt.structure";

/// The row-major extents of an array passed as a pointer that the host code of
/// an MLIR module knows: an array of texts, as in `kDomainAttrName`.
inline constexpr llvm::StringLiteral kExtentsAttrName = "gpuopt.extents";

/// The elements of an array that a kernel may touch: an affine map from the
/// kernel's arguments (argument i is symbol i); all accesses are to elements
/// from 0 up to its largest result.
inline constexpr llvm::StringLiteral kExtentAttrName = "gpuopt.extent";

/// The array, by `kExtentAttrName`, must not overlap with any other's. Launches
/// in which it does take the kernel that `kFallbackAttrName` names. A unit
/// attribute.
inline constexpr llvm::StringLiteral kDistinctAttrName = "gpuopt.distinct";

/// The bytes of which the address of an array must be a multiple. An integer.
inline constexpr llvm::StringLiteral kAlignedAttrName = "gpuopt.aligned";

//===----------------------------------------------------------------------===//
// Operations: output of analyses
//===----------------------------------------------------------------------===//

/// The `AccessAttr`, `SegmentAttr` and `SharingAttr` (or an array of several)
/// of a load or store. No pass reads them.
inline constexpr llvm::StringLiteral kAccessAttrName = "gpuopt.access";
inline constexpr llvm::StringLiteral kSegmentAttrName = "gpuopt.segment";
inline constexpr llvm::StringLiteral kSharingAttrName = "gpuopt.sharing";

//===----------------------------------------------------------------------===//
// Operations: what one pass leaves to another
//===----------------------------------------------------------------------===//

/// A *collective loop*: an `affine.parallel` without results whose iterations
/// the threads of a block share out. All threads get to it; its body depends on
/// no thread id, and each iteration writes its own elements of workgroup
/// memory. A barrier separates it from their readers. Run by every thread as a
/// whole it has the same effect. A unit attribute.
inline constexpr llvm::StringLiteral kCollectiveAttrName = "gpuopt.collective";

/// On an `arith.cmpi slt` in a collective loop that compares a position in the
/// block with the block's number of positions: `v - 2 < 16`, true where work
/// item v - 2 lies before the end of the block. The constant grows with the
/// block. Also on an `arith.cmpi sge` that compares one with the first
/// position, `v - 2 >= 0`, which stays. A unit attribute.
inline constexpr llvm::StringLiteral kInBlockAttrName = "gpuopt.in_block";

/// On an `scf.if` whose `then` has exact indices and whose `else` has what the
/// source computes. A unit attribute.
inline constexpr llvm::StringLiteral kIndexRangeVersionAttrName =
    "gpuopt.index_range_version";

/// On an `scf.if` whose first branch is the second one without guards: the
/// second is right wherever the first one is, and passes may narrow the
/// condition. A unit attribute.
inline constexpr llvm::StringLiteral kUnguardedAttrName = "gpuopt.unguarded";

/// On an `affine.for` that the back end is not to unroll. A unit attribute.
inline constexpr llvm::StringLiteral kRolledAttrName = "gpuopt.rolled";

/// On an operation whose value is the id of a block along the dimension that it
/// names, "x" or "y", for blocks that work in another order.
inline constexpr llvm::StringLiteral kBlockIdAttrName = "gpuopt.block_id";

/// On atomics that were in the LLVM dialect before conversion, whose memory
/// ordering is the source's. A unit attribute.
inline constexpr llvm::StringLiteral kSourceOrderAttrName =
    "gpuopt.source_order";

/// On barriers of a subgroup that all threads of the block get to, and that a
/// barrier of the block may stand for in languages without subgroups. A unit
/// attribute.
inline constexpr llvm::StringLiteral kOfWholeBlockAttrName =
    "gpuopt.of_whole_block";

//===----------------------------------------------------------------------===//
// Operations: what a pass marks for itself
//===----------------------------------------------------------------------===//

/// On an `affine.for` over tiles, to tell it apart in a copy of the kernel's
/// body while that is made. A unit attribute.
inline constexpr llvm::StringLiteral kTileLoopAttrName = "gpuopt.tile_loop";

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_ATTRIBUTENAMES_H
