//===- gpuopt-lsp-server.cpp - MLIR with gpuopt's attributes in an editor -===//

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<gpuopt::GPUOptDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
