//===- HostFrontend.cpp - Clang on the host side of a file ----------------===//

#include "tools/lib/program/HostFrontend.h"

#include "conversion/ImportSource/CompilerArguments.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/ManagedVariables.h"
#include "conversion/ImportSource/OpenACC/RuntimeHeaders.h"
#include "conversion/ImportSource/Prelude.h"
#include "conversion/ImportSource/TextureReferences.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace gpuopt;

/// Where Clang finds the device's code, in memory.
static constexpr StringLiteral kSectionPath = "/gpuopt-device-code";

/// What makes Clang take the prelude for CUDA's headers and give launches the
/// form that the runtime has functions for.
static std::vector<std::string> preludeArguments(bool hasDeviceSection,
                                                 bool looksLikeNVCC) {
  std::vector<std::string> arguments = {
      "-include", preludeHeaderName(SourceLanguage::CUDA).str(), "-include",
      kHostHeadersName.str(), "-target-sdk-version=12.4",
      // What the compilers that these programs were written for let pass.
      "-Wno-register", "-Wno-c++11-narrowing",
      "-Wno-reserved-user-defined-literal"};
  if (!looksLikeNVCC)
    append_range(arguments, std::initializer_list<std::string>{
                                "-include", kWithoutNVCCName.str()});
  if (hasDeviceSection)
    append_range(arguments,
                 std::initializer_list<std::string>{"-fcuda-include-gpubinary",
                                                    kSectionPath.str()});
  return arguments;
}

/// What declares the calls of a rewritten program, which has variables of its
/// own, and loops whose variables nobody uses any more.
static std::vector<std::string> openACCArguments() {
  std::vector<std::string> arguments = {"-include",
                                        "gpuopt/openacc_calls.h",
                                        "-D_OPENACC=202506",
                                        "-Wno-unknown-pragmas",
                                        "-Wno-c23-extensions",
                                        "-Wno-unused-variable",
                                        "-Wno-unused-but-set-variable",
                                        "-Wno-unused-function",
                                        "-Wno-parentheses-equality"};
  append_range(arguments, runtimeHeaderArguments());
  return arguments;
}

/// The text of a file with OpenACC, with its device code and what registers it.
static std::string withDeviceSection(StringRef text) {
  return (text +
          "\n"
          "static const char gpuopt_acc_code[] "
          "__attribute__((__section__(\".nv_fatbin\"), aligned(8))) = {\n"
          "#embed \"" +
          kSectionPath +
          "\"\n};\n"
          "__attribute__((constructor(101))) static void "
          "gpuopt_acc_register(void) "
          "{\n"
          "  static const struct gpuopt_acc_section section = {0x466243b1, 1, "
          "gpuopt_acc_code, 0};\n"
          "  gpuopt_acc_this_file.code = __cudaRegisterFatBinary(&section);\n"
          "}\n")
      .str();
}

/// Programs that were built with GCC behind nvcc find its own headers, such as
/// <omp.h>, without asking for OpenMP. Behind all others, so that Clang's stay
/// Clang's.
static std::vector<std::string> gccHeaders(ArrayRef<const char *> arguments) {
  for (StringRef argument : arguments) {
    auto [installation, rest] = argument.split("/../");
    if (installation.contains("/gcc/") && !rest.empty())
      return {"-idirafter", (installation + "/include").str()};
  }
  return {};
}

/// GCC behind nvcc passes over a C++ standard that a file in C is compiled
/// with.
static void dropStandardsOfCXX(SmallVectorImpl<const char *> &arguments) {
  bool isC = false;
  for (auto [index, argument] : enumerate(arguments))
    isC |= index && StringRef(argument) == "c" &&
           StringRef(arguments[index - 1]) == "-x";
  erase_if(arguments, [&](StringRef argument) {
    return isC && argument.consume_front("-std=") &&
           (argument.starts_with("c++") || argument.starts_with("gnu++"));
  });
}

