//===- Captures.cpp - what a part of a function uses of it ----------------===//

#include "conversion/ImportSource/OpenACC/Captures.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Notes variables and functions; what clauses mention is no use.
class UseFinder : public DynamicRecursiveASTVisitor {
public:
  explicit UseFinder(Captures &captures) : captures(captures) {}

  bool TraverseOpenACCLoopConstruct(OpenACCLoopConstruct *construct) override {
    return TraverseStmt(construct->getLoop());
  }
  bool TraverseOpenACCCacheConstruct(OpenACCCacheConstruct *) override {
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) override {
    inner.insert(variable);
    noteBinding(variable->getType(), variable->getInit());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    if (auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
      captures.functions.push_back(function);
    // What is a constant needs no variable.
    auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable && reference->isNonOdrUse() != NOUR_Constant) {
      Capture &capture = captures.variables[variable];
      capture.variable = variable;
      capture.uses.push_back(reference);
    }
    return true;
  }
  bool VisitExpr(Expr *expression) override {
    if (Expr *target = assignedExpression(expression))
      if (VarDecl *variable = namedVariable(target))
        captures.variables[variable].isAssigned = true;
    return true;
  }
  /// What is bound to a reference may be changed by it.
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; callee && i < callee->getNumParams(); ++i)
      if (i < call->getNumArgs() && !isa<CXXOperatorCallExpr>(call))
        noteBinding(callee->getParamDecl(i)->getType(), call->getArg(i));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) override {
    const FunctionDecl *callee = construction->getConstructor();
    for (unsigned i = 0; i < callee->getNumParams(); ++i)
      if (i < construction->getNumArgs())
        noteBinding(callee->getParamDecl(i)->getType(),
                    construction->getArg(i));
    return true;
  }
  bool VisitForStmt(ForStmt *loop) override {
    auto *start = dyn_cast_or_null<BinaryOperator>(loop->getInit());
    if (start && start->getOpcode() == BO_Assign)
      if (VarDecl *variable = namedVariable(start->getLHS()))
        captures.variables[variable].isPrivate = true;
    return true;
  }
  bool VisitCXXThisExpr(CXXThisExpr *expression) override {
    captures.unsupported = expression;
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *expression) override {
    captures.unsupported = expression;
    return true;
  }

  /// Drops what is declared in the part itself.
  void dropInner() {
    captures.variables.remove_if(
        [&](const auto &entry) { return inner.contains(entry.first); });
  }

private:
  void noteBinding(QualType type, Expr *value) {
    if (value && type->isReferenceType() &&
        !type->getPointeeType().isConstQualified())
      if (VarDecl *variable = namedVariable(value))
        captures.variables[variable].isAssigned = true;
  }

  Captures &captures;
  llvm::DenseSet<VarDecl *> inner;
};
} // namespace

/// Adds the variables that sizes in `type` mention.
static void addSizes(QualType type, Captures &captures) {
  std::vector<VarDecl *> sizes;
  while (!type.isNull()) {
    if (const auto *array =
            dyn_cast_or_null<VariableArrayType>(type->getAsArrayTypeUnsafe())) {
      Captures inSize;
      UseFinder finder(inSize);
      if (Expr *size = array->getSizeExpr())
        finder.TraverseStmt(size);
      for (const auto &[variable, ignored] : inSize.variables)
        sizes.push_back(variable);
    }
    if (const ArrayType *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else
      type = type->getPointeeType();
  }
  for (VarDecl *variable : sizes) {
    captures.variables[variable].variable = variable;
    captures.variables[variable].isSize = true;
  }
}

VarDecl *gpuopt::variableOfClause(Expr *operand) {
  operand = operand->IgnoreParenImpCasts();
  while (true) {
    if (auto *section = dyn_cast<ArraySectionExpr>(operand))
      operand = section->getBase()->IgnoreParenImpCasts();
    else if (auto *element = dyn_cast<ArraySubscriptExpr>(operand))
      operand = element->getBase()->IgnoreParenImpCasts();
    else
      return namedVariable(operand);
  }
}

static void readClauses(const KernelPart &part, Captures &captures) {
  for (const OpenACCClause *clause : part.clauses) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (!list || !isa<OpenACCPrivateClause, OpenACCReductionClause>(clause))
      continue;
    for (Expr *operand : list->getVarList()) {
      auto found = captures.variables.find(variableOfClause(operand));
      if (found == captures.variables.end())
        continue;
      found->second.isPrivate |= isa<OpenACCPrivateClause>(clause);
      found->second.isReduced |= isa<OpenACCReductionClause>(clause);
    }
  }
}

