//===- Translations.cpp - gpuopt-translate's way in from source -----------===//

#include "conversion/ImportSource/Translations.h"

#include "conversion/ImportSource/ImportSource.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace gpuopt;

/// The name of the file is what matters: the headers beside it and its ending.
static OwningOpRef<Operation *> importFile(const llvm::SourceMgr &sources,
                                           StringRef targetName,
                                           const ImportOptions &options,
                                           MLIRContext *context) {
  StringRef path =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  llvm::Expected<TargetAttr> target = lookUpTarget(context, targetName);
  if (!target) {
    llvm::errs() << "error: " << toString(target.takeError()) << "\n";
    return nullptr;
  }
  FailureOr<ImportedSource> source = importSource(path, *target, options);
  if (failed(source))
    return nullptr;
  return importToMLIR(*source, *target, context);
}

namespace {
/// The options of importSource on the command line.
struct CommandLine {
  llvm::cl::list<std::string> clangArguments{
      "clang-arg",
      llvm::cl::desc("with --cuda-to-mlir: an argument for Clang")};
  llvm::cl::opt<std::string> contract{
      "contract", llvm::cl::desc("with --cuda-to-mlir: off, on or fast")};
  llvm::cl::opt<bool> fastMath{
      "fast-math", llvm::cl::desc("with --cuda-to-mlir: as -ffast-math")};

  llvm::cl::list<std::string> kernels{
      "kernel", llvm::cl::desc("with --cuda-to-mlir: import this kernel only")};
  llvm::cl::opt<std::string> cudaPath{
      "cuda-path", llvm::cl::desc("with --cuda-to-mlir: an SDK to use in place "
                                  "of the prelude")};
  llvm::cl::opt<bool> leaveOutUnsupported{
      "leave-out-unsupported",
      llvm::cl::desc("with --cuda-to-mlir: go on without kernels that cannot "
                     "be taken")};

  ImportOptions get() const {
    ImportOptions options;
    options.clangArguments.assign(clangArguments.begin(), clangArguments.end());
    options.fpContract = contract;
    options.fastMath = fastMath;
    options.cudaPath = cudaPath;
    options.kernels.assign(kernels.begin(), kernels.end());
    options.leaveOutUnsupported = leaveOutUnsupported;
    return options;
  }
};
} // namespace

void gpuopt::registerImportTranslations(
    std::function<llvm::StringRef()> targetName) {
  static CommandLine commandLine;
  TranslateToMLIRRegistration registration(
      "cuda-to-mlir", "import the kernels of a CUDA, HIP or OpenCL C file",
      [targetName](const std::shared_ptr<llvm::SourceMgr> &sources,
                   MLIRContext *context) {
        return importFile(*sources, targetName(), commandLine.get(), context);
      });
}
