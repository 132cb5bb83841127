//===- PolynomialProperty.cpp - identities of polynomials -----------------===//

#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Analysis/Polynomial.h"
#include "passes/Transforms/Utils/Alignment.h"

using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

/// Variables of random polynomials.
static constexpr unsigned numVariables = 4;

static int64_t drawCoefficient(RandomNumbers &random) {
  switch (random.below(12)) {
  case 0:
    return static_cast<int64_t>(random());
  case 1:
    return std::numeric_limits<int64_t>::min();
  case 2:
    return int64_t(1) << random.below(63);
  default:
    return static_cast<int64_t>(random.below(13)) - 6;
  }
}

static Polynomial drawPolynomial(RandomNumbers &random) {
  Polynomial sum;
  unsigned terms = random.below(5);
  for (unsigned i = 0; i < terms; ++i) {
    Monomial monomial;
    unsigned degree = random.below(4);
    for (unsigned j = 0; j < degree; ++j)
      monomial.push_back(random.below(numVariables));
    sum += Polynomial::term(monomial, drawCoefficient(random));
  }
  return sum;
}

static std::string toString(const Polynomial &polynomial) {
  return polynomial.str(
      [](unsigned variable) { return "x" + std::to_string(variable); });
}

namespace {

/// Compares polynomials by their values at one point.
class Identities {
public:
  Identities(RandomNumbers &numbers, Tally &counts)
      : random(numbers), tally(counts) {
    for (int64_t &value : point)
      value = drawCoefficient(random);
  }

  Violation check();

private:
  Number at(const Polynomial &polynomial) const {
    return evaluate(polynomial, [&](unsigned variable) {
      return DynamicAPInt(point[variable]);
    });
  }
  /// `polynomial` has to be unknown or to have the value `wanted`.
  void expect(llvm::StringRef name, const Polynomial &polynomial,
              Number wanted) {
    Number number = at(polynomial);
    if (violation || !number || !wanted)
      return;
    tally.add(name);
    if (*number != *wanted)
      violation = (name + " of " + toString(a) + " and " + toString(b) +
                   " is " + toString(polynomial))
                      .str();
  }
  void checkArithmetic();
  void checkDivision();
  void checkParts();
  void checkFlat();

  RandomNumbers &random;
  Tally &tally;
  std::array<int64_t, numVariables> point;
  Polynomial a, b;
  Violation violation;
};

} // namespace

void Identities::checkArithmetic() {
  Number x = at(a), y = at(b);
  if (!x || !y)
    return;
  expect("sum", a + b, *x + *y);
  expect("difference", a - b, *x - *y);
  expect("product", a * b, *x * *y);
  expect("negation", -a, -*x);
  // With b in the place of a variable.
  unsigned variable = random.below(numVariables);
  Number substituted = evaluate(a, [&](unsigned other) {
    return other == variable ? *y : DynamicAPInt(point[other]);
  });
  expect("substitution", a.substitute(variable, b), substituted);
}

void Identities::checkDivision() {
  for (const Polynomial &divisor :
       {b, Polynomial(1 + static_cast<int64_t>(random.below(64))),
        Polynomial::variable(0) - Polynomial::variable(1)}) {
    Polynomial::Division division = a.divide(divisor);
    Number quotient = at(division.quotient), by = at(divisor),
           remainder = at(division.remainder);
    if (quotient && by && remainder && at(a))
      expect("division", a, *quotient * *by + *remainder);
  }
  // A product is divided without a remainder by a factor with a coefficient
  // of one in front.
  Polynomial factor = Polynomial::term({3, 3, 3, 3}, 1) + b;
  if (Polynomial product = a * factor; !product.isUnknown()) {
    Polynomial::Division division = product.divide(factor);
    if (!division.quotient.isUnknown()) {
      expect("division of a product", division.quotient, at(a));
      expect("division of a product", division.remainder, DynamicAPInt(0));
    }
  }
}

void Identities::checkParts() {
  unsigned variable = random.below(numVariables);
  auto [kept, rest] = a.partition([&](const Monomial &monomial) {
    return llvm::is_contained(monomial, variable);
  });
  expect("partition", kept + rest, at(a));
  expect("without", a.without(variable), at(rest));
  Polynomial square = a.partition([&](const Monomial &monomial) {
                         return llvm::count(monomial, variable) == 1;
                       }).first;
  expect("cofactor", a.getCofactor(variable) * Polynomial::variable(variable),
         at(square));
  int64_t content = a.getContent();
  if (content != 0)
    expect("content", a.divide(content).remainder, DynamicAPInt(0));
}

