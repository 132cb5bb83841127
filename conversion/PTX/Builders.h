//===- Builders.h - what builds instructions --------------------*- C++ -*-===//
//
// The functions that Instructions.def names.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_BUILDERS_H
#define CONVERSION_PTX_BUILDERS_H

#include "conversion/PTX/Operation.h"

namespace gpuopt::ptx::build {

#define PTX_VALUE(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                   \
  llvm::Value *BUILDER(Operation &);
#define PTX_EFFECT(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                  \
  bool BUILDER(Operation &);
#include "conversion/PTX/Instructions.def"

/// A shift by any amount; bits that leave are lost.
llvm::Value *shiftBits(Builder &ir, llvm::Value *value, llvm::Value *amount,
                       bool isLeft, bool isSigned = false);

/// `value`, or a zero of its sign where it is too small to be normal.
llvm::Value *flush(Builder &ir, llvm::Value *value);

/// Whether one number of an operation stands so to the other.
llvm::Value *comparison(Operation &op, RegisterType type, llvm::Value *left,
                        llvm::Value *right);

} // namespace gpuopt::ptx::build

#endif // CONVERSION_PTX_BUILDERS_H
