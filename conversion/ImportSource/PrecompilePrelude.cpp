//===- PrecompilePrelude.cpp - makes a precompiled prelude ----------------===//
//
//   gpuopt-precompile-prelude (cuda|opencl) (nvidia|amd) OUTPUT
//
// Run while gpuopt is built; see Prelude.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/CompilerArguments.h"
#include "conversion/ImportSource/Prelude.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;

namespace {
/// Drops the list of functions that Clang would look at, at the end of every
/// file that uses the prelude, for diagnostics that wait until the function is
/// known to be emitted. The prelude has none; the list alone would have all of
/// it read in. What a kernel calls is still looked at from the kernel on.
class DropDeferredChecks : public clang::ASTConsumer {
public:
  explicit DropDeferredChecks(clang::CompilerInstance &compiler)
      : compiler(compiler) {}

  void HandleTranslationUnit(clang::ASTContext &) override {
    compiler.getSema().DeclsToCheckForDeferredDiags.clear();
  }

private:
  clang::CompilerInstance &compiler;
};

class PrecompileAction : public clang::GeneratePCHAction {
public:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<DropDeferredChecks>(compiler));
    consumers.push_back(GeneratePCHAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};
} // namespace

static bool precompile(ArrayRef<std::string> arguments, StringRef output) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::TextDiagnosticPrinter printer(errs(), invocation->getDiagnosticOpts());
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(),
                                       invocation->getDiagnosticOpts(),
                                       &printer, /*ShouldOwnClient=*/false);
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers,
                                                 diagnostics))
    return false;
  invocation->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  invocation->getFrontendOpts().OutputFile = output.str();

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(createPreludeFileSystem({}, std::nullopt));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.createFileManager();
  PrecompileAction action;
  return compiler.ExecuteAction(action);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    errs() << "usage: gpuopt-precompile-prelude (cuda|opencl) (nvidia|amd) "
              "OUTPUT\n";
    return 2;
  }
  SourceLanguage language = StringRef(argv[1]) == "opencl"
                                ? SourceLanguage::OpenCL
                                : SourceLanguage::CUDA;
  Vendor vendor = StringRef(argv[2]) == "amd" ? Vendor::AMD : Vendor::NVIDIA;
  // Any architecture does: the prelude does not depend on it.
  CompilerTarget target = {vendor, vendor == Vendor::AMD ? "gfx906" : "sm_70"};
  std::string input =
      (kPreludeDirectory + "/" + preludeHeaderName(language)).str();
  std::vector<std::string> arguments = buildCompilerArguments(
      input, language, target, ImportOptions(), PreludeUse::Make);
  return precompile(arguments, argv[3]) ? 0 : 1;
}
