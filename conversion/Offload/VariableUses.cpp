//===- VariableUses.cpp - how a function uses a variable ------------------===//

#include "conversion/Offload/VariableUses.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class UseWalker {
public:
  UseWalker(const VarDecl &variable,
            llvm::function_ref<bool(const Stmt &)> isSkipped,
            llvm::function_ref<void(const DeclRefExpr &, bool)> note)
      : variable(variable), isSkipped(isSkipped), note(note) {}

  /// With `isValue` nothing is done with the address of what `statement` names.
  void walk(const Stmt *statement, bool isValue);

private:
  void walkChildren(const Stmt &statement, bool areValues);
  void walkDirective(const OMPExecutableDirective &directive);
  void walkBinary(const BinaryOperator &binary, bool isValue);
  void walkElement(const ArraySubscriptExpr &element, bool isValue);
  void walkCast(const CastExpr &cast, bool isValue);

  const VarDecl &variable;
  llvm::function_ref<bool(const Stmt &)> isSkipped;
  llvm::function_ref<void(const DeclRefExpr &, bool)> note;
};
} // namespace

void UseWalker::walkChildren(const Stmt &statement, bool areValues) {
  for (const Stmt *child : statement.children())
    walk(child, areValues);
}

/// Whether `clause` names variables for copies of them, or for nothing.
static bool namesValues(const OMPClause &clause) {
  return isa<OMPCopyinClause, OMPCopyprivateClause, OMPFirstprivateClause,
             OMPLastprivateClause, OMPPrivateClause, OMPReductionClause,
             OMPSharedClause>(clause);
}

void UseWalker::walkDirective(const OMPExecutableDirective &directive) {
  for (const OMPClause *clause : directive.clauses())
    for (const Stmt *child : clause->children())
      walk(child, namesValues(*clause));
  if (directive.hasAssociatedStmt())
    walk(directive.getRawStmt(), /*isValue=*/true);
}

void UseWalker::walkBinary(const BinaryOperator &binary, bool isValue) {
  if (binary.getOpcode() == BO_Comma) {
    walk(binary.getLHS(), /*isValue=*/true);
    return walk(binary.getRHS(), isValue);
  }
  // In C++ an assignment is what it has assigned.
  walk(binary.getLHS(),
       binary.isAssignmentOp() && (isValue || !binary.isGLValue()));
  walk(binary.getRHS(), /*isValue=*/false);
}

void UseWalker::walkElement(const ArraySubscriptExpr &element, bool isValue) {
  const auto *decay =
      dyn_cast<ImplicitCastExpr>(element.getBase()->IgnoreParens());
  if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
    walk(decay->getSubExpr(), isValue);
  else
    walk(element.getBase(), /*isValue=*/false);
  walk(element.getIdx(), /*isValue=*/false);
}

void UseWalker::walkCast(const CastExpr &cast, bool isValue) {
  bool isRead = cast.getCastKind() == CK_LValueToRValue ||
                cast.getCastKind() == CK_ToVoid;
  bool isSame = cast.getCastKind() == CK_NoOp;
  walk(cast.getSubExpr(), isRead || (isSame && isValue));
}

void UseWalker::walk(const Stmt *statement, bool isValue) {
  if (!statement || isSkipped(*statement))
    return;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    if (reference->getDecl() == &variable)
      note(*reference, isValue);
    return;
  }
  if (isa<ParenExpr, FullExpr>(statement))
    return walkChildren(*statement, isValue);
  if (const auto *cast = dyn_cast<CastExpr>(statement))
    return walkCast(*cast, isValue);
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(statement))
    return walkElement(*element, isValue);
  if (const auto *member = dyn_cast<MemberExpr>(statement))
    return walk(member->getBase(), isValue && !member->isArrow());
  if (const auto *binary = dyn_cast<BinaryOperator>(statement))
    return walkBinary(*binary, isValue);
  if (const auto *unary = dyn_cast<UnaryOperator>(statement))
    return walk(unary->getSubExpr(), unary->isIncrementDecrementOp() &&
                                         (isValue || !unary->isGLValue()));
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return walkDirective(*directive);
  // The values of expressions that are statements are not used.
  walkChildren(*statement,
               isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt,
                   SwitchCase, LabelStmt, AttributedStmt>(statement));
}

void offload::forEachUse(
    const VarDecl &variable, const Stmt &root,
    llvm::function_ref<bool(const Stmt &)> isSkipped,
    llvm::function_ref<void(const DeclRefExpr &, bool)> note) {
  UseWalker(variable, isSkipped, note).walk(&root, /*isValue=*/true);
}

bool offload::isUsedByValue(const VarDecl &variable, const Stmt &root) {
  bool areValues = true;
  forEachUse(
      variable, root, [](const Stmt &) { return false; },
      [&](const DeclRefExpr &, bool isValue) { areValues &= isValue; });
  return areValues;
}

static void addVariables(const Stmt *statement,
                         llvm::SetVector<const VarDecl *> &found) {
  if (!statement)
    return;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      found.insert(variable);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt())
      addVariables(directive->getRawStmt(), found);
    return;
  }
  for (const Stmt *child : statement->children())
    addVariables(child, found);
}

llvm::SetVector<const VarDecl *> offload::variablesIn(const Stmt &root) {
  llvm::SetVector<const VarDecl *> found;
  addVariables(&root, found);
  return found;
}
