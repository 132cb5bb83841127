//===- gpuopt-translate.cpp - into and out of MLIR ------------------------===//

#include "conversion/EmitBinary/Translations.h"
#include "conversion/EmitSource/EmitSource.h"
#include "conversion/ImportPTX/Translations.h"
#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/LargeStack.h"
#include "conversion/ImportSource/Translations.h"
#include "tools/lib/process/StandardOutput.h"

#include "mlir/InitAllTranslations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  gpuopt::reportOutputErrors("gpuopt-translate");
  gpuopt::heedNoColor();
  mlir::registerAllTranslations();
  gpuopt::registerEmitTranslations();
  gpuopt::registerSourceTranslations();
  gpuopt::registerImportTranslations(gpuopt::translationTargetName);
  gpuopt::registerPTXTranslations(gpuopt::translationTargetName);
  int code = EXIT_FAILURE;
  gpuopt::runOnLargeStack(
      [&] {
        if (mlir::succeeded(mlir::mlirTranslateMain(
                argc, argv, "gpuopt translation driver\n")))
          code = EXIT_SUCCESS;
      },
      "gpuopt-translate: error: nested too deeply\n");
  return code;
}
