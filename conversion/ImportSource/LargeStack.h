//===- LargeStack.h - room for deeply nested input --------------*- C++ -*-===//
//
// Parsers, and many passes of LLVM, MLIR and Clang, recurse as deep as their
// input is nested: a sum of a million terms is a tree of that depth.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_LARGESTACK_H
#define CONVERSION_IMPORTSOURCE_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Runs `body` on a stack of half a gigabyte, in a thread of its own where this
/// one has none. Where that is not enough, the program prints `message`,
/// removes its temporary files and exits with 1. Only one thread at a time is
/// watched in this way.
void runOnLargeStack(llvm::function_ref<void()> body, llvm::StringRef message);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_LARGESTACK_H
