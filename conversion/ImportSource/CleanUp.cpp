//===- CleanUp.cpp - from Clang's output to what raising reads ------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/Prelude.h"
#include "conversion/ImportSource/SourceNames.h"
#include "conversion/ImportSource/SplitStructures.h"
#include "runtime/AnalysisManagers.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/StripDeadPrototypes.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace gpuopt;

void gpuopt::annotateDeviceFunctions(Module &module) {
  enum { PURE, CONVERGENT };
  static const struct {
    StringLiteral name;
    bool isPure;
  } deviceFunctions[] = {
#define GPUOPT_DEVICE_FUNCTION(NAME, RESULT, PARAMETERS, ATTRIBUTES, MEANING)  \
  {"__gpuopt_" #NAME, ATTRIBUTES == PURE},
#include "conversion/ImportSource/DeviceFunctions.def"
  };
  for (const auto &known : deviceFunctions) {
    Function *function = module.getFunction(known.name);
    if (!function)
      continue;
    function->setAttributes({});
    function->setDoesNotThrow();
    function->setWillReturn();
    if (known.isPure)
      function->setDoesNotAccessMemory();
    else
      function->setConvergent();
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setAttributes({});
  }
  if (Function *trap = module.getFunction("__gpuopt_trap"))
    trap->removeFnAttr(Attribute::WillReturn);
}

/// Clang knows no scopes for NVPTX: an atomic of the prelude says by its name
/// which one it has.
static void addSyncScopes(Module &module) {
  if (!Triple(module.getTargetTriple()).isNVPTX())
    return;
  for (Function &function : module) {
    const DISubprogram *source = function.getSubprogram();
    if (!source || !source->getFile() ||
        !source->getFile()->getFilename().starts_with(kPreludeDirectory))
      continue;
    StringRef name = source->getName();
    if (!name.starts_with("atom") || name.ends_with("_system"))
      continue;
    SyncScope::ID scope = module.getContext().getOrInsertSyncScopeID(
        name.ends_with("_block") ? "block" : "device");
    for (Instruction &instruction : instructions(function)) {
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        update->setSyncScopeID(scope);
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        exchange->setSyncScopeID(scope);
      else if (auto *load = dyn_cast<LoadInst>(&instruction);
               load && load->isAtomic())
        load->setSyncScopeID(scope);
    }
  }
}

/// Leaves the kernels as the module's only entry points, and makes all other
/// functions ones that must be inlined.
static void prepareForInlining(Module &module, ArrayRef<KernelInfo> kernels) {
  StringSet<> symbols;
  for (const KernelInfo &kernel : kernels)
    symbols.insert(kernel.symbol);
  // Clang's lists of what to keep for the linker and the host.
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
  for (Function &function : module) {
    // The processor is the back end's choice; the CPU executor's is another.
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu",
                                "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
    if (function.isDeclaration())
      continue;
    function.setComdat(nullptr);
    function.removeFnAttr(Attribute::OptimizeNone);
    if (symbols.contains(function.getName())) {
      function.setLinkage(GlobalValue::ExternalLinkage);
      continue;
    }
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  for (GlobalVariable &variable : module.globals()) {
    variable.setComdat(nullptr);
    // For the host's linker and for AMD's device libraries, not for kernels.
    if (variable.getName().starts_with("__hip_cuid_") ||
        variable.getName().starts_with("__oclc_"))
      variable.setLinkage(GlobalValue::InternalLinkage);
  }
}

namespace {
struct WidenIndicesPass : PassInfoMixin<WidenIndicesPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    // Asked before anything is widened.
    if (!function.hasFnAttribute(kPositionsAttrName))
      function.addFnAttr(kPositionsAttrName,
                         hasNarrowPositions(function) ? "narrow" : "wide");
    return widenIndices(function) ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
  }
};
} // namespace

namespace {
struct UnrollLocalArraysPass : PassInfoMixin<UnrollLocalArraysPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return unrollLocalArrays(function, analyses) ? PreservedAnalyses::none()
                                                 : PreservedAnalyses::all();
  }
};
} // namespace

namespace {
/// Runs `rewrite`, which returns whether it has changed the function.
template <bool (*rewrite)(Function &)>
struct RewritePass : PassInfoMixin<RewritePass<rewrite>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return rewrite(function) ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
  }
};
} // namespace

