//===- ExactIds.h - arithmetic on ids below zero, too -----------*- C++ -*-===//
//
// Ids are at least 0 and fit 32 bits. What begins a tile, or stands for work
// items before the first one, may be below that, where a cast to fewer bits or
// a comparison without a sign makes another number of it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_EXACTIDS_H
#define PASSES_TRANSFORMS_UTILS_EXACTIDS_H

#include "passes/Analysis/Conditions.h"

#include "mlir/IR/Operation.h"

namespace gpuopt {

/// Whether what the load `op` computes its address from ids by is exact for any
/// ids, also negative ones: sums and products in 64 bits.
bool isExactInIds(mlir::Operation *op);

/// The same for what a comparison compares, with a sign.
bool isExactInIds(const Conjunct &comparison);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_EXACTIDS_H
