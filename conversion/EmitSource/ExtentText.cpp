//===- ExtentText.cpp - extents as C expressions --------------------------===//
//
// C rounds quotients toward zero and gives remainders the sign of what is
// divided; extents round down. Numbers that may be negative are shifted and
// masked by powers of two, and taken down by c - 1 before they are divided by
// another c, unless the source rounds toward zero itself.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/ExtentText.h"

#include "dialects/GPUOpt/AffineParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// For what has no form in C: no launch is as large, and all memory is within
/// reach.
static constexpr llvm::StringLiteral kLargest = "0x7fffffffffffffff";

namespace {
/// What binds operands of an expression, the tightest first. A quotient is the
/// left operand of a product without parentheses, and nothing else.
enum class Binding { Primary, Product, Quotient, Sum, Shift };

struct Text {
  std::string text;
  Binding binding = Binding::Primary;
  bool isNonNegative = false;

  std::string within(Binding loosest) const {
    return binding <= loosest ? text : "(" + text + ")";
  }
};

class Printer {
public:
  Printer(ReadSymbol readSymbol, ArrayRef<AffineExpr> positive, bool isExact,
          StringRef wideType)
      : readSymbol(readSymbol), positive(positive), isExact(isExact),
        toWide(("(" + wideType + ")").str()) {}

  Text print(AffineExpr expr, bool isWide);

private:
  std::optional<Text> printSymbol(AffineSymbolExpr symbol,
                                  std::optional<int64_t> modulus, bool isWide);
  Text printSum(AffineBinaryOpExpr sum, bool isWide);
  Text printProduct(AffineBinaryOpExpr product, bool isWide);
  /// floor((dividend + offset) / divisor)
  Text printQuotient(AffineExpr dividend, int64_t offset, int64_t divisor,
                     bool isWide);
  Text printRemainder(AffineExpr dividend, int64_t divisor, bool isWide);

  ReadSymbol readSymbol;
  ArrayRef<AffineExpr> positive;
  bool isExact;
  /// The cast to the type that wide sums and products have.
  std::string toWide;
};
} // namespace

/// The bits, but for the sign, that the number `expr` takes; `most` becomes
/// what one of its parts takes, if that is more.
static unsigned bitsOf(AffineExpr expr, ReadSymbol readSymbol, unsigned &most) {
  auto needs = [&](unsigned bits) {
    most = std::max(most, bits);
    return bits;
  };
  auto bitsOfConstant = [](AffineConstantExpr constant) {
    return llvm::APInt(64, constant.getValue(), true).getSignificantBits() - 1;
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return needs(bitsOfConstant(constant));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    std::optional<SymbolText> text =
        readSymbol(symbol.getPosition(), std::nullopt);
    return needs(text ? text->bits : 63);
  }
  auto operation = cast<AffineBinaryOpExpr>(expr);
  unsigned left = bitsOf(operation.getLHS(), readSymbol, most);
  auto divisor = dyn_cast<AffineConstantExpr>(operation.getRHS());
  switch (operation.getKind()) {
  case AffineExprKind::Add:
    return needs(std::max(left, bitsOf(operation.getRHS(), readSymbol, most)) +
                 1);
  case AffineExprKind::Mul:
    return needs(left + bitsOf(operation.getRHS(), readSymbol, most));
  case AffineExprKind::Mod:
    return divisor ? bitsOfConstant(divisor) : left;
  default:
    // Before a dividend is divided, it is rounded.
    needs(left + 1);
    return divisor ? left - std::min(left, bitsOfConstant(divisor)) + 1 : left;
  }
}

StringRef gpuopt::source::typeOfExtents(ArrayRef<AffineExpr> extents,
                                        ReadSymbol readSymbol) {
  unsigned bits = 0;
  for (AffineExpr extent : extents)
    // What is not computed with needs no room.
    if (isa<AffineBinaryOpExpr>(extent))
      bitsOf(extent, readSymbol, bits);
  return bits < 64 ? "long long" : bits < 128 ? "__int128" : "double";
}

std::optional<Text> Printer::printSymbol(AffineSymbolExpr symbol,
                                         std::optional<int64_t> modulus,
                                         bool isWide) {
  std::optional<SymbolText> read = readSymbol(symbol.getPosition(), modulus);
  if (!read)
    return std::nullopt;
  bool isWidened = StringRef(read->name).starts_with(toWide);
  AffineExpr whole = symbol;
  if (modulus)
    whole = whole % *modulus;
  return Text{(isWide && !isWidened ? toWide : "") + read->name,
              Binding::Primary,
              modulus.has_value() || llvm::is_contained(positive, whole)};
}

/// Whether C computes `expr`: an unsigned parameter is what is left of a
/// symbol.
static bool isComputed(AffineExpr expr) {
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  return operation && (operation.getKind() != AffineExprKind::Mod ||
                       !isa<AffineSymbolExpr>(operation.getLHS()));
}

Text Printer::printSum(AffineBinaryOpExpr sum, bool isWide) {
  Text left = print(sum.getLHS(), isWide);
  Text right = print(sum.getRHS(), isWide && isComputed(sum.getRHS()));
  std::string term = right.within(Binding::Quotient);
  bool isDifference = StringRef(term).starts_with("-");
  return {left.within(Binding::Sum) +
              (isDifference ? " - " + term.substr(1) : " + " + term),
          Binding::Sum, left.isNonNegative && right.isNonNegative};
}

