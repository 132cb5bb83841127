//===- Bystanders.cpp - what a host may do beside a device ----------------===//

#include "conversion/Offload/Bystanders.h"

#include "conversion/Offload/LibraryCalls.h"
#include "conversion/Offload/VariableUses.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

static bool isOwnNumber(const DeclRefExpr &reference, const Stmt &function) {
  const auto *variable = dyn_cast<VarDecl>(reference.getDecl());
  return variable && variable->hasLocalStorage() &&
         variable->getType()->isArithmeticType() &&
         !variable->getType().isVolatileQualified() &&
         isUsedByValue(*variable, function);
}

/// Whether `expression` names a number of the program, or a certain element of
/// an array of them.
static bool isGlobal(const Expr &expression) {
  const Expr *inner = &expression;
  while (const auto *element = dyn_cast<ArraySubscriptExpr>(inner)) {
    inner = element->getBase()->IgnoreParenImpCasts();
    if (!inner->getType()->isArrayType() ||
        !isa<IntegerLiteral>(element->getIdx()))
      return false;
  }
  const auto *reference = dyn_cast<DeclRefExpr>(inner);
  const auto *variable =
      reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() && !variable->getTLSKind() &&
         !variable->hasAttr<OMPThreadPrivateDeclAttr>() &&
         !expression.getType().isVolatileQualified();
}

/// Whether `call` prints what it is handed, or computes with it, by the C
/// library.
static bool isKnown(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (callee && isMath(*callee, callee->getASTContext()))
    return true;
  const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
  return name && callee->isExternC() && !callee->getDefinition() &&
         llvm::is_contained({"printf", "puts", "putchar"}, name->getName());
}

/// Whether an address is what `text` of a program is, or nothing.
static bool isLiteral(const Expr &expression) {
  return isa<StringLiteral>(expression.IgnoreParenImpCasts());
}

bool offload::isBystander(const Stmt &statement, const Stmt &function) {
  auto areBystanders = [&](auto children) {
    return llvm::all_of(children, [&](const Stmt *child) {
      return !child || isBystander(*child, function);
    });
  };
  if (isa<CompoundStmt, IfStmt, NullStmt>(statement))
    return areBystanders(statement.children());
  const auto *expression = dyn_cast<Expr>(&statement);
  if (!expression)
    return false;
  if (isLiteral(*expression))
    return true;
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return isKnown(*call) && areBystanders(call->arguments());
  if (!expression->getType()->isArithmeticType() &&
      !expression->getType()->isVoidType())
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    return isOwnNumber(*reference, function) ||
           isa<EnumConstantDecl>(reference->getDecl());
  // Read, not written: that is a conversion.
  const auto *cast = dyn_cast<CastExpr>(expression);
  if (cast && cast->getCastKind() == CK_LValueToRValue &&
      isGlobal(*cast->getSubExpr()->IgnoreParens()))
    return true;
  return isa<AbstractConditionalOperator, BinaryOperator, CastExpr,
             CharacterLiteral, FloatingLiteral, IntegerLiteral, ParenExpr,
             UnaryExprOrTypeTraitExpr, UnaryOperator>(expression) &&
         areBystanders(expression->children());
}
