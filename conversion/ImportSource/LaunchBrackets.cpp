//===- LaunchBrackets.cpp - launches that are written apart ---------------===//

#include "conversion/ImportSource/LaunchBrackets.h"
#include "conversion/ImportSource/TextFile.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Brackets of one kind, with nothing but blanks between them.
struct Brackets {
  char kind = 0;
  size_t begin = 0, end = 0;
  unsigned count = 0, tokens = 0;

  bool isLaunch(char wanted) const {
    return kind == wanted && count == 3 && tokens > 1;
  }
};
} // namespace

/// `<` or `>` where the token is one to three of them, else 0.
static char bracketOf(StringRef token) {
  if (token.empty() || token.size() > 3 ||
      (token.front() != '<' && token.front() != '>') ||
      token.count(token.front()) != token.size())
    return 0;
  return token.front();
}

static void join(std::string &text, const Brackets &brackets) {
  std::fill_n(text.begin() + brackets.begin, 3, brackets.kind);
  std::fill(text.begin() + brackets.begin + 3, text.begin() + brackets.end,
            ' ');
}

std::optional<std::string> gpuopt::joinLaunchBrackets(StringRef text) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CUDA = true;
  std::string original = text.str(), joined = original;
  clang::Lexer lexer(clang::SourceLocation(), options, original.data(),
                     original.data(), original.data() + original.size());
  // No expression has `<` behind `<<`, but for a template of an operator. `>`
  // behind `>>` may be the end of template arguments: it only counts in a
  // launch that was opened so.
  bool isOpen = false, isOperator = false;
  Brackets brackets;
  auto finish = [&] {
    if (brackets.isLaunch('<') || (isOpen && brackets.isLaunch('>'))) {
      join(joined, brackets);
      isOpen = brackets.kind == '<';
    }
    brackets = {};
  };
  for (bool isLast = false; !isLast;) {
    clang::Token token;
    isLast = lexer.LexFromRawLexer(token);
    size_t end = lexer.getBufferLocation() - original.data();
    size_t begin = end - token.getLength();
    StringRef spelling = StringRef(original).slice(begin, end);
    char kind = bracketOf(spelling);
    bool isBeside =
        kind && kind == brackets.kind &&
        StringRef(original).slice(brackets.end, begin).trim(" \t").empty();
    if (!isBeside)
      finish();
    if (kind && !(isOperator && kind == '<')) {
      if (!isBeside)
        brackets = {kind, begin};
      brackets.end = end;
      brackets.count += spelling.size();
      ++brackets.tokens;
    }
    if (spelling == ";")
      isOpen = false;
    isOperator = spelling == "operator";
  }
  finish();
  return joined == original ? std::nullopt : std::optional(std::move(joined));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

ErrorOr<std::unique_ptr<vfs::File>>
LaunchBracketsFileSystem::openFileForRead(const Twine &path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  std::string name = path.str();
  StringRef extension = sys::path::extension(name);
  if (!file || (extension != ".cu" && extension != ".cuh"))
    return file;
  auto buffer = (*file)->getBuffer(path);
  ErrorOr<vfs::Status> state = (*file)->status();
  if (!buffer || !state)
    return ProxyFileSystem::openFileForRead(path);
  StringRef text = (*buffer)->getBuffer();
  std::optional<std::string> joined = joinLaunchBrackets(text);
  return std::make_unique<TextFile>(*state, joined ? *joined : text.str());
}
