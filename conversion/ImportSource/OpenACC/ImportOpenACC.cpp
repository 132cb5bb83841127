//===- ImportOpenACC.cpp - kernels of C with OpenACC ----------------------===//

#include "conversion/ImportSource/OpenACC/ImportOpenACC.h"

#include "conversion/ImportSource/BlockUse.h"
#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/DiagnosticStream.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/OpenACC/ClauseDimensions.h"
#include "conversion/ImportSource/OpenACC/CompileParts.h"
#include "conversion/ImportSource/OpenACC/OpenMPDirectives.h"
#include "conversion/ImportSource/OpenACC/ShareDirectives.h"
#include "conversion/ImportSource/ReadSource.h"
#include "conversion/ImportSource/SelectKernels.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace gpuopt;

/// Whether C++ that may be HIP's offloads loops, and launches no kernels: the
/// host's threads may do what is beside kernels.
static bool offloadsLoops(StringRef text) {
  static const Regex directive(
      "(^|\n)[ \t]*#[ \t]*pragma[ \t]+(acc[ \t]|omp[ \t]+target[ \t\r\n])");
  return directive.match(text) && !text.contains("__global__") &&
         !text.contains("hip/hip_runtime");
}

bool gpuopt::isOpenACC(StringRef path, StringRef text,
                       const ImportOptions &options) {
  if (options.language)
    return false;
  StringRef kind = sys::path::extension(path);
  return kind == ".c" || is_contained(options.clangArguments, "-fopenacc") ||
         is_contained(options.clangArguments, "-fopenmp") ||
         (kind == ".cpp" && offloadsLoops(text));
}

namespace {
/// One file on its way.
class OpenACCImport {
public:
  OpenACCImport(StringRef path, TargetAttr target, const ImportOptions &options)
      : path(path), target(target), options(options) {}

  mlir::FailureOr<ImportedSource> run();

private:
  mlir::FailureOr<ImportedSource> compile(bool asWorkItems, bool isLast);

  StringRef path;
  TargetAttr target;
  const ImportOptions &options;
};
} // namespace

mlir::FailureOr<ImportedSource> OpenACCImport::compile(bool asWorkItems,
                                                       bool isLast) {
  ImportedSource source;
  source.context = std::make_unique<LLVMContext>();
  PartsCompilation compiled =
      compileParts(path, options, asWorkItems, *source.context);
  if (isLast || !compiled.module)
    diagnosticStream() << compiled.diagnostics;
  if (!compiled.module)
    return mlir::failure();
  if (compiled.parts.empty() && !options.isOfProgram) {
    reportError({path.str(), 0, 0},
                "no parallel construct of OpenACC or OpenMP found in this "
                "file");
    return mlir::failure();
  }
  for (const CompiledPart &part : compiled.parts)
    source.kernels.push_back(part.kernel);
  source.leftOut = std::move(compiled.leftOut);
  source.reassociable = compiled.reassociable;
  source.files = compiled.files;
  source.module = std::move(compiled.module);
  source.hostText = std::move(compiled.hostText);
  retargetModule(*source.module, target, source.kernels);
  if (failed(selectKernels(path, options.kernels, source.kernels)) ||
      failed(cleanUp(*source.module, source.kernels,
                     UnsupportedKernels::AreErrors, source.leftOut)))
    return mlir::failure();
  for (const CompiledPart &part : compiled.parts) {
    Function *function = source.module->getFunction(part.kernel.symbol);
    if (!function || !part.isOfTeam)
      continue;
    if (!asWorkItems)
      function->addFnAttr(kTeamNote);
    if (part.threads)
      setLaunchBlock(*function, {*part.threads, 1, 1});
  }
  return std::move(source);
}

mlir::FailureOr<ImportedSource> OpenACCImport::run() {
  mlir::FailureOr<ImportedSource> sequential =
      compile(/*asWorkItems=*/false, /*isLast=*/false);
  if (failed(sequential))
    return mlir::failure();
  mlir::FailureOr<ImportedSource> result =
      compile(/*asWorkItems=*/true, /*isLast=*/true);
  if (failed(result))
    return mlir::failure();
  result->sequential = std::move(sequential->module);
  result->sequentialContext = std::move(sequential->context);
  return result;
}

mlir::FailureOr<ImportedSource>
gpuopt::importOpenACC(StringRef path, TargetAttr target,
                      const ImportOptions &options) {
  auto source = readSource(path, options.text);
  if (failed(source))
    return mlir::failure();
  std::string text =
      blankClauseDimensions(renameShareDirectives((*source)->getBuffer()));
  // In a program, OpenMP's threads are the host's.
  if (StringRef(text).contains("omp")) {
    mlir::FailureOr<std::string> replaced = options.isOfProgram
                                                ? replaceTargets(path, text)
                                                : replaceOpenMP(path, text);
    if (failed(replaced))
      return mlir::failure();
    text = std::move(*replaced);
  }
  ImportOptions own = options;
  if (text != (*source)->getBuffer())
    own.text = std::move(text);
  return OpenACCImport(path, target, own).run();
}
