//===- OptimizeForTarget.cpp - LLVM's pipeline with the target's passes ---===//
//
// The scalar optimisations of GPU compilers (inference of address spaces,
// straight-line strength reduction, reassociation of address arithmetic, …)
// are upstream passes that a back end adds to the standard pipeline, or runs
// before code generation, once it is told about the pipeline. This file makes
// sure that it is.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/BackendErrors.h"
#include "conversion/EmitBinary/DeviceLibrary.h"
#include "conversion/EmitBinary/JoinStructures.h"
#include "conversion/EmitBinary/LargeBlocks.h"
#include "conversion/EmitBinary/LaunchQueries.h"
#include "conversion/EmitBinary/TargetMachines.h"
#include "conversion/EmitBinary/UnrollingHints.h"
#include "runtime/AnalysisManagers.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"

using namespace llvm;

namespace gpuopt {

/// That of NVPTX and of AMDGPU.
static constexpr unsigned kWorkgroupAddressSpace = 3;

static OptimizationLevel getPipelineLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

/// Libraries and imported code carry the processor that they were compiled
/// for; a difference would forbid inlining and change the code generator's
/// mind per function. The target machine alone decides.
static void dropSubtargetAttributes(Module &module) {
  for (Function &function : module)
    for (const char *name : {"target-cpu", "target-features", "tune-cpu",
                             "frame-pointer", "stack-protector-buffer-size",
                             "unsafe-fp-math", "less-precise-fpmad"})
      function.removeFnAttr(name);
}

/// Module flags that the back ends read: subnormals are kept in libdevice, and
/// the code object version that its hidden arguments are laid out for.
static void setModuleFlags(Module &module, TargetAttr target) {
  if (target.getVendor() == Vendor::NVIDIA) {
    if (!module.getModuleFlag("nvvm-reflect-ftz"))
      module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", 0u);
    return;
  }
  module.setModuleFlag(Module::Error, "amdhsa_code_object_version", 500u);
}

/// Whether `pass` may run on `unit`, a module, function or loop.
static bool isSuitable(StringRef pass, Any unit) {
  // A vector access is there because its alignment was proven. Taken apart into
  // elements, it comes back only where the back end can prove that again.
  if (pass == "VectorCombinePass")
    return false;
  const auto *function = any_cast<const Function *>(&unit);
  return !function || !comparesAllInstructions(pass) ||
         !hasLargeBlock(**function);
}

/// Whether `function` accesses a variable in workgroup memory through a generic
/// pointer, as Clang makes it.
static bool hasGenericWorkgroupPointer(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return any_of(instruction.operand_values(), [](const Value *operand) {
      if (!operand->getType()->isPointerTy() ||
          operand->getType()->getPointerAddressSpace() != 0)
        return false;
      const auto *variable =
          dyn_cast<GlobalVariable>(getUnderlyingObject(operand));
      return variable && variable->getAddressSpace() == kWorkgroupAddressSpace;
    });
  });
}

namespace {
/// A variable in workgroup memory is aligned for vectors, which Clang did not
/// know, nor does anyone know it who sees a generic pointer to it. Kernels that
/// are raised have none; their addresses are left as they are.
struct AlignWorkgroupAccesses : PassInfoMixin<AlignWorkgroupAccesses> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!hasGenericWorkgroupPointer(function))
      return PreservedAnalyses::all();
    FunctionPassManager passes;
    passes.addPass(InferAddressSpacesPass());
    passes.addPass(InferAlignmentPass());
    return passes.run(function, analyses);
  }
};
} // namespace

static void runPipeline(Module &module, TargetMachine &machine,
                        unsigned optLevel) {
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = true;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(isSuitable);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  machine.registerPassBuilderCallbacks(builder);

  builder.registerPipelineStartEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(AlignWorkgroupAccesses()));
  });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) {
        passes.addPass(UnrollingHintsPass());
      });

  // The target's own alias analysis knows that address spaces are disjoint.
  AAManager aliases = builder.buildDefaultAAPipeline();
  machine.registerDefaultAliasAnalyses(aliases);
  AnalysisManagers analyses;
  analyses.functions.registerPass([&] { return std::move(aliases); });
  analyses.registerWith(builder);

  OptimizationLevel level = getPipelineLevel(optLevel);
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, analyses.modules);
}

Error optimizeForTarget(Module &module, TargetAttr target,
                        const EmitOptions &options) {
  Expected<std::unique_ptr<TargetMachine>> machine =
      createTargetMachine(target, options.optLevel);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple(Triple(getTargetTriple(target)));
  module.setDataLayout((*machine)->createDataLayout());

  if (target.getVendor() == Vendor::AMD)
    lowerLaunchQueries(module);
  mapMathFunctions(module, target);
  Error linkError = Error::success();
  Error backendError = catchBackendErrors(module.getContext(), [&] {
    linkError = linkDeviceLibrary(module, target, options);
  });
  if (linkError || backendError)
    return joinErrors(std::move(linkError), std::move(backendError));

  dropSubtargetAttributes(module);
  setModuleFlags(module, target);
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError("the lowered module is not valid: " + broken);
  return catchBackendErrors(module.getContext(), [&] {
    runPipeline(module, **machine, options.optLevel);
    joinStructures(module);
  });
}

} // namespace gpuopt
