//===- ParseProgram.cpp - Clang on a program with OpenMP ------------------===//

#include "conversion/Offload/ParseProgram.h"

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/OpenACC/RuntimeHeaders.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace gpuopt;

namespace {
using UseTree = function_ref<void(const clang::ASTContext &)>;

class TreeConsumer : public clang::ASTConsumer {
public:
  TreeConsumer(clang::DiagnosticsEngine &diagnostics, UseTree use)
      : diagnostics(diagnostics), use(use) {}
  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!diagnostics.hasErrorOccurred())
      use(context);
  }

private:
  clang::DiagnosticsEngine &diagnostics;
  UseTree use;
};

class TreeAction : public clang::ASTFrontendAction {
public:
  explicit TreeAction(UseTree use) : use(use) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    return std::make_unique<TreeConsumer>(compiler.getDiagnostics(), use);
  }

private:
  UseTree use;
};
} // namespace

static std::vector<std::string> argumentsFor(StringRef path,
                                             ArrayRef<std::string> given) {
  bool isC = sys::path::extension(path) == ".c";
  std::vector<std::string> arguments = {"-triple",
                                        sys::getProcessTriple(),
                                        "-x",
                                        isC ? "c" : "c++",
                                        "-fopenmp",
                                        "-fgnuc-version=4.2.1",
                                        "-resource-dir",
                                        clangResourceDirectory()};
  if (!isC)
    append_range(arguments, std::initializer_list<std::string>{
                                "-fcxx-exceptions", "-fexceptions"});
  auto isGiven = [&](StringRef prefix) {
    return any_of(given, [&](StringRef argument) {
      return argument.starts_with(prefix);
    });
  };
  if (!isGiven("-W"))
    arguments.push_back("-w");
  if (!isGiven("-std="))
    arguments.push_back(isC ? "-std=gnu17" : "-std=gnu++17");
  append_range(arguments, given);
  // What GCC lets pass in C.
  append_range(arguments,
               std::initializer_list<std::string>{
                   "-Wno-error=implicit-function-declaration",
                   "-Wno-error=implicit-int", "-Wno-error=int-conversion",
                   "-Wno-error=incompatible-pointer-types"});
  append_range(arguments, hostHeaderArguments());
  append_range(arguments, runtimeHeaderArguments());
  arguments.push_back(path.str());
  return arguments;
}

mlir::LogicalResult offload::parseProgram(StringRef path,
                                          ArrayRef<std::string> clangArguments,
                                          UseTree use) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions &printing = invocation->getDiagnosticOpts();
  FirstErrorPrinter printer(printing, {}, diagnosticStream());
  clang::DiagnosticsEngine argumentDiagnostics(clang::DiagnosticIDs::create(),
                                               printing, &printer,
                                               /*ShouldOwnClient=*/false);
  std::vector<std::string> arguments = argumentsFor(path, clangArguments);
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers,
                                                 argumentDiagnostics))
    return mlir::failure();
  printing.ShowColors = showsColors();
  clang::CompilerInstance compiler(invocation);
  compiler.createVirtualFileSystem(createRuntimeHeaders());
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  printer.setEngine(&compiler.getDiagnostics());
  compiler.createFileManager();
  TreeAction action(use);
  bool isParsed = compiler.ExecuteAction(action);
  return mlir::success(isParsed && !printer.hasPrintedError());
}
