//===- PragmaText.h - what a pragma says, and where -------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_PRAGMATEXT_H
#define CONVERSION_IMPORTSOURCE_PRAGMATEXT_H

#include "dialects/GPUOpt/ExtentExpression.h"

#include "clang/Lex/Preprocessor.h"

#include <string>
#include <vector>

namespace gpuopt {

/// The tokens up to the end of a pragma, macros not expanded, with spaces where
/// the source has some.
class PragmaText {
public:
  explicit PragmaText(clang::Preprocessor &preprocessor);

  llvm::StringRef text() const { return spelling; }
  /// Where the byte at `offset` comes from: the last token that starts there or
  /// before.
  clang::SourceLocation locate(size_t offset) const;
  clang::SourceLocation end() const { return places.back().second; }
  /// Reports `error`, whose text begins with `directive`.
  void report(llvm::StringRef directive, const TextError &error) const;

private:
  clang::Preprocessor &preprocessor;
  std::string spelling;
  /// Of each token, and of the end.
  std::vector<std::pair<size_t, clang::SourceLocation>> places;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_PRAGMATEXT_H
