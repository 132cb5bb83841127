//===- AccessCosts.cpp - what the accesses of a kernel cost ---------------===//

#include "passes/Analysis/AccessCosts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace gpuopt;

/// Whether `variable` has one value in a launch.
static bool isOfLaunch(const Variable &variable) {
  return variable.kind == Variable::Kind::Parameter ||
         variable.kind == Variable::Kind::BlockDim ||
         variable.kind == Variable::Kind::GridDim;
}

/// Every parameter of a launch.
static std::vector<Polynomial> parametersIn(const VariableTable &variables) {
  std::vector<Polynomial> all;
  for (unsigned number = 0; number < variables.size(); ++number)
    if (isOfLaunch(variables[number]))
      all.push_back(Polynomial::variable(number));
  return all;
}

AccessCosts::AccessCosts(const VariableTable &table, TargetAttr machine,
                         const BlockShape &shape,
                         const SizeMap &sizesOfParameters)
    : variables(table), target(machine), block(shape), sizes(sizesOfParameters),
      segmentBytes(segmentPeriod(machine)), reached(table, shape, sizes),
      launch(table, shape, sizes, parametersIn(table)) {}

bool AccessCosts::Key::operator<(const Key &other) const {
  return std::tie(guards, accessBytes, place, parameters, varying) <
         std::tie(other.guards, other.accessBytes, other.place,
                  other.parameters, other.varying);
}

/// Nothing for an access that no other can be compared with.
std::optional<AccessCosts::Key>
AccessCosts::keyOf(const AccessFunction &access) {
  if (!access.isResolved())
    return std::nullopt;
  auto [uniform, varying] =
      access.address.partition([&](const Monomial &monomial) {
        return llvm::all_of(monomial, [&](unsigned number) {
          return isOfLaunch(variables[number]);
        });
      });
  std::optional<int64_t> value = launch.evaluate(uniform);
  // Assumed sizes may be taken for 0 instead: see `dropOffsets`.
  if (!value || kAssumedSize % segmentBytes != 0)
    return std::nullopt;
  return Key{reached.guards().numberOf(access), access.accessBytes,
             std::move(varying), llvm::mod(*value, segmentBytes),
             uniform.getVariables()};
}

const CoalescingFact &AccessCosts::coalescingOf(const AccessFunction &access) {
  auto compute = [&] {
    return computeCoalescing(access, variables, target, block, sizes);
  };
  std::optional<Key> key = keyOf(access);
  if (!key)
    return single = compute();
  auto found = known.find(*key);
  if (found == known.end())
    found = known.try_emplace(std::move(*key), compute()).first;
  return found->second;
}
