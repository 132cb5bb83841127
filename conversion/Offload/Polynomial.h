//===- Polynomial.h - subscripts and sizes as polynomials -------*- C++ -*-===//
//
// Integer values in a section of a program, over symbols: values that are known
// before it (`n`), and variables of loops in it. `a[i * n + j]` has the
// subscript i·n + j, whose factor of i is n.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_POLYNOMIAL_H
#define CONVERSION_OFFLOAD_POLYNOMIAL_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt::offload {

/// The number of a symbol in its table.
using SymbolID = unsigned;

/// A sum of products of symbols. Arithmetic that leaves 64 bits makes it
/// invalid.
class Polynomial {
public:
  Polynomial(int64_t constant = 0);
  static Polynomial ofSymbol(SymbolID symbol);

  bool isValid() const { return !overflowed; }
  /// The value of one without symbols.
  std::optional<int64_t> constant() const;
  bool mentions(SymbolID symbol) const;
  std::vector<SymbolID> symbols() const;
  /// Of f·s + r, linear in the symbol s, f and r; nothing for others.
  struct Split;
  std::optional<Split> split(SymbolID symbol) const;

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &other) const = default;

  /// The symbols of a product, in order; several times for powers.
  using Product = std::vector<SymbolID>;
  const std::map<Product, int64_t> &terms() const { return factors; }

private:
  void add(const Product &product, int64_t factor);

  /// No factor is 0.
  std::map<Product, int64_t> factors;
  bool overflowed = false;
};

struct Polynomial::Split {
  Polynomial factor, rest;
};

/// What symbols stand for.
class SymbolTable {
public:
  struct Symbol {
    /// Of C; empty for the variable of a loop.
    std::string text;
    /// It can stand in sums of `long long` as it is.
    bool isLongLong = false;
    bool isUnsigned = false;
  };

  SymbolID add(Symbol symbol);
  /// The symbol with this text, which is added where there is none.
  SymbolID ofText(llvm::StringRef text, bool isLongLong,
                  bool isUnsigned = false);
  /// The greater, or the lesser, of both, which a helper of the output chooses.
  SymbolID ofChoice(const Polynomial &left, const Polynomial &right,
                    bool isGreater);
  bool usesLesser() const { return choosesLesser; }
  bool usesGreater() const { return choosesGreater; }
  const Symbol &operator[](SymbolID id) const { return symbols[id]; }
  SymbolID size() const { return symbols.size(); }
  bool isLoop(SymbolID id) const { return symbols[id].text.empty(); }

  /// An expression of C with that value and, unless it is a symbol alone, no
  /// overflow of types narrower than `long long`.
  std::string textOf(const Polynomial &polynomial) const;
  /// The same of the type `long long`.
  std::string longLongText(const Polynomial &polynomial) const;
  /// The same where it is not negative: a signed symbol is not less than what
  /// is subtracted from it then.
  std::string sectionText(const Polynomial &polynomial) const;

private:
  std::string productText(const Polynomial::Product &product,
                          int64_t factor) const;

  std::vector<Symbol> symbols;
  bool choosesLesser = false, choosesGreater = false;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_POLYNOMIAL_H
