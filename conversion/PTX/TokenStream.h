//===- TokenStream.h - words one after the other ----------------*- C++ -*-===//

#ifndef CONVERSION_PTX_TOKENSTREAM_H
#define CONVERSION_PTX_TOKENSTREAM_H

#include "conversion/PTX/Parser.h"

namespace gpuopt::ptx {

class TokenStream {
public:
  TokenStream(llvm::StringRef text, Problems &problems)
      : tokens(splitTokens(text)), problems(problems) {}

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(index + ahead, tokens.size() - 1)];
  }
  const Token &take() {
    const Token &token = peek();
    index = std::min(index + 1, tokens.size() - 1);
    return token;
  }
  /// Nothing can be taken any more: the text ends, or is no PTX from here on.
  bool atEnd() const { return index + 1 == tokens.size(); }
  bool is(llvm::StringRef text) const { return peek().is(text); }
  bool skip(llvm::StringRef text) {
    if (!is(text))
      return false;
    take();
    return true;
  }
  bool expect(llvm::StringRef text) {
    return skip(text) || fail("expected '" + text + "'");
  }
  /// Says what was found in place of what `message` expects.
  bool fail(const llvm::Twine &message);
  bool failAt(Position at, const llvm::Twine &message) {
    return problems.add(at, message);
  }

  bool takeName(llvm::StringRef &name);
  /// A number of the text, with its sign.
  bool takeInteger(int64_t &number);

private:
  std::vector<Token> tokens;
  size_t index = 0;
  Problems &problems;
};

/// `add.s32 %r1, %r2, 5;` with its guard and semicolon.
bool parseInstruction(TokenStream &tokens, SourceInstruction &instruction);
bool parseOperand(TokenStream &tokens, Operand &operand);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_TOKENSTREAM_H
