//===- ManagedVariables.cpp - __managed__ on the host's side --------------===//

#include "conversion/ImportSource/ManagedVariables.h"

#include "dialects/GPUOpt/ManagedVariables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;
using namespace gpuopt;

namespace {

/// Finds variables that hold the address of a managed one before the program
/// runs, when nobody knows it.
class AddressFinder : public RecursiveASTVisitor<AddressFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    const Expr *initial = variable->getInit();
    if (!initial || !variable->hasGlobalStorage() || variable->isTemplated() ||
        !variable->hasConstantInitialization())
      return true;
    holder = variable;
    TraverseStmt(const_cast<Expr *>(initial));
    holder = nullptr;
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    if (!holder || !use->getDecl()->hasAttr<HIPManagedAttr>())
      return true;
    DiagnosticsEngine &diagnostics =
        use->getDecl()->getASTContext().getDiagnostics();
    unsigned error = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error,
        "the address of managed variable %0, with which %1 is initialised, is "
        "not known before the program runs");
    diagnostics.Report(use->getLocation(), error) << use->getDecl() << holder;
    return true;
  }

private:
  const VarDecl *holder = nullptr;
};

class ManagedVariableMarker : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      visit(declaration);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    mark(*variable);
  }
  void HandleTranslationUnit(ASTContext &context) override {
    if (hasAny)
      AddressFinder().TraverseDecl(context.getTranslationUnitDecl());
  }

private:
  void mark(VarDecl &variable) {
    const auto *section = variable.getAttr<SectionAttr>();
    if (!section || section->getName() != kManagedSection)
      return;
    hasAny = true;
    // The object file has no such section: one of zeros would take its size.
    variable.dropAttr<SectionAttr>();
    variable.addAttr(HIPManagedAttr::CreateImplicit(variable.getASTContext()));
  }

  void visit(Decl *declaration) {
    if (auto *variable = dyn_cast<VarDecl>(declaration))
      mark(*variable);
    if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration))
      for (Decl *inner : cast<DeclContext>(declaration)->noload_decls())
        visit(inner);
  }

  bool hasAny = false;
};

} // namespace

std::unique_ptr<ASTConsumer> gpuopt::createManagedVariableMarker() {
  return std::make_unique<ManagedVariableMarker>();
}
