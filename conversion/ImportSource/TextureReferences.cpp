//===- TextureReferences.cpp - texture<T> t; ------------------------------===//

#include "conversion/ImportSource/TextureReferences.h"

#include "conversion/ImportSource/Prelude.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace gpuopt;

void gpuopt::placeTextureReference(VarDecl &variable) {
  const auto *record =
      variable.getType().getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !variable.hasGlobalStorage() || variable.isTemplated() ||
      variable.hasAttr<CUDADeviceAttr>() || !record->getIdentifier() ||
      (record->getName() != "texture" && record->getName() != "surface"))
    return;
  const SourceManager &sources = variable.getASTContext().getSourceManager();
  if (!sources.getFilename(record->getLocation())
           .starts_with(kPreludeDirectory))
    return;
  ASTContext &context = variable.getASTContext();
  // As if it was written there, and the host binds it: one that is `static` is
  // seen from outside.
  variable.addAttr(CUDADeviceAttr::Create(context));
  context.CUDADeviceVarODRUsedByHost.insert(&variable);
}

namespace {
class TexturePlacer : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      place(declaration);
    return true;
  }

private:
  void place(Decl *declaration) {
    if (auto *variable = dyn_cast<VarDecl>(declaration))
      placeTextureReference(*variable);
    if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      for (Decl *inner : cast<DeclContext>(declaration)->noload_decls())
        place(inner);
  }
};
} // namespace

std::unique_ptr<ASTConsumer> gpuopt::createTexturePlacer() {
  return std::make_unique<TexturePlacer>();
}
