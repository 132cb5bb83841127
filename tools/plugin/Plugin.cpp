//===- Plugin.cpp - gpuopt's dialect and passes in any opt tool -----------===//
//
//   mlir-opt --load-dialect-plugin=libGPUOptPlugin.so \
//            --load-pass-plugin=libGPUOptPlugin.so --gpuopt-coalesce-accesses
//            FILE
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/GPUOptDialect.h"
#include "passes/Pipelines/Pipelines.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "gpuopt", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registry->insert<gpuopt::GPUOptDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "gpuopt", LLVM_VERSION_STRING,
          [] { gpuopt::registerAllPasses(); }};
}
