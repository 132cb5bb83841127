//===- TargetMachines.cpp - LLVM's back end for a machine -----------------===//
//
// One place decides triple, processor, features and floating-point options, so
// that the data layout of the lowered module, the optimiser and the code
// generator agree.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/TargetMachines.h"
#include "conversion/EmitBinary/EmitBinary.h"
#include "conversion/EmitBinary/LargeBlocks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

namespace gpuopt {

/// CodeGenPrepare begins again at the first block whenever it has changed the
/// control flow, unless the function has 10000 blocks: then it goes on, and
/// returns to blocks that have changed. Of some thousand it takes half a
/// minute. Only the option says which functions are so large.
static void setHugeFunction() {
  auto options = llvm::cl::getRegisteredOptions();
  auto found = options.find("cgpp-huge-func");
  if (found != options.end() && found->second->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<unsigned> *>(found->second)
        ->setValue(kMostBlocks);
}

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    setHugeFunction();
  });
}

llvm::StringRef getTargetTriple(TargetAttr target) {
  return target.getVendor() == Vendor::NVIDIA ? "nvptx64-nvidia-cuda"
                                              : "amdgcn-amd-amdhsa";
}

/// The PTX version to emit: as old as possible, so that old drivers load it,
/// but new enough for the processor and for what our lowering uses.
static std::string getPTXFeature(llvm::StringRef arch) {
  llvm::StringRef number = arch;
  number.consume_front("sm_");
  unsigned sm = 0;
  if (number.consumeInteger(10, sm) || sm < 70)
    return "";
  if (number == "f")
    return "+ptx90";
  if (sm <= 90)
    return sm == 88 ? "+ptx90" : "+ptx80";
  return llvm::StringSwitch<std::string>(arch.substr(0, 6))
      .Case("sm_100", "+ptx86")
      .Case("sm_101", "+ptx86")
      .Case("sm_120", "+ptx87")
      .Case("sm_103", "+ptx88")
      .Case("sm_121", "+ptx88")
      .Default("+ptx90");
}

/// AMD chips from gfx10 on run subgroups of 32 or 64; older ones only 64.
static std::string getAMDFeatures(TargetAttr target) {
  llvm::StringRef arch = target.getArch();
  bool hasChoice = arch.starts_with("gfx1");
  if (!hasChoice)
    return "";
  return target.getSubgroupSize() == 64 ? "+wavefrontsize64,-wavefrontsize32"
                                        : "+wavefrontsize32,-wavefrontsize64";
}

static llvm::CodeGenOptLevel getCodeGenLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return llvm::CodeGenOptLevel::None;
  case 1:
    return llvm::CodeGenOptLevel::Less;
  case 2:
    return llvm::CodeGenOptLevel::Default;
  default:
    return llvm::CodeGenOptLevel::Aggressive;
  }
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(TargetAttr target, unsigned optLevel,
                    llvm::StringRef processor) {
  initializeTargets();
  if (processor.empty())
    processor = target.getArch();
  llvm::Triple triple(getTargetTriple(target));
  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return llvm::createStringError("LLVM lacks the back end for '" +
                                   triple.str() + "': " + message);

  // An unknown processor makes the constructor print and go on: ask first.
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      backend->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget || !subtarget->isCPUStringValid(processor))
    return llvm::createStringError("target '" + target.getTargetName() +
                                   "': LLVM knows no processor '" + processor +
                                   "' for '" + triple.str() + "'");

  bool isNVIDIA = target.getVendor() == Vendor::NVIDIA;
  std::string features =
      isNVIDIA ? getPTXFeature(processor) : getAMDFeatures(target);
  llvm::TargetOptions options;
  // Contract where, and only where, the operations' flags allow it.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, processor, features, options,
      isNVIDIA ? std::nullopt
               : std::optional<llvm::Reloc::Model>(llvm::Reloc::PIC_),
      std::nullopt, getCodeGenLevel(optLevel)));
  if (!machine)
    return llvm::createStringError("LLVM cannot make a target machine for '" +
                                   processor + "'");
  return machine;
}

} // namespace gpuopt
