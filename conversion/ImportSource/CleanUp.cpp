//===- CleanUp.cpp - from Clang's output to what raising reads ------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
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
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass(simplify));
  passes.addPass(InstCombinePass());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(simplify));
  passes.addPass(LoopSimplifyPass());
  return passes;
}

LogicalResult gpuopt::cleanUp(Module &module, ArrayRef<KernelInfo> kernels) {
  annotateDeviceFunctions(module);
  prepareForInlining(module, kernels);

  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager componentAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(componentAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                               componentAnalyses, moduleAnalyses);

  ModulePassManager inlining;
  inlining.addPass(GlobalDCEPass());
  inlining.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  inlining.addPass(GlobalDCEPass());
  inlining.addPass(createModuleToFunctionPassAdaptor(buildFunctionPasses()));
  // Calls through pointers that have become known.
  inlining.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  inlining.addPass(GlobalDCEPass());
  inlining.run(module, moduleAnalyses);
  if (failed(checkKernels(module)))
    return failure();

  flattenGlobalPointers(module);
  expandSmallCopies(module);
  moduleAnalyses.clear();
  functionAnalyses.clear();
  ModulePassManager cleaning;
  cleaning.addPass(createModuleToFunctionPassAdaptor(buildFunctionPasses()));
  cleaning.addPass(GlobalDCEPass());
  cleaning.addPass(StripDeadPrototypesPass());
  cleaning.run(module, moduleAnalyses);
  return success();
}
