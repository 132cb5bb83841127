//===- RequestIterators.cpp - what iterators do to an access --------------===//

#include "passes/Analysis/RequestIterators.h"

#include "passes/Analysis/Coalescing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace gpuopt;

std::vector<unsigned>
gpuopt::iteratorVariablesOf(const AccessFunction &access,
                            const llvm::BitVector &ofAddress,
                            const VariableTable &variables) {
  std::vector<unsigned> iterators;
  for (unsigned number : ofAddress.set_bits()) {
    Variable::Kind kind = variables[number].kind;
    if ((kind == Variable::Kind::BlockId || kind == Variable::Kind::Loop) &&
        !llvm::is_contained(access.collective, number))
      iterators.push_back(number);
  }
  return iterators;
}

std::vector<Iterator> gpuopt::iteratorsOf(const AccessFunction &access,
                                          const VariableTable &variables,
                                          const Evaluation &evaluation) {
  std::vector<Iterator> iterators;
  for (unsigned number : iteratorVariablesOf(
           access, dependenciesOf(access.address, variables), variables)) {
    int64_t count = kTriedIterations;
    if (variables[number].kind == Variable::Kind::Loop)
      count = std::clamp<int64_t>(evaluation.tripCount(number).value_or(count),
                                  1, count);
    iterators.push_back({number, count});
  }
  return iterators;
}

std::vector<Guard> gpuopt::guardsOf(llvm::ArrayRef<Iterator> iterators,
                                    const AccessFunction &access,
                                    const VariableTable &variables) {
  auto isOneOf = [&](unsigned number) {
    return llvm::any_of(iterators, [&](const Iterator &iterator) {
      return iterator.variable == number;
    });
  };
  auto isOther = [&](unsigned number) {
    Variable::Kind kind = variables[number].kind;
    return !isOneOf(number) &&
           (kind == Variable::Kind::BlockId ||
            kind == Variable::Kind::ThreadId || kind == Variable::Kind::Loop);
  };
  std::vector<Guard> guards;
  for (const Guard &guard : access.guards) {
    bool isTheirs = guard.complete && !guard.comparisons.empty();
    for (const Comparison &comparison : guard.comparisons)
      isTheirs &= variables.dependsOnAny(comparison.left, isOneOf) &&
                  !variables.dependsOnAny(comparison.left, isOther);
    if (isTheirs)
      guards.push_back(guard);
  }
  return guards;
}

/// Joins the groups whose iterators a guard decides about together.
static void joinByGuards(std::vector<std::vector<Iterator>> &groups,
                         const AccessFunction &access,
                         const VariableTable &variables) {
  std::vector<Iterator> all;
  for (const std::vector<Iterator> &group : groups)
    llvm::append_range(all, group);
  for (const Guard &guard : guardsOf(all, access, variables)) {
    auto isDecided = [&](const std::vector<Iterator> &group) {
      return llvm::any_of(group, [&](const Iterator &iterator) {
        return llvm::any_of(
            guard.comparisons, [&](const Comparison &comparison) {
              return variables.dependsOnAny(
                  comparison.left,
                  [&](unsigned number) { return number == iterator.variable; });
            });
      });
    };
    std::vector<std::vector<Iterator>> joined(1);
    for (std::vector<Iterator> &group : groups)
      if (isDecided(group))
        llvm::append_range(joined.front(), group);
      else
        joined.push_back(std::move(group));
    groups = std::move(joined);
  }
}

/// Which iterators share terms of the address with which.
static IteratorPlan groupByTerms(const AccessFunction &access,
                                 const VariableTable &variables,
                                 llvm::ArrayRef<Iterator> iterators) {
  struct Term {
    llvm::SmallBitVector iterators;
    bool variesOverLanes;
  };
  llvm::SmallVector<Term> terms;
  for (const auto &[monomial, coefficient] : access.address.getTerms()) {
    Polynomial product = Polynomial::term(monomial, 1);
    Term term{llvm::SmallBitVector(iterators.size()),
              access.variesOverLanes(product, variables)};
    llvm::BitVector dependencies = dependenciesOf(product, variables);
    for (auto [index, iterator] : llvm::enumerate(iterators))
      term.iterators[index] = dependencies[iterator.variable];
    terms.push_back(std::move(term));
  }
  // Terms with an iterator in common belong together, and what lanes notice in
  // one of them, they notice in all.
  for (size_t left = 0; left < terms.size(); ++left)
    for (size_t right = 0; right < terms.size();) {
      if (left == right ||
          !terms[left].iterators.anyCommon(terms[right].iterators)) {
        ++right;
        continue;
      }
      terms[left].iterators |= terms[right].iterators;
      terms[left].variesOverLanes |= terms[right].variesOverLanes;
      terms.erase(terms.begin() + right);
      left -= right < left;
      right = 0;
    }
  IteratorPlan plan;
  for (const Term &term : terms) {
    std::vector<Iterator> group;
    for (unsigned index : term.iterators.set_bits())
      group.push_back(iterators[index]);
    if (term.variesOverLanes)
      llvm::append_range(plan.enumerated, group);
    else if (!group.empty())
      plan.shifting.push_back(std::move(group));
  }
  return plan;
}

std::vector<Iterator>
gpuopt::noticedByLanes(const AccessFunction &access,
                       const VariableTable &variables,
                       llvm::ArrayRef<Iterator> iterators) {
  return groupByTerms(access, variables, iterators).enumerated;
}

IteratorPlan gpuopt::planIterators(const AccessFunction &access,
                                   const VariableTable &variables,
                                   llvm::ArrayRef<Iterator> iterators) {
  IteratorPlan plan = groupByTerms(access, variables, iterators);
  joinByGuards(plan.shifting, access, variables);
  return plan;
}
