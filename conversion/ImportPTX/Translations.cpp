//===- Translations.cpp - gpuopt-translate's way in from PTX --------------===//

#include "conversion/ImportPTX/Translations.h"

#include "conversion/ImportPTX/ImportPTX.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace gpuopt;

static OwningOpRef<Operation *> importFile(const llvm::SourceMgr &sources,
                                           StringRef targetName,
                                           StringRef signature,
                                           MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  llvm::Expected<TargetAttr> target = lookUpTarget(context, targetName);
  if (!target) {
    llvm::errs() << "error: " << toString(target.takeError()) << "\n";
    return nullptr;
  }
  PTXImportOptions options;
  options.text = buffer->getBuffer().str();
  options.signature = signature.str();
  FailureOr<ImportedSource> source =
      importPTX(buffer->getBufferIdentifier(), *target, options);
  if (failed(source))
    return nullptr;
  return importToMLIR(*source, *target, context);
}

void gpuopt::registerPTXTranslations(
    std::function<llvm::StringRef()> targetName) {
  static llvm::cl::opt<std::string> signature{
      "ptx-signature",
      llvm::cl::desc("with --ptx-to-mlir: the parameters of the kernel")};
  TranslateToMLIRRegistration registration(
      "ptx-to-mlir", "import the kernels of a file of PTX",
      [targetName](const std::shared_ptr<llvm::SourceMgr> &sources,
                   MLIRContext *context) {
        return importFile(*sources, targetName(), signature, context);
      });
}
