//===- NarrowMasks.cpp - masks that leave lanes out -----------------------===//

#include "conversion/ImportSource/NarrowMasks.h"

#include "conversion/ImportSource/Prelude.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace gpuopt;

static constexpr unsigned kMaskBits = 64;

namespace {
class NarrowMasks : public DynamicRecursiveASTVisitor {
public:
  NarrowMasks(const ASTContext &context, DiagnosticsEngine &diagnostics)
      : context(context), diagnostics(diagnostics) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitCallExpr(CallExpr *call) override;

private:
  bool takesMask(const FunctionDecl &function) const;

  const ASTContext &context;
  DiagnosticsEngine &diagnostics;
};

/// Looks at all that the user has written, once it is parsed.
class NarrowMaskCheck : public ASTConsumer {
public:
  explicit NarrowMaskCheck(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    declarations.append(group.begin(), group.end());
    return true;
  }
  void HandleTranslationUnit(ASTContext &context) override {
    NarrowMasks masks(context, diagnostics);
    for (Decl *declaration : declarations)
      if (!context.getSourceManager().isInSystemHeader(
              declaration->getLocation()))
        masks.TraverseDecl(declaration);
  }

private:
  DiagnosticsEngine &diagnostics;
  SmallVector<Decl *> declarations;
};
} // namespace

/// The prelude calls them so: `unsigned long long mask`.
bool NarrowMasks::takesMask(const FunctionDecl &function) const {
  const SourceManager &sources = context.getSourceManager();
  return function.getIdentifier() && function.getNumParams() > 0 &&
         function.getParamDecl(0)->getName() == "mask" &&
         sources.getFilename(function.getLocation())
             .starts_with(kPreludeDirectory);
}

bool NarrowMasks::VisitCallExpr(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || call->getNumArgs() == 0 || !takesMask(*callee))
    return true;
  const Expr *mask = call->getArg(0)->IgnoreImpCasts();
  QualType type = mask->getType();
  if (isa<CXXDefaultArgExpr>(mask) || type->isDependentType() ||
      !type->isIntegerType() || context.getTypeSize(type) >= kMaskBits)
    return true;
  unsigned id = diagnostics.getCustomDiagID(
      DiagnosticsEngine::Error,
      "the mask of '%0' has %1 bits: in HIP masks have %2 (~0ull for all "
      "lanes)");
  diagnostics.Report(mask->getExprLoc(), id)
      << callee->getName() << unsigned(context.getTypeSize(type)) << kMaskBits;
  return true;
}

std::unique_ptr<ASTConsumer>
gpuopt::createNarrowMaskCheck(DiagnosticsEngine &diagnostics) {
  return std::make_unique<NarrowMaskCheck>(diagnostics);
}
