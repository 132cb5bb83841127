//===- ExtentText.h - extents as C expressions ------------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_EXTENTTEXT_H
#define CONVERSION_EMITSOURCE_EXTENTTEXT_H

#include "dialects/GPUOpt/LaunchConditions.h"

#include "mlir/IR/AffineExpr.h"

#include <string>

namespace gpuopt::source {

struct ExtentStyle {
  /// Every sum and product is computed in the extent's type.
  bool isWide = false;
  /// The expression is the extent for all arguments; else it may be larger for
  /// some negative ones, of which C rounds quotients up.
  bool isExact = true;
  /// Sums are in parentheses.
  bool isFactor = false;
};

/// The type in C in which no part of `extents` wraps: `long long`, `__int128`,
/// which GCC and Clang have, or `double`, which is exact up to 2^53.
llvm::StringRef typeOfExtents(llvm::ArrayRef<mlir::AffineExpr> extents,
                              ReadSymbol readSymbol);

/// An extent in C: sums, products, quotients and remainders of parameters.
/// `positive` are known to be 1 or more.
std::string printExtent(mlir::AffineExpr extent, ReadSymbol readSymbol,
                        llvm::ArrayRef<mlir::AffineExpr> positive,
                        const ExtentStyle &style);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_EXTENTTEXT_H
