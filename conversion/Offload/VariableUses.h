//===- VariableUses.h - how a function uses a variable ----------*- C++ -*-===//
//
// A use is by value where it reads or assigns the variable, an element of it or
// a member, and nothing remains of its address:
//
//   x = v[2];  s.n++;      by value: v, s, x
//   p = v;  f(&x);         not: whoever has the address may use it later
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_VARIABLEUSES_H
#define CONVERSION_OFFLOAD_VARIABLEUSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt::offload {

/// Hands each use of `variable` in `root` to `note`, and whether it is by
/// value. Statements that `isSkipped` are not looked into.
void forEachUse(
    const clang::VarDecl &variable, const clang::Stmt &root,
    llvm::function_ref<bool(const clang::Stmt &)> isSkipped,
    llvm::function_ref<void(const clang::DeclRefExpr &, bool)> note);

/// Whether all uses in `root` are by value.
bool isUsedByValue(const clang::VarDecl &variable, const clang::Stmt &root);

/// The variables that `root` names, in the order of the text.
llvm::SetVector<const clang::VarDecl *> variablesIn(const clang::Stmt &root);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_VARIABLEUSES_H
