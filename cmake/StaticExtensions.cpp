//===- StaticExtensions.cpp - what LLVM's archives ask for and is not used ===//
//
// Debian's LLVM is built with Polly as an extension: the pipelines in its
// archives ask for Polly's passes by name, and Polly is an archive of another
// package. Kernels are not optimised by Polly, so it adds none.
//
// LLD initialises every target that LLVM was built with, for link-time
// optimisation. It links code objects for AMD's GPUs only, without any: the
// other targets would be a fifth of the driver. Nor is assembly parsed for
// GPUs.
//
//===----------------------------------------------------------------------===//

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

#define HANDLE_EXTENSION(NAME)                                                 \
  llvm::PassPluginLibraryInfo get##NAME##PluginInfo();                         \
  llvm::PassPluginLibraryInfo get##NAME##PluginInfo() {                        \
    return {LLVM_PLUGIN_API_VERSION, #NAME, "none",                            \
            [](llvm::PassBuilder &) {}, nullptr};                              \
  }
#include "llvm/Support/Extension.def"

// What initialises the targets that nothing is compiled for; CMake names them.
#define GPUOPT_UNUSED_TARGET(NAME)                                             \
  extern "C" void LLVMInitialize##NAME##TargetInfo() {}                        \
  extern "C" void LLVMInitialize##NAME##Target() {}                            \
  extern "C" void LLVMInitialize##NAME##TargetMC() {}                          \
  extern "C" void LLVMInitialize##NAME##AsmPrinter() {}                        \
  extern "C" void LLVMInitialize##NAME##AsmParser() {}
#include "UnusedTargets.def"

extern "C" void LLVMInitializeAMDGPUAsmParser() {}
