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

/// Runs `body` on a stack of half a gigabyte: in a new thread, unless this one
/// runs on such a stack already. If the stack overflows, the program prints
/// `message`, removes its temporary files and exits with 1.
void runOnLargeStack(llvm::function_ref<void()> body, llvm::StringRef message);

/// Calls `work` with each number below `count` once, in no order, on such
/// stacks: in this thread and in others, as many as there are cores.
void runOnLargeStacks(size_t count, llvm::function_ref<void(size_t)> work,
                      llvm::StringRef message);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_LARGESTACK_H
