//===- GPUToLLVM.cpp - from gpu.module to target LLVM IR ------------------===//
//
// Upstream's conversions in the order that they need, with passes of ours
// where a GPU kernel's contract differs from what they assume, then
// translation and a few repairs that are simplest on LLVM IR itself.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "conversion/EmitBinary/TargetMachines.h"
#include "conversion/GPUToLLVM/LegalizeForTarget.h"
#include "conversion/GPUToLLVM/LowerDeviceFunctions.h"
#include "conversion/GPUToLLVM/LoweringDialects.h"
#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/DynamicMemory.h"

#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;

namespace gpuopt {

void buildLowerToTargetPipeline(OpPassManager &pm, TargetAttr target) {
  bool isNVIDIA = target.getVendor() == Vendor::NVIDIA;
  std::string vendor = isNVIDIA ? "nvidia" : "amd";
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCallDeviceFunctions());
  kernels.addPass(createCallMathIntrinsics());
  kernels.addPass(createExpandReductions({target.getSubgroupSize()}));
  kernels.addPass(createExpandShuffles({target.getSubgroupSize(), vendor}));
  kernels.addPass(createExpandGlobalIds({target.getSubgroupSize()}));
  kernels.addPass(createPlaceWorkgroupArrays(
      {isNVIDIA ? mostDeclaredBytes(target) : int64_t(0)}));
  kernels.addPass(createLowerKernelABI());
  kernels.addPass(createLowerRolledLoops());
  kernels.addPass(createExpandViews());
  // Metadata of views is computed by affine maps again.
  kernels.addPass(createLowerRolledLoops());
  kernels.addPass(createNumberSwitchCases());
  kernels.addPass(createSCFToControlFlowPass());
  if (isNVIDIA) {
    kernels.addPass(createLowerMatrixProducts());
    kernels.addPass(createLowerWarpgroupProducts());
    kernels.addPass(createConvertNVGPUToNVVMPass());
  }
  kernels.addPass(createConvertKernels({target.getArch().str()}));
  // What the vendors' libraries have no function for: bits are counted, numbers
  // truncated by instructions.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(mlir::createReconcileUnrealizedCastsPass());
  kernels.addPass(createRelaxConvertedAccesses({vendor}));
  kernels.addPass(createMarkKernels({vendor}));
  // LLVM's pipeline simplifies the blocks, in a fraction of the time.
  kernels.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled)));

  // `.loc` needs a subprogram, but nothing else of the debug information.
  LLVM::DIScopeForLLVMFuncOpPassOptions debugOptions;
  debugOptions.emissionKind = isNVIDIA
                                  ? LLVM::DIEmissionKind::DebugDirectivesOnly
                                  : LLVM::DIEmissionKind::LineTablesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(debugOptions));
}

/// A clone of a function carries the debug subprogram of its original, which
/// LLVM allows one function only. The second function keeps the plain
/// locations; a subprogram of its own is made for it later.
static void unshareSubprograms(ModuleOp module) {
  llvm::SmallPtrSet<Attribute, 8> taken;
  AttrTypeReplacer dropScopes;
  dropScopes.addReplacement(
      [](FusedLocWith<LLVM::DILocalScopeAttr> location) -> Attribute {
        return FusedLoc::get(location.getContext(), location.getLocations());
      });
  module.walk([&](FunctionOpInterface function) {
    auto location =
        dyn_cast<FusedLocWith<LLVM::DISubprogramAttr>>(function.getLoc());
    if (!location || taken.insert(location.getMetadata()).second)
      return;
    dropScopes.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/false,
                                            /*replaceLocs=*/true);
  });
}

/// Says which operation no conversion has taken. Casts between types are what
/// is left around one.
static LogicalResult checkConverted(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([](Operation *op) {
    if (isa<gpu::GPUModuleOp, UnrealizedConversionCastOp>(op) ||
        isa<LLVM::LLVMDialect, NVVM::NVVMDialect, ROCDL::ROCDLDialect>(
            op->getDialect()))
      return WalkResult::advance();
    emitError(op->getLoc(), "'")
        << op->getName() << "' cannot be compiled for a GPU";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Translates each `gpu.module` and links them into one, which is to be
/// verified. The target's layout
/// has to be known by then: an access that says nothing of its alignment gets
/// its type's, and without a layout that of an `i64` is 4 bytes, with which the
/// back end takes it apart.
static std::unique_ptr<llvm::Module>
translateKernels(ModuleOp module, const llvm::DataLayout &layout,
                 llvm::LLVMContext &llvmContext) {
  auto layoutText =
      StringAttr::get(module.getContext(), layout.getStringRepresentation());
  std::unique_ptr<llvm::Module> whole;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (failed(checkConverted(kernels)))
      return nullptr;
    kernels->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(), layoutText);
    std::unique_ptr<llvm::Module> part =
        translateModuleToLLVMIR(kernels, llvmContext, kernels.getName(),
                                /*disableVerification=*/true);
    if (!part)
      return nullptr;
    if (!whole) {
      whole = std::move(part);
      continue;
    }
    if (llvm::Linker::linkModules(*whole, std::move(part))) {
      kernels.emitError("cannot be linked with the other gpu.modules");
      return nullptr;
    }
  }
  if (!whole)
    module.emitError("holds no gpu.module to lower");
  return whole;
}

std::unique_ptr<llvm::Module> lowerToLLVMIR(ModuleOp module, TargetAttr target,
                                            llvm::LLVMContext &llvmContext) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(target, 3);
  if (!machine) {
    module.emitError(llvm::toString(machine.takeError()));
    return nullptr;
  }
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerLoweringDialects(registry);
  context->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> clone = module.clone();
  unshareSubprograms(*clone);
  PassManager pm(context);
  pm.enableVerifier(false);
  buildLowerToTargetPipeline(pm, target);
  if (failed(pm.run(*clone)) || failed(verify(*clone)))
    return nullptr;

  std::unique_ptr<llvm::Module> lowered =
      translateKernels(*clone, (*machine)->createDataLayout(), llvmContext);
  if (!lowered)
    return nullptr;
  lowered->setTargetTriple(llvm::Triple(getTargetTriple(target)));
  lowerDeviceFunctions(*lowered, target);
  legalizeForTarget(*lowered, target);

  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*lowered, &stream)) {
    module.emitError("lowering made invalid LLVM IR: ") << broken;
    return nullptr;
  }
  return lowered;
}

} // namespace gpuopt
