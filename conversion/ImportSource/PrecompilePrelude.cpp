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
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;

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
  compiler.setVirtualFileSystem(createPreludeFileSystem({}));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.createFileManager();
  clang::GeneratePCHAction action;
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
