//===- Lexer.h - words of PTX -----------------------------------*- C++ -*-===//
//
// See the PTX ISA, chapter 4 (version 9). Comments and white space go; what is
// left refers to the text.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_LEXER_H
#define CONVERSION_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace gpuopt::ptx {

/// Lines and columns count from 1.
struct Position {
  unsigned line = 0;
  unsigned column = 0;
};

struct Token {
  enum class Kind {
    End,
    Name,        ///< `add`, `%r1`, `$L__BB0_1`, `_`
    Word,        ///< `.b32`, `.L1::evict_last`: with its dot
    Integer,     ///< `12`, `0x1fU`
    Float,       ///< `0f3F800000`, `0d3FF0000000000000`, `1.5`
    String,      ///< with its quotes
    Punctuation, ///< one character
    Bad          ///< an end that is missing, or what is no character of PTX
  };

  Kind kind = Kind::End;
  llvm::StringRef text;
  Position at;

  bool is(llvm::StringRef wanted) const {
    return text == wanted && kind != Kind::String;
  }
  /// Whether nothing stands between this and `next`.
  bool touches(const Token &next) const {
    return text.end() == next.text.begin();
  }
};

/// The words of `text`, and one of `Kind::End` behind them. Ends at the first
/// bad one.
std::vector<Token> splitTokens(llvm::StringRef text);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_LEXER_H
