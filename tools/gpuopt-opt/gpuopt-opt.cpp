//===- gpuopt-opt.cpp - run passes on MLIR text ---------------------------===//

#include "conversion/ImportSource/Colors.h"
#include "conversion/ImportSource/LargeStack.h"
#include "conversion/ImportSource/NestingLimit.h"
#include "dialects/GPUOpt/GPUOptDialect.h"
#include "passes/Analysis/TestPasses.h"
#include "passes/Pipelines/Pipelines.h"
#include "tools/lib/process/StandardOutput.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Says so where `input` is nested more deeply than it can be read.
static LogicalResult checkNesting(const llvm::MemoryBuffer &input) {
  if (isBytecode(input.getMemBufferRef()))
    return success();
  std::optional<size_t> at = gpuopt::findTooDeep(input.getBuffer());
  if (!at)
    return success();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(input.getMemBufferRef()), SMLoc());
  auto [line, column] = sources.getLineAndColumn(
      SMLoc::getFromPointer(input.getBufferStart() + *at));
  llvm::errs() << input.getBufferIdentifier() << ':' << line << ':' << column
               << ": error: nested too deeply\n";
  return failure();
}

/// Upstream's main function with a look at the input in between.
static LogicalResult run(int argc, char **argv, DialectRegistry &registry) {
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "gpuopt optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, inputName, outputName, registry);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  std::unique_ptr<llvm::ToolOutputFile> output =
      input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << '\n';
    return failure();
  }
  if (failed(checkNesting(*input)) ||
      failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  gpuopt::reportOutputErrors("gpuopt-opt");
  gpuopt::heedNoColor();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<gpuopt::GPUOptDialect>();
  registerAllPasses();
  gpuopt::registerAllPasses();
  gpuopt::registerTestUniformityPass();
  int code = EXIT_FAILURE;
  gpuopt::runOnLargeStack(
      [&] { code = asMainReturnCode(run(argc, argv, registry)); },
      "gpuopt-opt: error: nested too deeply\n");
  return code;
}
