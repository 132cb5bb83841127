//===- BankConflicts.cpp - workgroup memory banks of a request ------------===//

#include "passes/Analysis/BankConflicts.h"

#include "passes/Analysis/Requests.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

/// The most words that one bank delivers to the lanes `begin` to `end` - 1.
static int64_t degreeOf(const Request &request, size_t begin, size_t end,
                        int64_t accessBytes, int64_t banks, int64_t bankBytes) {
  llvm::DenseSet<int64_t> words;
  std::vector<int64_t> wordsOfBank(banks, 0);
  int64_t degree = 0;
  for (size_t i = begin; i < end; ++i) {
    int64_t address = request.addresses[i];
    int64_t first = llvm::divideFloorSigned(address, bankBytes);
    int64_t last =
        llvm::divideFloorSigned(address + accessBytes - 1, bankBytes);
    for (int64_t word = first; word <= last; ++word)
      if (words.insert(word).second)
        degree =
            std::max(degree, ++wordsOfBank[((word % banks) + banks) % banks]);
  }
  return degree;
}

BankConflictFact gpuopt::computeBankConflicts(const AccessFunction &access,
                                              const VariableTable &variables,
                                              TargetAttr target,
                                              const BlockShape &block,
                                              const SizeMap &sizes) {
  int64_t banks = target.getWorkgroupMemoryBanks();
  int64_t bankBytes = target.getWorkgroupMemoryBankBytes();
  BlockRequests requests =
      enumerateRequests(access, variables, block, target.getSubgroupSize(),
                        banks * bankBytes, sizes);
  BankConflictFact fact;
  fact.assumptions = requests.assumptions;
  fact.reason = requests.reason;
  // As many lanes at a time as can get one word of each bank.
  int64_t groupSize = std::max<int64_t>(
      1, banks * bankBytes / std::max(access.accessBytes, bankBytes));
  // A shift by whole words renames the banks; it changes no degree.
  for (const Request &request : requests.requests)
    for (size_t begin = 0; begin < request.lanes.size();) {
      int64_t group = request.lanes[begin] / groupSize;
      size_t end = begin;
      while (end < request.lanes.size() &&
             request.lanes[end] / groupSize == group)
        ++end;
      fact.degree =
          std::max(fact.degree, degreeOf(request, begin, end,
                                         access.accessBytes, banks, bankBytes));
      begin = end;
    }
  return fact;
}
