//===- TeamValues.cpp - values that all threads of a team have ------------===//

#include "conversion/Offload/TeamValues.h"

#include "conversion/Offload/LibraryCalls.h"
#include "conversion/Offload/VariableUses.h"
#include "conversion/Offload/Writes.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/Attr.h"
#include "clang/AST/OpenMPClause.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

using Variables = llvm::DenseSet<const VarDecl *>;

static bool isThreadPrivate(const VarDecl &variable) {
  return variable.getTLSKind() || variable.hasAttr<OMPThreadPrivateDeclAttr>();
}

template <class Clause>
static bool names(const OMPExecutableDirective &directive,
                  const VarDecl &variable) {
  for (const auto *clause : directive.getClausesOfKind<Clause>())
    for (const Expr *operand : clause->varlist())
      if (namedVariable(const_cast<Expr *>(operand)) == &variable)
        return true;
  return false;
}

bool offload::isOfThread(const VarDecl &variable,
                         const OMPExecutableDirective *team) {
  if (!variable.hasLocalStorage())
    return isThreadPrivate(variable);
  if (!team)
    return true;
  const SourceManager &sources = variable.getASTContext().getSourceManager();
  SourceLocation place = variable.getLocation();
  const Stmt &body = *team->getRawStmt();
  bool isInside =
      !sources.isBeforeInTranslationUnit(place, body.getBeginLoc()) &&
      sources.isBeforeInTranslationUnit(place, body.getEndLoc());
  return isInside || names<OMPPrivateClause>(*team, variable) ||
         names<OMPFirstprivateClause>(*team, variable) ||
         names<OMPLastprivateClause>(*team, variable) ||
         names<OMPReductionClause>(*team, variable);
}

namespace {
/// Goes through a function in the order of its statements.
class ValueWalker {
public:
  ValueWalker(const FunctionDecl &function, bool isInTeam,
              const ASTContext &context, Variables &differing,
              llvm::DenseMap<const Stmt *, Variables> &found)
      : function(function), isInTeam(isInTeam), context(context),
        differing(differing), found(found) {}
  void run();

private:
  void visit(const Stmt *statement);
  void visitChildren(const Stmt &statement) {
    for (const Stmt *child : statement.children())
      visit(child);
  }
  /// What only some threads may do, or each as often as it likes.
  void visitApart(const Stmt *statement);
  void visitMaybe(const Stmt *statement, bool isOneCondition);
  void visitExpression(const Expr &expression);
  void visitLoop(const Stmt *start, const Expr *condition, const Stmt *body,
                 const Stmt *step, bool isTestedFirst);
  void visitDirective(const OMPExecutableDirective &directive);
  void visitTeam(const OMPExecutableDirective &directive);
  void visitCall(const CallExpr &call);
  void assign(const VarDecl *variable, bool isSameValue);

  bool isSame(const Expr *expression) const;
  bool isSameVariable(const VarDecl &variable) const;
  bool isByValue(const VarDecl &variable);

  const FunctionDecl &function;
  /// Several threads may call it.
  bool isInTeam;
  const ASTContext &context;
  /// Parameters that callers may give another value in each thread.
  Variables &differing;
  llvm::DenseMap<const Stmt *, Variables> &found;
  Variables same;
  llvm::DenseMap<const VarDecl *, bool> byValue;
  const OMPExecutableDirective *team = nullptr;
  /// All threads do what is visited, equally often.
  bool isForAll = true;
};
} // namespace

/// Whether one of `Kinds` is in `statement`.
template <class... Kinds>
static bool has(const Stmt *statement) {
  if (!statement)
    return false;
  if (isa<Kinds...>(statement))
    return true;
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return directive->hasAssociatedStmt() &&
           has<Kinds...>(directive->getRawStmt());
  return llvm::any_of(statement->children(), has<Kinds...>);
}

/// Whether control may leave `statement` for the end of the function or further
/// up or down.
static bool mayLeave(const Stmt *statement) {
  return has<ReturnStmt, GotoStmt, IndirectGotoStmt, AsmStmt>(statement);
}

/// Whether it may stop there before its end.
static bool hasJump(const Stmt *statement) {
  return has<BreakStmt, ContinueStmt>(statement) || mayLeave(statement);
}

bool ValueWalker::isByValue(const VarDecl &variable) {
  auto [place, isNew] = byValue.try_emplace(&variable, false);
  if (isNew)
    place->second = isUsedByValue(variable, *function.getBody());
  return place->second;
}

