//===- Compiler.cpp - from a file to tuned kernels ------------------------===//

#include "tools/lib/compile/Compiler.h"

#include "conversion/ImportPTX/ImportPTX.h"
#include "conversion/ImportSource/DiagnosticStream.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/Dialects.h"
#include "tools/lib/compile/EmbeddedPTX.h"
#include "tools/lib/compile/MLIRKernels.h"
#include "tools/lib/compile/Reassociation.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpuopt;

Compilation::Compilation() = default;
Compilation::~Compilation() = default;

/// Bytes of workgroup memory that a kernel declares which is not raised.
static int64_t unraisedWorkgroupBytes(LLVM::LLVMFuncOp kernel) {
  SetVector<Operation *> arrays;
  SymbolTableCollection symbols;
  kernel.walk([&](LLVM::AddressOfOp address) {
    auto global = address.getGlobal(symbols);
    if (global && global.getAddrSpace() == 3)
      arrays.insert(global);
  });
  DataLayout layout = DataLayout::closest(kernel);
  int64_t bytes = 0;
  for (Operation *array : arrays)
    bytes += layout.getTypeSize(cast<LLVM::GlobalOp>(array).getGlobalType());
  return bytes;
}

/// Bytes of workgroup memory that `kernel` declares.
static int64_t workgroupBytesOf(const Compilation &compilation,
                                const KernelInfo &kernel) {
  if (gpu::GPUFuncOp raised = compilation.raisedKernel(kernel))
    return declaredWorkgroupBytes(raised);
  int64_t bytes = 0;
  compilation.raised()->walk([&](LLVM::LLVMFuncOp unraised) {
    if (unraised.getName() == kernel.symbol)
      bytes = unraisedWorkgroupBytes(unraised);
  });
  return bytes;
}

/// What was asked for by name cannot be left out.
static bool mayLeaveOut(const CompileOptions &options) {
  return !options.strict && options.kernels.empty();
}

bool Compilation::leaveOutOversized() {
  int64_t most = staticWorkgroupLimit(targetAttr);
  bool hasMore = most < targetAttr.getWorkgroupMemoryPerWorkgroupBytes();
  std::vector<KernelInfo> kept, oversized;
  for (const KernelInfo &kernel : kernelInfos)
    (workgroupBytesOf(*this, kernel) > most ? oversized : kept)
        .push_back(kernel);
  if (oversized.empty())
    return true;
  bool isError = kept.empty() || !mayLeaveOut(compileOptions);
  for (const KernelInfo &kernel : oversized) {
    std::string reason =
        "a block needs " + std::to_string(workgroupBytesOf(*this, kernel)) +
        " bytes of workgroup memory; one of " +
        targetAttr.getTargetName().str() + " has at most " +
        std::to_string(most) + (hasMore ? " in arrays of fixed sizes" : "");
    if (isError) {
      printError(kernel.position, reason);
      return false;
    }
    printWarning(kernel.position,
                 "kernel '" + kernel.displayName + "' is left out: " + reason);
  }
  llvm::append_range(leftOutKernels, oversized);
  kernelInfos = std::move(kept);
  dropUnselected();
  return true;
}

std::unique_ptr<Compilation> Compilation::read(llvm::StringRef path,
                                               const CompileOptions &options) {
  std::unique_ptr<Compilation> compilation(new Compilation());
  compilation->sourcePath = path.str();
  compilation->compileOptions = options;
  return compilation->load() ? std::move(compilation) : nullptr;
}

bool Compilation::tune() {
  if (!raise() || !leaveOutOversized() || !split())
    return false;
  optimize();
  return reportFailures();
}

std::unique_ptr<Compilation>
Compilation::create(llvm::StringRef path, const CompileOptions &options) {
  std::unique_ptr<Compilation> compilation = read(path, options);
  return compilation && compilation->tune() ? std::move(compilation) : nullptr;
}

