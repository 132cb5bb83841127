//===- OffloadProgram.cpp - a program whose loops go to a device ----------===//

#include "conversion/Offload/OffloadProgram.h"

#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/Offload/ParseProgram.h"
#include "conversion/Offload/SourceText.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/Support/WithColor.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
/// The functions of the main file, and whether it has loops that OpenMP shares
/// out.
class FunctionFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit FunctionFinder(const SourceManager &sources) : sources(sources) {}

  std::vector<const FunctionDecl *> functions;
  bool hasDirectives = false;

  bool VisitFunctionDecl(const FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() &&
        !function->isDependentContext() &&
        sources.isInMainFile(function->getLocation()))
      functions.push_back(function);
    return true;
  }
  bool VisitOMPExecutableDirective(const OMPExecutableDirective *d) override {
    hasDirectives |= sources.isInMainFile(d->getBeginLoc());
    return true;
  }

private:
  const SourceManager &sources;
};

class Offloader {
public:
  Offloader(const ASTContext &context, const OffloadOptions &options)
      : context(context), text(context), spelling(options.dialect, context),
        options(options) {}

  OffloadedProgram run();

private:
  void offload(const ParallelLoop &loop);
  std::optional<Problem> tryOffload(const ParallelLoop &loop);
  void decline(const ParallelLoop &loop, const Problem &problem);
  void write(const ParallelLoop &loop, SourceText::Place place,
             const DataPlan &plan, const SymbolTable &symbols);
  void remark(SourceLocation location, const Twine &message);

  const ASTContext &context;
  SourceText text;
  Spelling spelling;
  const OffloadOptions &options;
  OffloadedProgram program;
};
} // namespace

void Offloader::remark(SourceLocation location, const llvm::Twine &message) {
  SourcePosition at = toSourcePosition(location, context.getSourceManager());
  llvm::raw_ostream &stream = diagnosticStream();
  stream << at.file << ":" << at.line << ":" << at.column << ": ";
  llvm::WithColor(stream, llvm::raw_ostream::BLUE, /*Bold=*/true) << "remark: ";
  stream << message << "\n";
}

void Offloader::decline(const ParallelLoop &loop, const Problem &problem) {
  ++program.declined;
  remark(problem.location, "not offloaded: " + problem.message);
  std::optional<SourceText::Place> place = text.placeOf(*loop.statement);
  if (!problem.isForAuthor || !place)
    return;
  ++program.forAuthor;
  text.insert(place->begin,
              "/* gpuopt offload: " + problem.message +
                  ": only the author can say what of it a device needs */\n" +
                  text.indentAt(place->begin).str());
}

/// Puts the offloaded loop in front of the original one.
void Offloader::write(const ParallelLoop &loop, SourceText::Place place,
                      const DataPlan &plan, const SymbolTable &symbols) {
  // The directive may stand further left than its loop.
  SourceText::Place loopPlace = *text.placeOf(*loop.loop);
  std::string left = text.indentAt(place.begin).str();
  std::string indent = text.indentAt(loopPlace.begin).str();
  if (!StringRef(indent).starts_with(left))
    indent = left;
  std::string condition =
      spelling.condition(text.nameOf(place.begin), indent, plan, symbols);
  std::string directive = spelling.directive(loop, plan, symbols);
  bool isLEO = options.dialect == Dialect::LEO;
  std::string copy = spelling.body(text.textAt(isLEO ? place : loopPlace));
  std::string offloaded = isLEO ? "{\n" + copy + "\n" + indent + "}" : copy;
  text.insert(place.begin, indent.substr(left.size()) + "if (" + condition +
                               ") {\n" + directive + "\n" + indent + offloaded +
                               "\n" + indent + "} else {\n" + left);
  text.insert(place.end, "\n" + indent + "}");
}

/// Offloads `loop`, or says why not.
std::optional<Problem> Offloader::tryOffload(const ParallelLoop &loop) {
  if (loop.problem)
    return loop.problem;
  std::optional<SourceText::Place> place = text.placeOf(*loop.statement);
  if (!place || !text.placeOf(*loop.loop))
    return Problem{loop.statement->getBeginLoc(),
                   "a macro or another file has a part of this loop", false};
  if (std::optional<Problem> problem = spelling.check(loop))
    return problem;
  Effects effects = findEffects(loop, context);
  DataPlan plan = planData(loop, effects, context);
  if (plan.problem)
    return plan.problem;
  write(loop, *place, plan, effects.symbols);
  return std::nullopt;
}

void Offloader::offload(const ParallelLoop &loop) {
  if (std::optional<Problem> problem = tryOffload(loop))
    return decline(loop, *problem);
  ++program.offloaded;
  remark(loop.statement->getBeginLoc(), "offloaded where it pays");
}

OffloadedProgram Offloader::run() {
  FunctionFinder finder(context.getSourceManager());
  finder.TraverseDecl(context.getTranslationUnitDecl());
  for (const FunctionDecl *function : finder.functions)
    for (const ParallelLoop &loop :
         findParallelLoops(*function, context, /*takesPlain=*/false))
      offload(loop);
  text.insert(0, spelling.helperText());
  program.text = text.result();
  return std::move(program);
}

mlir::FailureOr<OffloadedProgram>
offload::offloadProgram(llvm::StringRef path, const OffloadOptions &options) {
  OffloadedProgram program;
  if (failed(parseProgram(path, options.clangArguments,
                          [&](const ASTContext &context) {
                            program = Offloader(context, options).run();
                          })))
    return mlir::failure();
  return program;
}
