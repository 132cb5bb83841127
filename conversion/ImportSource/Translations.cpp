//===- Translations.cpp - gpuopt-translate's way in from source -----------===//

#include "conversion/ImportSource/Translations.h"

#include "conversion/ImportSource/ImportSource.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace gpuopt;

/// Null, after saying why, for none.
static TargetAttr findTarget(StringRef name, MLIRContext *context) {
  llvm::Expected<TargetAttr> target = lookUpTarget(context, name);
  if (target)
    return *target;
  llvm::errs() << "error: " << toString(target.takeError()) << "\n";
  return nullptr;
}

/// The name of the file is what matters: the headers beside it and its ending.
static FailureOr<ImportedSource> importFile(const llvm::SourceMgr &sources,
                                            TargetAttr target,
                                            const ImportOptions &options) {
  StringRef path =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  return importSource(path, target, options);
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
        TargetAttr target = findTarget(targetName(), context);
        if (!target)
          return OwningOpRef<Operation *>();
        FailureOr<ImportedSource> source =
            importFile(*sources, target, commandLine.get());
        if (failed(source))
          return OwningOpRef<Operation *>();
        return OwningOpRef<Operation *>(
            importToMLIR(*source, target, context).release());
      });
  TranslateRegistration hostSide(
      "openacc-to-host",
      "write the host's side of a C or C++ program with OpenACC",
      [targetName](const std::shared_ptr<llvm::SourceMgr> &sources,
                   llvm::raw_ostream &output, MLIRContext *context) {
        TargetAttr target = findTarget(targetName(), context);
        if (!target)
          return failure();
        ImportOptions options = commandLine.get();
        options.isOfProgram = true;
        options.clangArguments.push_back("-fopenacc");
        FailureOr<ImportedSource> source =
            importFile(*sources, target, options);
        if (failed(source))
          return failure();
        output << source->hostText;
        return success();
      });
}
