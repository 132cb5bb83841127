//===- FunctionFinder.h - functions of the main file ------------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_FUNCTIONFINDER_H
#define CONVERSION_OFFLOAD_FUNCTIONFINDER_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

#include <vector>

namespace gpuopt::offload {

/// The functions of the main file.
class FunctionFinder : public clang::ConstDynamicRecursiveASTVisitor {
public:
  explicit FunctionFinder(const clang::SourceManager &sources)
      : sources(sources) {}

  std::vector<const clang::FunctionDecl *> functions;
  /// Whether OpenMP says something about them.
  bool hasDirectives = false;

  bool VisitFunctionDecl(const clang::FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() &&
        !function->isDependentContext() &&
        sources.isInMainFile(function->getLocation()))
      functions.push_back(function);
    return true;
  }
  bool VisitOMPExecutableDirective(
      const clang::OMPExecutableDirective *directive) override {
    hasDirectives |= sources.isInMainFile(directive->getBeginLoc());
    return true;
  }

private:
  const clang::SourceManager &sources;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_FUNCTIONFINDER_H
