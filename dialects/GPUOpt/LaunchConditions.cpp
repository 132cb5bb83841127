//===- LaunchConditions.cpp - what a launch has to fulfil -----------------===//

#include "dialects/GPUOpt/LaunchConditions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

IntegerSet gpuopt::launchConditions(Operation *kernel) {
  auto attribute = kernel->getAttrOfType<IntegerSetAttr>(kRequiresAttrName);
  return attribute ? attribute.getValue() : IntegerSet();
}

/// Adds conditions that none of `expressions` is negative, or that all are
/// zero.
static void addConditions(Operation *kernel, unsigned numArguments,
                          ArrayRef<AffineExpr> expressions,
                          bool areEqualities) {
  SmallVector<AffineExpr> all;
  SmallVector<bool> isEquality;
  if (IntegerSet known = launchConditions(kernel)) {
    llvm::append_range(all, known.getConstraints());
    llvm::append_range(isEquality, known.getEqFlags());
  }
  for (AffineExpr expr : expressions) {
    bool isKnown = llvm::any_of(llvm::zip(all, isEquality), [&](auto known) {
      return std::get<0>(known) == expr && std::get<1>(known) == areEqualities;
    });
    if (isKnown)
      continue;
    all.push_back(expr);
    isEquality.push_back(areEqualities);
  }
  if (all.empty())
    return;
  kernel->setAttr(kRequiresAttrName,
                  IntegerSetAttr::get(IntegerSet::get(
                      0, numArguments + kNumLaunchSymbols, all, isEquality)));
}

void gpuopt::addLaunchConditions(Operation *kernel, unsigned numArguments,
                                 ArrayRef<AffineExpr> expressions) {
  addConditions(kernel, numArguments, expressions, /*areEqualities=*/false);
}

void gpuopt::addLaunchEqualities(Operation *kernel, unsigned numArguments,
                                 ArrayRef<AffineExpr> expressions) {
  addConditions(kernel, numArguments, expressions, /*areEqualities=*/true);
}

// `AffineExpr`'s own folding wraps.
std::optional<int64_t>
gpuopt::evaluate(AffineExpr expr, ArrayRef<std::optional<int64_t>> values) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < values.size() ? values[symbol.getPosition()]
                                                : std::nullopt;
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation)
    return std::nullopt;
  std::optional<int64_t> left = evaluate(operation.getLHS(), values);
  std::optional<int64_t> right = evaluate(operation.getRHS(), values);
  if (!left || !right)
    return std::nullopt;
  int64_t result;
  switch (operation.getKind()) {
  case AffineExprKind::Add:
    if (llvm::AddOverflow(*left, *right, result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mul:
    if (llvm::MulOverflow(*left, *right, result))
      return std::nullopt;
    return result;
  case AffineExprKind::Mod:
    if (*right <= 0)
      return std::nullopt;
    return llvm::mod(*left, static_cast<uint64_t>(*right));
  case AffineExprKind::FloorDiv:
    if (*right <= 0)
      return std::nullopt;
    return llvm::divideFloorSigned(*left, *right);
  case AffineExprKind::CeilDiv:
    if (*right <= 0)
      return std::nullopt;
    return llvm::divideCeilSigned(*left, *right);
  default:
    return std::nullopt;
  }
}

std::optional<bool>
gpuopt::isFulfilled(IntegerSet conditions, unsigned index,
                    ArrayRef<std::optional<int64_t>> values) {
  AffineExpr expr = conditions.getConstraint(index);
  for (auto [position, value] : llvm::enumerate(values))
    if (!value && expr.isFunctionOfSymbol(position))
      return std::nullopt;
  std::optional<int64_t> result = evaluate(expr, values);
  return result && (conditions.isEq(index) ? *result == 0 : *result >= 0);
}

bool gpuopt::isFulfilled(IntegerSet conditions,
                         ArrayRef<std::optional<int64_t>> values) {
  for (unsigned i = 0; i < conditions.getNumConstraints(); ++i)
    if (!isFulfilled(conditions, i, values).value_or(false))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

int64_t gpuopt::symbolValue(int64_t value, unsigned bits) {
  return bits < 64 ? llvm::SignExtend64(value, bits) : value;
}

/// The type in C that arguments of `bits` are cast to; empty where there is
/// none.
static std::string typeInC(unsigned bits, bool isUnsigned) {
  switch (bits) {
  case 8:
    return isUnsigned ? "unsigned char" : "signed char";
  case 16:
    return isUnsigned ? "unsigned short" : "short";
  case 32:
    return isUnsigned ? "unsigned" : "int";
  case 64:
    return isUnsigned ? "unsigned long long" : "long long";
  default:
    return "";
  }
}

std::optional<SymbolText>
ArgumentText::read(std::optional<int64_t> modulus) const {
  // 2^64 is no modulus that there is.
  if (modulus && (bits >= 63 || *modulus != int64_t(1) << bits))
    return std::nullopt;
  bool asUnsigned = modulus.has_value();
  // `bool` is 0 and 1, of which one bit makes 0 and -1.
  if (bits == 1)
    return SymbolText{asUnsigned ? name : "-" + name, 1};
  unsigned magnitude = asUnsigned ? bits : bits - 1;
  if (asUnsigned == isUnsigned)
    return SymbolText{name, magnitude};
  std::string type = typeInC(bits, asUnsigned);
  if (type.empty())
    return std::nullopt;
  return SymbolText{"(" + type + ")" + name, magnitude};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// A product of symbols.
struct Term {
  int64_t coefficient = 1;
  SmallVector<SymbolText> factors;
};
} // namespace

/// `symbol`, rounded down to whole ones of `divisor`; nothing for numbers of 64
/// bits. Without bits it is for people, who know how it is rounded.
static std::optional<SymbolText> quotientOf(const SymbolText &symbol,
                                            int64_t divisor) {
  std::string by = std::to_string(divisor);
  if (symbol.bits == 0)
    return SymbolText{"(" + symbol.name + " / " + by + ")", 0};
  if (symbol.bits > 32)
    return std::nullopt;
  unsigned bits =
      symbol.bits - std::min(symbol.bits - 1, llvm::Log2_64(divisor));
  if (llvm::isPowerOf2_64(divisor))
    return SymbolText{"(" + symbol.name + " >> " +
                          std::to_string(llvm::Log2_64(divisor)) + ")",
                      bits};
  // C rounds toward zero.
  std::string wide = "(long long)" + symbol.name;
  return SymbolText{"((" + wide + " - (" + wide + " < 0 ? " +
                        std::to_string(divisor - 1) + " : 0)) / " + by + ")",
                    bits};
}

/// Adds the terms of `expr`, `factor` times, to `terms`: sums are multiplied
/// out. False where it is more than sums and products of symbols and their
/// quotients.
static bool collectTerms(AffineExpr expr, const Term &factor,
                         ReadSymbol readSymbol, SmallVectorImpl<Term> &terms) {
  Term term = factor;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    term.coefficient *= constant.getValue();
    terms.push_back(term);
    return true;
  }
  auto readAs = [&](AffineSymbolExpr symbol, std::optional<int64_t> modulus) {
    std::optional<SymbolText> text = readSymbol(symbol.getPosition(), modulus);
    if (text) {
      term.factors.push_back(*text);
      terms.push_back(term);
    }
    return text.has_value();
  };
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return readAs(symbol, std::nullopt);
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation)
    return false;
  AffineExpr left = operation.getLHS(), right = operation.getRHS();
  if (operation.getKind() == AffineExprKind::Add)
    return collectTerms(left, factor, readSymbol, terms) &&
           collectTerms(right, factor, readSymbol, terms);
  if (operation.getKind() == AffineExprKind::Mul) {
    SmallVector<Term> lefts;
    return collectTerms(left, factor, readSymbol, lefts) &&
           llvm::all_of(lefts, [&](const Term &one) {
             return collectTerms(right, one, readSymbol, terms);
           });
  }
  auto symbol = dyn_cast<AffineSymbolExpr>(left);
  auto number = dyn_cast<AffineConstantExpr>(right);
  if (!symbol || !number)
    return false;
  if (operation.getKind() == AffineExprKind::Mod)
    return readAs(symbol, number.getValue());
  std::optional<SymbolText> dividend =
      readSymbol(symbol.getPosition(), std::nullopt);
  bool isQuotient =
      operation.getKind() == AffineExprKind::FloorDiv && number.getValue() > 0;
  if (!dividend || !isQuotient)
    return false;
  std::optional<SymbolText> quotient = quotientOf(*dividend, number.getValue());
  if (!quotient)
    return false;
  term.factors.push_back(*quotient);
  terms.push_back(term);
  return true;
}

