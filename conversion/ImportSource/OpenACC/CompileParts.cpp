//===- CompileParts.cpp - Clang on a program with OpenACC -----------------===//

#include "conversion/ImportSource/OpenACC/CompileParts.h"

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/KernelFacts.h"
#include "conversion/ImportSource/LargeStack.h"
#include "conversion/ImportSource/OpenACC/Captures.h"
#include "conversion/ImportSource/OpenACC/HostRewriter.h"
#include "conversion/ImportSource/OpenACC/OpenMPHeaders.h"
#include "conversion/ImportSource/OpenACC/Outline.h"
#include "conversion/ImportSource/OpenACC/RuntimeHeaders.h"
#include "conversion/ImportSource/OpenACC/ShareDirectives.h"
#include "conversion/ImportSource/OpenACC/TeamRegions.h"
#include "conversion/ImportSource/Pragma.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace gpuopt;

namespace {
/// What a run needs, and what comes out.
struct Run {
  const ImportOptions &options;
  bool asWorkItems;
  LLVMContext &context;
  PartsCompilation &result;
  FirstErrorPrinter *printer = nullptr;
};

/// The functions of the program itself that have a body.
class FunctionFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit FunctionFinder(const clang::SourceManager &sources)
      : sources(sources) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() &&
        !function->isDependentContext() &&
        !sources.isInSystemHeader(function->getLocation()))
      functions.push_back(function);
    return true;
  }
  std::vector<clang::FunctionDecl *> functions;

private:
  const clang::SourceManager &sources;
};

/// Hands Clang's code generator the kernels, and what they call.
class PartsConsumer : public clang::ASTConsumer {
public:
  PartsConsumer(clang::CompilerInstance &compiler,
                clang::CodeGenerator &generator, const Run &run)
      : compiler(compiler), generator(generator), run(run) {
    addShareHandler(compiler.getPreprocessor(), shares);
    if (!run.options.isOfProgram)
      declareTeamFunctions(compiler.getPreprocessor());
  }

  void Initialize(clang::ASTContext &context) override {
    generator.Initialize(context);
  }
  void HandleTranslationUnit(clang::ASTContext &context) override;

private:
  void compilePart(const KernelPart &part, StringRef name);
  void addDeclared(clang::DeclContext &declarations);
  void addParts(clang::FunctionDecl &function);
  void judgeRefusals();
  void attachHints(ArrayRef<KernelPart> parts);
  void attachHint(const PlacedHint &placed, ArrayRef<KernelInfo *> kernels);
  void report(clang::SourceLocation location, const std::string &message);
  SourcePosition positionOf(clang::SourceLocation location) const {
    return toSourcePosition(location, compiler.getSourceManager());
  }
  /// Where refusals go that are no errors yet.
  std::vector<Refusal> *leftOut() {
    bool mayLeaveOut =
        run.options.leaveOutUnsupported && !run.options.isOfProgram;
    return mayLeaveOut ? &refusals : nullptr;
  }
  bool isOpen() const { return !compiler.getDiagnostics().hasErrorOccurred(); }

  clang::CompilerInstance &compiler;
  clang::CodeGenerator &generator;
  const Run &run;
  /// Those that are for no kernel so far.
  std::vector<ShareDirective> shares;
  std::vector<Refusal> refusals;
  /// How many kernels have a name.
  StringMap<unsigned> names;
  /// Where the host's side is wanted as well.
  std::optional<HostRewriter> host;
};
} // namespace

void PartsConsumer::report(clang::SourceLocation location,
                           const std::string &message) {
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                            "'#pragma acc share': %0");
  diagnostics.Report(location, id) << message;
}

/// Adds `placed` to those of `kernels` that have the array, in the place of
/// what a directive further outside says of it.
void PartsConsumer::attachHint(const PlacedHint &placed,
                               ArrayRef<KernelInfo *> kernels) {
  KernelPragma own;
  own.share.push_back(placed.hint);
  std::optional<std::string> wrong;
  bool isUsed = false;
  for (KernelInfo *kernel : kernels) {
    if (std::optional<std::string> message =
            checkPragma(own, kernel->parameters)) {
      wrong = message;
      continue;
    }
    isUsed = true;
    std::vector<ShareHint> &hints = kernel->pragma->share;
    erase_if(hints, [&](const ShareHint &known) {
      return known.array == placed.hint.array;
    });
    hints.push_back(placed.hint);
  }
  if (!isUsed)
    report(placed.location, *wrong);
}

