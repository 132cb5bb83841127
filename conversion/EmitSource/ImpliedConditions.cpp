//===- ImpliedConditions.cpp - conditions that follow from others ---------===//
//
// Constraints are polynomials that must not be negative. With h + 1 and w + 1
// for numbers that are 1 or more, one that has no negative coefficient is none,
// and one follows from another where their difference has none:
//
//   100 - 2 * w >= 0 from 99 - h * w - 2 * w >= 0, since 1 + h * w >= 0.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/ImpliedConditions.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

using namespace mlir;
using llvm::ArrayRef;

namespace {
/// Coefficients by the variables of their monomials, in order.
using Polynomial = std::map<std::vector<unsigned>, int64_t>;

/// Reads constraints as polynomials in numbers that are not negative and, from
/// `firstFree` on, in numbers of which nothing is known.
class Reader {
public:
  explicit Reader(ArrayRef<AffineExpr> positive) : positive(positive) {}

  /// Nothing for what is no polynomial, or takes more than 64 bits.
  std::optional<Polynomial> read(AffineExpr expr);

  static constexpr unsigned firstFree = 1u << 16;

private:
  std::optional<Polynomial> readVariable(AffineExpr expr);

  ArrayRef<AffineExpr> positive;
};
} // namespace

static bool add(Polynomial &sum, const std::vector<unsigned> &monomial,
                int64_t coefficient) {
  int64_t &place = sum[monomial];
  return !llvm::AddOverflow(place, coefficient, place);
}

static std::optional<Polynomial> multiply(const Polynomial &left,
                                          const Polynomial &right) {
  Polynomial product;
  for (const auto &[first, a] : left)
    for (const auto &[second, b] : right) {
      std::vector<unsigned> both = first;
      both.insert(both.end(), second.begin(), second.end());
      std::sort(both.begin(), both.end());
      int64_t coefficient;
      if (llvm::MulOverflow(a, b, coefficient) ||
          !add(product, both, coefficient))
        return std::nullopt;
    }
  return product;
}

std::optional<Polynomial> Reader::readVariable(AffineExpr expr) {
  for (auto [number, known] : llvm::enumerate(positive))
    if (expr == known)
      return Polynomial{{{unsigned(number)}, 1}, {{}, 1}};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return Polynomial{{{firstFree + symbol.getPosition()}, 1}};
  return std::nullopt;
}

std::optional<Polynomial> Reader::read(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Polynomial{{{}, constant.getValue()}};
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation || (operation.getKind() != AffineExprKind::Add &&
                     operation.getKind() != AffineExprKind::Mul))
    return readVariable(expr);
  std::optional<Polynomial> left = read(operation.getLHS());
  std::optional<Polynomial> right = read(operation.getRHS());
  if (!left || !right)
    return std::nullopt;
  if (operation.getKind() == AffineExprKind::Mul)
    return multiply(*left, *right);
  for (const auto &[monomial, coefficient] : *right)
    if (!add(*left, monomial, coefficient))
      return std::nullopt;
  return left;
}

/// Whether `polynomial` is negative for no values.
static bool isNeverNegative(const Polynomial &polynomial) {
  return llvm::all_of(polynomial, [](const auto &term) {
    const auto &[monomial, coefficient] = term;
    bool isFree = !monomial.empty() && monomial.back() >= Reader::firstFree;
    return isFree ? coefficient == 0 : coefficient >= 0;
  });
}

/// Whether `wanted` is at least what `given` is.
static bool follows(const Polynomial &wanted, const Polynomial &given) {
  Polynomial difference = wanted;
  for (const auto &[monomial, coefficient] : given) {
    int64_t &place = difference[monomial];
    if (llvm::SubOverflow(place, coefficient, place))
      return false;
  }
  return isNeverNegative(difference);
}

llvm::SmallVector<unsigned>
gpuopt::source::findNeededConstraints(IntegerSet set,
                                      ArrayRef<AffineExpr> positive) {
  Reader reader(positive);
  std::vector<std::optional<Polynomial>> all;
  for (AffineExpr constraint : set.getConstraints())
    all.push_back(reader.read(constraint));
  llvm::SmallVector<unsigned> needed;
  for (unsigned i = 0; i < all.size(); ++i) {
    bool isImplied = false;
    if (all[i] && !set.isEq(i)) {
      isImplied = isNeverNegative(*all[i]);
      // Of two that are the same the first is needed.
      for (unsigned j = 0; j < all.size() && !isImplied; ++j)
        isImplied = j != i && all[j] && follows(*all[i], *all[j]) &&
                    (j < i || !follows(*all[j], *all[i]));
    }
    if (!isImplied)
      needed.push_back(i);
  }
  return needed;
}
