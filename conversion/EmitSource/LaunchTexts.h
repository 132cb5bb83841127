//===- LaunchTexts.h - what a launch is computed from, as text --*- C++ -*-===//
//
// The parameters of a tuned kernel, the extents of its problem and the
// conditions under which it may be launched, in the words of a host function.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_LAUNCHTEXTS_H
#define CONVERSION_EMITSOURCE_LAUNCHTEXTS_H

#include "conversion/EmitSource/ExtentText.h"
#include "conversion/EmitSource/Spelling.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"

namespace gpuopt::source {

/// A tuned kernel's geometry, as text.
struct LaunchTexts {
  mutable mlir::gpu::GPUFuncOp function;
  GeometryAttr geometry;
  Spelling spelling;
  /// Of the tuned kernel and of the one that it falls back to.
  llvm::StringRef name = {}, original = {};
  /// Names that the host function has of its own.
  llvm::SmallVector<std::string> ownNames = {};

  /// Arguments that are known to be 1 or more.
  llvm::SmallVector<mlir::AffineExpr> positive = {};

  bool isOwnName(llvm::StringRef other) const {
    return llvm::is_contained(ownNames, other);
  }
  /// A parameter's name in the source.
  std::string sourceName(unsigned number) const;
  /// The same, unless it is one of the host function's own.
  std::string parameterName(unsigned number) const;
  std::vector<std::string> parameters(bool withTypes) const;
  /// A kernel's name where it is launched: the function may have one like it.
  std::string kernelName(llvm::StringRef kernel) const;
  std::string print(mlir::AffineExpr extent, const ExtentStyle &style) const;
  /// The least or the greatest of `extents`: `choice` is `min` or `max`.
  std::string printOneOf(llvm::StringRef choice,
                         llvm::ArrayRef<mlir::AffineExpr> extents,
                         ExtentStyle style) const;
  /// The type of the same: see `typeOfExtents`.
  llvm::StringRef typeOf(llvm::ArrayRef<mlir::AffineExpr> extents) const;
  /// Conditions on the arguments and, where one reads them, grid and block of
  /// the original launch.
  std::vector<std::string> conditions() const;

private:
  Variable parameter(unsigned number) const;
  ArgumentText argument(unsigned number) const;
  /// Reads arguments, for extents over them.
  auto reader() const {
    return [this](unsigned symbol, std::optional<int64_t> modulus) {
      return read(symbol, modulus);
    };
  }
  /// An argument, or behind them the grid and the block.
  std::optional<SymbolText> read(unsigned symbol,
                                 std::optional<int64_t> modulus) const;
  std::string lengthOf(unsigned number) const;
  std::string isBehind(unsigned number, unsigned other,
                       llvm::StringRef length) const;
  void addSizes(std::vector<std::string> &all) const;
  void addRequirements(std::vector<std::string> &all) const;
  void addAlignments(std::vector<std::string> &all) const;
  void addDistinctness(std::vector<std::string> &all) const;
};

/// "16, 16", without the dimensions at the end that are 1.
std::string joinDims(llvm::ArrayRef<int64_t> extents,
                     llvm::StringRef separator = ", ");

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LAUNCHTEXTS_H
