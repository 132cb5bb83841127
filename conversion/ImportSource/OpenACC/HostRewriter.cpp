//===- HostRewriter.cpp - the host's side of OpenACC programs -------------===//

#include "conversion/ImportSource/OpenACC/HostRewriter.h"

#include "conversion/ImportSource/OpenACC/Captures.h"

#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;

HostRewriter::HostRewriter(Sema &sema)
    : context(sema.Context), sources(context.getSourceManager()),
      file(sources.getBufferData(sources.getMainFileID())), clauseText(sema) {}

//===----------------------------------------------------------------------===//
// Places of the text
//===----------------------------------------------------------------------===//

/// Where a token of the file, or the macro that it comes from, begins.
std::optional<unsigned> HostRewriter::offsetOf(SourceLocation location) {
  auto [id, offset] =
      sources.getDecomposedLoc(sources.getExpansionLoc(location));
  if (id == sources.getMainFileID())
    return offset;
  clauseText.report(location,
                    "a program's kernels and data directives must be in its "
                    "source files, not in headers");
  return std::nullopt;
}

/// What a directive, or several, stand in front of.
static const Stmt &behindDirectives(const Stmt &statement) {
  if (const auto *loop = dyn_cast<OpenACCLoopConstruct>(&statement))
    return behindDirectives(*loop->getLoop());
  if (const auto *combined = dyn_cast<OpenACCCombinedConstruct>(&statement))
    return behindDirectives(*combined->getLoop());
  if (const auto *compute = dyn_cast<OpenACCComputeConstruct>(&statement))
    return behindDirectives(*compute->getStructuredBlock());
  if (const auto *data = dyn_cast<OpenACCDataConstruct>(&statement))
    return behindDirectives(*data->getStructuredBlock());
  if (const auto *atomic = dyn_cast<OpenACCAtomicConstruct>(&statement))
    return behindDirectives(*atomic->getAssociatedStmt());
  if (const auto *host = dyn_cast<OpenACCHostDataConstruct>(&statement))
    return behindDirectives(*host->getStructuredBlock());
  return statement;
}

/// What `statement` ends with; directives end before what they stand in front
/// of.
static const Stmt &lastOf(const Stmt &statement) {
  const Stmt &inner = behindDirectives(statement);
  if (const auto *loop = dyn_cast<ForStmt>(&inner))
    return lastOf(*loop->getBody());
  if (const auto *loop = dyn_cast<WhileStmt>(&inner))
    return lastOf(*loop->getBody());
  if (const auto *loop = dyn_cast<CXXForRangeStmt>(&inner))
    return lastOf(*loop->getBody());
  if (const auto *choice = dyn_cast<SwitchStmt>(&inner))
    return lastOf(*choice->getBody());
  if (const auto *label = dyn_cast<LabelStmt>(&inner))
    return lastOf(*label->getSubStmt());
  if (const auto *choice = dyn_cast<IfStmt>(&inner))
    return lastOf(choice->getElse() ? *choice->getElse() : *choice->getThen());
  return inner;
}

/// Whether nothing but a semicolon follows the token at `end` in its macro.
static bool isAtEndOfMacro(SourceLocation end, const SourceManager &sources,
                           const LangOptions &language) {
  if (Lexer::isAtEndOfMacroExpansion(end, sources, language))
    return true;
  unsigned length = Lexer::MeasureTokenLength(end, sources, language);
  StringRef rest = sources.getCharacterData(end) + length;
  unsigned blanks = rest.size() - rest.ltrim(" \t").size();
  return rest.ltrim(" \t").starts_with(";") &&
         Lexer::isAtEndOfMacroExpansion(end.getLocWithOffset(length + blanks),
                                        sources, language);
}

/// The text of a statement behind its directives, with the semicolon behind it.
std::optional<HostRewriter::Place>
HostRewriter::rangeOf(const Stmt &statement) {
  const LangOptions &language = context.getLangOpts();
  const Stmt &last = lastOf(statement);
  SourceLocation first = behindDirectives(statement).getBeginLoc();
  SourceLocation end = last.getEndLoc();
  // Other statements of the same macro would be lost.
  if ((first.isMacroID() &&
       !Lexer::isAtStartOfMacroExpansion(first, sources, language)) ||
      (end.isMacroID() && !isAtEndOfMacro(end, sources, language))) {
    clauseText.report(
        first, "what a directive stands in front of must not be a part of a "
               "macro");
    return std::nullopt;
  }
  SourceLocation lastToken = sources.getExpansionRange(end).getEnd();
  std::optional<unsigned> from = offsetOf(first);
  std::optional<unsigned> to = from ? offsetOf(lastToken) : std::nullopt;
  if (!to)
    return std::nullopt;
  Place place = {*from,
                 *to + Lexer::MeasureTokenLength(lastToken, sources, language)};
  if (isa<CompoundStmt, CXXTryStmt>(last))
    return place;
  std::optional<Token> next =
      Lexer::findNextToken(lastToken, sources, language);
  if (next && next->is(tok::semi))
    if (std::optional<unsigned> semicolon = offsetOf(next->getLocation()))
      place.end = *semicolon + 1;
  return place;
}

