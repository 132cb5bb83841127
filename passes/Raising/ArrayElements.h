//===- ArrayElements.h - accesses of one element type -----------*- C++ -*-===//
//
// Chooses the element of the memref that an array becomes, makes the memref,
// and rewrites each access to it. The element is as large as the smallest
// scalar that is accessed. Integers and floats of that size are bit casts of
// each other; wider accesses, as copies of structs make them, are vectors of
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_ARRAYELEMENTS_H
#define PASSES_RAISING_ARRAYELEMENTS_H

#include "passes/Raising/PointerRoots.h"

namespace gpuopt {

/// How messages name an array: its name in the source or `argument N`.
std::string describeRoot(mlir::gpu::GPUFuncOp kernel, mlir::Value root);

/// Whether something of this kind can become a memref at all.
std::optional<Refusal> checkRoot(mlir::gpu::GPUFuncOp kernel, mlir::Value root);

/// Sets `element` and `bytes`, or the obstacle.
void chooseElement(RootArray &array, const mlir::DataLayout &layout);

/// Whether `gep` moves by whole elements.
std::optional<Refusal> checkOffset(mlir::LLVM::GEPOp gep,
                                   const RootArray &array,
                                   const mlir::DataLayout &layout);

/// The memref of a local array, in place of its `llvm.alloca`.
mlir::Value makePrivateArray(const RootArray &array,
                             const mlir::DataLayout &layout);

/// The array of a variable: a workgroup attribution for one in workgroup
/// memory, else what `gpuopt.get_variable` makes of it at the kernel's top.
mlir::Value makeVariableArray(mlir::gpu::GPUFuncOp kernel,
                              const RootArray &array,
                              const mlir::DataLayout &layout);

/// The address of a load, store or atomic update; null for other operations.
mlir::Value getAccessedPointer(mlir::Operation *op);

/// Builds the access `op` on `memref` and replaces its results.
void raiseAccess(mlir::OpBuilder &builder, mlir::Operation *op,
                 mlir::Value memref, mlir::Value index);

} // namespace gpuopt

#endif // PASSES_RAISING_ARRAYELEMENTS_H
