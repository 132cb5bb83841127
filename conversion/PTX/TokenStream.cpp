//===- TokenStream.cpp - words one after the other ------------------------===//

#include "conversion/PTX/TokenStream.h"

#include "llvm/ADT/APInt.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

bool TokenStream::fail(const Twine &message) {
  const Token &token = peek();
  if (token.kind == Token::Kind::Bad)
    return failAt(token.at,
                  token.text.starts_with("/*") || token.text.starts_with("\"")
                      ? "'" + token.text + "' has no end"
                      : "no character of PTX");
  if (token.kind == Token::Kind::End)
    return failAt(token.at, message + ", found the end of the file");
  return failAt(token.at, message + ", found '" + token.text + "'");
}

bool TokenStream::takeName(StringRef &name) {
  if (peek().kind != Token::Kind::Name)
    return fail("expected a name");
  name = take().text;
  return true;
}

bool TokenStream::takeInteger(int64_t &number) {
  bool isNegative = skip("-");
  StringRef text = peek().text;
  APInt value;
  text.consume_back("U");
  if (peek().kind != Token::Kind::Integer || text.getAsInteger(0, value))
    return fail("expected an integer");
  if (value.getActiveBits() > 64)
    return fail("expected an integer of 64 bits");
  take();
  number = value.zextOrTrunc(64).getZExtValue();
  if (isNegative)
    number = -uint64_t(number);
  return true;
}
