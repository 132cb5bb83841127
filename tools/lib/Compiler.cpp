//===- Compiler.cpp - from a file to tuned kernels ------------------------===//

#include "tools/lib/Compiler.h"

#include "dialects/GPUOpt/KnownTargets.h"
#include "passes/Pipelines/Pipelines.h"
#include "passes/Raising/Passes.h"
#include "tools/lib/Diagnostics.h"
#include "tools/lib/Dialects.h"
#include "tools/lib/MLIRKernels.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace gpuopt;

Compilation::Compilation() = default;
Compilation::~Compilation() = default;

std::unique_ptr<Compilation>
Compilation::create(llvm::StringRef path, const CompileOptions &options) {
  std::unique_ptr<Compilation> compilation(new Compilation());
  compilation->sourcePath = path.str();
  compilation->compileOptions = options;
  if (!compilation->load() || !compilation->raise() || !compilation->optimize())
    return nullptr;
  return compilation;
}

/// Creates a context that works in one thread: kernels are few and small, and
/// remarks then come in a fixed order.
static std::unique_ptr<MLIRContext> createContext() {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}

bool Compilation::load() {
  context = createContext();
  recordSteps(*context, recordedSteps);

  llvm::Expected<TargetAttr> found =
      lookUpTarget(context.get(), compileOptions.target);
  if (!found) {
    printError(SourcePosition(), llvm::toString(found.takeError()));
    return false;
  }
  targetAttr = *found;

  if (!llvm::sys::fs::is_regular_file(sourcePath)) {
    SourcePosition position;
    position.file = sourcePath;
    printError(position, llvm::sys::fs::exists(sourcePath) ? "not a file"
                                                           : "no such file");
    return false;
  }
  bool loaded = llvm::sys::path::extension(sourcePath) == ".mlir"
                    ? loadMLIR()
                    : loadSource();
  return loaded && selectKernels();
}

bool Compilation::loadSource() {
  ImportOptions options = compileOptions.import;
  options.kernels = compileOptions.kernels;
  FailureOr<ImportedSource> imported =
      importSource(sourcePath, targetAttr, options);
  if (failed(imported))
    return false;
  source = std::move(*imported);
  kernelInfos = source.kernels;
  DiagnosticPrinter printer(context.get());
  raisedModule = importToMLIR(source, targetAttr, context.get());
  return static_cast<bool>(raisedModule);
}

bool Compilation::loadMLIR() {
  DiagnosticPrinter printer(context.get());
  raisedModule = parseMLIRInput(sourcePath, context.get());
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

  for (const KernelInfo &kernel : kernelInfos) {
    if (!kernel.usesGlobalSync)
      continue;
    printError(kernel.position,
               "kernel '" + kernel.displayName +
                   "' needs grid-wide synchronisation (gpuopt_global_sync), "
                   "which is not supported yet; choose other kernels with "
                   "--kernel");
    return false;
  }
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

/// Marks every floating-point operation as one that may be reassociated.
static void allowReassociation(ModuleOp module) {
  module->walk([](arith::ArithFastMathInterface op) {
    arith::FastMathFlagsAttr present = op.getFastMathFlagsAttr();
    auto flags = present ? present.getValue() : arith::FastMathFlags::none;
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(
                    op->getContext(), flags | arith::FastMathFlags::reassoc));
  });
}

bool Compilation::raise() {
  DiagnosticPrinter printer(context.get());
  PassManager manager(context.get());
  buildRaisePipeline(manager);
  if (failed(manager.run(*raisedModule)))
    return false;
  if (compileOptions.reassociate)
    allowReassociation(*raisedModule);
  return true;
}

bool Compilation::optimize() {
  tunedModule = cast<ModuleOp>(raisedModule->getOperation()->clone());
  if (!compileOptions.optimize)
    return true;
  DiagnosticPrinter printer(context.get());
  PassManager manager(context.get());
  OptimizeOptions pipelineOptions;
  pipelineOptions.target = compileOptions.target;
  buildOptimizePipeline(manager, pipelineOptions);
  return succeeded(manager.run(*tunedModule));
}
