//===- ParseProgram.cpp - Clang on a program with OpenMP ------------------===//

#include "conversion/Offload/ParseProgram.h"

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/OpenACC/RuntimeHeaders.h"
#include "conversion/ImportSource/PragmaText.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace gpuopt;

namespace {
using UseProgram = function_ref<void(const offload::ParsedProgram &)>;
using Directives = std::vector<offload::ConditionalOffload>;

class ConditionalHandler : public clang::PragmaHandler {
public:
  explicit ConditionalHandler(Directives &found)
      : PragmaHandler("conditional"), found(found) {}

  void HandlePragma(clang::Preprocessor &preprocessor,
                    clang::PragmaIntroducer introducer,
                    clang::Token &) override {
    // To the preprocessor the name is three tokens.
    PragmaText text(preprocessor);
    StringRef rest = text.text();
    if (rest.consume_front("-offload"))
      found.push_back({introducer.Loc, text.end(), rest.trim().str()});
    else
      text.report("#pragma gpuopt conditional",
                  {0, "expected 'conditional-offload'"});
  }

private:
  Directives &found;
};

/// Finds directives that use a device: OpenACC's, LEO's, and OpenMP's of target
/// regions. Clang does not know all of them.
class DeviceFinder : public clang::PPCallbacks {
public:
  DeviceFinder(const clang::SourceManager &sources,
               clang::SourceLocation &found)
      : sources(sources), found(found) {}

  void PragmaDirective(clang::SourceLocation location,
                       clang::PragmaIntroducerKind) override {
    static const Regex device(
        "^#[ \t]*pragma[ \t]+(acc|offload|offload_transfer|"
        "omp[ \t]+(begin[ \t]+)?(declare[ \t]+)?target)"
        "([^a-z_]|$)");
    StringRef text = sources.getBufferData(sources.getFileID(location))
                         .drop_front(sources.getFileOffset(location));
    if (found.isInvalid() &&
        device.match(text.take_until([](char c) { return c == '\n'; })))
      found = location;
  }

private:
  const clang::SourceManager &sources;
  clang::SourceLocation &found;
};

class TreeConsumer : public clang::ASTConsumer {
public:
  TreeConsumer(clang::Preprocessor &preprocessor, UseProgram use)
      : preprocessor(preprocessor), use(use) {
    preprocessor.AddPragmaHandler("gpuopt", new ConditionalHandler(found));
    preprocessor.addPPCallbacks(std::make_unique<DeviceFinder>(
        preprocessor.getSourceManager(), forDevice));
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    auto macroOf = [&](StringRef name) {
      const clang::MacroInfo *macro =
          preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
      return macro ? macro->getDefinitionLoc() : clang::SourceLocation();
    };
    if (!preprocessor.getDiagnostics().hasErrorOccurred())
      use({context, found, forDevice, macroOf});
  }

private:
  clang::Preprocessor &preprocessor;
  UseProgram use;
  Directives found;
  clang::SourceLocation forDevice;
};

class TreeAction : public clang::ASTFrontendAction {
public:
  explicit TreeAction(UseProgram use) : use(use) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    return std::make_unique<TreeConsumer>(compiler.getPreprocessor(), use);
  }

private:
  UseProgram use;
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
  append_range(arguments, hostProgramArguments());
  arguments.push_back(path.str());
  return arguments;
}

mlir::LogicalResult offload::parseProgram(StringRef path,
                                          ArrayRef<std::string> clangArguments,
                                          UseProgram use) {
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