void Identities::checkFlat() {
  FlatPolynomial flat(a);
  auto value = a.evaluate(point);
  if (value)
    expect("evaluation", a, DynamicAPInt(*value));
  if (!violation && flat.evaluate(point) != value)
    violation = "flat evaluation of " + toString(a);
  llvm::BitVector open(numVariables);
  for (unsigned i = 0; i < numVariables; ++i)
    open[i] = random.below(2);
  auto folded = flat.fold(point, open).evaluate(point);
  if (!violation && folded && value && *folded != *value)
    violation = "folded evaluation of " + toString(a);
}

Violation Identities::check() {
  a = drawPolynomial(random);
  b = drawPolynomial(random);
  checkArithmetic();
  checkDivision();
  checkParts();
  checkFlat();
  return violation;
}

Violation gpuopt::property::checkPolynomials(const Program &program,
                                             Tally &tally) {
  RandomNumbers random(program.seed);
  return Identities(random, tally).check();
}

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

/// Adds a parameter, a loop or a derived variable to `table`.
static void addVariable(VariableTable &table, std::vector<Polynomial> &known,
                        RandomNumbers &random) {
  auto draw = [&] {
    Polynomial sum =
        known[random.below(known.size())] * Polynomial(drawCoefficient(random));
    return sum + Polynomial(drawCoefficient(random));
  };
  std::string name = "v" + std::to_string(known.size());
  switch (random.below(3)) {
  case 0:
    known.push_back(Polynomial::variable(table.addParameter(name)));
    return;
  case 1:
    known.push_back(Polynomial::variable(
        table.addLoop(name, {draw(), draw()}, {}, draw())));
    return;
  default:
    auto op = static_cast<Variable::Operator>(random.below(7));
    Polynomial right =
        random.below(2) ? Polynomial(int64_t(1) << random.below(10)) : draw();
    known.push_back(table.addDerived(op, draw(), right));
  }
}

/// The value of `polynomial`, where iterators are in some iteration.
static std::optional<std::vector<int64_t>>
drawValues(const VariableTable &table, RandomNumbers &random) {
  std::vector<int64_t> values;
  for (unsigned number = 0; number < table.size(); ++number) {
    const Variable &variable = table[number];
    std::optional<int64_t> value = drawCoefficient(random);
    if (variable.kind == Variable::Kind::Derived) {
      auto left = variable.left.evaluate(values);
      auto right = variable.right.evaluate(values);
      value = left && right ? VariableTable::fold(variable.op, *left, *right)
                            : std::nullopt;
    } else if (variable.kind == Variable::Kind::Loop) {
      auto first = variable.lowerBounds[0].evaluate(values);
      auto second = variable.lowerBounds[1].evaluate(values);
      auto step = variable.step.evaluate(values);
      int64_t distance, result;
      value = std::nullopt;
      if (first && second && step &&
          !__builtin_mul_overflow(*step, random.below(4), &distance) &&
          !__builtin_add_overflow(std::max(*first, *second), distance, &result))
        value = result;
    }
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Violation gpuopt::property::checkDivisors(const Program &program,
                                          Tally &tally) {
  RandomNumbers random(program.seed);
  VariableTable table;
  std::vector<Polynomial> known{
      Polynomial::variable(VariableTable::threadId(0))};
  for (unsigned i = 0; i < 4; ++i)
    addVariable(table, known, random);
  for (unsigned i = 0; i < 4; ++i) {
    auto values = drawValues(table, random);
    if (!values)
      continue;
    Polynomial polynomial = known.back() * Polynomial(drawCoefficient(random)) +
                            Polynomial(drawCoefficient(random));
    int64_t divisor = provenDivisor(polynomial, table);
    auto value = polynomial.evaluate(*values);
    if (divisor < 1)
      return "divisor of " + table.toString(polynomial) + " is " +
             std::to_string(divisor);
    if (!value)
      continue;
    if (divisor > 1)
      tally.add("divisor");
    if (*value % divisor != 0)
      return "divisor of " + table.toString(polynomial) + " is " +
             std::to_string(divisor) + " but it is " + std::to_string(*value);
  }
  return std::nullopt;
}
