//===- OtherInstructions.h - what a thread issues besides -------*- C++ -*-===//
//
// Instructions of a thread that are neither arithmetic of floating-point
// numbers nor accesses: addresses, integers, comparisons, branches, loops, and
// what a long operation takes beyond one instruction. Items of a thread share
// some of them, which is what merging gains in a kernel that is bound by the
// instructions it issues.
//
//   operation                              instructions
//   integer sum, comparison, selection     1, of 64 bits 2
//   product of 64 bits                     3
//   quotient, remainder                    20, of 64 bits 70; by a constant 4
//   division, root                         7 more
//   exponential, logarithm, sine, power    10 to 30 more
//   iteration of a loop                    1 (four of them share a branch)
//   address                                3; in a loop 2 for each iteration
//
// Addresses that differ by a constant are one, and those that move by a
// constant from one iteration to the next cost nothing: instructions hold
// constants. The numbers follow CUDA's programming guide (arithmetic
// instructions) and what ptxas makes of the operations; they need not be right
// to compare a kernel with its merged form.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_OTHERINSTRUCTIONS_H
#define PASSES_ANALYSIS_OTHERINSTRUCTIONS_H

#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// Instructions as above of a thread of `kernel`, which runs a block of
/// operations `executionsOf` times.
double
countOtherInstructions(mlir::Operation *kernel,
                       const AccessFunctions &functions,
                       llvm::function_ref<double(mlir::Block *)> executionsOf);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_OTHERINSTRUCTIONS_H
