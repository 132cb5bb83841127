//===- AddressedFunctions.h - whom somebody may call ------------*- C++ -*-===//
//-*-===//

#ifndef CONVERSION_OFFLOAD_ADDRESSEDFUNCTIONS_H
#define CONVERSION_OFFLOAD_ADDRESSEDFUNCTIONS_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

namespace gpuopt::offload {

/// Finds the functions that are named without being called there: somebody may
/// call them by their address.
class AddressedFunctions : public clang::ConstDynamicRecursiveASTVisitor {
public:
  llvm::DenseSet<const clang::FunctionDecl *> addressed;

  bool VisitCallExpr(const clang::CallExpr *call) override {
    called.insert(call->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(const clang::DeclRefExpr *reference) override {
    if (const auto *function =
            llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
        function && !called.contains(reference))
      addressed.insert(function->getCanonicalDecl());
    return true;
  }

private:
  /// Names of functions that are called there.
  llvm::DenseSet<const clang::Expr *> called;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_ADDRESSEDFUNCTIONS_H