/// Gives the kernels of a function's `parts`, the last ones so far, their
/// hints.
void PartsConsumer::attachHints(ArrayRef<KernelPart> parts) {
  size_t first = run.result.parts.size() - parts.size();
  erase_if(shares, [&](const ShareDirective &directive) {
    std::vector<KernelInfo *> kernels;
    for (size_t number : partsOf(directive, parts, compiler.getSourceManager()))
      kernels.push_back(&run.result.parts[first + number].kernel);
    for (const PlacedHint &placed : directive.hints)
      if (!kernels.empty() && isOpen())
        attachHint(placed, kernels);
    return !kernels.empty();
  });
}

void PartsConsumer::compilePart(const KernelPart &part, StringRef name) {
  std::optional<HostRewriter::Place> place;
  if (host)
    place = host->placeOf(part);
  OutlinedKernel kernel =
      outline(part, name, run.asWorkItems, compiler.getSema(), leftOut());
  if (!kernel.function || !isOpen())
    return;
  std::vector<clang::FunctionDecl *> called =
      reachableFunctions({kernel.function});
  for (clang::FunctionDecl *function : called)
    generator.HandleTopLevelDecl(clang::DeclGroupRef(function));
  CompiledPart compiled;
  compiled.isOfTeam = part.isOfTeam;
  compiled.threads = kernel.threads;
  compiled.kernel = describeKernel(*kernel.function);
  compiled.kernel.symbol =
      generator.GetMangledName(clang::GlobalDecl(kernel.function)).str();
  if (place)
    host->addLaunch(*place, part, kernel, compiled.kernel.symbol);
  compiled.kernel.pragma = std::move(kernel.pragma);
  for (clang::ForStmt *loop : part.reductions)
    run.result.reassociable.push_back(
        {positionOf(loop->getForLoc()),
         positionOf(clang::Lexer::getLocForEndOfToken(
             loop->getEndLoc(), 0, compiler.getSourceManager(),
             compiler.getLangOpts()))});
  run.result.parts.push_back(std::move(compiled));
}

