//===- SharedArrays.h - arrays that one sub-block fills for all -*- C++ -*-===//
//
// When blocks are merged that would fill a workgroup array with the same data,
// the first one fills it for all (figure 8 of Yang et al. 2012). That is right
// where a barrier stands between every store and every load of the array, in
// both orders: else a thread may read what it wrote itself and now another
// thread writes.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_POSITIONS_SHAREDARRAYS_H
#define PASSES_TRANSFORMS_POSITIONS_SHAREDARRAYS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {

/// The workgroup arrays (as opaque pointers) that are loaded after a store, or
/// stored after a load, with no barrier between.
llvm::SmallPtrSet<void *, 8>
findUnsynchronisedArrays(mlir::gpu::GPUFuncOp kernel);

/// Lets only the threads with `subBlock` = 0 store to `arrays`, and load what
/// they store.
void guardStores(mlir::gpu::GPUFuncOp kernel,
                 const llvm::SetVector<mlir::Value> &arrays,
                 mlir::Value subBlock);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_SHAREDARRAYS_H
