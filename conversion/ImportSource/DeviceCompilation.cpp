//===- DeviceCompilation.cpp - Clang on the device side of a file ---------===//

#include "conversion/ImportSource/DeviceCompilation.h"

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/DeviceConsumer.h"
#include "conversion/ImportSource/LargeStack.h"
#include "conversion/ImportSource/NarrowMasks.h"
#include "conversion/ImportSource/Prelude.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;

namespace {
/// Lets a file go on without a header that is not there. Host code wants many
/// that a kernel does not need; what a kernel does need is then an error of
/// its own. Said in a warning, because it might define a macro.
class MissingHeaders : public clang::PPCallbacks {
public:
  MissingHeaders(clang::Preprocessor &preprocessor, FirstErrorPrinter &printer,
                 DeviceCompilation &result)
      : preprocessor(preprocessor), printer(printer), result(result) {}

  bool FileNotFound(StringRef fileName) override {
    missing.push_back(fileName.str());
    return true;
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &,
                          StringRef fileName, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, StringRef, StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (missing.empty() || missing.back() != fileName)
      return;
    missing.clear();
    // Whoever asks for a file on the command line wants it.
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    if (sources.isWrittenInBuiltinFile(hash) ||
        sources.isWrittenInCommandLineFile(hash)) {
      preprocessor.Diag(hash, clang::diag::err_pp_file_not_found) << fileName;
      return;
    }
    result.mayMissNames = true;
    printer.printWarning(hash,
                         "'" + fileName + "' not found; going on without it");
  }

private:
  clang::Preprocessor &preprocessor;
  FirstErrorPrinter &printer;
  DeviceCompilation &result;
  std::vector<std::string> missing;
};

/// Notes every file that is read, system headers too.
class ReadFiles : public clang::DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
};

/// True for a function that code calls though only an SDK has a body for it;
/// see the prelude's attributes.h.
static bool isOfSDK(const Function &function) {
  return function.hasFnAttribute("dontcall-error") &&
         function.isDeclaration() && !function.use_empty();
}

/// Parses one file with the DeviceConsumer before Clang's code generator.
class DeviceAction : public clang::ASTFrontendAction {
public:
  DeviceAction(FirstErrorPrinter &printer,
               const DeviceCompilationOptions &options, LLVMContext &context,
               DeviceCompilation &result)
      : printer(printer), options(options), context(context), result(result) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    StringRef file) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    addPragmaHandler(preprocessor, pragmas);
    preprocessor.addPPCallbacks(
        std::make_unique<MissingHeaders>(preprocessor, printer, result));
    std::unique_ptr<clang::CodeGenerator> created =
        clang::CreateLLVMCodeGen(compiler, file, context);
    generator = created.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<DeviceConsumer>(
        compiler, *generator, printer, options.hostBodies, pragmas, result));
    if (options.refusesNarrowMasks)
      consumers.push_back(createNarrowMaskCheck(compiler.getDiagnostics()));
    consumers.push_back(std::move(created));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    if (printer.hasPrintedError())
      return;
    result.module.reset(generator->ReleaseModule().release());
    result.lacksBodies = result.module && any_of(*result.module, isOfSDK);
    for (const std::string &symbol : result.unsignedVariables)
      if (result.module)
        if (GlobalVariable *variable = result.module->getNamedGlobal(symbol))
          variable->addAttribute(kUnsignedVariable);
  }

private:
  FirstErrorPrinter &printer;
  const DeviceCompilationOptions &options;
  LLVMContext &context;
  DeviceCompilation &result;
  std::vector<PlacedPragma> pragmas;
  clang::CodeGenerator *generator = nullptr;
};
} // namespace

/// The precompiled prelude that `invocation` includes, if any: the others need
/// not be files (whose contents are hashed).
static ArrayRef<EmbeddedFile>
includedPrelude(const clang::CompilerInvocation &invocation) {
  StringRef included =
      sys::path::filename(invocation.getPreprocessorOpts().ImplicitPCHInclude);
  ArrayRef<EmbeddedFile> all = precompiledPreludes();
  const EmbeddedFile *found = find_if(
      all, [&](const EmbeddedFile &file) { return file.path == included; });
  return all.slice(found - all.begin(), found == all.end() ? 0 : 1);
}

static void runCompiler(ArrayRef<std::string> arguments,
                        const DeviceCompilationOptions &options,
                        LLVMContext &context, DeviceCompilation &result) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions &printing = invocation->getDiagnosticOpts();
  raw_string_ostream said(result.diagnostics);
  said.enable_colors(showsColors());
  FirstErrorPrinter printer(printing, options.hostDeclarations, said);

  clang::DiagnosticsEngine argumentDiagnostics(clang::DiagnosticIDs::create(),
                                               printing, &printer,
                                               /*ShouldOwnClient=*/false);
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers,
                                                 argumentDiagnostics))
    return;
  // The arguments have set the options anew.
  printing.ShowColors = showsColors();
  invocation->getFrontendOpts().SkipFunctionBodies = true;
  if (options.text)
    invocation->getPreprocessorOpts().addRemappedFile(
        arguments.back(),
        MemoryBuffer::getMemBufferCopy(*options.text, arguments.back())
            .release());

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(createPreludeFileSystem(
      includedPrelude(*invocation),
      options.hidesSDK ? std::optional<StringRef>(arguments.back())
                       : std::nullopt));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  printer.setEngine(&compiler.getDiagnostics());
  compiler.createFileManager();
  auto files = std::make_shared<ReadFiles>();
  compiler.addDependencyCollector(files);
  DeviceAction action(printer, options, context, result);
  if (!compiler.ExecuteAction(action) || printer.hasPrintedError())
    result.module.reset();
  result.files = files->getDependencies().vec();
  result.precompiledPreludeRejected = printer.hasRejectedPrelude();
  result.mayMissNames |= printer.mayMissNames();
}

DeviceCompilation
gpuopt::compileDeviceSide(ArrayRef<std::string> arguments,
                          const DeviceCompilationOptions &options,
                          LLVMContext &context) {
  DeviceCompilation result;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext recovery;
  bool survived = true;
  auto run = [&] {
    survived = recovery.RunSafely(
        [&] { runCompiler(arguments, options, context, result); });
  };
  runOnLargeStack(run, arguments.back() + ": error: nested too deeply\n");
  if (!survived) {
    // The module is in an unknown state: leave it alone.
    (void)result.module.release();
    reportError({arguments.back(), 0, 0},
                "internal error while compiling this file");
  }
  return result;
}
