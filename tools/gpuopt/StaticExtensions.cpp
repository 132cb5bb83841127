//===- StaticExtensions.cpp - extensions that LLVM's archives ask for -----===//
//
// Debian's LLVM is built with Polly as an extension: the pipelines in its
// archives ask for Polly's passes by name, and Polly is an archive of another
// package. Kernels are not optimised by Polly, so it adds none.
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
