//===- AlikeCode.h - code that differs in names and positions ---*- C++ -*-===//
//
// Copies of a kernel, and instances of a template that come out the same, need
// not be tuned and compiled once each: what is made of one is what would be
// made of the other, with its names and its positions in the source.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_ALIKECODE_H
#define TOOLS_LIB_COMPILE_ALIKECODE_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <optional>
#include <string>

namespace gpuopt {

/// Equal for code that is alike, and hardly ever for other code.
uint64_t fingerprintOf(llvm::ArrayRef<mlir::Operation *> code);

/// How to make of one piece of code another one that is alike.
class AlikeCode {
public:
  /// Nothing where the operations of `from`, which define symbols, differ from
  /// those of `to` in more than names, and lines of the same files.
  static std::optional<AlikeCode> find(llvm::ArrayRef<mlir::Operation *> from,
                                       llvm::ArrayRef<mlir::Operation *> to);

  /// Makes of what passes have made of `from` what they make of `to`. A symbol
  /// that they have made is called as one of `from`, with `__` behind that.
  void rename(mlir::ModuleOp module) const;
  /// The same for a position; nothing where `to` has no such position.
  std::optional<SourcePosition> rename(const SourcePosition &position) const;
  /// The same for numbers of lines, `12, 14`.
  std::optional<std::string> renameLines(llvm::StringRef numbers) const;
  /// The same for a text of PTX with one file; nothing where it has a line that
  /// is not known, or names that may be part of others.
  std::optional<std::string> renamePTX(llvm::StringRef text) const;

  /// Whether `text` holds one of the names of `from`.
  bool isNamedIn(llvm::StringRef text) const;
  /// Whether the names are mangled, so that no other word of a text holds them.
  bool hasMangledNames() const;

private:
  bool addNames(mlir::Operation *from, mlir::Operation *to);
  bool addPositions(mlir::Operation *from, mlir::Operation *to);
  bool addLocation(mlir::Location from, mlir::Location to);
  void
  addScopesOf(mlir::ModuleOp module,
              llvm::DenseMap<mlir::Attribute, mlir::Attribute> &scopes) const;
  bool addScope(mlir::Attribute from, mlir::Attribute to);
  bool addLine(llvm::StringRef file, unsigned from, unsigned to);
  std::optional<unsigned> findLine(unsigned line) const;
  void renameWords(llvm::StringRef line, std::string &result) const;

  /// From the longest on.
  std::vector<std::pair<std::string, std::string>> names;
  /// As the source calls kernels.
  std::vector<std::pair<std::string, std::string>> sources;
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> places;
  /// By file and line.
  std::map<std::pair<std::string, unsigned>, unsigned> lines, linesBack;
};

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_ALIKECODE_H