static IntrusiveRefCntPtr<vfs::FileSystem>
createFileSystem(StringRef input, const HostSide &side) {
  IntrusiveRefCntPtr<vfs::FileSystem> files =
      createPreludeFileSystem({}, input);
  if (side.openACCText)
    files = createRuntimeHeaders(std::move(files));
  if (!side.deviceSection)
    return files;
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(files));
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  memory->addFile(kSectionPath, /*ModificationTime=*/0,
                  MemoryBuffer::getMemBuffer(*side.deviceSection, kSectionPath,
                                             /*RequiresNullTerminator=*/false));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

namespace {
/// An action whose code generation finds texture references on the device, and
/// variables that are managed.
template <class Action>
class WithVariables : public Action {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    StringRef file) override {
    auto made = Action::CreateASTConsumer(compiler, file);
    if (!made || !compiler.getLangOpts().CUDA)
      return made;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(createTexturePlacer());
    consumers.push_back(createManagedVariableMarker());
    consumers.push_back(std::move(made));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};
} // namespace

/// What `arguments` ask for. Clang's own choice (`ExecuteCompilerInvocation`)
/// would bring its static analyser along.
static std::unique_ptr<clang::FrontendAction>
createAction(clang::frontend::ActionKind kind) {
  switch (kind) {
  case clang::frontend::EmitObj:
    return std::make_unique<WithVariables<clang::EmitObjAction>>();
  case clang::frontend::EmitAssembly:
    return std::make_unique<WithVariables<clang::EmitAssemblyAction>>();
  case clang::frontend::EmitBC:
    return std::make_unique<WithVariables<clang::EmitBCAction>>();
  case clang::frontend::EmitLLVM:
    return std::make_unique<WithVariables<clang::EmitLLVMAction>>();
  case clang::frontend::ParseSyntaxOnly:
    return std::make_unique<clang::SyntaxOnlyAction>();
  case clang::frontend::PrintPreprocessedInput:
    return std::make_unique<clang::PrintPreprocessedAction>();
  case clang::frontend::RunPreprocessorOnly:
    return std::make_unique<clang::PreprocessOnlyAction>();
  default:
    return nullptr;
  }
}

bool gpuopt::runHostFrontend(ArrayRef<const char *> arguments,
                             const HostSide &side) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  // A file of the host's alone may include <cuda_runtime.h>.
  std::vector<std::string> added = {"-internal-isystem",
                                    kPreludeDirectory.str()};
  if (side.isCUDA)
    append_range(added, preludeArguments(side.deviceSection.has_value(),
                                         side.looksLikeNVCC));
  append_range(added, gccHeaders(arguments));
  append_range(added, coreLibraryArguments());
  SmallVector<const char *> all;
  for (const std::string &argument : added)
    all.push_back(argument.c_str());
  append_range(all, arguments);
  dropStandardsOfCXX(all);
  std::vector<std::string> ofOpenACC;
  if (side.openACCText) {
    ofOpenACC = openACCArguments();
    erase(all, StringRef("-fopenacc"));
    for (const std::string &argument : ofOpenACC)
      all.insert(all.end() - 1, argument.c_str());
  }

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::TextDiagnosticBuffer buffer;
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options,
                                       &buffer, /*ShouldOwnClient=*/false);
  bool isRight =
      clang::CompilerInvocation::CreateFromArgs(*invocation, all, diagnostics);
  // The prelude's headers are no files that a build could wait for.
  invocation->getDependencyOutputOpts().IncludeSystemHeaders = false;
  if (side.openACCText)
    invocation->getPreprocessorOpts().addRemappedFile(
        arguments.back(),
        MemoryBuffer::getMemBufferCopy(
            side.deviceSection ? withDeviceSection(*side.openACCText)
                               : *side.openACCText)
            .release());
  clang::CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(createFileSystem(arguments.back(), side));
  compiler.createDiagnostics();
  buffer.FlushDiagnostics(compiler.getDiagnostics());
  if (!isRight)
    return false;
  std::unique_ptr<clang::FrontendAction> action =
      createAction(compiler.getFrontendOpts().ProgramAction);
  if (!action) {
    WithColor::error(errs(), "gpuopt cc")
        << "this kind of output is not supported\n";
    return false;
  }
  return compiler.ExecuteAction(*action);
}
