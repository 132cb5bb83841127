//===- Polynomial.h - integer polynomials over ids and sizes ----*- C++ -*-===//
//
// The value of an index computation, free of IR: a sum of products of
// variables with integer coefficients. A variable is a number that its user
// gives a meaning (a work item's id, a loop's induction variable, a parameter).
//
//   source                          polynomial
//   a[idy * w + i]                  idy*w + i
//   image[(idy+i) * (w+kw-1) + j]   idy*w + idy*kw - idy + i*w + i*kw - i + j
//
// The second example is why a *polynomial*: the source multiplies out, and
// division with remainder by the row length `w + kw - 1` finds the row
// `idy + i` and the column `j` again. A sum whose every product has at most
// one variable is *linear*.
//
// Coefficients have less than 2^63 as magnitude, products at most
// `Monomial::kMostFactors` variables. Where one has more the result is
// `unknown`, and every computation with `unknown` is `unknown`.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_POLYNOMIAL_H
#define PASSES_ANALYSIS_POLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

namespace gpuopt {

/// A product of variables in ascending order; `x*x` is {x, x}, one is {}.
/// Analyses make and copy so many of them that none has memory of its own.
class Monomial {
public:
  static constexpr unsigned kMostFactors = 7;
  using value_type = unsigned;
  using const_iterator = const unsigned *;

  Monomial() = default;
  Monomial(std::initializer_list<unsigned> variables) {
    for (unsigned variable : variables)
      push_back(variable);
  }

  const_iterator begin() const { return factors.data(); }
  const_iterator end() const { return begin() + size(); }
  unsigned size() const { return numFactors; }
  bool empty() const { return numFactors == 0; }
  unsigned front() const { return factors.front(); }
  unsigned back() const { return factors[numFactors - 1]; }
  /// Multiplies by `variable`.
  void push_back(unsigned variable);
  /// Takes away the factor at `position`.
  void erase(const_iterator position);
  /// Whether there were more factors than a monomial holds.
  bool isTooLong() const { return tooLong; }

  friend Monomial operator*(const Monomial &left, const Monomial &right);
  bool operator==(const Monomial &other) const = default;

private:
  /// Zero behind the last factor.
  std::array<unsigned, kMostFactors> factors = {};
  uint16_t numFactors = 0;
  bool tooLong = false;
};

/// Orders monomials by degree, the highest first, then by their variables.
struct MonomialOrder {
  bool operator()(const Monomial &left, const Monomial &right) const;
};

class Polynomial {
public:
  /// Products and their coefficients, by `MonomialOrder`, few as a rule.
  using Term = std::pair<Monomial, int64_t>;
  using Terms = llvm::SmallVector<Term, 3>;

  /// The constant 0, or `constant`.
  Polynomial() = default;
  Polynomial(int64_t constant);
  // Terms move without memory of their own being needed: vectors of polynomials
  // move them when they grow.
  Polynomial(const Polynomial &) = default;
  Polynomial(Polynomial &&) noexcept = default;
  Polynomial &operator=(const Polynomial &) = default;
  Polynomial &operator=(Polynomial &&) noexcept = default;

  static Polynomial variable(unsigned variable);
  static Polynomial term(const Monomial &monomial, int64_t coefficient);
  static Polynomial unknown();

  bool isUnknown() const { return overflowed; }
  bool isZero() const { return !overflowed && terms.empty(); }
  bool isConstant() const;
  /// The value where it is a constant.
  std::optional<int64_t> getConstant() const;
  /// The variable where it is `1 * variable`.
  std::optional<unsigned> getVariable() const;
  /// True where no product has two variables.
  bool isLinear() const;
  /// The summand without variables.
  int64_t getConstantTerm() const { return getCoefficient({}); }
  int64_t getCoefficient(const Monomial &monomial) const;
  /// Products and their coefficients, none zero.
  const Terms &getTerms() const { return terms; }
  /// Every variable once, ascending.
  llvm::SmallVector<unsigned> getVariables() const;
  bool contains(unsigned variable) const;
  bool containsAny(llvm::function_ref<bool(unsigned)> predicate) const;
  /// What multiplies the first power of `variable`: w for idy in idy*w + i.
  Polynomial getCofactor(unsigned variable) const;
  /// The summands without `variable`: i for idy in idy*w + i.
  Polynomial without(unsigned variable) const;
  /// The value when each variable v is `values[v]`; nothing where a variable
  /// has no value or the result leaves 64 bits.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> values) const;

