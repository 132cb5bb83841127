//===- ClauseText.cpp - what data clauses do, as text of C ----------------===//

#include "conversion/ImportSource/OpenACC/ClauseText.h"

#include "conversion/ImportSource/OpenACC/Atomics.h"
#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/Decl.h"
#include "clang/AST/PrettyPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;

bool ClauseText::report(SourceLocation location, StringRef message) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  diagnostics.Report(location, id) << message;
  return false;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::string ClauseText::textOf(const Expr &expression) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr,
                         PrintingPolicy(context.getLangOpts()));
  return text;
}

/// The same as an operand of any operator.
std::string ClauseText::operandText(const Expr &expression) const {
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
std::string ClauseText::arrayOf(Expr *operand) {
  Expr *base = baseOf(operand);
  QualType type = base->getType();
  bool isAddress = type->isPointerType() || type->isArrayType();
  return (isAddress ? "" : "&") + operandText(*base);
}

/// Whether `subscript`, of an array of the type `of`, is all of it.
static bool isWholeDimension(const Expr &subscript, QualType of,
                             const ASTContext &context) {
  const auto *section = dyn_cast<ArraySectionExpr>(&subscript);
  if (!section)
    return false;
  Expr::EvalResult lower, length;
  const Expr *lowerBound = section->getLowerBound();
  if (lowerBound &&
      !(lowerBound->EvaluateAsInt(lower, context) && lower.Val.getInt() == 0))
    return false;
  if (!section->getLength())
    return true;
  const ArrayType *array = of->getAsArrayTypeUnsafe();
  if (const auto *constant = dyn_cast_or_null<ConstantArrayType>(array))
    return section->getLength()->EvaluateAsInt(length, context) &&
           length.Val.getInt() == constant->getZExtSize();
  const auto *variable = dyn_cast_or_null<VariableArrayType>(array);
  return variable && variable->getSizeExpr() &&
         isSameExpression(*variable->getSizeExpr()->IgnoreParenImpCasts(),
                          *section->getLength()->IgnoreParenImpCasts(),
                          context);
}

/// Whether one element, or a section of one, is chosen by `subscript`.
static bool isOneElement(const Expr &subscript, const ASTContext &context) {
  const auto *section = dyn_cast<ArraySectionExpr>(&subscript);
  Expr::EvalResult length;
  return !section || (section->getLength() &&
                      section->getLength()->EvaluateAsInt(length, context) &&
                      length.Val.getInt() == 1);
}

/// Whether `statement` changes a variable `name`, or may.
static bool changes(const Stmt *statement, StringRef name) {
  if (!statement)
    return false;
  if (Expr *target = assignedExpression(statement))
    if (const VarDecl *variable = namedVariable(target);
        variable && variable->getName() == name)
      return true;
  return llvm::any_of(statement->children(),
                      [&](const Stmt *child) { return changes(child, name); });
}

std::string
gpuopt::replaceNames(StringRef text,
                     llvm::function_ref<std::string(StringRef)> replace) {
  std::string result;
  while (!text.empty()) {
    StringRef name =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    bool isName = !name.empty() && !llvm::isDigit(name.front());
    if (name.empty())
      name = text.take_front();
    result += isName ? replace(name) : name.str();
    text = text.drop_front(name.size());
  }
  return result;
}

std::string gpuopt::inLongLong(StringRef text) {
  return replaceNames(
      text, [](StringRef name) { return ("(long long)" + name).str(); });
}

/// How many elements a parameter that was declared as an array has, as far as
/// its size is still the same.
std::string ClauseText::countOf(const VarDecl &variable) {
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const ArrayType *array =
      parameter ? parameter->getOriginalType()->getAsArrayTypeUnsafe()
                : nullptr;
  if (const auto *constant = dyn_cast_or_null<ConstantArrayType>(array))
    return std::to_string(constant->getZExtSize());
  const auto *sized = dyn_cast_or_null<VariableArrayType>(array);
  if (!sized || !sized->getSizeExpr() ||
      areChanged(textOf(*sized->getSizeExpr())))
    return "0";
  return "(long long)" + operandText(*sized->getSizeExpr());
}

/// Whether the function changes one of the variables in `text`.
bool ClauseText::areChanged(StringRef text) {
  bool isAny = false;
  replaceNames(text, [&](StringRef name) {
    isAny |= changes(body, name);
    return std::string();
  });
  return isAny;
}

/// The arguments of a call for the memory that an operand of a clause names:
/// where it begins, and its bytes. 0 for a pointer that says no more.
std::string ClauseText::memoryOf(Expr *operand) {
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
    return first + ", " + (variable ? countOf(*variable) : "0") +
           " * (long long)sizeof(*" + first + ")";
  }
  bool isOnePiece = true, isOneSoFar = true;
  for (Expr *subscript : llvm::reverse(subscripts)) {
    bool isOuter = subscript == subscripts.back();
    isOnePiece &= isOuter ||
                  (!type->isPointerType() &&
                   (isOneSoFar || isWholeDimension(*subscript, type, context)));
    isOneSoFar &= isOneElement(*subscript, context);
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
  if (!isOnePiece)
    report(operand->getExprLoc(),
           "sections that are not one piece of memory are not supported");
  return "&" + first + ", (long long)((char *)(&" + last + " + 1) - (char *)&" +
         first + ")";
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

StringRef gpuopt::actionOf(const OpenACCClause &clause, bool isEntry) {
  if (isa<OpenACCCopyClause>(clause))
    return isEntry ? "copyin" : "copyout";
  if (isa<OpenACCCopyInClause>(clause))
    return isEntry ? "copyin" : "delete";
  if (isa<OpenACCCopyOutClause>(clause))
    return isEntry ? "create" : "copyout";
  if (isa<OpenACCCreateClause, OpenACCDeviceResidentClause>(clause))
    return isEntry ? "create" : "delete";
  if (isa<OpenACCPresentClause>(clause))
    return isEntry ? "present" : "delete";
  return "";
}

static OpenACCModifierKind modifiersOf(const OpenACCClause &clause) {
  if (const auto *copy = dyn_cast<OpenACCCopyClause>(&clause))
    return copy->getModifierList();
  if (const auto *copy = dyn_cast<OpenACCCopyInClause>(&clause))
    return copy->getModifierList();
  if (const auto *copy = dyn_cast<OpenACCCopyOutClause>(&clause))
    return copy->getModifierList();
  if (const auto *create = dyn_cast<OpenACCCreateClause>(&clause))
    return create->getModifierList();
  return OpenACCModifierKind::Invalid;
}

/// Reports what `clause` asks for and does not get.
void ClauseText::checkClause(const OpenACCClause &clause) {
  OpenACCModifierKind modifiers = modifiersOf(clause);
  for (OpenACCModifierKind unsupported :
       {OpenACCModifierKind::Always, OpenACCModifierKind::AlwaysIn,
        OpenACCModifierKind::AlwaysOut})
    if (isOpenACCModifierBitSet(modifiers, unsupported))
      return (void)report(clause.getBeginLoc(),
                          "this clause's modifier is not supported in a "
                          "program");
  if (isa<OpenACCAttachClause, OpenACCDetachClause>(clause))
    report(clause.getBeginLoc(), "'attach' and 'detach' are not supported in a "
                                 "program");
}

static std::string call(StringRef function, StringRef action,
                        const Twine &arguments) {
  return ("gpuopt_acc_" + function + "(gpuopt_acc_" + action + ", " +
          arguments + "); ")
      .str();
}

/// Nobody can have changed constants.
static bool isConstant(Expr *operand, const ASTContext &context) {
  QualType type = baseOf(operand)->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  return context.getBaseElementType(type).isConstQualified();
}

/// What `clauses` do where a region begins and where it ends, with the array
/// `ranges` for what their operands are then. Without its name, data stays
/// until a directive ends that.
RegionActions ClauseText::actionsOf(Clauses clauses, const Twine &ranges) {
  RegionActions actions;
  std::string creations;
  for (const OpenACCClause *clause : clauses) {
    checkClause(*clause);
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    StringRef onEntry = actionOf(*clause, /*isEntry=*/true);
    if (!list || onEntry.empty())
      continue;
    for (Expr *operand : list->getVarList()) {
      StringRef onExit = actionOf(*clause, /*isEntry=*/false);
      if (onExit == "copyout" && isConstant(operand, context))
        onExit = "delete";
      if (onEntry == "create" &&
          isOpenACCModifierBitSet(modifiersOf(*clause),
                                  OpenACCModifierKind::Zero))
        onEntry = "create_zero";
      std::string name = ranges.str();
      std::string range =
          name.empty()
              ? "0"
              : "&" + name + "[" + std::to_string(actions.onExit.size()) + "]";
      // What one clause copies another one only wants to be there.
      (onEntry.starts_with("create") ? creations : actions.before) +=
          call("enter", onEntry,
               range + ", " + memoryOf(operand) + ", " + arrayOf(operand));
      actions.onExit.push_back(("gpuopt_acc_" + onExit).str());
      actions.behind += call("leave", onExit, range);
    }
  }
  actions.before += creations;
  if (!actions.onExit.empty())
    actions.declaration = ("struct gpuopt_acc_range " + ranges + "[" +
                           Twine(actions.onExit.size()) + "]; ")
                              .str();
  return actions;
}

const Expr *gpuopt::conditionOf(ArrayRef<const OpenACCClause *> clauses) {
  for (const OpenACCClause *clause : clauses)
    if (const auto *condition = dyn_cast<OpenACCIfClause>(clause))
      return condition->getConditionExpr();
  return nullptr;
}

/// Whether `clauses` let the device do a compute construct, as an expression;
/// empty where it always does.
std::string ClauseText::launchCondition(Clauses clauses) {
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

/// What an operand of `exit data` or `update` is done to; empty for nothing.
static std::string actionAtOnce(const OpenACCClause &clause, bool isFinal,
                                bool isIfPresent) {
  std::string ifPresent = isIfPresent ? "_if_present" : "";
  std::string finally = isFinal ? "_finally" : "";
  if (isa<OpenACCCopyOutClause>(clause))
    return "copyout" + finally;
  if (isa<OpenACCDeleteClause>(clause))
    return "delete" + finally;
  if (isa<OpenACCSelfClause, OpenACCHostClause>(clause))
    return "update_host" + ifPresent;
  if (isa<OpenACCDeviceClause>(clause))
    return "update_device" + ifPresent;
  return "";
}

/// What the operands of `exit data`, or else `update`, are done to.
std::string ClauseText::changesOf(Clauses clauses, bool isUpdate) {
  bool isFinal = llvm::any_of(clauses, llvm::IsaPred<OpenACCFinalizeClause>);
  bool isIfPresent =
      llvm::any_of(clauses, llvm::IsaPred<OpenACCIfPresentClause>);
  std::string text;
  for (const OpenACCClause *clause : clauses) {
    checkClause(*clause);
    std::string action = actionAtOnce(*clause, isFinal, isIfPresent);
    // `self` is of another kind: it may be a condition as well.
    const auto *self = dyn_cast<OpenACCSelfClause>(clause);
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (action.empty() || (!self && !list))
      continue;
    for (Expr *operand : self ? self->getVarList() : list->getVarList())
      text +=
          call(isUpdate ? "update" : "exit_data", action, memoryOf(operand));
  }
  return text;
}