void ValueWalker::assign(const VarDecl *variable, bool isSameValue) {
  if (!variable)
    return;
  bool isKnown = isForAll && isSameValue &&
                 variable->getType()->isScalarType() &&
                 !variable->getType().isVolatileQualified() &&
                 isOfThread(*variable, team) && !isThreadPrivate(*variable) &&
                 isByValue(*variable);
  if (isKnown)
    same.insert(variable);
  else
    same.erase(variable);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool ValueWalker::isSameVariable(const VarDecl &variable) const {
  return isOfThread(variable, team) ? same.contains(&variable)
                                    : !isThreadPrivate(variable);
}

/// Whether all threads that have just computed `expression` have one value.
bool ValueWalker::isSame(const Expr *expression) const {
  expression = expression->IgnoreParens();
  Expr::EvalResult result;
  if (expression->getType()->isIntegerType() &&
      expression->EvaluateAsInt(result, context))
    return true;
  if (expression->getType().isVolatileQualified() ||
      expression->getType()->isAtomicType())
    return false;
  auto areSame = [&](const auto &...operands) {
    return (isSame(operands) && ...);
  };
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && !variable->getType()->isReferenceType() &&
           isSameVariable(*variable);
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    return isSame(member->getBase());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
    return areSame(element->getBase(), element->getIdx());
  if (const auto *unary = dyn_cast<UnaryOperator>(expression))
    return isSame(unary->getSubExpr());
  if (const auto *binary = dyn_cast<BinaryOperator>(expression))
    return binary->getOpcode() == BO_Assign
               ? isSame(binary->getRHS())
               : areSame(binary->getLHS(), binary->getRHS());
  if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
    return areSame(choice->getCond(), choice->getTrueExpr(),
                   choice->getFalseExpr());
  if (const auto *cast = dyn_cast<CastExpr>(expression))
    return isSame(cast->getSubExpr());
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return isMathCall(*call, context) &&
           llvm::all_of(call->arguments(), areSame);
  return isa<FloatingLiteral, ImplicitValueInitExpr>(expression);
}

void ValueWalker::visitCall(const CallExpr &call) {
  visitChildren(call);
  const FunctionDecl *callee = call.getDirectCallee();
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || (!team && !isInTeam))
    return;
  for (auto [place, parameter] : llvm::enumerate(definition->parameters()))
    if (!isForAll || place >= call.getNumArgs() || !isSame(call.getArg(place)))
      differing.insert(parameter);
}

void ValueWalker::visitExpression(const Expr &expression) {
  if (const auto *call = dyn_cast<CallExpr>(&expression))
    return visitCall(*call);
  if (const auto *binary = dyn_cast<BinaryOperator>(&expression);
      binary && binary->isLogicalOp()) {
    visit(binary->getLHS());
    return visitMaybe(binary->getRHS(), isSame(binary->getLHS()));
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&expression)) {
    visit(choice->getCond());
    bool isOneCondition = isSame(choice->getCond());
    visitMaybe(choice->getTrueExpr(), isOneCondition);
    return visitMaybe(choice->getFalseExpr(), isOneCondition);
  }
  // The address of a variable keeps it from ever having a known value.
  if (isa<StmtExpr>(expression))
    return visitApart(cast<StmtExpr>(expression).getSubStmt());
  visitChildren(expression);
  const auto *binary = dyn_cast<BinaryOperator>(&expression);
  if (const Expr *target = assignedExpression(&expression))
    assign(namedVariable(const_cast<Expr *>(target)),
           binary && binary->getOpcode() == BO_Assign ? isSame(binary->getRHS())
           : binary ? isSame(binary->getLHS()) && isSame(binary->getRHS())
                    : isSame(target));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void ValueWalker::visitApart(const Stmt *statement) {
  bool outer = std::exchange(isForAll, false);
  visit(statement);
  isForAll = outer && !mayLeave(statement);
}

/// Visits what follows if a condition says so, the same one for all threads
/// with `isOneCondition`.
void ValueWalker::visitMaybe(const Stmt *statement, bool isOneCondition) {
  if (!statement)
    return;
  bool outer = isForAll;
  Variables before = same;
  isForAll &= isOneCondition;
  visit(statement);
  // A jump that only some threads make keeps them apart from then on.
  if (!isOneCondition)
    isForAll = outer && !hasJump(statement);
  llvm::set_intersect(same, before);
}

void ValueWalker::visitLoop(const Stmt *start, const Expr *condition,
                            const Stmt *body, const Stmt *step,
                            bool isTestedFirst) {
  visit(start);
  bool outer = isForAll, inside = isForAll && !hasJump(body);
  // Until nothing is lost any more; what is noted last holds.
  while (true) {
    Variables head = same, tested;
    isForAll = inside;
    bool isOneCondition = true;
    auto test = [&] {
      visit(condition);
      isOneCondition = !condition || isSame(condition);
      tested = same;
    };
    if (isTestedFirst)
      test();
    visit(body);
    if (!isTestedFirst)
      test();
    visit(step);
    // Then threads do the whole loop as often as each likes.
    bool isApart = inside && !(isOneCondition && isForAll);
    inside &= !isApart;
    Variables next = same;
    llvm::set_intersect(next, head);
    if (next == head && !isApart) {
      same = std::move(tested);
      break;
    }
    same = std::move(next);
  }
  isForAll = outer && !mayLeave(body);
}

