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

/// The condition number `index` as a comparison in C, `n * k <= 4294967296`.
/// `symbolText` is asked for the text of a symbol, read as unsigned where the
/// second argument is true. Products are computed in 64 bits, where these do
/// not do in 128, which GCC and Clang have, and behind that in `double`:
/// products of three sizes of 64 bits that are compared with less than 2^53.
std::string toString(mlir::IntegerSet conditions, unsigned index,
                     llvm::function_ref<SymbolText(unsigned, bool)> symbolText);

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_LAUNCHCONDITIONS_H
