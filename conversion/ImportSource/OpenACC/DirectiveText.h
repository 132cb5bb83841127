//===- DirectiveText.h - the text around directives -------------*- C++ -*-===//
//
// Just as much of C's text as is needed to find directives, their words and the
// statements behind them, in front of any preprocessing.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVETEXT_H
#define CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVETEXT_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace gpuopt {

/// `collapse(2)`, or a word without operands.
struct Word {
  llvm::StringRef name;
  /// With its parentheses, or empty.
  llvm::StringRef operands;
};

/// Takes the first word of `text`, which separators may precede.
std::optional<Word> takeWord(llvm::StringRef &text);

/// What is behind `# pragma omp` on `line`; nothing for other lines.
std::optional<llvm::StringRef> directiveOn(llvm::StringRef line);

/// The first line of `text`, with those that continue it.
llvm::StringRef takeLine(llvm::StringRef text);

/// The length of a comment or literal that `code` begins with, 0 for others.
size_t literalLength(llvm::StringRef code);

/// The length of blanks, comments and directives in front of a statement.
size_t blankLength(llvm::StringRef text);

/// The length of the statement with which `text` begins, and of what is in
/// front of it.
size_t statementLength(llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVETEXT_H
