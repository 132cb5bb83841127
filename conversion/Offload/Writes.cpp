//===- Writes.cpp - what a section may change -----------------------------===//

#include "conversion/Offload/Writes.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// The variable that `place` is, or is an element or a member of; null where a
/// pointer leads to it.
static const VarDecl *variableOf(const Expr *place) {
  while (true) {
    place = place->IgnoreParens();
    const auto *element = dyn_cast<ArraySubscriptExpr>(place);
    const auto *member = dyn_cast<MemberExpr>(place);
    if (element &&
        element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      place = element->getBase()->IgnoreParenImpCasts();
    else if (member && !member->isArrow())
      place = member->getBase();
    else
      return namedVariable(const_cast<Expr *>(place));
  }
}

void Writes::addTarget(const Expr *target, bool isAddress) {
  const VarDecl *variable = variableOf(target);
  if (!variable)
    return stored.push_back(target->getType());
  assigned.insert(variable);
  if (isAddress)
    addressed.insert(variable);
}

void Writes::add(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt())
      add(directive->getRawStmt());
    return;
  }
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        declared.insert(variable);
  if (const Expr *target = assignedExpression(statement)) {
    const auto *unary = dyn_cast<UnaryOperator>(statement);
    addTarget(target, unary && unary->getOpcode() == UO_AddrOf);
  }
  if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (const FunctionDecl *definition = callee->getDefinition();
          definition && called.insert(definition).second) {
        declared.insert(definition->param_begin(), definition->param_end());
        add(definition->getBody());
      }
  for (const Stmt *child : statement->children())
    add(child);
}

/// The type by which an access is compared with others.
static QualType comparable(QualType type, const ASTContext &context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isEnumeralType())
    type = context.IntTy;
  return type->isUnsignedIntegerType() && !type->isBooleanType()
             ? context.getCorrespondingSignedType(type)
             : type;
}

bool Writes::mayStore(QualType type) const {
  QualType wanted = comparable(type, context);
  return llvm::any_of(stored, [&](QualType other) {
    return other->isAnyCharacterType() || other->isRecordType() ||
           comparable(other, context) == wanted;
  });
}
