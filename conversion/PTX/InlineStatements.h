//===- InlineStatements.h - inline PTX as LLVM IR ---------------*- C++ -*-===//
//
// What hand-tuned CUDA says in `asm`, such as `mma.sync`, `ldmatrix` and
// `cp.async`, for whoever wants to run it: each statement becomes a function,
// read as those of a file of PTX are.
//
//   asm("mma.sync… {$0, $1}, …", "=f,=f,r,…,0,1")
//     → .func (.reg .b32 %op0, .reg .b32 %op1) statement(.reg .b32 %op2, …)
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_INLINESTATEMENTS_H
#define CONVERSION_PTX_INLINESTATEMENTS_H

#include "llvm/IR/Module.h"

namespace gpuopt::ptx {

/// Replaces the statements of inline PTX in `module` by calls, where all of
/// their instructions are known; others stay. Returns whether there were any.
///
/// Addresses are marked in the functions: once these are inlined and registers
/// are promoted, dropAddressMarks and recoverPointers make places in arrays of
/// them.
bool replaceInlineStatements(llvm::Module &module);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_INLINESTATEMENTS_H