  Polynomial operator-() const;
  Polynomial &operator+=(const Polynomial &other);
  Polynomial &operator-=(const Polynomial &other);
  friend Polynomial operator+(Polynomial left, const Polynomial &right) {
    return left += right;
  }
  friend Polynomial operator-(Polynomial left, const Polynomial &right) {
    return left -= right;
  }
  friend Polynomial operator*(const Polynomial &left, const Polynomial &right);
  bool operator==(const Polynomial &other) const = default;
  /// An arbitrary total order, for maps.
  bool operator<(const Polynomial &other) const;

  /// The polynomial with `value` in place of `variable`.
  Polynomial substitute(unsigned variable, const Polynomial &value) const;

  /// The sums of the terms that `keep` accepts and that it does not.
  std::pair<Polynomial, Polynomial>
  partition(llvm::function_ref<bool(const Monomial &)> keep) const;

  /// The greatest common divisor of all coefficients; 0 for 0.
  int64_t getContent() const;

  /// Multivariate division with remainder: this = quotient * divisor +
  /// remainder, no term of the remainder a multiple of the divisor's leading
  /// term (the first one in `getTerms`). The divisor's leading coefficient has
  /// to divide the coefficients that it meets, else the terms remain. A
  /// constant divisor rounds the quotients of variables' coefficients toward
  /// zero and that of the constant summand to nearest:
  /// (512*y + x - 1) / 512 is y, remainder x - 1.
  struct Division;
  Division divide(const Polynomial &divisor) const;

  /// Prints like `2*x*y - x + 1`.
  void print(llvm::raw_ostream &os,
             llvm::function_ref<std::string(unsigned)> nameOf) const;
  std::string str(llvm::function_ref<std::string(unsigned)> nameOf) const;

private:
  /// Where `monomial` is in `terms`, or would be.
  Terms::const_iterator find(const Monomial &monomial) const;
  void add(const Monomial &monomial, int64_t coefficient);
  /// Adds `sign` times `other`, for signs of 1 and -1.
  Polynomial &addAll(const Polynomial &other, int64_t sign);
  /// Multiplies all coefficients, and all monomials by `monomial`.
  Polynomial scaled(const Monomial &monomial, int64_t coefficient) const;

  Terms terms;
  bool overflowed = false;
};

struct Polynomial::Division {
  Polynomial quotient;
  Polynomial remainder;
};

/// A polynomial laid out for being evaluated many times.
class FlatPolynomial {
public:
  explicit FlatPolynomial(const Polynomial &polynomial);
  /// As `Polynomial::evaluate`.
  std::optional<int64_t> evaluate(llvm::ArrayRef<int64_t> values) const;
  /// The value where it is a constant, nothing also where it is not known.
  std::optional<int64_t> getConstant() const;
  bool isVariable() const { return !isUnknown && !factors.empty(); }
  /// Calls `visit` with the coefficient and the variable, if there is one, of
  /// every term; false where a term has more variables, or it returns false.
  bool visitLinear(
      llvm::function_ref<bool(int64_t, std::optional<unsigned>)> visit) const;
  /// The polynomial in the variables that are set in `open`, with its value in
  /// `values` in the place of each other one.
  FlatPolynomial fold(llvm::ArrayRef<int64_t> values,
                      const llvm::BitVector &open) const;

private:
  FlatPolynomial() = default;
  static FlatPolynomial unknown();

  struct Term {
    int64_t coefficient;
    unsigned numFactors;
  };
  llvm::SmallVector<Term, 4> terms;
  /// The variables of all terms, one term after the other.
  llvm::SmallVector<unsigned, 8> factors;
  /// One more than the largest variable.
  unsigned numVariables = 0;
  bool isUnknown = false;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_POLYNOMIAL_H
