//===- Polynomial.cpp - integer polynomials over ids, loops, sizes --------===//

#include "passes/Analysis/Polynomial.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>

using namespace gpuopt;

/// The one coefficient whose negation, magnitude and quotient by -1 are none:
/// it counts as one that overflows.
static constexpr int64_t noCoefficient = std::numeric_limits<int64_t>::min();

void Monomial::push_back(unsigned variable) {
  tooLong |= numFactors == kMostFactors;
  if (tooLong)
    return;
  unsigned position = numFactors++;
  for (; position > 0 && factors[position - 1] > variable; --position)
    factors[position] = factors[position - 1];
  factors[position] = variable;
}

void Monomial::erase(const_iterator position) {
  unsigned *to = factors.data() + (position - begin());
  std::copy(to + 1, factors.data() + numFactors, to);
  factors[--numFactors] = 0;
}

Monomial gpuopt::operator*(const Monomial &left, const Monomial &right) {
  Monomial product = left;
  for (unsigned variable : right)
    product.push_back(variable);
  product.tooLong |= right.tooLong;
  return product;
}

bool MonomialOrder::operator()(const Monomial &left,
                               const Monomial &right) const {
  if (left.size() != right.size())
    return left.size() > right.size();
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(),
                                      right.end());
}

//===----------------------------------------------------------------------===//
// Construction and queries
//===----------------------------------------------------------------------===//

Polynomial::Polynomial(int64_t constant)
    : overflowed(constant == noCoefficient) {
  if (constant != 0 && !overflowed)
    terms.push_back({Monomial(), constant});
}

Polynomial Polynomial::variable(unsigned variable) {
  return term({variable}, 1);
}

Polynomial Polynomial::term(const Monomial &monomial, int64_t coefficient) {
  if (monomial.isTooLong())
    return unknown();
  Polynomial result;
  result.add(monomial, coefficient);
  return result;
}

Polynomial Polynomial::unknown() {
  Polynomial result;
  result.overflowed = true;
  return result;
}

bool Polynomial::isConstant() const { return getConstant().has_value(); }

std::optional<int64_t> Polynomial::getConstant() const {
  if (overflowed || terms.size() > 1)
    return std::nullopt;
  if (terms.empty())
    return 0;
  if (!terms.begin()->first.empty())
    return std::nullopt;
  return terms.begin()->second;
}

std::optional<unsigned> Polynomial::getVariable() const {
  if (overflowed || terms.size() != 1)
    return std::nullopt;
  const auto &[monomial, coefficient] = *terms.begin();
  if (monomial.size() != 1 || coefficient != 1)
    return std::nullopt;
  return monomial.front();
}

bool Polynomial::isLinear() const {
  return !overflowed && llvm::all_of(terms, [](const auto &term) {
    return term.first.size() <= 1;
  });
}

Polynomial::Terms::const_iterator
Polynomial::find(const Monomial &monomial) const {
  return llvm::lower_bound(terms, monomial,
                           [](const Term &term, const Monomial &wanted) {
                             return MonomialOrder()(term.first, wanted);
                           });
}

int64_t Polynomial::getCoefficient(const Monomial &monomial) const {
  const auto *it = find(monomial);
  return it == terms.end() || it->first != monomial ? 0 : it->second;
}

llvm::SmallVector<unsigned> Polynomial::getVariables() const {
  llvm::SmallVector<unsigned> variables;
  for (const auto &[monomial, coefficient] : terms)
    variables.append(monomial.begin(), monomial.end());
  llvm::sort(variables);
  variables.erase(llvm::unique(variables), variables.end());
  return variables;
}

bool Polynomial::contains(unsigned variable) const {
  return llvm::any_of(terms, [&](const auto &term) {
    return llvm::is_contained(term.first, variable);
  });
}

bool Polynomial::containsAny(
    llvm::function_ref<bool(unsigned)> predicate) const {
  return llvm::any_of(terms, [&](const auto &term) {
    return llvm::any_of(term.first, predicate);
  });
}

