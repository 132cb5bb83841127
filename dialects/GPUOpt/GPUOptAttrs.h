//===- GPUOptAttrs.h - attributes of the gpuopt dialect ---------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_GPUOPTATTRS_H
#define DIALECTS_GPUOPT_GPUOPTATTRS_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

#include "dialects/GPUOpt/GPUOptEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/GPUOpt/GPUOptAttrs.h.inc"

namespace gpuopt {

/// Name of the attribute that holds the `GeometryAttr` of a `gpu.func`.
inline constexpr llvm::StringLiteral kGeometryAttrName = "gpuopt.geometry";

/// Name of the attribute that names the kernel to launch where the geometry
/// of a kernel cannot cover the original launch (see `GeometryAttr`).
inline constexpr llvm::StringLiteral kFallbackAttrName = "gpuopt.fallback";

/// Name of the attribute with the sizes that a kernel is specialised for: a
/// dictionary from parameter to value. Launches with other values take the
/// kernel that `kFallbackAttrName` names, with the original grid and block.
inline constexpr llvm::StringLiteral kSpecializedAttrName =
    "gpuopt.specialized";

/// Name of the argument attribute with the elements of an array that a kernel
/// may touch: an affine map from the kernel's arguments (argument i is symbol
/// i); all accesses are to elements from 0 up to its largest result.
inline constexpr llvm::StringLiteral kExtentAttrName = "gpuopt.extent";

/// Name of the unit attribute of arguments whose arrays, by `kExtentAttrName`,
/// must not overlap with any other's. Launches in which they do take the kernel
/// that `kFallbackAttrName` names.
inline constexpr llvm::StringLiteral kDistinctAttrName = "gpuopt.distinct";

/// Name of the attribute that holds a kernel's `TargetAttr`, on the function,
/// its `gpu.module` or the module around it.
inline constexpr llvm::StringLiteral kTargetAttrName = "gpuopt.target";

/// Name of the argument attribute with a parameter's name in the source.
inline constexpr llvm::StringLiteral kNameAttrName = "gpuopt.name";

/// Name of the function attribute with a kernel's name in the source; the
/// symbol itself is mangled.
inline constexpr llvm::StringLiteral kSourceNameAttrName = "gpuopt.source_name";

/// Name of the function attribute of a kernel that is one of several launches
/// in the place of one: the symbol of the host function that launches it.
inline constexpr llvm::StringLiteral kPhaseOfAttrName = "gpuopt.phase_of";

/// Name of the function attribute with what the source says is wanted of a
/// kernel: a dictionary from array to the extents of its leading part that
/// counts, as texts over the parameters; none for the whole array. All else
/// that the kernel writes may be left undefined.
inline constexpr llvm::StringLiteral kOutputsAttrName = "gpuopt.outputs";

/// Names of the attributes that hold the `AccessAttr`, `SegmentAttr` and
/// `SharingAttr` (or several) of a load or store.
inline constexpr llvm::StringLiteral kAccessAttrName = "gpuopt.access";
inline constexpr llvm::StringLiteral kSegmentAttrName = "gpuopt.segment";
inline constexpr llvm::StringLiteral kSharingAttrName = "gpuopt.sharing";

/// Name of the unit attribute of a *collective loop*: an `affine.parallel`
/// without results whose iterations the threads of a block share out. All
/// threads get to it; its body depends on no thread id, and each iteration
/// writes its own elements of workgroup memory. A barrier separates it from
/// their readers. Run by every thread as a whole it has the same effect.
inline constexpr llvm::StringLiteral kCollectiveAttrName = "gpuopt.collective";

/// Name of the unit attribute of an `affine.for` that the back end is not to
/// unroll.
inline constexpr llvm::StringLiteral kRolledAttrName = "gpuopt.rolled";

/// Bytes to which lowering aligns every array in workgroup memory: the widest
/// access of one thread.
inline constexpr int64_t kWorkgroupArrayAlignment = 16;

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_GPUOPTATTRS_H
