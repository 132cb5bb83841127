//===- Polynomial.cpp - subscripts and sizes as polynomials ---------------===//

#include "conversion/Offload/Polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace gpuopt::offload;

Polynomial::Polynomial(int64_t constant) { add({}, constant); }

Polynomial Polynomial::ofSymbol(SymbolID symbol) {
  Polynomial result;
  result.add({symbol}, 1);
  return result;
}

void Polynomial::add(const Product &product, int64_t factor) {
  int64_t sum = 0;
  auto found = factors.find(product);
  int64_t before = found == factors.end() ? 0 : found->second;
  overflowed |= llvm::AddOverflow(before, factor, sum);
  if (sum == 0)
    factors.erase(product);
  else
    factors[product] = sum;
}

std::optional<int64_t> Polynomial::constant() const {
  if (factors.empty())
    return 0;
  bool isConstant = factors.size() == 1 && factors.begin()->first.empty();
  return isConstant ? std::optional(factors.begin()->second) : std::nullopt;
}

bool Polynomial::mentions(SymbolID symbol) const {
  return llvm::any_of(factors, [&](const auto &term) {
    return llvm::is_contained(term.first, symbol);
  });
}

std::vector<SymbolID> Polynomial::symbols() const {
  llvm::SetVector<SymbolID> found;
  for (const auto &[product, factor] : factors)
    found.insert(product.begin(), product.end());
  return {found.begin(), found.end()};
}

std::optional<Polynomial::Split> Polynomial::split(SymbolID symbol) const {
  Split result;
  for (const auto &[product, factor] : factors) {
    auto place = llvm::find(product, symbol);
    if (place == product.end()) {
      result.rest.add(product, factor);
      continue;
    }
    Product others = product;
    others.erase(others.begin() + (place - product.begin()));
    if (llvm::is_contained(others, symbol))
      return std::nullopt;
    result.factor.add(others, factor);
  }
  return result;
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  for (const auto &[product, factor] : other.factors)
    result.add(product, factor);
  result.overflowed |= other.overflowed;
  return result;
}

Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + other * Polynomial(-1);
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  result.overflowed = overflowed || other.overflowed;
  for (const auto &[product, factor] : factors) {
    for (const auto &[otherProduct, otherFactor] : other.factors) {
      Product both;
      std::merge(product.begin(), product.end(), otherProduct.begin(),
                 otherProduct.end(), std::back_inserter(both));
      int64_t number = 0;
      result.overflowed |= llvm::MulOverflow(factor, otherFactor, number);
      result.add(both, number);
    }
  }
  return result;
}

SymbolID SymbolTable::add(Symbol symbol) {
  symbols.push_back(std::move(symbol));
  return symbols.size() - 1;
}

SymbolID SymbolTable::ofText(llvm::StringRef text, bool isLongLong,
                             bool isUnsigned) {
  auto found = llvm::find_if(
      symbols, [&](const Symbol &symbol) { return symbol.text == text; });
  return found == symbols.end() ? add({text.str(), isLongLong, isUnsigned})
                                : found - symbols.begin();
}

SymbolID SymbolTable::ofChoice(const Polynomial &left, const Polynomial &right,
                               bool isGreater) {
  (isGreater ? choosesGreater : choosesLesser) = true;
  std::string name = isGreater ? "greater" : "lesser";
  return ofText("gpuopt_offload_" + name + "(" + textOf(left) + ", " +
                    textOf(right) + ")",
                /*isLongLong=*/true);
}

std::string SymbolTable::productText(const Polynomial::Product &product,
                                     int64_t factor) const {
  if (product.empty())
    return std::to_string(factor);
  std::vector<std::string> parts;
  if (factor != 1)
    parts.push_back(std::to_string(factor));
  for (SymbolID id : product)
    parts.push_back(symbols[id].text);
  // The first one gives the product its type.
  if (factor != 1)
    parts.front() += "LL";
  else if (!symbols[product.front()].isLongLong)
    parts.front() = "(long long)" + parts.front();
  return llvm::join(parts, " * ");
}

std::string SymbolTable::textOf(const Polynomial &polynomial) const {
  const auto &terms = polynomial.terms();
  if (terms.empty())
    return "0";
  if (terms.size() == 1 && terms.begin()->second == 1 &&
      terms.begin()->first.size() == 1)
    return symbols[terms.begin()->first.front()].text;
  std::string text;
  auto add = [&](const Polynomial::Product &product, int64_t factor) {
    bool isNegative = factor < 0 && factor != INT64_MIN && !text.empty();
    if (!text.empty())
      text += isNegative ? " - " : " + ";
    text += productText(product, isNegative ? -factor : factor);
  };
  // What is subtracted comes behind the rest, and the constant last.
  for (bool isNegative : {false, true})
    for (const auto &[product, factor] : terms)
      if (!product.empty() && (factor < 0) == isNegative)
        add(product, factor);
  if (terms.begin()->first.empty())
    add({}, terms.begin()->second);
  return text;
}

std::string SymbolTable::longLongText(const Polynomial &polynomial) const {
  std::string text = textOf(polynomial);
  if (polynomial.constant())
    return text + "LL";
  const auto &[product, factor] = *polynomial.terms().begin();
  bool isSymbol = polynomial.terms().size() == 1 && factor == 1;
  return isSymbol && product.size() == 1 && !symbols[product[0]].isLongLong
             ? "(long long)" + text
             : text;
}

std::string SymbolTable::sectionText(const Polynomial &polynomial) const {
  const auto &terms = polynomial.terms();
  if (terms.size() != 2 || !terms.begin()->first.empty())
    return textOf(polynomial);
  const auto &[product, factor] = *std::next(terms.begin());
  int64_t constant = terms.begin()->second;
  if (product.size() != 1 || factor != 1 || constant == INT64_MIN ||
      constant > 0 || symbols[product.front()].isUnsigned)
    return textOf(polynomial);
  return symbols[product.front()].text + " - " + std::to_string(-constant);
}
