//===- RegisterPressure.h - registers that a thread needs -------*- C++ -*-===//
//
// How many 32-bit registers hold the values that are live at one point of a
// kernel, at most. The operations are taken to run in the order in which they
// stand; the back end moves them, so this is an estimate. Values of constants,
// views and conditions do not count, nor does a product that its sum is fused
// with; an index counts as one register, and what a loop carries is in the
// registers of its initial values.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_REGISTERPRESSURE_H
#define PASSES_TRANSFORMS_UTILS_REGISTERPRESSURE_H

#include "mlir/IR/Operation.h"

namespace gpuopt {

/// The most live registers anywhere in `loop`, with those that are live across
/// it, and what any kernel needs for ids and addresses.
int64_t estimateRegisters(mlir::Operation *loop);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_REGISTERPRESSURE_H
