//===- SubgroupOperations.h - shuffles, votes, reductions -------*- C++ -*-===//
//
// Which lanes of a subgroup take part in an operation, and what it gives them.
//
// An operation with a mask is complete when every lane in it that has not left
// the kernel waits at an operation of the same kind with the same mask. One
// without a mask is for the lanes that are there: of all places where lanes
// wait, the first in program order is resolved, so that lanes which went
// through a branch or more iterations catch up before the rest goes on.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_SUBGROUPOPERATIONS_H
#define RUNTIME_CPU_SUBGROUPOPERATIONS_H

#include "runtime/CPU/KernelFacts.h"
#include "runtime/CPU/Layout.h"
#include "runtime/CPU/ThreadOrder.h"

#include "llvm/ADT/ArrayRef.h"

namespace gpuopt::runtime {

inline bool waitsForSubgroup(const ThreadContext &thread) {
  return thread.wait >= Wait::SubgroupBarrier;
}

/// Resolves one complete operation among `lanes`, which are all suspended or
/// done. Returns false where there is none. At barriers lanes meet in `order`,
/// if there is one.
bool resolveSubgroup(llvm::MutableArrayRef<ThreadContext> lanes,
                     llvm::ArrayRef<Site> sites, ThreadOrder *order);

/// Resolves the first incomplete operation in program order with the lanes
/// that are there; returns one of them, or null where no lane waits.
ThreadContext *forceSubgroup(llvm::MutableArrayRef<ThreadContext> lanes,
                             llvm::ArrayRef<Site> sites, ThreadOrder *order);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_SUBGROUPOPERATIONS_H
