//===- gpuopt-translate.cpp - into and out of MLIR ------------------------===//

#include "conversion/EmitBinary/Translations.h"

#include "mlir/InitAllTranslations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  gpuopt::registerEmitTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "gpuopt translation driver\n"));
}
