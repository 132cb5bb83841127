//===- LaunchConditions.h - what a launch has to fulfil ---------*- C++ -*-===//
//
// Conditions on arguments, grid and block under which a tuned kernel may take
// the place of the original one. Launchers evaluate them, and launch the kernel
// that `kFallbackAttrName` names where one does not hold.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_LAUNCHCONDITIONS_H
#define DIALECTS_GPUOPT_LAUNCHCONDITIONS_H

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace gpuopt {

/// The conditions of `kernel`; a null set where it has none.
mlir::IntegerSet launchConditions(mlir::Operation *kernel);

/// Adds conditions that none of `expressions` is negative.
void addLaunchConditions(mlir::Operation *kernel, unsigned numArguments,
                         llvm::ArrayRef<mlir::AffineExpr> expressions);

/// Adds conditions that all of `expressions` are zero.
void addLaunchEqualities(mlir::Operation *kernel, unsigned numArguments,
                         llvm::ArrayRef<mlir::AffineExpr> expressions);

/// What `expr` is for `values`, one for each symbol. Nothing where it needs one
/// that is not known, or it or a part of it takes more than 64 bits.
std::optional<int64_t> evaluate(mlir::AffineExpr expr,
                                llvm::ArrayRef<std::optional<int64_t>> values);

/// Whether `values`, one for each symbol, fulfil all of `conditions`. Where one
/// needs a value that is not known, or a number that takes more than 64 bits,
/// it does not hold.
bool isFulfilled(mlir::IntegerSet conditions,
                 llvm::ArrayRef<std::optional<int64_t>> values);

/// The same for the condition number `index` alone; nothing where a value that
/// it needs is not known.
std::optional<bool> isFulfilled(mlir::IntegerSet conditions, unsigned index,
                                llvm::ArrayRef<std::optional<int64_t>> values);

/// How a symbol of a condition is written.
struct SymbolText {
  std::string name;
  /// Bits that its value takes, without a sign.
  unsigned bits = 63;
};

/// An argument as the C expression that its symbol stands for.
struct ArgumentText {
  std::string name;
  /// As the source declares it.
  unsigned bits = 64;
  bool isUnsigned = false;

  /// The number that its symbol is or, with a modulus, what it is modulo that;
  /// nothing for a modulus other than 2^bits.
  std::optional<SymbolText> read(std::optional<int64_t> modulus) const;
};

/// What the symbol of an argument of `bits` is for the number `value`, which
/// may be written as signed or as unsigned.
int64_t symbolValue(int64_t value, unsigned bits);

/// Asked for the text of a symbol or, with a modulus, of what is left of it.
using ReadSymbol = llvm::function_ref<std::optional<SymbolText>(
    unsigned symbol, std::optional<int64_t> modulus)>;

/// The condition number `index` as a comparison in C, `n * k <= 4294967296`;
/// "0" where it has no such form. Products are computed in 64 bits, where these
/// do not do in 128, which GCC and Clang have, and behind that in `double`:
/// products of three sizes of 64 bits that are compared with less than 2^53.
std::string toString(mlir::IntegerSet conditions, unsigned index,
                     ReadSymbol readSymbol);

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_LAUNCHCONDITIONS_H