unsigned HostRewriter::lineAt(unsigned offset) const {
  SourceLocation begin = sources.getLocForStartOfFile(sources.getMainFileID());
  return sources.getPresumedLineNumber(begin.getLocWithOffset(offset));
}

std::string HostRewriter::lineBreaks(Place place) const {
  return std::string(file.slice(place.begin, place.end).count('\n'), '\n');
}

void HostRewriter::replace(Place place, std::string text) {
  text += lineBreaks(place);
  edits.insert({{place.begin, true}, {place, std::move(text)}});
}

/// In front of what is at `offset`, or behind what ends there.
void HostRewriter::insert(unsigned offset, bool isBehind, std::string text) {
  edits.insert({{offset, !isBehind}, {{offset, offset}, std::move(text)}});
}

std::string HostRewriter::text() const {
  std::string text;
  unsigned done = 0;
  for (const auto &[at, edit] : edits) {
    text += file.slice(done, edit.replaced.begin);
    text += edit.text;
    done = edit.replaced.end;
  }
  text += file.substr(done);
  if (!atStart.empty())
    // Device code is registered before.
    text += "\n__attribute__((constructor(102))) static void "
            "gpuopt_acc_enter_declared(void) { " +
            atStart + "}\n";
  return text;
}

/// A statement that leaves `statement` for somewhere else, if there is one.
static const Stmt *findWayOut(const Stmt *statement, bool mayBreak,
                              bool mayContinue) {
  if (!statement)
    return nullptr;
  if (isa<LambdaExpr, BlockExpr>(statement))
    return nullptr;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(statement) ||
      (isa<BreakStmt>(statement) && !mayBreak) ||
      (isa<ContinueStmt>(statement) && !mayContinue))
    return statement;
  bool isLoop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
  for (const Stmt *child : statement->children())
    if (const Stmt *found =
            findWayOut(child, mayBreak || isLoop || isa<SwitchStmt>(statement),
                       mayContinue || isLoop))
      return found;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// The text of a directive, up to its last token.
std::optional<HostRewriter::Place>
HostRewriter::placeOf(SourceRange directive) {
  if (directive.getBegin().isMacroID() || directive.getEnd().isMacroID()) {
    clauseText.report(directive.getBegin(),
                      "a data directive must not be part of a macro");
    return std::nullopt;
  }
  std::optional<unsigned> begin = offsetOf(directive.getBegin());
  std::optional<unsigned> end =
      begin ? offsetOf(directive.getEnd()) : std::nullopt;
  if (!end)
    return std::nullopt;
  return Place{*begin,
               *end + Lexer::MeasureTokenLength(directive.getEnd(), sources,
                                                context.getLangOpts())};
}

/// `declare` in a function: data until its block is left, however that is.
void HostRewriter::replaceDeclared(const OpenACCDeclareDecl &directive) {
  std::optional<Place> place = placeOf(directive.getSourceRange());
  if (!place)
    return;
  std::string line = std::to_string(lineAt(place->begin));
  RegionActions actions =
      clauseText.actionsOf(directive.clauses(), "gpuopt_declared_" + line);
  if (actions.onExit.empty())
    return;
  replace(*place,
          actions.declaration + actions.before +
              "static const enum gpuopt_acc_action gpuopt_exits_" + line +
              "[] = {" + llvm::join(actions.onExit, ", ") +
              "}; __attribute__((cleanup(gpuopt_acc_leave_scope))) struct "
              "gpuopt_acc_scope gpuopt_scope_" +
              line + " = {gpuopt_declared_" + line + ", gpuopt_exits_" + line +
              ", " + std::to_string(actions.onExit.size()) + "};");
}

void HostRewriter::addDeclared(const OpenACCDeclareDecl &directive) {
  clauseText.setFunction(nullptr);
  RegionActions actions = clauseText.actionsOf(directive.clauses());
  if (actions.before.empty())
    return;
  if (!context.getLangOpts().CPlusPlus) {
    atStart += actions.before;
    return;
  }
  // Where variables before it have got their values.
  std::optional<Place> place = placeOf(directive.getSourceRange());
  if (place)
    replace(*place, "static const int gpuopt_declared_" +
                        std::to_string(lineAt(place->begin)) +
                        " __attribute__((used)) = [] { " + actions.before +
                        "return 0; }();");
}

