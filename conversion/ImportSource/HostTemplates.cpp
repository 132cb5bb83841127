//===- HostTemplates.cpp - templates that only the host calls -------------===//

#include "conversion/ImportSource/HostTemplates.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Looks for a launch, or a call of what launches.
class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
  explicit LaunchFinder(const HostTemplates &known) : known(known) {}

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *) { return found(); }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *callee) {
    bool isHosts = callee->getNumDecls() != 0 &&
                   llvm::all_of(callee->decls(), [&](const NamedDecl *decl) {
                     return known.contains(*decl);
                   });
    return !isHosts || found();
  }
  bool VisitDeclRefExpr(DeclRefExpr *callee) {
    const auto *function = dyn_cast<FunctionDecl>(callee->getDecl());
    const FunctionTemplateDecl *primary =
        function ? function->getPrimaryTemplate() : nullptr;
    return !primary || !known.contains(*primary) || found();
  }

  bool hasFound = false;

private:
  /// Ends the search.
  bool found() {
    hasFound = true;
    return false;
  }

  const HostTemplates &known;
};
} // namespace

bool HostTemplates::contains(const NamedDecl &declaration) const {
  return known.contains(declaration.getUnderlyingDecl()->getCanonicalDecl());
}

void HostTemplates::visit(FunctionTemplateDecl &function) {
  FunctionDecl &pattern = *function.getTemplatedDecl();
  auto isAssumed = [](const Attr *attribute) {
    return attribute && attribute->isImplicit();
  };
  if (!pattern.doesThisDeclarationHaveABody() ||
      !isAssumed(pattern.getAttr<CUDADeviceAttr>()) ||
      !isAssumed(pattern.getAttr<CUDAHostAttr>()))
    return;
  LaunchFinder finder(*this);
  finder.TraverseStmt(pattern.getBody());
  if (!finder.hasFound)
    return;
  known.insert(function.getCanonicalDecl());
  for (FunctionDecl *declaration : pattern.redecls()) {
    declaration->dropAttr<CUDADeviceAttr>();
    declaration->dropAttr<CUDAHostAttr>();
  }
}
