//===- SourceText.h - pieces of a program's text ----------------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_SOURCETEXT_H
#define CONVERSION_OFFLOAD_SOURCETEXT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Rewrite/Core/Rewriter.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuopt::offload {

/// The main file's text, which changes where sections are offloaded.
class SourceText {
public:
  explicit SourceText(const clang::ASTContext &context);

  /// Offsets in the file.
  struct Place {
    unsigned begin = 0, end = 0;
  };
  /// Where `statement` is, with its directives and the semicolon behind it.
  /// Nothing where a macro or another file has a part of it.
  std::optional<Place> placeOf(const clang::Stmt &statement) const;
  llvm::StringRef textAt(Place place) const;
  /// What stands for an expression, or at a place without one.
  struct Name {
    Place place;
    std::string text;
  };
  /// The text at `place` with `names`; those in others are left.
  std::string textAt(Place place, std::vector<Name> names) const;
  std::optional<Place> placeOfExpression(const clang::Expr &expression) const;
  /// Whether each `#if` there has its `#endif` there, and the other way round,
  /// so that the text means the same elsewhere.
  bool isBalanced(Place place) const;
  /// The blanks that the line of an offset begins with.
  llvm::StringRef indentAt(unsigned offset) const;
  /// `FILE:LINE` without folders.
  std::string nameOf(unsigned offset) const;

  /// Behind the mark of UTF-8 that the file may start with.
  unsigned begin() const { return file.starts_with("\xef\xbb\xbf") ? 3 : 0; }
  unsigned end() const { return file.size(); }
  /// The offset of a place in the file; nothing for others.
  std::optional<unsigned> offsetOf(clang::SourceLocation location) const;

  /// Behind what is inserted there so far, or in front of it.
  void insert(unsigned offset, llvm::StringRef text);
  void insertBefore(unsigned offset, llvm::StringRef text);
  void replace(Place place, llvm::StringRef text);
  /// The whole file.
  std::string result() const;

private:
  clang::SourceLocation locationOf(unsigned offset) const;
  std::string withLineEnds(llvm::StringRef text) const;

  const clang::SourceManager &sources;
  const clang::LangOptions &language;
  llvm::StringRef file;
  clang::Rewriter rewriter;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_SOURCETEXT_H