/// Hands the host's side the `declare` directives outside of functions.
void PartsConsumer::addDeclared(clang::DeclContext &declarations) {
  for (clang::Decl *declaration : declarations.decls()) {
    if (auto *declare = dyn_cast<clang::OpenACCDeclareDecl>(declaration))
      host->addDeclared(*declare);
    if (isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      addDeclared(*cast<clang::DeclContext>(declaration));
  }
}

void PartsConsumer::addParts(clang::FunctionDecl &function) {
  std::vector<KernelPart> parts = findKernelParts(
      function, compiler.getDiagnostics(),
      [&](clang::SourceLocation location, const Twine &message) {
        run.printer->printWarning(location, message);
      },
      leftOut());
  std::vector<KernelPart> compiled;
  for (auto [index, part] : enumerate(parts)) {
    std::string name = function.getNameAsString() + "_kernel";
    if (parts.size() > 1)
      name += std::to_string(index + 1);
    // Functions of other namespaces, and overloads, have the same name.
    if (unsigned others = names[name]++)
      name += "_" + std::to_string(others + 1);
    size_t before = run.result.parts.size();
    if (isOpen())
      compilePart(part, name);
    if (run.result.parts.size() > before)
      compiled.push_back(part);
  }
  if (isOpen())
    attachHints(compiled);
}

/// Constructs that cannot be taken are left out beside others, and an error
/// where there are none.
void PartsConsumer::judgeRefusals() {
  clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  if (run.result.parts.empty() && !refusals.empty())
    diagnostics.Report(
        refusals.front().location,
        diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
        << refusals.front().message;
  if (!isOpen())
    return;
  for (const Refusal &refusal : refusals) {
    KernelInfo info;
    info.name = info.displayName = refusal.function->getNameAsString();
    info.position = positionOf(refusal.construct);
    run.printer->printWarning(refusal.location,
                              "a kernel of '" + info.name +
                                  "' is left out: " + refusal.message);
    run.result.leftOut.push_back(std::move(info));
  }
}

void PartsConsumer::HandleTranslationUnit(clang::ASTContext &context) {
  if (!isOpen())
    return;
  FunctionFinder finder(compiler.getSourceManager());
  finder.TraverseDecl(context.getTranslationUnitDecl());
  if (run.options.isOfProgram && run.asWorkItems) {
    host.emplace(compiler.getSema());
    addDeclared(*context.getTranslationUnitDecl());
  }
  for (clang::FunctionDecl *function : finder.functions) {
    if (host)
      host->addDirectives(*function);
    addParts(*function);
  }
  if (isOpen())
    judgeRefusals();
  if (isOpen() && !shares.empty() && refusals.empty())
    report(shares.front().location, "no compute construct follows");
  if (isOpen())
    generator.HandleTranslationUnit(context);
  if (host && isOpen())
    run.result.hostText = host->text();
}

namespace {
class PartsAction : public clang::ASTFrontendAction {
public:
  explicit PartsAction(const Run &run) : run(run) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    StringRef file) override {
    generator = clang::CreateLLVMCodeGen(compiler, file, run.context);
    return std::make_unique<PartsConsumer>(compiler, *generator, run);
  }
  void EndSourceFileAction() override {
    run.result.module = generator->ReleaseModule();
  }

private:
  const Run &run;
  std::unique_ptr<clang::CodeGenerator> generator;
};
} // namespace

static std::vector<std::string> argumentsFor(StringRef path,
                                             const ImportOptions &options) {
  bool isC = sys::path::extension(path) == ".c";
  std::vector<std::string> arguments = {"-triple",
                                        sys::getProcessTriple(),
                                        "-x",
                                        isC ? "c" : "c++",
                                        "-O2",
                                        "-disable-llvm-passes",
                                        "-debug-info-kind=line-tables-only",
                                        "-dwarf-version=4",
                                        "-ferror-limit",
                                        "0",
                                        "-fopenacc",
                                        "-fgnuc-version=4.2.1",
                                        "-resource-dir",
                                        clangResourceDirectory()};
  if (!isC)
    append_range(arguments, std::initializer_list<std::string>{
                                "-fcxx-exceptions", "-fexceptions"});
  auto isGiven = [&](StringRef prefix) {
    return any_of(options.clangArguments, [&](StringRef argument) {
      return argument.starts_with(prefix);
    });
  };
  if (!isGiven("-W"))
    arguments.push_back("-w");
  if (!isGiven("-std="))
    arguments.push_back(isC ? "-std=gnu17" : "-std=gnu++17");
  arguments.push_back("-ffp-contract=" +
                      (options.fpContract.empty() ? "on" : options.fpContract));
  if (options.fastMath)
    append_range(arguments,
                 std::initializer_list<std::string>{
                     "-ffast-math", "-menable-no-infs", "-menable-no-nans",
                     "-fno-signed-zeros", "-mreassociate", "-freciprocal-math",
                     "-funsafe-math-optimizations", "-fapprox-func"});
  for (StringRef argument : options.clangArguments)
    if (argument != "-fopenacc" && argument != "-fopenmp")
      arguments.push_back(argument.str());
  append_range(arguments, hostProgramArguments());
  arguments.push_back(path.str());
  return arguments;
}

static void runCompiler(StringRef path, Run run) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions &printing = invocation->getDiagnosticOpts();
  raw_string_ostream said(run.result.diagnostics);
  said.enable_colors(showsColors());
  FirstErrorPrinter printer(printing, {}, said);
  run.printer = &printer;
  clang::DiagnosticsEngine argumentDiagnostics(clang::DiagnosticIDs::create(),
                                               printing, &printer,
                                               /*ShouldOwnClient=*/false);
  std::vector<std::string> arguments = argumentsFor(path, run.options);
  SmallVector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers,
                                                 argumentDiagnostics))
    return;
  printing.ShowColors = showsColors();
  if (run.options.text)
    invocation->getPreprocessorOpts().addRemappedFile(
        path,
        MemoryBuffer::getMemBufferCopy(*run.options.text, path).release());

  clang::CompilerInstance compiler(invocation);
  bool hasFailed = false;
  auto files = llvm::vfs::getRealFileSystem();
  // Of programs, headers are the host's alone.
  if (!run.options.isOfProgram)
    files = replaceOpenMPInHeaders(files, [&] { hasFailed = true; });
  compiler.createVirtualFileSystem(createRuntimeHeaders(files));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  printer.setEngine(&compiler.getDiagnostics());
  compiler.createFileManager();
  auto read = std::make_shared<clang::DependencyCollector>();
  compiler.addDependencyCollector(read);
  PartsAction action(run);
  if (!compiler.ExecuteAction(action) || printer.hasPrintedError() || hasFailed)
    run.result.module.reset();
  run.result.files = read->getDependencies().vec();
}

PartsCompilation gpuopt::compileParts(StringRef path,
                                      const ImportOptions &options,
                                      bool asWorkItems, LLVMContext &context) {
  PartsCompilation result;
  Run run{options, asWorkItems, context, result};
  CrashRecoveryContext::Enable();
  CrashRecoveryContext recovery;
  bool survived = true;
  runOnLargeStack(
      [&] { survived = recovery.RunSafely([&] { runCompiler(path, run); }); },
      (path + ": error: nested too deeply\n").str());
  if (!survived) {
    (void)result.module.release();
    reportError({path.str(), 0, 0}, "internal error while compiling this file");
  }
  return result;
}