/// It works in one thread, in which remarks come in a fixed order: kernels are
/// tuned at once in contexts of their own.
std::unique_ptr<MLIRContext> gpuopt::createCompilerContext() {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // An error has a position: the operation there may be a whole function.
  context->printOpOnDiagnostic(false);
  return context;
}

bool Compilation::load() {
  context = createCompilerContext();
  recordSteps(*context, recordedSteps);

  llvm::Expected<TargetAttr> found =
      lookUpTarget(context.get(), compileOptions.target);
  if (!found) {
    printError(SourcePosition(), llvm::toString(found.takeError()));
    return false;
  }
  targetAttr = *found;

  if (!compileOptions.text && !llvm::sys::fs::is_regular_file(sourcePath)) {
    SourcePosition position;
    position.file = sourcePath;
    printError(position, llvm::sys::fs::exists(sourcePath) ? "not a file"
                                                           : "no such file");
    return false;
  }
  auto isOfKind = [&](InputKind kind, llvm::StringRef ending) {
    return compileOptions.inputKind
               ? compileOptions.inputKind == kind
               : llvm::sys::path::extension(sourcePath) == ending;
  };
  bool isBinary = !compileOptions.text && !compileOptions.inputKind &&
                  isBinaryInput(sourcePath);
  bool loaded = isOfKind(InputKind::MLIR, ".mlir")             ? loadMLIR()
                : isOfKind(InputKind::PTX, ".ptx") || isBinary ? loadPTX()
                                                               : loadSource();
  return loaded && selectKernels();
}

static SourceLanguage languageOf(InputKind kind) {
  return kind == InputKind::HIP      ? SourceLanguage::HIP
         : kind == InputKind::OpenCL ? SourceLanguage::OpenCL
                                     : SourceLanguage::CUDA;
}

bool Compilation::loadSource() {
  ImportOptions options = compileOptions.import;
  if (compileOptions.inputKind)
    options.language = languageOf(*compileOptions.inputKind);
  options.text = compileOptions.text;
  options.kernels = compileOptions.kernels;
  options.leaveOutUnsupported |= mayLeaveOut(compileOptions);
  return adopt(importSource(sourcePath, targetAttr, options));
}

bool Compilation::loadPTX() {
  PTXImportOptions options;
  options.text = compileOptions.text;
  options.kernels = compileOptions.kernels;
  options.signature = compileOptions.signature;
  options.leaveOutUnsupported = mayLeaveOut(compileOptions);
  options.mayFuse = compileOptions.import.fpContract != "off";
  if (!options.text && isBinaryInput(sourcePath)) {
    auto modules = readEmbeddedPTX(sourcePath);
    llvm::Expected<EmbeddedPTX> module =
        modules ? selectModule(std::move(*modules), compileOptions.kernels)
                : modules.takeError();
    if (!module) {
      printError({sourcePath, 0, 0}, llvm::toString(module.takeError()));
      return false;
    }
    options.text = std::move(module->text);
  }
  isCooperativeInput = true;
  return adopt(importPTX(sourcePath, targetAttr, options));
}

bool Compilation::adopt(FailureOr<ImportedSource> imported) {
  if (failed(imported))
    return false;
  source = std::move(*imported);
  kernelInfos = source.kernels;
  leftOutKernels = source.leftOut;
  DiagnosticPrinter printer(context.get());
  raisedModule = importToMLIR(source, targetAttr, context.get());
  return static_cast<bool>(raisedModule);
}

bool Compilation::loadMLIR() {
  DiagnosticPrinter printer(context.get());
  raisedModule = parseMLIRInput(sourcePath, compileOptions.text, context.get());
  if (!raisedModule)
    return false;
  if (failed(prepareMLIRInput(*raisedModule)))
    return false;
  kernelInfos = collectKernels(*raisedModule);
  if (!kernelInfos.empty())
    return true;
  emitError(raisedModule->getLoc())
      << "no kernel found: expected a kernel in a 'gpu.module', a "
         "'gpu.launch', or a 'func.func' with parallel loops or linalg "
         "operations on memrefs";
  return false;
}

