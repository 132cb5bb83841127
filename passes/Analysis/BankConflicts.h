//===- BankConflicts.h - workgroup memory banks of a request ----*- C++ -*-===//
//
// How often workgroup memory has to be asked to serve one request of a
// subgroup. The hardware splits a request into groups of lanes; a group takes
// as many *wavefronts* as the busiest bank has different words to deliver.
// Lanes that read the same word share it. For a constant stride that is
// gcd(stride in words, banks); here all lanes are enumerated, which also holds
// for other addresses. With 32 banks of 4 bytes, subgroups of 32 in x and float
// arrays:
//
//   access                          degree
//   s[tx]                                1
//   s[0]                                 1   (one word, broadcast)
//   s[2 * tx]                            2
//   s[tx][0] of [32][32]                32
//   s[tx][0] of [32][33]                 1
//   s[tx][0 .. 3] of [32][16], vector    4
//   s[tx][0 ^ tx floordiv 2] of [32][16] 1
//
// Which lanes form a group:
//
//   target              1, 2, 4 bytes   8 bytes   16 bytes
//   32 banks [1]        32 in a row     16        8
//   AMD gfx9, loads     32              16        fours, see [2]
//   16 banks [3]        16              16, word after word
//
//   [1] CUDA C++ Programming Guide, compute capability 5.x to 9.x; AMD OpenCL
//       optimization guide (half wavefronts).
//   [2] Lanes 0-3 and 20-23, 4-7 and 16-19, 8-11 and 28-31, 12-15 and 24-27;
//       the same from 32 on (Composable Kernel's documentation, "LDS and Bank
//       Conflicts").
//   [3] CUDA C Programming Guide, compute capability 1.x.
//
// Compute capability 1.x broadcasts only one word at a time; each other bank
// serves one lane then: s[tx / 2] takes two wavefronts. NVIDIA's chips may
// serve two groups at once where their lanes read the same words; that is not
// counted.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_BANKCONFLICTS_H
#define PASSES_ANALYSIS_BANKCONFLICTS_H

#include "passes/Analysis/Coalescing.h"

namespace gpuopt {

/// How one access uses the banks of workgroup memory.
struct BankConflictFact {
  /// The worst over the groups of a block and the first sixteen values of each
  /// iterator; 1 is free of conflicts, 0 is unresolved.
  int64_t degree = 0;
  /// Wavefronts that all subgroups of a block take for one execution, the mean
  /// over the iterators.
  double wavefronts = 0;
  /// What `wavefronts` would be without conflicts: the number of groups.
  double neededWavefronts = 0;
  /// No lane of the first block is active: the guards were ignored.
  bool isUnreachable = false;
  std::vector<std::string> assumptions;
  std::string reason;
};

/// What one request to workgroup memory takes: lanes `lanes` of a subgroup,
/// each of which accesses `accessBytes` at its address in `addresses`. `degree`
/// is that of its worst group.
BankConflictFact computeBankConflicts(llvm::ArrayRef<int64_t> lanes,
                                      llvm::ArrayRef<int64_t> addresses,
                                      int64_t accessBytes, AccessKind kind,
                                      TargetAttr target);

BankConflictFact computeBankConflicts(const AccessFunction &access,
                                      const VariableTable &variables,
                                      TargetAttr target,
                                      const BlockShape &block,
                                      const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_BANKCONFLICTS_H
