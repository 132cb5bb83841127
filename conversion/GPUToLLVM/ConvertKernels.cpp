//===- ConvertKernels.cpp - kernels to the LLVM dialect -------------------===//
//
// Upstream's patterns for NVVM and ROCDL. Its passes begin with greedy
// rewriting of the whole module, which simplifies all regions again and again;
// here only the operations are rewritten that have a pattern.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_CONVERTKERNELS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// The first architecture with an instruction that reduces integers over a
/// subgroup.
static constexpr llvm::StringLiteral kFirstWithReductions = "sm_80";

/// Rewrites what one conversion does not get to the end of: shuffles of 64
/// bits, and for AMD those that have an instruction of their own.
static void rewriteShuffles(gpu::GPUModuleOp kernels,
                            const std::optional<amdgpu::Chipset> &chipset) {
  SmallVector<Operation *> shuffles;
  kernels.walk([&](gpu::ShuffleOp shuffle) { shuffles.push_back(shuffle); });
  if (shuffles.empty())
    return;
  RewritePatternSet patterns(kernels.getContext());
  populateGpuShufflePatterns(patterns);
  if (chipset)
    populateGpuPromoteShuffleToAMDGPUPatterns(patterns, chipset);
  // What no pattern takes is converted as it is.
  (void)applyOpPatternsGreedily(shuffles, std::move(patterns));
}

/// What each dialect has for LLVM.
static void addInterfacePatterns(ConversionTarget &target,
                                 LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  for (Dialect *dialect : patterns.getContext()->getLoadedDialects())
    if (auto *interface = dyn_cast<ConvertToLLVMPatternInterface>(dialect))
      interface->populateConvertToLLVMConversionPatterns(target, converter,
                                                         patterns);
}

namespace {
struct ConvertKernels : impl::ConvertKernelsBase<ConvertKernels> {
  using ConvertKernelsBase::ConvertKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertKernelsBase::getDependentDialects(registry);
    registerConvertToLLVMDependentDialectLoading(registry);
  }

  void runOnOperation() override {
    bool isAMD = StringRef(arch).starts_with("gfx");
    if (failed(isAMD ? convertForAMD() : convertForNVIDIA()))
      signalPassFailure();
  }

  LogicalResult convertForNVIDIA();
  LogicalResult convertForAMD();
};
} // namespace

LogicalResult ConvertKernels::convertForNVIDIA() {
  rewriteShuffles(getOperation(), std::nullopt);
  LLVMTypeConverter converter(
      &getContext(),
      LowerToLLVMOptions(&getContext(), DataLayout(getOperation())));
  configureGpuToNVVMTypeConverter(converter);
  RewritePatternSet patterns(&getContext());
  LLVMConversionTarget target(getContext());
  // Before what the interfaces have for the same operations.
  populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/10);
  addInterfacePatterns(target, converter, patterns);
  populateGpuWMMAToNVVMConversionPatterns(converter, patterns);
  if (arch >= kFirstWithReductions)
    populateGpuSubgroupReduceOpLoweringPattern(converter, patterns);
  configureGpuToNVVMConversionLegality(target);
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

LogicalResult ConvertKernels::convertForAMD() {
  FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(arch);
  if (failed(chipset))
    return getOperation().emitError("no architecture of AMD: '") << arch << "'";
  rewriteShuffles(getOperation(), *chipset);
  // Where accesses are aligned, and local variables are.
  std::string layout = llvm::Triple("amdgcn-amd-amdhsa").computeDataLayout();
  getOperation()->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                          StringAttr::get(&getContext(), layout));
  LowerToLLVMOptions options(&getContext(), DataLayout(getOperation()));
  options.dataLayout = llvm::DataLayout(layout);
  LLVMTypeConverter converter(&getContext(), options);
  amdgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  RewritePatternSet patterns(&getContext());
  LLVMConversionTarget target(getContext());
  addInterfacePatterns(target, converter, patterns);
  populateAMDGPUToROCDLConversionPatterns(converter, patterns, *chipset);
  populateGpuToROCDLConversionPatterns(converter, patterns,
                                       gpu::amd::Runtime::HIP, *chipset);
  configureGpuToROCDLConversionLegality(target);
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}
} // namespace gpuopt
