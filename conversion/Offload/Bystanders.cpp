//===- Bystanders.cpp - what a host may do beside a device ----------------===//

#include "conversion/Offload/Bystanders.h"

#include "conversion/Offload/LibraryCalls.h"
#include "conversion/Offload/VariableUses.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

static bool isOwnNumber(const DeclRefExpr &reference, const Stmt &function) {
  const auto *variable = dyn_cast<VarDecl>(reference.getDecl());
  return isa<EnumConstantDecl>(reference.getDecl()) ||
         (variable && variable->hasLocalStorage() &&
          variable->getType()->isArithmeticType() &&
          !variable->getType().isVolatileQualified() &&
          isUsedByValue(*variable, function));
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
    return isOwnNumber(*reference, function);
  return isa<AbstractConditionalOperator, BinaryOperator, CastExpr,
             CharacterLiteral, FloatingLiteral, IntegerLiteral, ParenExpr,
             UnaryExprOrTypeTraitExpr, UnaryOperator>(expression) &&
         areBystanders(expression->children());
}
