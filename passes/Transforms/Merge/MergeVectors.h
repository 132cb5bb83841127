//===- MergeVectors.h - items of a thread as vectors ------------*- C++ -*-===//
//
// How many neighbouring work items a thread should have so that their accesses
// become vector accesses (Yang et al. 2012, section 3.1, inter-thread
// vectorization). Neighbours that end up with an access each take the lanes of
// a request apart, N sectors where one was, so they have to be vectors:
//
//   c[x] = a[x] + b[x]            4: needs aligned arrays, as they mostly are
//   c[y*n + x] = sum              4 where a loop did the work; for other n this
//                                 store, made once, takes four times the
//                                 sectors
//   c[y*n + x] = a[y*n + x]       1: it would be all that there is, for such n
//   b[x] = a[x + 1]               1: never aligned
//   a[x] += a[x + n]              1: an item's store may be to what the next
//                                 one loads
//   if (x % 4 != 3) b[x] = a[x]   1: the vector would touch what none of the
//                                 items does
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MERGE_MERGEVECTORS_H
#define PASSES_TRANSFORMS_MERGE_MERGEVECTORS_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// The neighbours along dimension 0, 1 or 2 that make vectors which the target
/// prefers of all accesses of a thread that move along it; 1 where some stay
/// apart or the target prefers none. `width` is the pass option: the bytes of
/// the widest access, 0 for what the target prefers.
int64_t computeVectorItems(mlir::gpu::GPUFuncOp kernel,
                           const AccessFunctions &functions, TargetAttr target,
                           unsigned dimension, int64_t width = 0);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MERGE_MERGEVECTORS_H
