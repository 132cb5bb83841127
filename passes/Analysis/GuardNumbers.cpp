//===- GuardNumbers.cpp - which accesses stand under equal guards ---------===//

#include "passes/Analysis/GuardNumbers.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

static llvm::hash_code hashOf(const Polynomial &polynomial) {
  llvm::hash_code hash = llvm::hash_value(polynomial.isUnknown());
  for (const auto &[monomial, coefficient] : polynomial.getTerms())
    hash = llvm::hash_combine(
        hash, coefficient,
        llvm::hash_combine_range(monomial.begin(), monomial.end()));
  return hash;
}

static uint64_t hashOf(const AccessFunction &access) {
  llvm::hash_code hash = llvm::hash_combine_range(access.collective);
  for (const Guard &guard : access.guards) {
    hash = llvm::hash_combine(hash, guard.negated, guard.complete);
    for (const Comparison &comparison : guard.comparisons)
      hash = llvm::hash_combine(hash, comparison.relation,
                                hashOf(comparison.left));
  }
  // The map has marks of its own among the largest.
  return static_cast<size_t>(hash) >> 1;
}

unsigned GuardNumbers::numberOf(const AccessFunction &access) {
  mlir::Block *block = access.op ? access.op->getBlock() : nullptr;
  if (auto known = byBlock.find(block); block && known != byBlock.end())
    return known->second;
  llvm::SmallVector<unsigned, 1> &alike = byHash[hashOf(access)];
  auto *found = llvm::find_if(alike, [&](unsigned number) {
    return first[number]->collective == access.collective &&
           first[number]->guards == access.guards;
  });
  unsigned number = found == alike.end() ? first.size() : *found;
  if (found == alike.end()) {
    first.push_back(&access);
    alike.push_back(number);
  }
  if (block)
    byBlock.try_emplace(block, number);
  return number;
}
