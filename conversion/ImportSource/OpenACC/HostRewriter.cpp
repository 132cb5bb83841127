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
    : sema(sema), context(sema.Context), sources(context.getSourceManager()),
      file(sources.getBufferData(sources.getMainFileID())) {}

bool HostRewriter::report(SourceLocation location, StringRef message) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  diagnostics.Report(location, id) << message;
  return false;
}

//===----------------------------------------------------------------------===//
// Places of the text
//===----------------------------------------------------------------------===//

/// Where a token of the file, or the macro that it comes from, begins.
std::optional<unsigned> HostRewriter::offsetOf(SourceLocation location) {
  auto [id, offset] =
      sources.getDecomposedLoc(sources.getExpansionLoc(location));
  if (id == sources.getMainFileID())
    return offset;
  report(location, "a program's kernels and data directives must be in its "
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

/// The last token of `statement`; directives end before what they stand in
/// front of.
static SourceLocation endOf(const Stmt &statement) {
  const Stmt &inner = behindDirectives(statement);
  if (const auto *loop = dyn_cast<ForStmt>(&inner))
    return endOf(*loop->getBody());
  if (const auto *loop = dyn_cast<WhileStmt>(&inner))
    return endOf(*loop->getBody());
  if (const auto *choice = dyn_cast<IfStmt>(&inner))
    return endOf(choice->getElse() ? *choice->getElse() : *choice->getThen());
  return inner.getEndLoc();
}

/// The text of a statement behind its directives, with the semicolon behind it.
std::optional<HostRewriter::Place>
HostRewriter::rangeOf(const Stmt &statement) {
  std::optional<unsigned> begin =
      offsetOf(behindDirectives(statement).getBeginLoc());
  SourceLocation last = sources.getExpansionRange(endOf(statement)).getEnd();
  std::optional<unsigned> lastToken = begin ? offsetOf(last) : std::nullopt;
  if (!lastToken)
    return std::nullopt;
  const LangOptions &language = context.getLangOpts();
  Place place = {
      *begin, *lastToken + Lexer::MeasureTokenLength(last, sources, language)};
  if (file[*lastToken] == '}')
    return place;
  std::optional<Token> next = Lexer::findNextToken(last, sources, language);
  if (next && next->is(tok::semi))
    if (std::optional<unsigned> semicolon = offsetOf(next->getLocation()))
      place.end = *semicolon + 1;
  return place;
}

unsigned HostRewriter::lineAt(unsigned offset) const {
  return sources.getLineNumber(sources.getMainFileID(), offset);
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::string HostRewriter::textOf(const Expr &expression) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr,
                         PrintingPolicy(context.getLangOpts()));
  return text;
}

/// The same as an operand of any operator.
std::string HostRewriter::operandText(const Expr &expression) const {
  std::string text = textOf(expression);
  return isa<DeclRefExpr, IntegerLiteral, ParenExpr>(
             expression.IgnoreImpCasts())
             ? text
             : "(" + text + ")";
}

/// What `operand` of a clause, a variable or a section of it, is of.
static Expr *baseOf(Expr *operand) {
  operand = operand->IgnoreParenImpCasts();
  if (auto *section = dyn_cast<ArraySectionExpr>(operand))
    return baseOf(section->getBase());
  if (auto *element = dyn_cast<ArraySubscriptExpr>(operand))
    return baseOf(element->getBase());
  return operand;
}

/// The address by which kernels have what an operand of a clause is.
std::string HostRewriter::arrayOf(Expr *operand) {
  Expr *base = baseOf(operand);
  QualType type = base->getType();
  bool isAddress = type->isPointerType() || type->isArrayType();
  return (isAddress ? "" : "&") + operandText(*base);
}

/// The arguments of a call for the memory that an operand of a clause names:
/// where it begins, and its bytes. 0 for a pointer that says no more.
std::string HostRewriter::memoryOf(Expr *operand) {
  Expr *base = operand->IgnoreParenImpCasts();
  SmallVector<Expr *> subscripts;
  while (isa<ArraySectionExpr, ArraySubscriptExpr>(base)) {
    subscripts.push_back(base);
    auto *section = dyn_cast<ArraySectionExpr>(base);
    base = (section ? section->getBase()
                    : cast<ArraySubscriptExpr>(base)->getBase())
               ->IgnoreParenImpCasts();
  }
  QualType type = base->getType();
  std::string first = operandText(*base), last = first, outer = first;
  if (subscripts.empty()) {
    if (!type->isPointerType())
      return "&" + first + ", sizeof(" + first + ")";
    const VarDecl *variable = namedVariable(base);
    const auto *parameter = dyn_cast_or_null<ParmVarDecl>(variable);
    const auto *array =
        parameter ? parameter->getOriginalType()->getAsArrayTypeUnsafe()
                  : nullptr;
    std::string count = "0";
    if (const auto *constant = dyn_cast_or_null<ConstantArrayType>(array))
      count = std::to_string(constant->getZExtSize());
    else if (const auto *sized = dyn_cast_or_null<VariableArrayType>(array);
             sized && sized->getSizeExpr())
      count = operandText(*sized->getSizeExpr());
    return first + ", " + count + " * (long long)sizeof(*" + first + ")";
  }
  for (Expr *subscript : llvm::reverse(subscripts)) {
    bool isOuter = subscript == subscripts.back();
    if (!isOuter && type->isPointerType()) {
      report(subscript->getExprLoc(),
             "what rows of pointers point to is not one piece of memory");
      return "";
    }
    type = type->isPointerType()
               ? type->getPointeeType()
               : QualType(type->getArrayElementTypeNoTypeQual(), 0);
    std::string lower = "0", length = "1";
    if (auto *section = dyn_cast<ArraySectionExpr>(subscript)) {
      if (section->getLowerBound())
        lower = operandText(*section->getLowerBound());
      length = section->getLength() ? operandText(*section->getLength())
                                    : "(sizeof(" + outer + ") / sizeof(" +
                                          outer + "[0]) - " + lower + ")";
    } else {
      lower = operandText(*cast<ArraySubscriptExpr>(subscript)->getIdx());
    }
    first += "[" + lower + "]";
    last += "[" + lower + " + (long long)" + length + " - 1]";
    outer += "[0]";
  }
  return "&" + first + ", (long long)((char *)(&" + last + " + 1) - (char *)&" +
         first + ")";
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// What becomes of the memory that `clause` names where a region, or an
/// unstructured lifetime of data, begins or ends; empty for nothing.
static StringRef actionOf(const OpenACCClause &clause, bool isEntry) {
  if (isa<OpenACCCopyClause>(clause))
    return isEntry ? "copyin" : "copyout";
  if (isa<OpenACCCopyInClause>(clause))
    return isEntry ? "copyin" : "delete";
  if (isa<OpenACCCopyOutClause>(clause))
    return isEntry ? "create" : "copyout";
  if (isa<OpenACCCreateClause>(clause))
    return isEntry ? "create" : "delete";
  if (isa<OpenACCDeviceResidentClause>(clause))
    return isEntry ? "create" : "delete";
  if (isa<OpenACCPresentClause>(clause))
    return isEntry ? "present" : "delete";
  return "";
}

static std::string call(StringRef function, StringRef action,
                        const Twine &memory) {
  return ("gpuopt_acc_" + function + "(gpuopt_acc_" + action + ", " + memory +
          "); ")
      .str();
}

/// What `clauses` do where a region begins and where it ends. Their operands
/// are evaluated once, in front of it.
HostRewriter::RegionActions HostRewriter::actionsOf(Clauses clauses) {
  RegionActions actions;
  std::vector<std::string> ranges;
  std::string creations;
  for (const OpenACCClause *clause : clauses) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    StringRef onEntry = actionOf(*clause, /*isEntry=*/true);
    if (!list || onEntry.empty())
      continue;
    for (Expr *operand : list->getVarList()) {
      std::string range =
          "gpuopt_ranges[" + std::to_string(ranges.size()) + "]";
      ranges.push_back("{" + memoryOf(operand) + ", " + arrayOf(operand) + "}");
      // What one clause copies another one only wants to be there.
      (onEntry == "create" ? creations : actions.before) +=
          call("enter", onEntry, "&" + range);
      actions.onExit.push_back(
          ("gpuopt_acc_" + actionOf(*clause, /*isEntry=*/false)).str());
      actions.behind += call("leave", actionOf(*clause, /*isEntry=*/false),
                             range + ".host, " + range + ".bytes");
    }
  }
  if (ranges.empty())
    return actions;
  actions.declaration = "struct gpuopt_acc_range gpuopt_ranges[] = {" +
                        llvm::join(ranges, ", ") + "}; ";
  actions.before += creations;
  return actions;
}

/// The condition of a directive; empty where it has none.
static const Expr *conditionOf(ArrayRef<const OpenACCClause *> clauses) {
  for (const OpenACCClause *clause : clauses)
    if (const auto *condition = dyn_cast<OpenACCIfClause>(clause))
      return condition->getConditionExpr();
  return nullptr;
}

/// A statement that leaves `statement` for somewhere else, if there is one.
static const Stmt *findWayOut(const Stmt *statement, bool mayBreak,
                              bool mayContinue) {
  if (!statement)
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

/// The line of a directive, and those that continue it.
std::optional<HostRewriter::Place>
HostRewriter::lineOf(SourceLocation directive) {
  std::optional<unsigned> begin = offsetOf(directive);
  if (!begin)
    return std::nullopt;
  size_t end = file.find('\n', *begin);
  while (end != StringRef::npos && file[end - 1] == '\\')
    end = file.find('\n', end + 1);
  if (!directive.isMacroID() && end != StringRef::npos)
    return Place{*begin, unsigned(end)};
  report(directive, "a data directive must not be part of a macro");
  return std::nullopt;
}

/// `declare` in a function: data until its block is left, however that is.
void HostRewriter::replaceDeclared(const OpenACCDeclareDecl &directive) {
  std::optional<Place> place = lineOf(directive.getBeginLoc());
  RegionActions actions = actionsOf(directive.clauses());
  if (!place || actions.onExit.empty())
    return;
  std::string line = std::to_string(lineAt(place->begin));
  std::string text = actions.declaration + actions.before;
  for (size_t at; (at = text.find("gpuopt_ranges")) != std::string::npos;)
    text.replace(at, strlen("gpuopt_ranges"), "gpuopt_declared_" + line);
  replace(*place,
          text + "static const enum gpuopt_acc_action gpuopt_exits_" + line +
              "[] = {" + llvm::join(actions.onExit, ", ") +
              "}; __attribute__((cleanup(gpuopt_acc_leave_scope))) struct "
              "gpuopt_acc_scope gpuopt_scope_" +
              line + " = {gpuopt_declared_" + line + ", gpuopt_exits_" + line +
              ", " + std::to_string(actions.onExit.size()) + "};");
}

void HostRewriter::addDeclared(const OpenACCDeclareDecl &directive) {
  RegionActions actions = actionsOf(directive.clauses());
  if (!actions.before.empty())
    atStart += "{ " + actions.declaration + actions.before + "} ";
}

/// `update`, `enter data` or `exit data`.
void HostRewriter::replaceDirective(const OpenACCConstructStmt &directive,
                                    Clauses clauses) {
  std::optional<Place> place = lineOf(directive.getBeginLoc());
  if (!place)
    return;
  bool isFinal = llvm::any_of(clauses, llvm::IsaPred<OpenACCFinalizeClause>);
  bool isIfPresent =
      llvm::any_of(clauses, llvm::IsaPred<OpenACCIfPresentClause>);
  std::string text;
  if (isa<OpenACCEnterDataConstruct>(directive)) {
    RegionActions actions = actionsOf(clauses);
    text = actions.declaration + actions.before;
  }
  for (const OpenACCClause *clause : clauses) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (!list || isa<OpenACCEnterDataConstruct>(directive))
      continue;
    bool isUpdate = isa<OpenACCUpdateConstruct>(directive);
    StringRef action =
        isa<OpenACCCopyOutClause>(clause)
            ? isFinal ? "copyout_finally" : "copyout"
        : isa<OpenACCDeleteClause>(clause)
            ? isFinal ? "delete_finally" : "delete"
        : isa<OpenACCSelfClause, OpenACCHostClause>(clause)
            ? isIfPresent ? "update_host_if_present" : "update_host"
        : isa<OpenACCDeviceClause>(clause)
            ? isIfPresent ? "update_device_if_present" : "update_device"
            : "";
    if (action.empty())
      continue;
    for (Expr *operand : list->getVarList())
      text += call(isUpdate ? "update" : "leave", action, memoryOf(operand));
  }
  // `self` is of another kind: it may be a condition as well.
  for (const OpenACCClause *clause : clauses)
    if (const auto *self = dyn_cast<OpenACCSelfClause>(clause);
        self && !self->isConditionExprClause())
      for (Expr *operand : self->getVarList())
        text += call("update",
                     isIfPresent ? "update_host_if_present" : "update_host",
                     memoryOf(operand));
  if (const Expr *condition = conditionOf(clauses))
    text = "if (" + textOf(*condition) + ") { " + text + "}";
  replace(*place, "{ " + text + "}");
}

/// Whether `clauses` let the device do a compute construct, as an expression;
/// empty where it always does.
std::string HostRewriter::launchCondition(Clauses clauses) {
  std::string text;
  for (const OpenACCClause *clause : clauses) {
    const auto *self = dyn_cast<OpenACCSelfClause>(clause);
    const auto *condition = dyn_cast<OpenACCIfClause>(clause);
    if (!self && !condition)
      continue;
    if (!text.empty())
      text += " && ";
    if (condition)
      text += operandText(*condition->getConditionExpr());
    else if (self->hasConditionExpr())
      text += "!" + operandText(*self->getConditionExpr());
    else
      text += "0";
  }
  return text;
}

/// What `clauses` do around the block of `construct`: `data`, or a compute
/// construct, which the host does itself where a clause has a condition.
void HostRewriter::visitRegion(Stmt *block, Clauses clauses, bool isCompute) {
  RegionActions actions = actionsOf(clauses);
  std::string condition = launchCondition(clauses);
  if (actions.before.empty() && (condition.empty() || !isCompute))
    return visit(block);
  if (const Stmt *way = findWayOut(block, false, false))
    return (void)report(way->getBeginLoc(),
                        "a region with data clauses cannot be left early");
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
  for (const OpenACCClause *clause : construct.clauses()) {
    const auto *use = dyn_cast<OpenACCUseDeviceClause>(clause);
    if (!use)
      continue;
    for (Expr *operand : use->getVarList()) {
      const VarDecl *variable = variableOfClause(operand);
      if (!variable)
        return (void)report(operand->getExprLoc(), "expected a variable");
      std::string name = variable->getNameAsString();
      std::string type = "__typeof__(&" + name + "[0]) ";
      outer += type + "gpuopt_" + name + " = (" + type +
               ")gpuopt_acc_device_address(" + name + "); ";
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
  visit(function.getBody());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

std::optional<HostRewriter::Place>
HostRewriter::placeOf(const KernelPart &part) {
  if (!part.function->isTemplateInstantiation())
    return rangeOf(*part.statement);
  report(part.statement->getBeginLoc(),
         "kernels in templates are not supported in a program");
  return std::nullopt;
}

/// The initializer of one `gpuopt_acc_argument`.
static std::string argumentText(const HostArgument &argument,
                                const KernelPragma &pragma,
                                const ASTContext &context) {
  const VarDecl &variable = *argument.variable;
  std::string name = variable.getNameAsString();
  QualType type = variable.getType();
  std::string place = name, bytes = "0";
  QualType element = type;
  if (argument.kind == HostArgument::Kind::Pointer) {
    element = context.getBaseElementType(type->getPointeeType());
    auto extents = pragma.arrays.find(name);
    if (extents != pragma.arrays.end())
      bytes =
          std::to_string(context.getTypeSizeInChars(element).getQuantity()) +
          "LL * (" + llvm::join(extents->second, ") * (") + ")";
  } else {
    bytes = "sizeof(" + name + ")";
    if (argument.kind == HostArgument::Kind::Array)
      element = context.getBaseElementType(type);
    else
      place = "&" + name;
  }
  StringRef kind = argument.kind == HostArgument::Kind::Value ? "value"
                   : element.isConstQualified()               ? "input"
                                                              : "memory";
  return ("{gpuopt_acc_" + kind + ", \"" + name + "\", (void *)" + place +
          ", " + bytes + "}")
      .str();
}

void HostRewriter::addLaunch(Place place, const OutlinedKernel &kernel,
                             StringRef symbol) {
  std::vector<std::string> arguments, items;
  for (const HostArgument &argument : kernel.arguments)
    arguments.push_back(argumentText(argument, kernel.pragma, context));
  for (const std::string &extent : kernel.pragma.domain)
    items.push_back("(" + extent + ")");
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
