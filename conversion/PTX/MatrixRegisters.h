//===- MatrixRegisters.h - matrices over the lanes of a subgroup -*- C++
//-*-===//
//
// Intrinsics take one register of a matrix after the other, and give all of
// them as a structure.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_MATRIXREGISTERS_H
#define CONVERSION_PTX_MATRIXREGISTERS_H

#include "conversion/PTX/Operation.h"

namespace gpuopt::ptx {

/// Writes what a call gives, one value or a structure of them, to `target`.
bool writeRegisters(Operation &op, const Operand &target, llvm::Value *result);

/// Appends the registers of `matrices` to the `arguments` of an intrinsic of
/// `type`, up to `count` of these; false where there are more or fewer.
bool readRegisters(Operation &op, llvm::ArrayRef<Operand> matrices,
                   llvm::FunctionType *type, unsigned count,
                   llvm::SmallVectorImpl<llvm::Value *> &arguments);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_MATRIXREGISTERS_H