Text Printer::printProduct(AffineBinaryOpExpr product, bool isWide) {
  auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
  Text left = print(product.getLHS(), isWide);
  if (constant && constant.getValue() == -1)
    return {"-" + left.within(Binding::Product), Binding::Product};
  Text right = print(product.getRHS(), isWide && isComputed(product.getRHS()));
  return {left.within(Binding::Quotient) + " * " +
              right.within(Binding::Primary),
          Binding::Product, left.isNonNegative && right.isNonNegative};
}

/// Terms of a sum.
static void collectTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add) {
    terms.push_back(expr);
    return;
  }
  collectTerms(sum.getLHS(), terms);
  collectTerms(sum.getRHS(), terms);
}

/// x, where `dividend` is x + (x < 0 ? divisor - 1 : 0): rounded down, its
/// quotient is that of x rounded toward zero. See `computedOverArguments`.
static AffineExpr matchTowardZero(AffineExpr dividend, int64_t divisor) {
  SmallVector<AffineExpr> terms;
  collectTerms(dividend, terms);
  for (AffineExpr term : terms) {
    AffineExpr sign = term;
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    int64_t factor = 1;
    if (product && product.getKind() == AffineExprKind::Mul)
      if (auto constant = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        sign = product.getLHS();
        factor = constant.getValue();
      }
    auto quotient = dyn_cast<AffineBinaryOpExpr>(sign);
    if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv ||
        quotient.getRHS() != int64_t(1) << 61 || factor != 1 - divisor)
      continue;
    unsigned numSymbols = 1;
    dividend.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        numSymbols = std::max(numSymbols, symbol.getPosition() + 1);
    });
    AffineExpr rest =
        simplifyAffineExpr(dividend - term - quotient.getLHS(), 0, numSymbols);
    if (rest == 0)
      return quotient.getLHS();
  }
  return {};
}

Text Printer::printQuotient(AffineExpr dividend, int64_t offset,
                            int64_t divisor, bool isWide) {
  if (AffineExpr inner =
          offset ? AffineExpr() : matchTowardZero(dividend, divisor))
    return {print(inner, isWide).within(Binding::Product) + " / " +
                std::to_string(divisor),
            Binding::Quotient};
  Text number = print(dividend, isWide);
  if (offset)
    number = {number.within(Binding::Sum) + " + " + std::to_string(offset),
              Binding::Sum, number.isNonNegative};
  auto divide = [&](const std::string &text) {
    return text + " / " + std::to_string(divisor);
  };
  if (number.isNonNegative || !isExact)
    return {divide(number.within(Binding::Product)), Binding::Quotient,
            number.isNonNegative};
  if (llvm::isPowerOf2_64(divisor))
    return {number.within(Binding::Quotient) + " >> " +
                std::to_string(llvm::Log2_64(divisor)),
            Binding::Shift};
  std::string down = number.within(Binding::Sum) + " - (" +
                     number.within(Binding::Sum) + " < 0 ? " +
                     std::to_string(divisor - 1) + " : 0)";
  return {divide("(" + down + ")"), Binding::Quotient};
}

Text Printer::printRemainder(AffineExpr dividend, int64_t divisor,
                             bool isWide) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(dividend))
    if (std::optional<Text> text = printSymbol(symbol, divisor, isWide))
      return *text;
  Text number = print(dividend, isWide);
  std::string by = std::to_string(divisor);
  if (number.isNonNegative)
    return {number.within(Binding::Product) + " % " + by, Binding::Quotient,
            true};
  if (llvm::isPowerOf2_64(divisor))
    return {"(" + number.within(Binding::Quotient) + " & " +
                std::to_string(divisor - 1) + ")",
            Binding::Primary, true};
  return {"(" + number.within(Binding::Product) + " % " + by + " + " + by +
              ") % " + by,
          Binding::Quotient, true};
}

Text Printer::print(AffineExpr expr, bool isWide) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {std::to_string(constant.getValue()), Binding::Primary,
            constant.getValue() >= 0};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return printSymbol(symbol, std::nullopt, isWide)
        .value_or(Text{kLargest.str()});
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (operation && operation.getKind() == AffineExprKind::Add)
    return printSum(operation, isWide);
  if (operation && operation.getKind() == AffineExprKind::Mul)
    return printProduct(operation, isWide);
  auto constant = operation ? dyn_cast<AffineConstantExpr>(operation.getRHS())
                            : AffineConstantExpr();
  int64_t divisor = constant ? constant.getValue() : 0;
  if (divisor <= 0)
    return {kLargest.str()};
  switch (operation.getKind()) {
  case AffineExprKind::FloorDiv:
    return printQuotient(operation.getLHS(), 0, divisor, isWide);
  case AffineExprKind::CeilDiv:
    return printQuotient(operation.getLHS(), divisor - 1, divisor, isWide);
  default:
    return printRemainder(operation.getLHS(), divisor, isWide);
  }
}

/// Whether `expr` divides, which `double` does in another way.
static bool hasQuotient(AffineExpr expr) {
  return hasPart(expr, [](AffineExpr part) {
    return isQuotient(part) || (isRemainder(part) && isComputed(part));
  });
}

std::string gpuopt::source::printExtent(AffineExpr extent,
                                        ReadSymbol readSymbol,
                                        ArrayRef<AffineExpr> positive,
                                        const ExtentStyle &style) {
  StringRef type = typeOfExtents(extent, readSymbol);
  if (style.isWide && type == "double" && hasQuotient(extent))
    return kLargest.str();
  Printer printer(readSymbol, positive, style.isExact, type);
  Text text = printer.print(extent, style.isWide);
  // clang-format takes `a < b >> c` for the arguments of a template.
  return text.within(style.isFactor ? Binding::Quotient : Binding::Sum);
}
