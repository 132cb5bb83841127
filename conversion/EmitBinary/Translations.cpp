//===- Translations.cpp - gpuopt-translate's ways out of MLIR -------------===//
//
// Thin shells that make each step of lowering and emission testable alone.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/Translations.h"
#include "conversion/EmitBinary/EmitBinary.h"
#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace gpuopt {
namespace {

/// The machine and the options that the command line gives.
struct Options {
  llvm::cl::opt<std::string> target{"target",
                                    llvm::cl::desc("machine to emit code for"),
                                    llvm::cl::init("sm_90")};
  llvm::cl::opt<unsigned> optLevel{
      "emit-opt-level", llvm::cl::desc("0 to 3: LLVM's optimisation level"),
      llvm::cl::init(3)};
};

Options &getOptions() {
  static Options options;
  return options;
}

/// Reports `error` on `location`.
LogicalResult report(Location location, llvm::Error error) {
  return emitError(location, llvm::toString(std::move(error)));
}

FailureOr<TargetAttr> getTarget(MLIRContext *context) {
  context->loadDialect<GPUOptDialect>();
  llvm::Expected<TargetAttr> target =
      lookUpTarget(context, getOptions().target);
  if (!target)
    return report(UnknownLoc::get(context), target.takeError());
  return *target;
}

/// What to do with a lowered module for a target.
using EmitFunction =
    llvm::function_ref<llvm::Error(llvm::Module &, TargetAttr, raw_ostream &)>;

LogicalResult emitFromMLIR(Operation *op, raw_ostream &output,
                           EmitFunction emit) {
  FailureOr<TargetAttr> target = getTarget(op->getContext());
  if (failed(target))
    return failure();
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError("expected a builtin.module");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> lowered =
      lowerToLLVMIR(module, *target, context);
  if (!lowered)
    return failure();
  if (llvm::Error error = emit(*lowered, *target, output))
    return report(module.getLoc(), std::move(error));
  return success();
}

LogicalResult emitFromLLVMIR(const std::shared_ptr<llvm::SourceMgr> &source,
                             raw_ostream &output, MLIRContext *context,
                             EmitFunction emit) {
  FailureOr<TargetAttr> target = getTarget(context);
  if (failed(target))
    return failure();
  llvm::LLVMContext llvmContext;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIR(
      source->getMemoryBuffer(source->getMainFileID())->getMemBufferRef(),
      diagnostic, llvmContext);
  if (!module) {
    diagnostic.print("gpuopt-translate", llvm::errs());
    return failure();
  }
  if (llvm::Error error = emit(*module, *target, output))
    return report(UnknownLoc::get(context), std::move(error));
  return success();
}

llvm::Error optimize(llvm::Module &module, TargetAttr target) {
  expandGridBarriers(module, target);
  EmitOptions options;
  options.optLevel = getOptions().optLevel;
  return optimizeForTarget(module, target, options);
}

llvm::Error printModule(llvm::Module &module, TargetAttr, raw_ostream &output) {
  module.print(output, nullptr);
  return llvm::Error::success();
}

llvm::Error printOptimized(llvm::Module &module, TargetAttr target,
                           raw_ostream &output) {
  if (llvm::Error error = optimize(module, target))
    return error;
  return printModule(module, target, output);
}

llvm::Error printAssembly(llvm::Module &module, TargetAttr target,
                          raw_ostream &output) {
  if (llvm::Error error = optimize(module, target))
    return error;
  llvm::Expected<std::string> assembly = emitAssembly(module, target);
  if (!assembly)
    return assembly.takeError();
  output << *assembly;
  return llvm::Error::success();
}

llvm::Error printHSACO(llvm::Module &module, TargetAttr target,
                       raw_ostream &output) {
  if (llvm::Error error = optimize(module, target))
    return error;
  llvm::Expected<std::string> hsaco = emitHSACO(module, target);
  if (!hsaco)
    return hsaco.takeError();
  output << *hsaco;
  return llvm::Error::success();
}

/// Assembles fully and prints what each kernel uses.
llvm::Error printResources(llvm::Module &module, TargetAttr target,
                           raw_ostream &output) {
  std::string binary;
  llvm::raw_string_ostream stream(binary);
  bool isNVIDIA = target.getVendor() == Vendor::NVIDIA;
  if (llvm::Error error = isNVIDIA ? printAssembly(module, target, stream)
                                   : printHSACO(module, target, stream))
    return error;
  std::vector<KernelResources> resources;
  if (isNVIDIA) {
    llvm::Expected<Cubin> cubin = assemblePTX(binary, target);
    if (!cubin)
      return cubin.takeError();
    resources = cubin->resources;
  } else {
    llvm::Expected<std::vector<KernelResources>> read =
        readHSACOResources(binary);
    if (!read)
      return read.takeError();
    resources = *read;
  }
  for (const KernelResources &kernel : resources)
    output << kernel.symbol << ": " << kernel.registers << " registers, "
           << kernel.spillBytes << " bytes spilled, " << kernel.sharedBytes
           << " bytes of workgroup memory (" << kernel.measuredBy << ")\n";
  return llvm::Error::success();
}

void registerFromMLIR(StringRef name, StringRef description,
                      llvm::Error (*emit)(llvm::Module &, TargetAttr,
                                          raw_ostream &)) {
  TranslateFromMLIRRegistration registration(
      name, description,
      [emit](Operation *op, raw_ostream &output) {
        return emitFromMLIR(op, output, emit);
      },
      [](DialectRegistry &registry) {
        registerAllDialects(registry);
        registry.insert<GPUOptDialect>();
      });
}

void registerFromLLVMIR(StringRef name, StringRef description,
                        llvm::Error (*emit)(llvm::Module &, TargetAttr,
                                            raw_ostream &)) {
  TranslateRegistration registration(
      name, description,
      [emit](const std::shared_ptr<llvm::SourceMgr> &source,
             raw_ostream &output, MLIRContext *context) {
        return emitFromLLVMIR(source, output, context, emit);
      });
}

} // namespace

llvm::StringRef translationTargetName() { return getOptions().target; }

void registerEmitTranslations() {
  getOptions();
  registerFromMLIR("mlir-to-kernel-llvmir",
                   "lower gpu.modules to LLVM IR for --target", printModule);
  registerFromMLIR("mlir-to-optimized-llvmir",
                   "the same, through the target's pipeline", printOptimized);
  registerFromMLIR("mlir-to-assembly", "lower gpu.modules to PTX or AMDGCN",
                   printAssembly);
  registerFromMLIR("mlir-to-hsaco", "lower gpu.modules to a code object",
                   printHSACO);
  registerFromMLIR("mlir-to-resources",
                   "assemble gpu.modules and print what each kernel uses",
                   printResources);
  registerFromLLVMIR("llvmir-to-optimized-llvmir",
                     "run the target's pipeline on LLVM IR", printOptimized);
  registerFromLLVMIR("llvmir-to-assembly",
                     "optimise and emit LLVM IR as PTX or AMDGCN",
                     printAssembly);
}

} // namespace gpuopt
