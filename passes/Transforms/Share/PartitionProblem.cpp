//===- PartitionProblem.cpp - arrays that blocks may share ----------------===//

#include "passes/Transforms/Share/PartitionProblem.h"

#include "dialects/GPUOpt/ExtentExpression.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

PlanParameters::PlanParameters() {
  for (llvm::StringRef name : kBlockSizeNames)
    parameters.push_back({PlanParameter::Kind::BlockSize, name.str()});
}

Polynomial PlanParameters::addVague() {
  unsigned number = 1 + llvm::count_if(parameters, [](const auto &parameter) {
                      return parameter.kind == PlanParameter::Kind::Vague;
                    });
  parameters.push_back(
      {PlanParameter::Kind::Vague, "k" + std::to_string(number)});
  return Polynomial::variable(parameters.size() - 1);
}

/// The parameter of this kind and name, which is added where there is none.
Polynomial PlanParameters::find(const PlanParameter &wanted) {
  auto known = llvm::find_if(parameters, [&](const PlanParameter &parameter) {
    return parameter.kind == wanted.kind && parameter.name == wanted.name;
  });
  unsigned number = known - parameters.begin();
  if (known == parameters.end())
    parameters.push_back(wanted);
  return Polynomial::variable(number);
}

Polynomial PlanParameters::addSize(llvm::StringRef name, int64_t value) {
  return find({PlanParameter::Kind::Size, name.str(), value});
}

/// `expression` as a sum of block sizes with factors, where its values for some
/// blocks, powers of two and others, are those of one.
static std::optional<Polynomial> asSum(llvm::StringRef expression) {
  auto valueAt = [&](const std::array<int64_t, 3> &block) {
    llvm::StringMap<int64_t> sizes;
    for (auto [name, threads] : llvm::zip(kBlockSizeNames, block))
      sizes[name] = threads;
    llvm::Expected<int64_t> value = evaluateExtent(expression, sizes);
    if (value)
      return std::optional(*value);
    llvm::consumeError(value.takeError());
    return std::optional<int64_t>();
  };
  std::optional<int64_t> constant = valueAt({0, 0, 0});
  if (!constant)
    return std::nullopt;
  Polynomial sum(*constant);
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::array<int64_t, 3> unit = {0, 0, 0};
    unit[dimension] = 1;
    std::optional<int64_t> value = valueAt(unit);
    if (!value)
      return std::nullopt;
    sum += Polynomial(*value - *constant) * Polynomial::variable(dimension);
  }
  for (const std::array<int64_t, 3> &block :
       {std::array<int64_t, 3>{32, 16, 2}, {1024, 64, 8}, {7, 5, 3}})
    if (valueAt(block) != sum.evaluate(block))
      return std::nullopt;
  return sum;
}

Polynomial PlanParameters::addLength(llvm::StringRef expression) {
  if (std::optional<Polynomial> sum = asSum(expression))
    return *sum;
  return find({PlanParameter::Kind::Expression, expression.str()});
}

Polynomial PlanParameters::addQuotient(const Polynomial &dividend,
                                       int64_t divisor) {
  if (std::optional<int64_t> constant = dividend.getConstant())
    return Polynomial(llvm::divideCeilSigned(*constant, divisor));
  PlanParameter quotient{PlanParameter::Kind::Quotient, ""};
  quotient.name =
      "ceil((" + toString(dividend) + ") / " + std::to_string(divisor) + ")";
  quotient.dividend = dividend;
  quotient.divisor = divisor;
  return find(quotient);
}

std::string PlanParameters::toString(const Polynomial &polynomial) const {
  return polynomial.str([&](unsigned number) {
    const PlanParameter &parameter = parameters[number];
    return parameter.kind == PlanParameter::Kind::Expression
               ? "(" + parameter.name + ")"
               : parameter.name;
  });
}

std::vector<int64_t>
PlanParameters::evaluate(llvm::ArrayRef<int64_t> block,
                         llvm::ArrayRef<int64_t> vague) const {
  llvm::StringMap<int64_t> sizes;
  for (auto [name, threads] : llvm::zip(kBlockSizeNames, block))
    sizes[name] = threads;
  std::vector<int64_t> values;
  for (const PlanParameter &parameter : parameters) {
    switch (parameter.kind) {
    case PlanParameter::Kind::BlockSize:
      values.push_back(block[values.size()]);
      break;
    case PlanParameter::Kind::Vague:
      values.push_back(vague.front());
      vague = vague.drop_front();
      break;
    case PlanParameter::Kind::Size:
      values.push_back(parameter.value);
      break;
    case PlanParameter::Kind::Expression: {
      llvm::Expected<int64_t> value = evaluateExtent(parameter.name, sizes);
      if (!value)
        llvm::consumeError(value.takeError());
      values.push_back(value ? *value : -1);
      break;
    }
    case PlanParameter::Kind::Quotient: {
      std::optional<int64_t> value = parameter.dividend.evaluate(values);
      values.push_back(value ? llvm::divideCeilSigned(*value, parameter.divisor)
                             : -1);
      break;
    }
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::optional<unsigned>
PartitionProblem::findArray(llvm::StringRef name) const {
  for (auto [number, array] : llvm::enumerate(arrays))
    if (array.name == name)
      return number;
  return std::nullopt;
}

bool PartitionProblem::isStored(unsigned array) const {
  return llvm::any_of(references, [&](const ArrayReference &reference) {
    return reference.array == array && reference.isStore;
  });
}

llvm::SmallVector<unsigned>
gpuopt::selectCandidates(const PartitionProblem &problem) {
  llvm::EquivalenceClasses<unsigned> related;
  for (unsigned array = 0; array < problem.arrays.size(); ++array)
    related.insert(array);
  for (auto [one, other] : problem.dependences)
    related.unionSets(one, other);
  llvm::SmallVector<unsigned> candidates;
  for (unsigned array = 0; array < problem.arrays.size(); ++array)
    if (llvm::any_of(problem.hints, [&](const ShareHint &hint) {
          std::optional<unsigned> seed = problem.findArray(hint.array);
          return seed && related.isEquivalent(*seed, array);
        }))
      candidates.push_back(array);
  return candidates;
}

std::vector<ShareHint> gpuopt::defaultHints(const PartitionProblem &problem) {
  std::vector<ShareHint> hints;
  for (const ArrayReference &reference : problem.references) {
    const std::string &name = problem.arrays[reference.array].name;
    bool isKnown = llvm::any_of(
        hints, [&](const ShareHint &hint) { return hint.array == name; });
    if (isKnown || reference.isStore || !reference.problem.empty())
      continue;
    ShareHint &hint = hints.emplace_back();
    hint.array = name;
    for (const AffineSubscript &subscript : reference.subscripts) {
      std::string &length = hint.lengths.emplace_back();
      for (auto [dimension, factor] :
           llvm::zip(problem.dimensions, subscript.factors))
        if (factor != 0 && dimension.workItem)
          length = kBlockSizeNames[*dimension.workItem].str();
    }
  }
  return hints;
}
