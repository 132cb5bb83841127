//===- DeviceConsumer.h - what is noted while Clang parses ------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_DEVICECONSUMER_H
#define CONVERSION_IMPORTSOURCE_DEVICECONSUMER_H

#include "conversion/ImportSource/DeviceCompilation.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/HostTemplates.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"

namespace gpuopt {

/// A `#pragma gpuopt` line, where it stands.
struct PlacedPragma {
  clang::SourceLocation location;
  /// Behind its last token.
  clang::SourceLocation end;
  KernelPragma pragma;
};

/// Stands before the code generator: decides which bodies are parsed, and
/// collects kernels.
class DeviceConsumer : public clang::ASTConsumer {
public:
  DeviceConsumer(clang::CompilerInstance &compiler,
                 clang::CodeGenerator &generator, FirstErrorPrinter &printer,
                 HostBodyUse hostBodyUse,
                 const std::vector<PlacedPragma> &pragmas,
                 DeviceCompilation &result)
      : compiler(compiler), generator(generator), printer(printer),
        hostBodyUse(hostBodyUse), pragmas(pragmas), result(result) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext &context) override;
  bool shouldSkipFunctionBody(clang::Decl *declaration) override;

private:
  void collect(clang::Decl *declaration);
  std::string symbolOf(const clang::FunctionDecl &kernel);
  void addKernel(const clang::FunctionDecl &kernel);
  void noteLaunches(clang::ASTContext &context);
  void noteUninstantiated(const clang::FunctionTemplateDecl &kernel);
  void attachPragmas();
  void attachPragma(const PlacedPragma &placed, KernelInfo &kernel);
  clang::SourceRange findBody(const clang::FunctionDecl &function) const;

  clang::CompilerInstance &compiler;
  clang::CodeGenerator &generator;
  FirstErrorPrinter &printer;
  HostBodyUse hostBodyUse;
  const std::vector<PlacedPragma> &pragmas;
  DeviceCompilation &result;
  HostTemplates hostTemplates;
  std::vector<const clang::FunctionDecl *> kernels;
  std::vector<const clang::FunctionTemplateDecl *> kernelTemplates;
  std::vector<const clang::VarDecl *> unsignedVariables;
};

/// Handles `#pragma gpuopt` by adding to `pragmas`.
void addPragmaHandler(clang::Preprocessor &preprocessor,
                      std::vector<PlacedPragma> &pragmas);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_DEVICECONSUMER_H