/// Whether each run of `statement` that uses `variable` gives it a value
/// before.
static bool assignsFirst(const Stmt *statement, const VarDecl *variable) {
  if (!mentions(statement, variable))
    return true;
  if (const auto *construct = dyn_cast<OpenACCLoopConstruct>(statement))
    return assignsFirst(construct->getLoop(), variable);
  if (const auto *assignment = dyn_cast<BinaryOperator>(statement))
    return assignment->getOpcode() == BO_Assign &&
           namedVariable(assignment->getLHS()) == variable &&
           !mentions(assignment->getRHS(), variable);
  if (const auto *choice = dyn_cast<IfStmt>(statement))
    return !mentions(choice->getCond(), variable) &&
           assignsFirst(choice->getThen(), variable) &&
           assignsFirst(choice->getElse(), variable);
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return !mentions(loop->getInit(), variable) &&
           !mentions(loop->getCond(), variable) &&
           !mentions(loop->getInc(), variable) &&
           assignsFirst(loop->getBody(), variable);
  const auto *braces = dyn_cast<CompoundStmt>(statement);
  if (!braces)
    return false;
  auto uses = llvm::make_filter_range(braces->body(), [&](const Stmt *child) {
    return mentions(child, variable);
  });
  // Behind loops and conditions it may have the value of another iteration.
  for (const Stmt *use : uses) {
    if (!assignsFirst(use, variable))
      return false;
    if (isa<BinaryOperator>(use))
      return true;
  }
  return true;
}

/// Adds the scalars of which each iteration makes its own: what is behind the
/// last one nobody may know, as it is another one's.
static void addOwnScalars(const KernelPart &part, Captures &captures) {
  for (auto &[variable, capture] : captures.variables)
    if (capture.isAssigned && variable->getType()->isScalarType() &&
        assignsFirst(part.statement, variable))
      capture.isPrivate = true;
}

Captures gpuopt::findCaptures(const KernelPart &part) {
  Captures captures;
  UseFinder finder(captures);
  finder.TraverseStmt(part.statement);
  finder.dropInner();
  // Sizes have no types with sizes.
  for (VarDecl *variable :
       llvm::to_vector(llvm::make_first_range(captures.variables))) {
    addSizes(variable->getType(), captures);
    if (auto *parameter = dyn_cast<ParmVarDecl>(variable))
      addSizes(parameter->getOriginalType(), captures);
  }
  readClauses(part, captures);
  if (!part.loops.empty())
    addOwnScalars(part, captures);

  const SourceManager &sources =
      part.function->getASTContext().getSourceManager();
  // Declarations at one place, by one macro, stay in the order of their uses.
  auto found = captures.variables.takeVector();
  std::vector<std::pair<SourceLocation, size_t>> order;
  for (auto [index, entry] : llvm::enumerate(found))
    order.emplace_back(entry.first->getLocation(), index);
  llvm::sort(order, [&](const auto &a, const auto &b) {
    return a.first == b.first
               ? a.second < b.second
               : sources.isBeforeInTranslationUnit(a.first, b.first);
  });
  for (auto [location, index] : order) {
    found[index].second.variable = found[index].first;
    captures.variables.insert(std::move(found[index]));
  }
  return captures;
}

std::vector<FunctionDecl *>
gpuopt::reachableFunctions(std::vector<FunctionDecl *> roots) {
  llvm::SetVector<FunctionDecl *> found;
  auto add = [&](FunctionDecl *function) {
    if (FunctionDecl *definition = function->getDefinition())
      found.insert(definition);
  };
  llvm::for_each(roots, add);
  for (size_t i = 0; i < found.size(); ++i) {
    Captures inner;
    UseFinder finder(inner);
    finder.TraverseStmt(found[i]->getBody());
    llvm::for_each(inner.functions, add);
  }
  return {found.begin(), found.end()};
}