/// `update`, `enter data` or `exit data`.
void HostRewriter::replaceDirective(const OpenACCConstructStmt &directive,
                                    Clauses clauses) {
  std::optional<Place> place = placeOf(directive.getSourceRange());
  if (!place)
    return;
  std::string text;
  if (isa<OpenACCEnterDataConstruct>(directive)) {
    text = clauseText.actionsOf(clauses).before;
  } else {
    text =
        clauseText.changesOf(clauses, isa<OpenACCUpdateConstruct>(directive));
  }
  if (const Expr *condition = conditionOf(clauses))
    text = "if (" + clauseText.textOf(*condition) + ") { " + text + "}";
  replace(*place, "{ " + text + "}");
}

/// What `clauses` do around the block of `construct`: `data`, or a compute
/// construct, which the host does itself where a clause has a condition.
void HostRewriter::visitRegion(Stmt *block, Clauses clauses, bool isCompute) {
  RegionActions actions = clauseText.actionsOf(clauses, "gpuopt_ranges");
  std::string condition = clauseText.launchCondition(clauses);
  if (actions.before.empty() && (condition.empty() || !isCompute))
    return visit(block);
  if (const Stmt *way = findWayOut(block, false, false))
    return (void)clauseText.report(
        way->getBeginLoc(), "a region with data clauses cannot be left early");
  std::optional<Place> place = rangeOf(*block);
  if (!place)
    return;
  std::string before = actions.declaration + actions.before;
  std::string behind = actions.behind + "} ";
  if (!condition.empty() && isCompute) {
    before = "if (" + condition + ") { " + before;
    behind += "else " + file.slice(place->begin, place->end).str() +
              "\n#line " + std::to_string(lineAt(place->end)) + "\n}";
  } else if (!condition.empty()) {
    before = actions.declaration + "int gpuopt_if = " + condition +
             "; if (gpuopt_if) { " + actions.before + "} ";
    behind = "if (gpuopt_if) { " + actions.behind + "} }";
  }
  insert(place->begin, /*isBehind=*/false, "{ " + before);
  visit(block);
  insert(place->end, /*isBehind=*/true, " " + behind);
}

/// In the block the names are those of the device's memory.
void HostRewriter::visitHostData(OpenACCHostDataConstruct &construct) {
  std::string outer, inner;
  const Expr *condition = conditionOf(construct.clauses());
  for (const OpenACCClause *clause : construct.clauses()) {
    const auto *use = dyn_cast<OpenACCUseDeviceClause>(clause);
    if (!use)
      continue;
    for (Expr *operand : use->getVarList()) {
      const VarDecl *variable = namedVariable(operand);
      if (!variable || !(variable->getType()->isPointerType() ||
                         variable->getType()->isArrayType()))
        return (void)clauseText.report(operand->getExprLoc(),
                                       "expected an array or a pointer");
      std::string name = variable->getNameAsString();
      std::string type = "__typeof__(&" + name + "[0]) ";
      outer += type + "gpuopt_" + name + " = (" + type + ")";
      if (condition)
        outer += "(!" + clauseText.operandText(*condition) + " ? (void *)" +
                 name + " : ";
      outer += "gpuopt_acc_device_address(" + name + ")";
      outer += condition ? "); " : "; ";
      inner += type + name + " = gpuopt_" + name + "; ";
    }
  }
  Stmt *block = construct.getStructuredBlock();
  std::optional<Place> place = rangeOf(*block);
  if (!place)
    return;
  insert(place->begin, /*isBehind=*/false, "{ " + outer + "{ " + inner);
  visit(block);
  insert(place->end, /*isBehind=*/true, " } }");
}

void HostRewriter::visit(Stmt *statement) {
  if (!statement)
    return;
  if (isTemplate && isa<OpenACCConstructStmt>(statement))
    return (void)clauseText.report(
        statement->getBeginLoc(),
        "directives in templates are not supported in a "
        "program");
  if (auto *data = dyn_cast<OpenACCDataConstruct>(statement))
    return visitRegion(data->getStructuredBlock(), data->clauses(),
                       /*isCompute=*/false);
  if (auto *compute = dyn_cast<OpenACCComputeConstruct>(statement))
    return visitRegion(compute->getStructuredBlock(), compute->clauses(),
                       /*isCompute=*/true);
  if (auto *combined = dyn_cast<OpenACCCombinedConstruct>(statement))
    return visitRegion(combined->getLoop(), combined->clauses(),
                       /*isCompute=*/true);
  if (auto *host = dyn_cast<OpenACCHostDataConstruct>(statement))
    return visitHostData(*host);
  if (isa<OpenACCUpdateConstruct, OpenACCEnterDataConstruct,
          OpenACCExitDataConstruct>(statement)) {
    auto *directive = cast<OpenACCConstructStmt>(statement);
    return replaceDirective(*directive, directive->clauses());
  }
  if (auto *declarations = dyn_cast<DeclStmt>(statement))
    for (Decl *declaration : declarations->decls())
      if (auto *directive = dyn_cast<OpenACCDeclareDecl>(declaration))
        replaceDeclared(*directive);
  for (Stmt *child : statement->children())
    visit(child);
}