/// Passes that leave loops in the form that the source has.
static FunctionPassManager buildFunctionPasses() {
  SimplifyCFGOptions simplify;
  simplify.needCanonicalLoops(true)
      .convertSwitchToLookupTable(false)
      .convertSwitchRangeToICmp(true)
      .hoistCommonInsts(false)
      .sinkCommonInsts(false)
      .forwardSwitchCondToPhi(false)
      .speculateUnpredictables(false);
  FunctionPassManager passes;
  // SROA would make a load of each member.
  passes.addPass(RewritePass<joinReturnedMembers>());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass(simplify));
  passes.addPass(WidenIndicesPass());
  passes.addPass(RewritePass<expandIntegerCopies>());
  passes.addPass(InstCombinePass());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(RewritePass<splitMergedLoads>());
  passes.addPass(SimplifyCFGPass(simplify));
  passes.addPass(LoopSimplifyPass());
  return passes;
}

/// Reports kernels that cannot be taken; moves them to `leftOut` where that is
/// asked for and something is left.
static LogicalResult checkKernels(Module &module,
                                  std::vector<KernelInfo> &kernels,
                                  UnsupportedKernels unsupported,
                                  std::vector<KernelInfo> &leftOut) {
  std::vector<KernelInfo> supported;
  std::vector<std::pair<KernelInfo, KernelProblem>> problems;
  for (KernelInfo &kernel : kernels) {
    Function *function = module.getFunction(kernel.symbol);
    std::optional<KernelProblem> problem = findProblem(*function);
    if (!problem) {
      supported.push_back(kernel);
      continue;
    }
    problems.emplace_back(kernel, std::move(*problem));
    function->setLinkage(GlobalValue::InternalLinkage);
  }
  bool leavesOut = unsupported == UnsupportedKernels::AreLeftOut ||
                   (unsupported == UnsupportedKernels::AreLeftOutBesideOthers &&
                    !supported.empty());
  if (!problems.empty() && !leavesOut) {
    reportError(problems.front().second.position,
                problems.front().second.message);
    return failure();
  }
  for (const auto &[kernel, problem] : problems) {
    reportWarning(problem.position, "kernel '" + kernel.displayName +
                                        "' is left out: " + problem.message);
    leftOut.push_back(kernel);
  }
  kernels = std::move(supported);
  return success();
}

/// Leaves one function for each kernel, and what it cannot do without.
static void inlineAll(Module &module) {
  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(buildFunctionPasses()));
  // Calls through pointers that have become known.
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules);
}

static bool callsGlobalSync(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == "__gpuopt_global_sync";
  });
}

/// Has constants choose the elements of structures that are passed by value,
/// where loops do.
static void unrollLoopsOverStructures(Module &module) {
  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  FunctionPassManager passes = buildFunctionPasses();
  for (Function &function : module)
    if (!function.isDeclaration() &&
        any_of(function.args(),
               [](Argument &argument) {
                 return argument.hasByValAttr() || argument.hasByRefAttr();
               }) &&
        unrollLocalArrays(function, analyses.functions)) {
      analyses.functions.invalidate(function, PreservedAnalyses::none());
      passes.run(function, analyses.functions);
    }
}

LogicalResult gpuopt::cleanUp(Module &module, std::vector<KernelInfo> &kernels,
                              UnsupportedKernels unsupported,
                              std::vector<KernelInfo> &leftOut) {
  nameDeviceFunctions(module);
  expandFastFunctions(module);
  annotateDeviceFunctions(module);
  addSyncScopes(module);
  prepareForInlining(module, kernels);
  nameValues(module);
  inlineAll(module);
  expandInlineAssembly(module);
  hidePreludeLocations(module);
  for (KernelInfo &kernel : kernels)
    kernel.usesGlobalSync = callsGlobalSync(*module.getFunction(kernel.symbol));
  if (failed(checkKernels(module, kernels, unsupported, leftOut)))
    return failure();

  unrollLoopsOverStructures(module);
  splitStructures(module, kernels);
  flattenGlobalPointers(module);
  expandSmallCopies(module);
  expandSmallMemsets(module);
  splitMultiplyAdds(module);
  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(UnrollLocalArraysPass()));
  passes.addPass(createModuleToFunctionPassAdaptor(buildFunctionPasses()));
  // Finds which parameters a kernel only reads.
  passes.addPass(
      createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  passes.addPass(GlobalDCEPass());
  passes.addPass(StripDeadPrototypesPass());
  passes.run(module, analyses.modules);
  return success();
}