void ValueWalker::visitTeam(const OMPExecutableDirective &directive) {
  Variables outer = std::exchange(same, {});
  const auto *outerTeam = std::exchange(team, &directive);
  bool outerForAll = std::exchange(isForAll, true);
  for (const auto *clause : directive.getClausesOfKind<OMPFirstprivateClause>())
    for (const Expr *operand : clause->varlist())
      assign(namedVariable(const_cast<Expr *>(operand)), /*isSameValue=*/true);
  // The threads share out what others are in front of.
  isForAll = isa<OMPParallelDirective>(directive);
  visit(directive.getRawStmt());
  team = outerTeam;
  isForAll = outerForAll;
  Writes inside(context);
  inside.add(directive.getRawStmt());
  same = std::move(outer);
  for (const VarDecl *variable : Variables(same))
    if (inside.assigns(variable))
      same.erase(variable);
}

void ValueWalker::visitDirective(const OMPExecutableDirective &directive) {
  for (const OMPClause *clause : directive.clauses())
    for (const Stmt *child : clause->children())
      visitApart(child);
  if (isOpenMPParallelDirective(directive.getDirectiveKind()))
    return visitTeam(directive);
  if (isa<OMPForDirective, OMPForSimdDirective>(directive)) {
    auto &here = found.try_emplace(&directive, same).first->second;
    // With other parameters, or iterations around it, less is known.
    llvm::set_intersect(here, same);
    if (!isForAll)
      here.clear();
  }
  if (!directive.hasAssociatedStmt())
    return;
  visitApart(directive.getRawStmt());
  for (const auto *clause : directive.getClausesOfKind<OMPCopyprivateClause>())
    for (const Expr *operand : clause->varlist())
      assign(namedVariable(const_cast<Expr *>(operand)), /*isSameValue=*/true);
}

void ValueWalker::visit(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *expression = dyn_cast<Expr>(statement))
    return visitExpression(*expression);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return visitDirective(*directive);
  if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
        visit(variable->getInit());
        assign(variable, variable->getInit() && isSame(variable->getInit()));
      }
    return;
  }
  if (const auto *choice = dyn_cast<IfStmt>(statement)) {
    visit(choice->getInit());
    visit(choice->getConditionVariableDeclStmt());
    visit(choice->getCond());
    bool isOneCondition = isSame(choice->getCond());
    Variables before = same;
    visitMaybe(choice->getThen(), isOneCondition);
    Variables then = std::exchange(same, std::move(before));
    visitMaybe(choice->getElse(), isOneCondition);
    return llvm::set_intersect(same, then);
  }
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return visitLoop(loop->getInit(), loop->getCond(), loop->getBody(),
                     loop->getInc(), /*isTestedFirst=*/true);
  if (const auto *loop = dyn_cast<WhileStmt>(statement))
    return visitLoop(nullptr, loop->getCond(), loop->getBody(), nullptr,
                     /*isTestedFirst=*/true);
  if (const auto *loop = dyn_cast<DoStmt>(statement))
    return visitLoop(nullptr, loop->getCond(), loop->getBody(), nullptr,
                     /*isTestedFirst=*/false);
  if (isa<CompoundStmt, AttributedStmt, NullStmt, ReturnStmt>(statement))
    return visitChildren(*statement);
  bool outer = std::exchange(isForAll, false);
  visitChildren(*statement);
  isForAll = outer && !mayLeave(statement);
}

void ValueWalker::run() {
  isForAll = !has<LabelStmt>(function.getBody());
  for (const ParmVarDecl *parameter : function.parameters())
    assign(parameter, !differing.contains(parameter));
  visit(function.getBody());
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TeamValues::TeamValues(llvm::ArrayRef<const FunctionDecl *> functions,
                       const llvm::DenseSet<const FunctionDecl *> &inTeams,
                       const ASTContext &context) {
  Variables differing;
  for (const FunctionDecl *function : functions)
    if (function->isExternallyVisible() && !function->isMain())
      differing.insert(function->param_begin(), function->param_end());
  // Each call may show that more parameters differ, until none does.
  size_t before = 0;
  do {
    before = differing.size();
    same.clear();
    for (const FunctionDecl *function : functions)
      ValueWalker(*function, inTeams.contains(function), context, differing,
                  same)
          .run();
  } while (differing.size() != before);
}

bool TeamValues::isSameAt(const VarDecl *variable, const Stmt *loop) const {
  auto known = same.find(loop);
  return known != same.end() && known->second.contains(variable);
}
