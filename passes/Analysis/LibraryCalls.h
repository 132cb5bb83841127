//===- LibraryCalls.h - calls of functions of numbers -----------*- C++ -*-===//
//
// What the mathematical library provides has no body here. Such a function
// knows nothing of the launch; one that is given no pointer touches no memory
// that the kernel knows.
//
//   %1 = llvm.call @erff(%0) : (f32) -> f32
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_LIBRARYCALLS_H
#define PASSES_ANALYSIS_LIBRARYCALLS_H

#include "mlir/IR/Operation.h"

namespace gpuopt {

/// Whether `op` calls a function that knows nothing of the launch: what the
/// mathematical library provides, and so has no body here.
bool callsLibrary(mlir::Operation *op);

/// Whether `op` calls a mathematical function of numbers, or is arithmetic of a
/// vendor: it touches no memory that the kernel knows. One with a pointer
/// writes what that points to.
bool callsFunctionOfNumbers(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_LIBRARYCALLS_H
