//===- BankConflicts.h - workgroup memory banks of a request ----*- C++ -*-===//
//
// How many cycles workgroup memory needs for one request of a subgroup: the
// largest number of different words that one bank has to deliver. With 32
// banks of 4 bytes, subgroups of 32 in x and float arrays:
//
//   access              degree
//   s[tx]                    1
//   s[0]                     1   (one word, broadcast)
//   s[2 * tx]                2
//   s[tx][0] of [32][32]    32
//   s[tx][0] of [32][33]     1
//
// Accesses of 8 and 16 bytes are served in halves and quarters of 32 lanes (so
// that a group asks for at most one word of each bank), subgroups of 64 in
// halves; the degree is that of the worst group.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_BANKCONFLICTS_H
#define PASSES_ANALYSIS_BANKCONFLICTS_H

#include "passes/Analysis/Coalescing.h"

namespace gpuopt {

/// How one access uses the banks of workgroup memory.
struct BankConflictFact {
  /// The worst over the subgroups of a block and the first sixteen values of
  /// each iterator; 1 is free of conflicts, 0 is unresolved.
  int64_t degree = 0;
  std::vector<std::string> assumptions;
  std::string reason;
};

BankConflictFact computeBankConflicts(const AccessFunction &access,
                                      const VariableTable &variables,
                                      TargetAttr target,
                                      const BlockShape &block,
                                      const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_BANKCONFLICTS_H