void HostRewriter::addDirectives(FunctionDecl &function) {
  clauseText.setFunction(&function);
  isTemplate = function.isTemplateInstantiation();
  visit(function.getBody());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

std::optional<HostRewriter::Place>
HostRewriter::placeOf(const KernelPart &part) {
  return rangeOf(*part.statement);
}

/// Whether a data clause around `part` names `variable`, so that kernels have
/// the device's value of it.
static bool isOfClauses(const KernelPart &part, const VarDecl &variable) {
  return llvm::any_of(part.clauses, [&](const OpenACCClause *clause) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    return list && !actionOf(*clause, /*isEntry=*/true).empty() &&
           llvm::any_of(list->getVarList(), [&](Expr *operand) {
             return variableOfClause(operand) == &variable;
           });
  });
}

/// A name of `variable` that no local one hides.
static std::string nameOf(const VarDecl &variable, const ASTContext &context) {
  if (!context.getLangOpts().CPlusPlus || variable.isLocalVarDeclOrParm())
    return variable.getNameAsString();
  std::string name;
  llvm::raw_string_ostream stream(name);
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  variable.printQualifiedName(stream, policy);
  return "::" + name;
}

/// The initializer of one `gpuopt_acc_argument`.
std::string HostRewriter::argumentText(const HostArgument &argument,
                                       const KernelPart &part,
                                       const KernelPragma &pragma) {
  const VarDecl &variable = *argument.variable;
  std::string name = nameOf(variable, context) + memberText(argument.member);
  QualType type = argument.type(), element = type;
  std::string place = name, bytes = "0", kind = "memory";
  if (argument.kind == HostArgument::Kind::Pointer) {
    element = context.getBaseElementType(type->getPointeeType());
    auto extents = pragma.arrays.find(argument.name());
    if (extents != pragma.arrays.end() &&
        llvm::none_of(extents->second, [&](const std::string &extent) {
          return clauseText.areChanged(extent);
        })) {
      bytes = std::to_string(context.getTypeSizeInChars(element).getQuantity());
      for (const std::string &extent : extents->second)
        bytes += " * (" + inLongLong(extent) + ")";
    }
  } else {
    bytes = "sizeof(" + name + ")";
    if (argument.kind == HostArgument::Kind::Array)
      element = context.getBaseElementType(type);
    else
      place = "&" + name;
  }
  if (argument.kind == HostArgument::Kind::Value)
    kind = isOfClauses(part, variable) ? "present_value" : "value";
  else if (element.isConstQualified())
    kind = "input";
  return "{gpuopt_acc_" + kind + ", \"" + argument.name() + "\", (void *)" +
         place + ", (long long)(" + bytes + ")}";
}

/// How many work items a kernel has along a dimension, by the values that it
/// has itself.
static std::string itemsText(StringRef extent, const KernelPart &part,
                             ArrayRef<HostArgument> arguments) {
  return replaceNames(extent, [&](StringRef name) {
    for (const HostArgument &argument : arguments)
      if (argument.variable->getName() == name &&
          isOfClauses(part, *argument.variable))
        return ("(long long)*(__typeof__(" + name +
                ") *)gpuopt_acc_device_address(&" + name + ")")
            .str();
    return ("(long long)" + name).str();
  });
}

void HostRewriter::addLaunch(Place place, const KernelPart &part,
                             const OutlinedKernel &kernel, StringRef symbol) {
  std::vector<std::string> arguments, items;
  for (const HostArgument &argument : kernel.arguments)
    arguments.push_back(argumentText(argument, part, kernel.pragma));
  for (const std::string &extent : kernel.pragma.domain)
    items.push_back(itemsText(extent, part, kernel.arguments));
  // An array of C has an element.
  if (arguments.empty())
    arguments.push_back("{gpuopt_acc_value, 0, 0, 0}");
  replace(place,
          ("{ static char gpuopt_key; long long gpuopt_items[] = {" +
           llvm::join(items, ", ") +
           "}; struct gpuopt_acc_argument gpuopt_arguments[] = {" +
           llvm::join(arguments, ", ") +
           "}; gpuopt_acc_launch(&gpuopt_acc_this_file, &gpuopt_key, \"" +
           symbol + "\", gpuopt_items, " + Twine(items.size()) +
           ", gpuopt_arguments, " + Twine(kernel.arguments.size()) + "); }")
              .str());
}