/// One of so many summands that they take `sumBits` more than each.
static std::string toString(const Term &term, unsigned sumBits) {
  unsigned bits = llvm::Log2_64_Ceil(std::abs(term.coefficient)) + sumBits;
  for (const SymbolText &factor : term.factors)
    bits += factor.bits;
  std::string text;
  if (std::abs(term.coefficient) != 1)
    text = std::to_string(std::abs(term.coefficient)) + " * ";
  for (auto [index, factor] : llvm::enumerate(term.factors)) {
    bool isProduct = term.factors.size() > 1 || term.coefficient != 1;
    if (index == 0 && (isProduct || sumBits))
      text += bits > 126  ? "(double)"
              : bits > 62 ? "(__int128)"
              : bits > 31 ? "(long long)"
                          : "";
    text += (index ? " * " : "") + factor.name;
  }
  return text;
}

std::string gpuopt::toString(IntegerSet conditions, unsigned index,
                             ReadSymbol readSymbol) {
  SmallVector<Term> terms;
  AffineExpr expr = conditions.getConstraint(index);
  if (!collectTerms(expr, Term(), readSymbol, terms))
    return "0";
  // What is subtracted stands on the left.
  std::string sides[2];
  int64_t constant = 0;
  unsigned count = 0;
  for (const Term &term : terms)
    if (term.factors.empty())
      constant += term.coefficient;
    else
      ++count;
  unsigned sumBits =
      count > 1 ? llvm::Log2_64_Ceil(count + (constant != 0)) : 0;
  for (const Term &term : terms) {
    if (term.factors.empty())
      continue;
    std::string &side = sides[term.coefficient > 0];
    side += (side.empty() ? "" : " + ") + ::toString(term, sumBits);
  }
  std::string_view relation = conditions.isEq(index) ? " == " : " <= ";
  auto join = [&](const std::string &left, std::string_view middle,
                  const std::string &right) {
    return left + std::string(middle) + right;
  };
  if (sides[0].empty())
    return join(sides[1], conditions.isEq(index) ? " == " : " >= ",
                std::to_string(-constant));
  if (sides[1].empty())
    return join(sides[0], relation, std::to_string(constant));
  if (constant == 0)
    return join(sides[0], relation, sides[1]);
  // Narrow summands must not be added to what leaves `int` with them.
  bool isWide = llvm::Log2_64_Ceil(std::abs(constant)) + sumBits > 31;
  return join(sides[0], relation,
              sides[1] + (constant > 0 ? " + " : " - ") +
                  std::to_string(std::abs(constant)) + (isWide ? "ll" : ""));
}
