//===- ExpressionText.h - expressions for people and scripts ----*- C++ -*-===//
//
// Affine expressions over a kernel's arguments and its original launch, as
// texts in exact arithmetic: `/` rounds down, and what `%` leaves is not
// negative.
//
//   s3 floordiv 4 + 1        n / 4 + 1
//   s3 mod 4294967296        n            of an `unsigned n`
//   s3                       (n + 2147483648) % 4294967296 - 2147483648
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_REPORT_EXPRESSIONTEXT_H
#define TOOLS_LIB_REPORT_EXPRESSIONTEXT_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// Writes expressions whose symbols are the arguments of `function`, which is
/// `kernel`, and behind them the original grid and block.
class ExpressionText {
public:
  ExpressionText(mlir::gpu::GPUFuncOp function, const KernelInfo &kernel)
      : function(function), kernel(kernel) {}

  std::string print(mlir::AffineExpr expr) const;
  /// The name of an argument.
  std::string nameOf(unsigned argument) const;

private:
  /// Operators, the tightest first.
  enum class Binding { Primary, Product, Sum };
  struct Text {
    std::string text;
    Binding binding = Binding::Primary;

    std::string within(Binding loosest) const {
      return binding <= loosest ? text : "(" + text + ")";
    }
  };

  Text write(mlir::AffineExpr expr) const;
  Text writeSymbol(unsigned symbol, bool isModuloType) const;
  bool isUnsigned(unsigned argument) const;
  unsigned bitsOf(unsigned argument) const;

  mutable mlir::gpu::GPUFuncOp function;
  const KernelInfo &kernel;
};

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_EXPRESSIONTEXT_H
