//===- Translations.cpp - gpuopt-translate's ways to source ---------------===//

#include "conversion/EmitSource/EmitSource.h"
#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace gpuopt;

static void registerLanguage(StringRef name, StringRef description,
                             OutputLanguage language) {
  TranslateFromMLIRRegistration registration(
      name, description,
      [language](Operation *op, raw_ostream &output) -> LogicalResult {
        EmitSourceOptions options;
        options.language = language;
        FailureOr<std::string> source = emitSource(op, options);
        if (failed(source))
          return failure();
        output << *source;
        return success();
      },
      [](DialectRegistry &registry) {
        registerAllDialects(registry);
        registry.insert<GPUOptDialect>();
      });
}

void gpuopt::registerSourceTranslations() {
  registerLanguage("mlir-to-cuda", "raised kernels as CUDA C++",
                   OutputLanguage::CUDA);
  registerLanguage("mlir-to-hip", "raised kernels as HIP C++",
                   OutputLanguage::HIP);
  registerLanguage("mlir-to-opencl", "raised kernels as OpenCL C",
                   OutputLanguage::OpenCL);
}
