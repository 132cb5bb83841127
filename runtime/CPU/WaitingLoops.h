//===- WaitingLoops.h - loops that wait for other threads -------*- C++ -*-===//
//
//   while (atomicCAS(&lock, 0, 1) != 0)      // reads what others store, and
//     ;                                      // that decides whether it ends
//
// A thread on the host runs until it waits: in such a loop it has to let others
// go on.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_WAITINGLOOPS_H
#define RUNTIME_CPU_WAITINGLOOPS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace gpuopt::runtime {

/// An atomic or volatile access on whose result it depends whether a cycle is
/// left.
struct AwaitedRead {
  llvm::Instruction *read;
  /// The blocks behind that cycle.
  llvm::SmallVector<llvm::BasicBlock *> exits;
};

llvm::SmallVector<AwaitedRead> findAwaitedReads(llvm::Function &function);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_WAITINGLOOPS_H