Polynomial Polynomial::getCofactor(unsigned variable) const {
  if (overflowed)
    return unknown();
  Polynomial result;
  for (const auto &[monomial, coefficient] : terms) {
    if (llvm::count(monomial, variable) != 1)
      continue;
    Monomial rest = monomial;
    rest.erase(llvm::find(rest, variable));
    result.add(rest, coefficient);
  }
  return result;
}

Polynomial Polynomial::without(unsigned variable) const {
  return partition([&](const Monomial &monomial) {
           return !llvm::is_contained(monomial, variable);
         })
      .first;
}

std::optional<int64_t>
Polynomial::evaluate(llvm::ArrayRef<int64_t> values) const {
  if (overflowed)
    return std::nullopt;
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : terms) {
    int64_t product = coefficient;
    for (unsigned variable : monomial)
      if (variable >= values.size() ||
          __builtin_mul_overflow(product, values[variable], &product))
        return std::nullopt;
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

FlatPolynomial::FlatPolynomial(const Polynomial &polynomial)
    : isUnknown(polynomial.isUnknown()) {
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    terms.push_back({coefficient, static_cast<unsigned>(monomial.size())});
    factors.append(monomial.begin(), monomial.end());
    if (!monomial.empty())
      numVariables = std::max(numVariables, monomial.back() + 1);
  }
}

FlatPolynomial FlatPolynomial::unknown() {
  FlatPolynomial result;
  result.isUnknown = true;
  return result;
}