/// "mm, mv and tp".
static std::string listNames(const std::vector<KernelInfo> &kernels) {
  std::string list;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (i)
      list += i + 1 == kernels.size() ? " and " : ", ";
    list += kernels[i].displayName;
  }
  return list;
}

bool Compilation::selectKernels() {
  std::vector<bool> selected(kernelInfos.size(),
                             compileOptions.kernels.empty());
  for (const std::string &name : compileOptions.kernels) {
    bool known = false;
    for (auto [index, kernel] : llvm::enumerate(kernelInfos)) {
      if (name != kernel.name && name != kernel.symbol &&
          name != kernel.displayName)
        continue;
      selected[index] = known = true;
    }
    if (known)
      continue;
    SourcePosition position{sourcePath, 1, 1};
    printError(position, "no kernel named '" + name + "'; the file has " +
                             listNames(kernelInfos));
    return false;
  }

  std::vector<KernelInfo> kept;
  for (auto [index, kernel] : llvm::enumerate(kernelInfos))
    if (selected[index])
      kept.push_back(kernel);
  kernelInfos = std::move(kept);

  dropUnselected();
  applyUserAssumptions();
  return true;
}

void Compilation::dropUnselected() {
  llvm::StringSet symbols;
  for (const KernelInfo &kernel : kernelInfos)
    symbols.insert(kernel.symbol);
  raisedModule->walk([&](FunctionOpInterface function) {
    if (isKernel(function) && !symbols.contains(function.getName()))
      function->erase();
  });
}

void Compilation::applyUserAssumptions() {
  if (!compileOptions.assumeNoalias)
    return;
  auto unit = UnitAttr::get(context.get());
  raisedModule->walk([&](FunctionOpInterface function) {
    if (!isKernel(function))
      return;
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<LLVM::LLVMPointerType, MemRefType>(type))
        function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                            unit);
  });
}

/// Takes from `function` the marks by which passes know kernels.
static void unmarkKernel(LLVM::LLVMFuncOp function) {
  function->removeAttr(gpu::GPUDialect::getKernelFuncAttrName());
  function.setCConv(LLVM::cconv::CConv::C);
}

static void unmarkKernelsBut(ModuleOp module, llvm::StringRef kept) {
  module->walk([&](LLVM::LLVMFuncOp function) {
    if (function.getName() != kept)
      unmarkKernel(function);
  });
}

void Compilation::recordFailure(const KernelInfo &kernel,
                                const PassFailure &failure) {
  // What was not raised could not be optimised, whatever fails then.
  if (unraisable.contains(kernel.symbol))
    return;
  Step step;
  step.code = RemarkCode::PassFailed;
  step.pass = failure.pass.empty() ? "Pipeline" : failure.pass;
  step.outcome = Step::Outcome::Failed;
  step.kernel = kernel.symbol;
  step.location = kernel.position;
  step.reason = "the kernel stays as it is: " + failure.reason;
  step.values.emplace_back("reason", failure.reason);
  recordedSteps.push_back(std::move(step));
}

bool Compilation::reportFailures() const {
  for (const KernelInfo &kernel : kernelInfos)
    for (const Step &step : recordedSteps) {
      if (step.code != RemarkCode::PassFailed || !step.isAbout(kernel))
        continue;
      std::string message = "kernel '" + kernel.displayName +
                            "' is not optimised: " + step.pass +
                            " failed: " + step.value("reason").str();
      if (compileOptions.strict) {
        printError(kernel.position, message);
        return false;
      }
      printWarning(kernel.position, message);
    }
  return true;
}

