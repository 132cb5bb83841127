//===- ShareHint.cpp - what a block works on, as the source says ----------===//

#include "dialects/GPUOpt/ShareHint.h"

#include "dialects/GPUOpt/LargestBlock.h"

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

  std::optional<TextError> parseList(std::vector<HintInText> &hints) {
    if (!consume('('))
      fail("expected '('");
    bool isFirst = true;
    while (!error && (std::exchange(isFirst, false) || consume(','))) {
      HintInText next{{}, skipSpace()};
      parse(next.hint);
      bool isKnown = any_of(hints, [&](const HintInText &other) {
        return other.hint.array == next.hint.array;
      });
      if (!error && isKnown)
        error = TextError{next.offset,
                          "'" + next.hint.array + "' is shared already"};
      hints.push_back(std::move(next));
    }
    if (!error && !consume(')'))
      fail("expected ',' or ')'");
    skipSpace();
    return error;
  }

  std::optional<TextError> parse(ShareHint &hint) {
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
      error = TextError{offset, message.str()};
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

  /// A length has a positive value in the largest block, if in any.
  void check(StringRef length) {
    Expected<std::vector<std::string>> names = namesInExtent(length);
    if (!names)
      return fail(toString(names.takeError()));
    for (const std::string &name : *names)
      if (!is_contained(kBlockSizeNames, name)) {
        offset += findWord(length, name);
        return fail("unknown name '" + name +
                    "'; lengths are made of numbers, TBX, TBY and TBZ");
      }
    StringMap<int64_t> largest;
    for (StringRef name : kBlockSizeNames)
      largest[name] = kMostThreadsOfBlock;
    Expected<int64_t> value = evaluateExtent(length, largest);
    if (!value)
      return fail(toString(value.takeError()));
    if (*value < 1)
      fail("expected a positive number of elements");
  }

  /// Where `word` stands in `text`, not as a part of another one.
  static size_t findWord(StringRef text, StringRef word) {
    auto isPart = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
    for (size_t place = text.find(word); place != StringRef::npos;
         place = text.find(word, place + 1)) {
      StringRef behind = text.drop_front(place + word.size());
      if ((place == 0 || !isPart(text[place - 1])) &&
          (behind.empty() || !isPart(behind[0])))
        return place;
    }
    return 0;
  }

  StringRef text;
  size_t &offset;
  std::optional<TextError> error;
};
} // namespace

std::optional<TextError> gpuopt::parseShareHint(StringRef text, size_t &offset,
                                                ShareHint &hint) {
  return HintParser(text, offset).parse(hint);
}

std::optional<TextError>
gpuopt::parseShareHints(StringRef text, size_t &offset,
                        std::vector<HintInText> &hints) {
  return HintParser(text, offset).parseList(hints);
}
