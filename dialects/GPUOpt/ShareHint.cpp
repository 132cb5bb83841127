//===- ShareHint.cpp - what a block works on, as the source says ----------===//

#include "dialects/GPUOpt/ShareHint.h"

#include "dialects/GPUOpt/ExtentExpression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

std::string ShareHint::toString() const {
  std::string text = array;
  for (const std::string &length : lengths)
    text += "[" + (length.empty() ? "*" : length) + "]";
  return text + (isCoalesced ? ":coalesce" : "");
}

namespace {
class HintParser {
public:
  HintParser(StringRef text, size_t &offset) : text(text), offset(offset) {}

  std::optional<ShareHintError> parse(ShareHint &hint) {
    hint.array = parseName("the name of an array").str();
    while (!error && consume('['))
      hint.lengths.push_back(parseLength());
    if (!error && hint.lengths.empty())
      fail("expected '[' and the elements of '" + hint.array +
           "' that a block works on");
    if (!error && consume(':')) {
      size_t begin = skipSpace();
      hint.isCoalesced = parseName("'coalesce'") == "coalesce";
      if (!error && !hint.isCoalesced) {
        offset = begin;
        fail("expected 'coalesce'");
      }
    }
    return error;
  }

private:
  size_t skipSpace() {
    while (offset < text.size() && isSpace(text[offset]))
      ++offset;
    return offset;
  }

  void fail(const Twine &message) {
    if (!error)
      error = ShareHintError{offset, message.str()};
  }

  bool consume(char c) {
    if (skipSpace() == text.size() || text[offset] != c)
      return false;
    ++offset;
    return true;
  }

  StringRef parseName(StringRef what) {
    skipSpace();
    // `s.data` is a member of a structure that the kernel is given.
    StringRef name = text.substr(offset).take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
    if (name.empty() || isDigit(name.front())) {
      fail("expected " + what);
      return "";
    }
    offset += name.size();
    return name;
  }

  /// What stands before the next ']', which is taken, too.
  std::string parseLength() {
    size_t begin = skipSpace();
    size_t end = text.find(']', begin);
    std::string length = text.slice(begin, end).trim().str();
    if (end == StringRef::npos) {
      offset = text.size();
      fail("expected ']'");
    } else if (length.empty()) {
      fail("expected a number of elements, or '*'");
    } else if (length != "*") {
      check(length);
    }
    if (error)
      return "";
    offset = end + 1;
    return length == "*" ? "" : length;
  }

  /// Lengths are positive in the smallest block already.
  void check(StringRef length) {
    Expected<std::vector<std::string>> names = namesInExtent(length);
    if (!names)
      return fail(toString(names.takeError()));
    for (const std::string &name : *names)
      if (!is_contained(kBlockSizeNames, name)) {
        offset += length.find(name);
        return fail("unknown name '" + name +
                    "'; lengths are made of numbers, TBX, TBY and TBZ");
      }
    if (!names->empty())
      return;
    Expected<int64_t> value = evaluateExtent(length, {});
    if (!value)
      return fail(toString(value.takeError()));
    if (*value < 1)
      fail("expected a positive number of elements, found " + Twine(*value));
  }

  StringRef text;
  size_t &offset;
  std::optional<ShareHintError> error;
};
} // namespace

std::optional<ShareHintError>
gpuopt::parseShareHint(StringRef text, size_t &offset, ShareHint &hint) {
  return HintParser(text, offset).parse(hint);
}
