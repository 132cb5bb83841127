//===- gpuopt-opt.cpp - run passes on MLIR text ---------------------------===//

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/LargeStack.h"
#include "dialects/GPUOpt/GPUOptDialect.h"
#include "passes/Analysis/TestPasses.h"
#include "passes/Pipelines/Pipelines.h"
#include "tools/lib/process/StandardOutput.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  gpuopt::reportOutputErrors("gpuopt-opt");
  gpuopt::heedNoColor();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<gpuopt::GPUOptDialect>();
  mlir::registerAllPasses();
  gpuopt::registerAllPasses();
  gpuopt::registerTestUniformityPass();
  int code = EXIT_FAILURE;
  gpuopt::runOnLargeStack(
      [&] {
        code = mlir::asMainReturnCode(mlir::MlirOptMain(
            argc, argv, "gpuopt optimizer driver\n", registry));
      },
      "gpuopt-opt: error: nested too deeply\n");
  return code;
}