std::optional<int64_t>
FlatPolynomial::evaluate(llvm::ArrayRef<int64_t> values) const {
  if (isUnknown || numVariables > values.size())
    return std::nullopt;
  int64_t sum = 0;
  const unsigned *factor = factors.begin();
  for (const Term &term : terms) {
    int64_t product = term.coefficient;
    for (const unsigned *end = factor + term.numFactors; factor != end;
         ++factor)
      if (__builtin_mul_overflow(product, values[*factor], &product))
        return std::nullopt;
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> FlatPolynomial::getConstant() const {
  return factors.empty() ? evaluate({}) : std::nullopt;
}

bool FlatPolynomial::visitLinear(
    llvm::function_ref<bool(int64_t, std::optional<unsigned>)> visit) const {
  const unsigned *factor = factors.begin();
  return !isUnknown && llvm::all_of(terms, [&](const Term &term) {
    return term.numFactors == 0
               ? visit(term.coefficient, std::nullopt)
               : term.numFactors == 1 && visit(term.coefficient, *factor++);
  });
}

FlatPolynomial FlatPolynomial::fold(llvm::ArrayRef<int64_t> values,
                                    const llvm::BitVector &open) const {
  if (isUnknown || numVariables > values.size())
    return unknown();
  FlatPolynomial result;
  int64_t constant = 0;
  const unsigned *factor = factors.begin();
  for (const Term &term : terms) {
    Term folded = {term.coefficient, 0};
    size_t first = result.factors.size();
    for (const unsigned *end = factor + term.numFactors; factor != end;
         ++factor) {
      if (open[*factor]) {
        result.factors.push_back(*factor);
        result.numVariables = std::max(result.numVariables, *factor + 1);
        ++folded.numFactors;
      } else if (__builtin_mul_overflow(folded.coefficient, values[*factor],
                                        &folded.coefficient)) {
        return unknown();
      }
    }
    if (folded.numFactors == 0) {
      if (__builtin_add_overflow(constant, folded.coefficient, &constant))
        return unknown();
      continue;
    }
    // What differs only in what was put in is one term now, where it stands
    // next to the other.
    if (!result.terms.empty() &&
        result.terms.back().numFactors == folded.numFactors &&
        std::equal(result.factors.begin() + first, result.factors.end(),
                   result.factors.begin() + first - folded.numFactors)) {
      result.factors.truncate(first);
      if (__builtin_add_overflow(result.terms.back().coefficient,
                                 folded.coefficient,
                                 &result.terms.back().coefficient))
        return unknown();
      continue;
    }
    result.terms.push_back(folded);
  }
  if (constant)
    result.terms.push_back({constant, 0});
  return result;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void Polynomial::add(const Monomial &monomial, int64_t coefficient) {
  if (overflowed || coefficient == 0)
    return;
  if (coefficient == noCoefficient) {
    *this = unknown();
    return;
  }
  auto *it = const_cast<Term *>(find(monomial));
  if (it == terms.end() || it->first != monomial) {
    terms.insert(it, {monomial, coefficient});
    return;
  }
  if (__builtin_add_overflow(it->second, coefficient, &it->second) ||
      it->second == noCoefficient) {
    *this = unknown();
    return;
  }
  if (it->second == 0)
    terms.erase(it);
}

Polynomial Polynomial::scaled(const Monomial &monomial,
                              int64_t coefficient) const {
  if (overflowed)
    return unknown();
  Polynomial result;
  if (coefficient == 0)
    return result;
  // The order of monomials is that of their products with another one.
  result.terms = terms;
  for (auto &[product, count] : result.terms) {
    if (__builtin_mul_overflow(count, coefficient, &count) ||
        count == noCoefficient)
      return unknown();
    if (monomial.empty())
      continue;
    product = product * monomial;
    if (product.isTooLong())
      return unknown();
  }
  return result;
}

Polynomial Polynomial::operator-() const { return scaled({}, -1); }

Polynomial &Polynomial::addAll(const Polynomial &other, int64_t sign) {
  if (overflowed || other.overflowed)
    return *this = unknown();
  if (other.terms.size() == 1) {
    add(other.terms.front().first, sign * other.terms.front().second);
    return *this;
  }
  // Both are sorted.
  Terms sum;
  sum.reserve(terms.size() + other.terms.size());
  const Term *left = terms.begin();
  for (const auto &[monomial, coefficient] : other.terms) {
    for (; left != terms.end() && MonomialOrder()(left->first, monomial);
         ++left)
      sum.push_back(*left);
    int64_t count = sign * coefficient;
    if (left != terms.end() && left->first == monomial) {
      if (__builtin_add_overflow(left->second, count, &count) ||
          count == noCoefficient)
        return *this = unknown();
      ++left;
    }
    if (count != 0)
      sum.push_back({monomial, count});
  }
  sum.append(left, static_cast<const Term *>(terms.end()));
  terms = std::move(sum);
  return *this;
}

Polynomial &Polynomial::operator+=(const Polynomial &other) {
  return addAll(other, 1);
}

Polynomial &Polynomial::operator-=(const Polynomial &other) {
  return addAll(other, -1);
}

Polynomial gpuopt::operator*(const Polynomial &left, const Polynomial &right) {
  if (left.overflowed || right.overflowed)
    return Polynomial::unknown();
  Polynomial result;
  for (const auto &[monomial, coefficient] : left.terms)
    result += right.scaled(monomial, coefficient);
  return result;
}

bool Polynomial::operator<(const Polynomial &other) const {
  if (overflowed != other.overflowed)
    return other.overflowed;
  return std::lexicographical_compare(
      terms.begin(), terms.end(), other.terms.begin(), other.terms.end(),
      [](const auto &left, const auto &right) {
        if (left.first != right.first)
          return MonomialOrder()(left.first, right.first);
        return left.second < right.second;
      });
}

Polynomial Polynomial::substitute(unsigned variable,
                                  const Polynomial &value) const {
  if (overflowed)
    return unknown();
  if (!contains(variable))
    return *this;
  Polynomial result;
  for (const auto &[monomial, coefficient] : terms) {
    if (!llvm::is_contained(monomial, variable)) {
      result.add(monomial, coefficient);
      continue;
    }
    Polynomial product(coefficient);
    Monomial rest;
    for (unsigned factor : monomial)
      if (factor == variable)
        product = product * value;
      else
        rest.push_back(factor);
    result += product.scaled(rest, 1);
  }
  return result;
}

std::pair<Polynomial, Polynomial>
Polynomial::partition(llvm::function_ref<bool(const Monomial &)> keep) const {
  if (overflowed)
    return {unknown(), unknown()};
  Polynomial kept, rest;
  for (const Term &term : terms)
    (keep(term.first) ? kept : rest).terms.push_back(term);
  return {std::move(kept), std::move(rest)};
}

int64_t Polynomial::getContent() const {
  int64_t content = 0;
  for (const auto &[monomial, coefficient] : terms)
    content = std::gcd(content, coefficient);
  return content;
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// `dividend` / `divisor` as monomials, or nothing where it does not divide.
static std::optional<Monomial> divideMonomial(const Monomial &dividend,
                                              const Monomial &divisor) {
  Monomial quotient = dividend;
  for (unsigned factor : divisor) {
    const unsigned *found = llvm::find(quotient, factor);
    if (found == quotient.end())
      return std::nullopt;
    quotient.erase(found);
  }
  return quotient;
}

/// The quotient by a positive constant, for one coefficient: rounded toward
/// zero, for the constant summand to nearest.
static int64_t divideCoefficient(int64_t coefficient, int64_t divisor,
                                 bool isConstantTerm) {
  int64_t quotient = coefficient / divisor;
  int64_t remainder = coefficient % divisor;
  if (!isConstantTerm)
    return quotient;
  if (remainder > divisor / 2)
    return quotient + 1;
  return remainder < -(divisor / 2) ? quotient - 1 : quotient;
}

Polynomial::Division Polynomial::divide(const Polynomial &divisor) const {
  if (overflowed || divisor.overflowed || divisor.terms.empty())
    return {unknown(), unknown()};
  const auto &[leading, leadingCoefficient] = *divisor.terms.begin();
  bool byConstant = leading.empty();
  if (byConstant && leadingCoefficient < 1)
    return {Polynomial(), *this};

  Division result{Polynomial(), *this};
  Terms open = terms;
  // The first is the last.
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    auto [monomial, coefficient] = open.pop_back_val();
    std::optional<Monomial> factor = divideMonomial(monomial, leading);
    if (!factor || (!byConstant && coefficient % leadingCoefficient != 0))
      continue;
    int64_t count = byConstant
                        ? divideCoefficient(coefficient, leadingCoefficient,
                                            monomial.empty())
                        : coefficient / leadingCoefficient;
    if (count == 0)
      continue;
    Polynomial step = term(*factor, count);
    result.quotient += step;
    result.remainder -= step * divisor;
    if (result.remainder.overflowed)
      return {unknown(), unknown()};
    if (byConstant)
      continue;
    // The terms that come after this one have changed.
    open.clear();
    for (const Term &entry : llvm::reverse(result.remainder.terms))
      if (MonomialOrder()(monomial, entry.first))
        open.push_back(entry);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Polynomial::print(llvm::raw_ostream &os,
                       llvm::function_ref<std::string(unsigned)> nameOf) const {
  if (overflowed) {
    os << "unknown";
    return;
  }
  if (terms.empty())
    os << '0';
  bool first = true;
  for (const auto &[monomial, coefficient] : terms) {
    bool negative = coefficient < 0;
    os << (first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    first = false;
    uint64_t magnitude =
        negative ? -static_cast<uint64_t>(coefficient) : coefficient;
    if (magnitude != 1 || monomial.empty())
      os << magnitude << (monomial.empty() ? "" : "*");
    llvm::interleave(
        monomial, os, [&](unsigned factor) { os << nameOf(factor); }, "*");
  }
}

std::string
Polynomial::str(llvm::function_ref<std::string(unsigned)> nameOf) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, nameOf);
  return text;
}
