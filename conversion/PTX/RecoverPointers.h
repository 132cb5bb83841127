//===- RecoverPointers.h - addresses as places in arrays --------*- C++ -*-===//
//
// PTX computes addresses as integers: `ld.global [%rd4]` behind `add.s64 %rd4,
// %rd1, %rd3`. Everything later wants to know which array an access is to, and
// where in it: `load (a + 4 * i)`.
//
// Each integer is a number, an address, or neither. An address is one object
// (a parameter, a variable, a local array) and a number of bytes: the same
// expression with zero in the place of the object.
//
//   %p = add(ptrtoint(a), mul(i, 4))    object a, bytes mul(i, 4)
//   %q = phi(ptrtoint(a), add(%q, 64))  object a, bytes phi(0, add(·, 64))
//   %d = sub(%p, ptrtoint(a))           a number, mul(i, 4)
//   %d = sub(ptrtoint(a), ptrtoint(b))  neither: nothing that is added to it
//                                       is an address of a known object
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_RECOVERPOINTERS_H
#define CONVERSION_PTX_RECOVERPOINTERS_H

#include "conversion/PTX/FunctionBuilder.h"

namespace gpuopt::ptx {

/// `address`, with a note that it is one.
llvm::Value *markAddress(Builder &ir, llvm::Value *address);

/// What is known of a parameter: that it is a pointer, or that it is none;
/// nothing where its uses have to tell.
using PointerFacts = llvm::SmallVector<std::optional<bool>>;

/// Makes the parameters of `kernel` pointers that are used as addresses. The
/// kernel, which may be another function then; a problem where it cannot be
/// told which of them is one.
llvm::Function *makePointerParameters(llvm::Function &kernel,
                                      const PointerFacts &facts,
                                      std::string &problem);

/// Removes the notes of `markAddress`.
void dropAddressMarks(llvm::Module &module);

/// Makes addresses in `function`, with its registers promoted, places in
/// objects.
void recoverPointers(llvm::Function &function);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_RECOVERPOINTERS_H
