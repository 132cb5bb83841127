//===- Reassociable.cpp - '#pragma gpuopt reassociate' --------------------===//

#include "conversion/ImportSource/Reassociable.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManagerInternals.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// What stands right behind a pragma: its first token, and all tokens up to the
/// first brace or semicolon, in which a function has its name.
struct TextBehind {
  SourceLocation first;
  SourceLocation end;
};

/// Finds the loop or function that begins in some text.
class ConstructFinder : public DynamicRecursiveASTVisitor {
public:
  ConstructFinder(ASTContext &context, TextBehind text)
      : sources(context.getSourceManager()), text(text) {}

  SourceRange find(ASTContext &context) {
    TraverseAST(context);
    return found;
  }

  bool VisitForStmt(ForStmt *loop) override { return visitLoop(*loop); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) override {
    return visitLoop(*loop);
  }
  bool VisitWhileStmt(WhileStmt *loop) override { return visitLoop(*loop); }
  bool VisitDoStmt(DoStmt *loop) override { return visitLoop(*loop); }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    SourceLocation name = sources.getFileLoc(function->getLocation());
    bool isBehind = !isBefore(name, text.first) && isBefore(name, text.end);
    if (isBehind && function->isThisDeclarationADefinition() &&
        !function->getEndLoc().isMacroID())
      found = function->getSourceRange();
    return found.isInvalid();
  }

private:
  bool isBefore(SourceLocation a, SourceLocation b) const {
    return sources.isBeforeInTranslationUnit(a, b);
  }
  bool visitLoop(Stmt &loop) {
    // All that a macro expands to is in one place.
    if (loop.getBeginLoc() == text.first)
      found = loop.getSourceRange();
    return found.isInvalid();
  }

  const SourceManager &sources;
  TextBehind text;
  SourceRange found;
};
} // namespace

/// The text behind `pragma`, other directives aside.
static TextBehind findTextBehind(const ASTContext &context,
                                 const PlacedPragma &pragma) {
  const SourceManager &sources = context.getSourceManager();
  auto [file, offset] = sources.getDecomposedLoc(pragma.end);
  StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), context.getLangOpts(),
              buffer.begin(), buffer.begin() + offset, buffer.end());
  TextBehind text;
  Token token;
  bool isDirective = false;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine())
      isDirective = token.is(tok::hash);
    if (isDirective)
      continue;
    if (text.first.isInvalid())
      text.first = token.getLocation();
    if (token.isOneOf(tok::l_brace, tok::r_brace, tok::semi))
      break;
  }
  text.end = token.getLocation();
  return text;
}

/// Whether nothing else has the positions of the file at `location`: it was
/// read once, and no `#line` stands in it or names it.
static bool hasUniquePositions(SourceManager &sources,
                               SourceLocation location) {
  FileID file = sources.getFileID(location);
  const auto *content = &sources.getSLocEntry(file).getFile().getContentCache();
  unsigned times = 0;
  for (unsigned index = 0; index < sources.local_sloc_entry_size(); ++index) {
    const SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(index);
    times += entry.isFile() && &entry.getFile().getContentCache() == content;
  }
  StringRef name = sources.getPresumedLoc(location).getFilename();
  LineTableInfo &lines = sources.getLineTable();
  for (const auto &[placed, entries] : lines)
    for (const LineEntry &entry : entries)
      if (placed == file || (entry.FilenameID >= 0 &&
                             lines.getFilename(entry.FilenameID) == name))
        return false;
  return times == 1;
}

std::vector<SourceSpan> gpuopt::findReassociable(ASTContext &context,
                                                 ArrayRef<PlacedPragma> pragmas,
                                                 FirstErrorPrinter &printer) {
  SourceManager &sources = context.getSourceManager();
  std::vector<SourceSpan> spans;
  for (const PlacedPragma &pragma : pragmas) {
    if (!pragma.pragma.reassociate)
      continue;
    TextBehind text = findTextBehind(context, pragma);
    SourceRange construct = ConstructFinder(context, text).find(context);
    if (construct.isInvalid()) {
      printer.printWarning(pragma.location,
                           "no loop or function of the device begins right "
                           "behind this '#pragma gpuopt reassociate'");
      continue;
    }
    if (!hasUniquePositions(sources, text.first)) {
      printer.printWarning(pragma.location,
                           "this '#pragma gpuopt reassociate' is left out: "
                           "its file is included more than once, or '#line' "
                           "gives its lines to others");
      continue;
    }
    SourceLocation last =
        sources.getExpansionRange(construct.getEnd()).getEnd();
    SourceLocation end =
        Lexer::getLocForEndOfToken(last, 0, sources, context.getLangOpts());
    spans.push_back({toSourcePosition(text.first, sources),
                     toSourcePosition(end, sources)});
  }
  return spans;
}
