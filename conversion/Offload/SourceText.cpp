//===- SourceText.cpp - pieces of a program's text ------------------------===//

#include "conversion/Offload/SourceText.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace gpuopt::offload;

SourceText::SourceText(const ASTContext &context)
    : sources(context.getSourceManager()), language(context.getLangOpts()),
      file(sources.getBufferData(sources.getMainFileID())),
      rewriter(const_cast<SourceManager &>(sources), language) {}

SourceLocation SourceText::locationOf(unsigned offset) const {
  return sources.getLocForStartOfFile(sources.getMainFileID())
      .getLocWithOffset(offset);
}

/// What a directive, or several, stand in front of.
static const Stmt &behindDirectives(const Stmt &statement) {
  const auto *directive = dyn_cast<OMPExecutableDirective>(&statement);
  return directive && directive->hasAssociatedStmt()
             ? behindDirectives(*directive->getRawStmt())
             : statement;
}

/// The last statement in `statement`, at whose end it ends.
static const Stmt &lastOf(const Stmt &statement) {
  const Stmt &inner = behindDirectives(statement);
  if (const auto *loop = dyn_cast<ForStmt>(&inner))
    return lastOf(*loop->getBody());
  if (const auto *loop = dyn_cast<WhileStmt>(&inner))
    return lastOf(*loop->getBody());
  if (const auto *choice = dyn_cast<IfStmt>(&inner))
    return lastOf(choice->getElse() ? *choice->getElse() : *choice->getThen());
  return inner;
}

std::optional<SourceText::Place>
SourceText::placeOf(const Stmt &statement) const {
  const Stmt &last = lastOf(statement);
  SourceLocation begin = statement.getBeginLoc(), end = last.getEndLoc();
  if (begin.isMacroID() || end.isMacroID() ||
      sources.getFileID(begin) != sources.getMainFileID() ||
      sources.getFileID(end) != sources.getMainFileID())
    return std::nullopt;
  SourceLocation behind = Lexer::getLocForEndOfToken(end, 0, sources, language);
  if (!isa<CompoundStmt>(last)) {
    std::optional<Token> next = Lexer::findNextToken(end, sources, language);
    bool isEnd = isa<NullStmt>(last);
    if (!isEnd && (!next || next->isNot(tok::semi)))
      return std::nullopt;
    if (!isEnd)
      behind = next->getEndLoc();
  }
  Place place{sources.getFileOffset(begin), sources.getFileOffset(behind)};
  return isBalanced(place) ? std::optional(place) : std::nullopt;
}

bool SourceText::isBalanced(Place place) const {
  int depth = 0;
  SmallVector<StringRef> lines;
  textAt(place).split(lines, '\n');
  for (StringRef line : lines) {
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (line.starts_with("if"))
      ++depth;
    else if (line.starts_with("endif"))
      --depth;
    else if (line.starts_with("el") && depth == 0)
      return false;
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

StringRef SourceText::textAt(Place place) const {
  return file.slice(place.begin, place.end);
}

std::string SourceText::textAt(Place place, std::vector<Name> names) const {
  llvm::sort(names, [](const Name &left, const Name &right) {
    auto order = [](const Name &name) {
      bool isEmpty = name.place.begin == name.place.end;
      return isEmpty ? UINT_MAX : name.place.end;
    };
    return std::make_pair(left.place.begin, order(right)) <
           std::make_pair(right.place.begin, order(left));
  });
  std::string result;
  // What is added at an end is not added at the begin of what follows.
  llvm::erase_if(names, [&](const Name &name) {
    return name.place.end <= place.begin || name.place.end > place.end;
  });
  for (const Name &name : names) {
    if (name.place.begin < place.begin)
      continue;
    result += textAt({place.begin, name.place.begin}).str() + name.text;
    place.begin = name.place.end;
  }
  return result + textAt(place).str();
}

std::optional<SourceText::Place>
SourceText::placeOfExpression(const Expr &expression) const {
  SourceLocation end =
      Lexer::getLocForEndOfToken(expression.getEndLoc(), 0, sources, language);
  auto first = offsetOf(expression.getBeginLoc()), behind = offsetOf(end);
  if (!first || !behind)
    return std::nullopt;
  return Place{*first, *behind};
}

StringRef SourceText::indentAt(unsigned offset) const {
  size_t line = file.take_front(offset).rfind('\n') + 1;
  return file.drop_front(line).take_while(
      [](char c) { return c == ' ' || c == '\t'; });
}

std::string SourceText::nameOf(unsigned offset) const {
  PresumedLoc place = sources.getPresumedLoc(locationOf(offset));
  return llvm::sys::path::filename(place.getFilename()).str() + ":" +
         std::to_string(place.getLine());
}

/// `text` with lines that end as those of the file do.
std::string SourceText::withLineEnds(StringRef text) const {
  if (!file.take_until([](char c) { return c == '\n'; }).ends_with("\r"))
    return text.str();
  std::string result;
  for (char c : text) {
    if (c == '\n' && !StringRef(result).ends_with("\r"))
      result += '\r';
    result += c;
  }
  return result;
}

void SourceText::insert(unsigned offset, StringRef text) {
  rewriter.InsertTextAfter(locationOf(offset), withLineEnds(text));
}

void SourceText::insertBefore(unsigned offset, StringRef text) {
  rewriter.InsertTextBefore(locationOf(offset), withLineEnds(text));
}

void SourceText::replace(Place place, StringRef text) {
  rewriter.ReplaceText(locationOf(place.begin), place.end - place.begin,
                       withLineEnds(text));
}

std::optional<unsigned> SourceText::offsetOf(SourceLocation location) const {
  bool isThere = location.isFileID() &&
                 sources.getFileID(location) == sources.getMainFileID();
  return isThere ? std::optional(sources.getFileOffset(location))
                 : std::nullopt;
}

std::string SourceText::result() const {
  const llvm::RewriteBuffer *buffer =
      rewriter.getRewriteBufferFor(sources.getMainFileID());
  if (!buffer)
    return file.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  buffer->write(stream);
  return text;
}
