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
// Coefficients have less than 2^63 as magnitude. Where one has more the result
// is `unknown`, and every computation with `unknown` is `unknown`.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_POLYNOMIAL_H
#define PASSES_ANALYSIS_POLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuopt {

/// A product of variables in ascending order; `x*x` is {x, x}, one is {}.
using Monomial = llvm::SmallVector<unsigned, 2>;

/// Orders monomials by degree, the highest first, then by their variables.
struct MonomialOrder {
  bool operator()(const Monomial &left, const Monomial &right) const;
};

class Polynomial {
public:
  /// Products and their coefficients, by `MonomialOrder`, few as a rule.
  using Term = std::pair<Monomial, int64_t>;
  using Terms = llvm::SmallVector<Term, 1>;

  /// The constant 0, or `constant`.
  Polynomial() = default;
  Polynomial(int64_t constant);

  static Polynomial variable(unsigned variable);
  static Polynomial term(Monomial monomial, int64_t coefficient);
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
