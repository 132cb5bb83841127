//===- MovedAccesses.cpp - accesses at another time or thread -------------===//

#include "passes/Transforms/Banks/MovedAccesses.h"

#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/Traffic.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

/// `polynomial` with all variables replaced, through what they are derived
/// from.
static Polynomial move(const Polynomial &polynomial, VariableTable &variables,
                       MovedVariable moved) {
  if (polynomial.isUnknown())
    return polynomial;
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Polynomial term(coefficient);
    for (unsigned number : monomial) {
      // A copy: the table grows.
      Variable variable = variables[number];
      if (variable.kind != Variable::Kind::Derived) {
        term = term * moved(number);
        continue;
      }
      Polynomial left = move(variable.left, variables, moved);
      Polynomial right = move(variable.right, variables, moved);
      term = term * (left == variable.left && right == variable.right
                         ? Polynomial::variable(number)
                         : variables.addDerived(variable.op, left, right));
    }
    result += term;
  }
  return result;
}

AccessFunction gpuopt::moveAccess(const AccessFunction &access,
                                  VariableTable &variables,
                                  MovedVariable moved) {
  AccessFunction result = access;
  result.address = move(access.address, variables, moved);
  for (Guard &guard : result.guards)
    for (Comparison &comparison : guard.comparisons)
      comparison.left = move(comparison.left, variables, moved);
  // Of the operation as it is.
  result.subscripts.clear();
  return result;
}

Polynomial gpuopt::addRemainder(VariableTable &variables,
                                const Polynomial &left, int64_t right) {
  Polynomial quotient =
      variables.addDerived(Variable::Operator::FloorDiv, left, right);
  return left - quotient * right;
}

std::optional<AccessesCost>
gpuopt::computeAccessesCost(const std::vector<AccessFunction> &accesses,
                            const VariableTable &variables, TargetAttr target,
                            const BlockShape &block) {
  AccessesCost cost;
  for (const AccessFunction &access : accesses) {
    // Threads share out the iterations of collective loops, wherever they are.
    if (!access.isResolved() || !access.collective.empty())
      return std::nullopt;
    double executions = computeExecutions(access, variables, block).count;
    if (access.space == MemorySpace::Workgroup) {
      BankConflictFact fact =
          computeBankConflicts(access, variables, target, block);
      if (fact.degree == 0)
        return std::nullopt;
      cost.wavefronts += fact.wavefronts * executions;
      cost.degree = std::max(cost.degree, fact.degree);
      continue;
    }
    // In registers, as a rule.
    if (access.space == MemorySpace::Private)
      continue;
    CoalescingFact fact = computeCoalescing(access, variables, target, block);
    if (fact.verdict == Verdict::Unresolved)
      return std::nullopt;
    cost.sectors +=
        fact.sectorsPerRequest() * fact.requestsPerBlock * executions;
  }
  return cost;
}
