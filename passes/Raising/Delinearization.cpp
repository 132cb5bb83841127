//===- Delinearization.cpp - flat subscripts to rows and columns ----------===//

#include "passes/Raising/Delinearization.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

namespace {

/// A polynomial that multiplies a variable somewhere.
struct Stride {
  Polynomial value;
  /// Lowest rank of the variables that it multiplies.
  unsigned rank;
  /// Number of terms that it explains.
  unsigned uses;
};

/// More strides than any sensible array has; bounds the search.
constexpr unsigned maxStrides = 6;
constexpr unsigned maxDimensions = 4;

} // namespace

/// A stable insertion sort, for a few elements and any relation.
template <typename T, typename Before>
static void sortInPlace(llvm::SmallVectorImpl<T> &elements, Before before) {
  for (size_t end = 1; end < elements.size(); ++end)
    for (size_t at = end; at > 0 && before(elements[at], elements[at - 1]);
         --at)
      std::swap(elements[at], elements[at - 1]);
}

static unsigned degreeOf(const Polynomial &value) {
  return value.isZero() ? 0 : value.getTerms().begin()->first.size();
}

/// The polynomial over its content, its leading coefficient positive.
static Polynomial primitivePart(const Polynomial &value) {
  int64_t content = value.getContent();
  if (value.getTerms().begin()->second < 0)
    content = -content;
  Polynomial result;
  for (const auto &[monomial, coefficient] : value.getTerms())
    result += Polynomial::term(monomial, coefficient / content);
  return result;
}

/// The flat subscript as variable part → coefficient over the parameters.
static std::map<Monomial, Polynomial, MonomialOrder>
collectCoefficients(const Polynomial &flat, VariableTraits traits) {
  std::map<Monomial, Polynomial, MonomialOrder> coefficients;
  for (const auto &[monomial, coefficient] : flat.getTerms()) {
    Monomial variables, parameters;
    for (unsigned factor : monomial)
      (traits.isParameter({factor}) ? parameters : variables).push_back(factor);
    coefficients[variables] += Polynomial::term(parameters, coefficient);
  }
  return coefficients;
}

static void addStride(llvm::SmallVectorImpl<Stride> &strides,
                      const Polynomial &value, unsigned rank) {
  auto *it = llvm::find_if(
      strides, [&](const Stride &stride) { return stride.value == value; });
  if (it == strides.end()) {
    strides.push_back({value, rank, 1});
    return;
  }
  it->rank = std::min(it->rank, rank);
  ++it->uses;
}

static void collectStrides(const Polynomial &flat, VariableTraits traits,
                           llvm::SmallVectorImpl<Stride> &strides) {
  auto coefficients = collectCoefficients(flat, traits);
  for (const auto &[variables, coefficient] : coefficients) {
    if (variables.empty() || coefficient.isZero())
      continue;
    unsigned rank = ~0u;
    for (unsigned variable : variables)
      rank = std::min(rank, traits.rankOf(variable));
    std::optional<int64_t> constant = coefficient.getConstant();
    if (!constant) {
      Polynomial primitive = primitivePart(coefficient);
      addStride(strides, primitive, rank);
      // Of 4*w and of -4*w: rows are not longer for being walked backwards.
      if (coefficient.getContent() != 1)
        addStride(strides, primitive * coefficient.getContent(), rank);
      continue;
    }
    // a[512*y + x] has rows, a[2*x + 1] has not: a smaller step is needed.
    bool hasSmallerStep = llvm::any_of(coefficients, [&](const auto &other) {
      std::optional<int64_t> step = other.second.getConstant();
      return !other.first.empty() && step && std::abs(*step) < *constant;
    });
    if (*constant > 1 && hasSmallerStep)
      addStride(strides, *constant, rank);
  }
}

/// Outer strides first: products before single parameters, parameters before
/// constants, then by rank, then large constants before small ones.
static bool isOuter(const Stride &left, const Stride &right) {
  unsigned leftDegree = degreeOf(left.value);
  unsigned rightDegree = degreeOf(right.value);
  if (leftDegree != rightDegree)
    return leftDegree > rightDegree;
  if (leftDegree == 0)
    return *left.value.getConstant() > *right.value.getConstant();
  // 4*w is outside of w.
  Polynomial::Division division = left.value.divide(right.value);
  if (division.remainder.isZero())
    return true;
  if (right.value.divide(left.value).remainder.isZero())
    return false;
  if (left.rank != right.rank)
    return left.rank < right.rank;
  return left.value < right.value;
}

std::optional<Polynomial> ArrayLayout::getExtent(unsigned dimension) const {
  if (dimension == strides.size())
    return strides.back();
  Polynomial::Division division =
      strides[dimension - 1].divide(strides[dimension]);
  if (!division.remainder.isZero())
    return std::nullopt;
  return division.quotient;
}

llvm::SmallVector<ArrayLayout>
gpuopt::proposeLayouts(llvm::ArrayRef<Polynomial> flats,
                       VariableTraits traits) {
  llvm::SmallVector<Stride> strides;
  for (const Polynomial &flat : flats)
    if (!flat.isUnknown())
      collectStrides(flat, traits, strides);
  sortInPlace(strides, [](const Stride &left, const Stride &right) {
    return left.uses > right.uses;
  });
  if (strides.size() > maxStrides)
    strides.truncate(maxStrides);
  sortInPlace(strides, isOuter);

  auto hasEmptyDimension = [](const ArrayLayout &layout) {
    for (unsigned dimension = 1; dimension <= layout.strides.size();
         ++dimension)
      if (std::optional<Polynomial> extent = layout.getExtent(dimension))
        if (extent->getConstant().value_or(1) <= 0)
          return true;
    return false;
  };
  llvm::SmallVector<ArrayLayout> layouts;
  for (unsigned subset = 0; subset < (1u << strides.size()); ++subset) {
    ArrayLayout layout;
    for (auto [number, stride] : llvm::enumerate(strides))
      if (subset & (1u << number))
        layout.strides.push_back(stride.value);
    if (layout.strides.size() < maxDimensions && !hasEmptyDimension(layout))
      layouts.push_back(std::move(layout));
  }
  auto countTerms = [](const ArrayLayout &layout) {
    size_t terms = 0;
    for (const Polynomial &stride : layout.strides)
      terms += stride.getTerms().size();
    return terms;
  };
  sortInPlace(layouts, [&](const ArrayLayout &left, const ArrayLayout &right) {
    return std::pair(left.strides.size(), countTerms(left)) <
           std::pair(right.strides.size(), countTerms(right));
  });
  return layouts;
}

llvm::SmallVector<Polynomial>
gpuopt::splitSubscript(const Polynomial &flat, const ArrayLayout &layout) {
  llvm::SmallVector<Polynomial> subscripts;
  Polynomial rest = flat;
  for (const Polynomial &stride : layout.strides) {
    Polynomial::Division division = rest.divide(stride);
    subscripts.push_back(division.quotient);
    rest = division.remainder;
  }
  subscripts.push_back(rest);
  return subscripts;
}

bool gpuopt::fitsLayout(llvm::ArrayRef<Polynomial> subscripts,
                        VariableTraits traits) {
  return llvm::all_of(subscripts, [&](const Polynomial &subscript) {
    return !subscript.isUnknown() &&
           llvm::all_of(subscript.getTerms(), [&](const auto &term) {
             return term.first.size() <= 1 || traits.isParameter(term.first);
           });
  });
}