void Compilation::excludeUnraisable(const PassFailure &ofAll) {
  // Trying it again would only take as long again.
  if (kernelInfos.size() == 1) {
    recordFailure(kernelInfos.front(), ofAll);
    unraisable.insert(kernelInfos.front().symbol);
    return;
  }
  for (const KernelInfo &kernel : kernelInfos) {
    OwningOpRef<ModuleOp> alone = raisedModule->clone();
    unmarkKernelsBut(*alone, kernel.symbol);
    PassFailure failure;
    if (runOnClone(*alone, buildRaisePipeline, compileOptions.timeBudget,
                   failure))
      continue;
    recordFailure(kernel, failure);
    unraisable.insert(kernel.symbol);
  }
}

bool Compilation::raise() {
  PassFailure failure;
  OwningOpRef<ModuleOp> raised = runOnClone(*raisedModule, buildRaisePipeline,
                                            compileOptions.timeBudget, failure);
  if (!raised) {
    // One kernel must not fail the others: those that cannot be raised stay
    // what Clang made of them, which compiles and runs all the same.
    excludeUnraisable(failure);
    llvm::StringMap<LLVM::cconv::CConv> conventions;
    raisedModule->walk([&](LLVM::LLVMFuncOp function) {
      if (!unraisable.contains(function.getName()))
        return;
      conventions[function.getName()] = function.getCConv();
      unmarkKernel(function);
    });
    raised =
        runOnClone(*raisedModule, buildRaisePipeline, /*seconds=*/0, failure);
    if (!raised) {
      printError(SourcePosition{sourcePath, 0, 0}, failure.reason);
      return false;
    }
    raised->walk([&](LLVM::LLVMFuncOp function) {
      auto convention = conventions.find(function.getName());
      if (convention == conventions.end())
        return;
      function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                        UnitAttr::get(context.get()));
      function.setCConv(convention->second);
    });
  }
  if (source.module)
    importedKernels = std::move(raisedModule);
  raisedModule = std::move(raised);
  if (compileOptions.reassociate)
    allowReassociation(*raisedModule);
  else
    allowReassociation(*raisedModule, source.reassociable);
  return true;
}

/// What a pass said against `kernel`; empty where none did.
static std::string findReason(const std::vector<Step> &steps,
                              const KernelInfo &kernel) {
  for (const Step &step : steps)
    if (step.isAbout(kernel) && step.outcome != Step::Outcome::Passed)
      return ": " + step.reason;
  return "";
}

/// False with the first problem, and where it is.
bool Compilation::splitIntoLaunches(SourcePosition &at, std::string &problem) {
  for (const KernelInfo &kernel : kernelInfos) {
    if (!kernel.usesGlobalSync || raisedKernel(kernel))
      continue;
    at = kernel.position;
    problem = "kernel '" + kernel.displayName +
              "' has grid-wide synchronisation (gpuopt_global_sync) but "
              "cannot be raised, and so not be split into launches" +
              findReason(recordedSteps, kernel);
    return false;
  }
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    if (problem.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      at = sourcePosition(diagnostic.getLocation());
      problem = diagnostic.str();
    }
    return success();
  });
  PassManager manager(context.get());
  manager.addPass(createSplitAtGridBarriers());
  return succeeded(manager.run(*tunedModule));
}

/// Kernels of cooperative launches stay what they are where they cannot be
/// split.
bool Compilation::split() {
  auto restart = [&] {
    tunedModule = cast<ModuleOp>(raisedModule->getOperation()->clone());
  };
  restart();
  SourcePosition at;
  std::string problem;
  if (compileOptions.gridSync == GridSync::Cooperative ||
      splitIntoLaunches(at, problem))
    return true;
  if (!isCooperativeInput) {
    printError(at, problem);
    llvm::WithColor::note(diagnosticStream())
        << "--grid-sync cooperative keeps one launch, of "
           "which all blocks must be resident\n";
    return false;
  }
  printWarning(at,
               "it keeps one launch, of which all blocks must be resident: " +
                   problem);
  compileOptions.gridSync = GridSync::Cooperative;
  restart();
  return true;
}
