//===- PartitionFeatures.h - what partitions are good for -------*- C++ -*-===//
//
// For a split of the iterations, the part of each candidate array that a block
// accesses, and what it saves to keep it in workgroup memory (Li et al. 2016,
// sections 3.2.1 and 3.2.2, equations 1 to 7). Of the matrix product's block of
// TBX x TBY work items
//
//   array   part           references    elements   transactions
//   A       TBY x k1       TBX*TBY*n     TBY*n      TBY*n, not coalesced
//   B       k2 x TBX       TBX*TBY*n     TBX*n      coalesced
//   C       TBY x TBX      none: stored  TBX*TBY    coalesced
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_SHARE_PARTITIONFEATURES_H
#define PASSES_TRANSFORMS_SHARE_PARTITIONFEATURES_H

#include "passes/Transforms/Share/IterationSplit.h"

namespace gpuopt {

/// What a block does with one array.
struct ArrayFeatures {
  unsigned array = 0;
  /// Elements that are in workgroup memory at a time. References whose
  /// subscripts differ in constants only share their hull; others have parts of
  /// their own.
  Polynomial tileElements;
  /// Elements of all tiles of a block, one after the other (|DS|).
  Polynomial elements;
  /// Loads of all work items of a block (ReuseSize); none of an array that is
  /// stored to, since only what is not goes through workgroup memory.
  Polynomial references;
  /// Transactions of those references that are not coalesced, or of all where
  /// the source says so.
  Polynomial transactions;
  bool isCoalesced = true;
  /// Elements of a row of each tile, as far as the plan chooses them: only long
  /// ones make coalesced what was not.
  llvm::SmallVector<Polynomial> rows;
  /// The loops whose iterations a tile serves in part, and the vague numbers
  /// that say how many.
  llvm::SmallVector<std::pair<unsigned, Polynomial>> chunks;
};

/// Adds vague numbers and quotients to the problem's parameters.
/// `transactionBytes`: what memory moves at once.
std::vector<ArrayFeatures> extractFeatures(PartitionProblem &problem,
                                           const IterationSplit &split,
                                           int64_t transactionBytes);

/// The work items of a block along a dimension of work items.
Polynomial lengthOfWorkItems(const PartitionProblem &problem,
                             const IterationSplit &split, unsigned dimension);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_SHARE_PARTITIONFEATURES_H
