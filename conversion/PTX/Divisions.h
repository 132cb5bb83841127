//===- Divisions.h - divisions by what may be zero --------------*- C++ -*-===//
//
// A division by zero has some result in PTX, and what depends on it is done. To
// LLVM it cannot be: a way on which a divisor is zero would be gone. Until it
// is known who wants the code a division is the call of a function, such as
// `i32 @__gpuopt_divide.sdiv.i32(i32, i32)`.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_DIVISIONS_H
#define CONVERSION_PTX_DIVISIONS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace gpuopt::ptx {

/// `left` by `right`, where `opcode` is of a quotient or a remainder.
llvm::Value *createDivision(llvm::IRBuilderBase &ir,
                            llvm::Instruction::BinaryOps opcode,
                            llvm::Value *left, llvm::Value *right);

/// Makes instructions of the divisions of `module` again: of all, or of those
/// by constants that are not zero.
void resolveDivisions(llvm::Module &module, bool areAllMeant);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_DIVISIONS_H
