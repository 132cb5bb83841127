//===- Assist.cpp - gpuopt assist -----------------------------------------===//

#include "tools/lib/assist/Assist.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Assist/AccessSlice.h"
#include "passes/Assist/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Diagnostics.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace gpuopt;
using namespace llvm;

namespace {
/// One kernel on its way to a program of the CPU.
class Assistance {
public:
  Assistance(const Compilation &compilation, const KernelInfo &kernel,
             const AssistOptions &options)
      : compilation(compilation), kernel(kernel), options(options),
        program(options.program), printer(compilation.tuned().getContext()) {}

  Expected<std::string> run();

private:
  Error slice();
  Error countBlocks();
  void chooseFactors();
  Expected<mlir::func::FuncOp> split();
  Dim3 block() const;

  const Compilation &compilation;
  const KernelInfo &kernel;
  const AssistOptions &options;
  AssistantOptions program;
  /// While this lives, what stands in the way is said where it stands.
  gpuopt::DiagnosticPrinter printer;
  mlir::gpu::GPUFuncOp function;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::gpu::GPUFuncOp sliced;
};
} // namespace

/// Threads of a block of the kernel that runs.
Dim3 Assistance::block() const {
  if (GeometryAttr geometry = geometryOf(function)) {
    Dim3 threads;
    llvm::copy(geometry.getBlock(), threads.begin());
    return threads;
  }
  return options.block.value_or(compilation.defaultBlock(kernel));
}

/// How many blocks run at a time, from what one of them needs.
Error Assistance::countBlocks() {
  TargetAttr target = compilation.target();
  Dim3 threads = block();
  BlockResources needs{threads[0] * threads[1] * threads[2], 0,
                       declaredWorkgroupBytes(function) +
                           options.dynamicSharedBytes};
  std::string registers = "registers not known";
  for (const KernelResources &found : compilation.resources())
    if (found.symbol == function.getName()) {
      needs.registersPerThread = found.registers;
      registers = formatv("{0} registers a thread by {1}", found.registers,
                          found.measuredBy);
    }
  OccupancyFact occupancy = computeOccupancy(needs, target);
  if (occupancy.blocksPerMultiprocessor == 0)
    return createStringError(formatv("{0} cannot run a block of {1} threads "
                                     "with {2} bytes of workgroup memory",
                                     target.getTargetName(), needs.threads,
                                     needs.workgroupMemoryBytes));
  int64_t all = occupancy.blocksPerMultiprocessor * target.getMultiprocessors();
  program.block = threads;
  program.concurrentBlocks = options.concurrentBlocks.value_or(all);
  program.notes.push_back("");
  program.notes.push_back(formatv(
      "For {0}: {1} multiprocessors, each with {2} block(s) of {3} x {4} x {5} "
      "threads;",
      target.getTargetName(), target.getMultiprocessors(),
      occupancy.blocksPerMultiprocessor, threads[0], threads[1], threads[2]));
  program.notes.push_back(formatv("{0}, {1} bytes of workgroup memory.",
                                  registers, needs.workgroupMemoryBytes));
  return Error::success();
}

Error Assistance::slice() {
  module = compilation.tuned().clone();
  mlir::gpu::GPUFuncOp copy = findKernel(*module, function.getName());
  mlir::PassManager cleaning(module->getContext(),
                             mlir::gpu::GPUFuncOp::getOperationName());
  addCleanUp(cleaning);
  mlir::FailureOr<AccessSlice> result =
      sliceAccesses(copy, [&](mlir::gpu::GPUFuncOp unclean) {
        return cleaning.run(unclean);
      });
  if (failed(result))
    return createStringError("the kernel's accesses cannot be sliced");
  sliced = result->function;
  // That of a kernel from text of MLIR is its symbol.
  if (sliced && !sliced->hasAttr(kSourceNameAttrName))
    sliced->setAttr(
        kSourceNameAttrName,
        mlir::StringAttr::get(module->getContext(), function.getName()));
  if (!sliced) {
    mlir::emitError(result->obstacle.location)
        << "the accesses cannot be sliced: " << result->obstacle.reason;
    return printer.makeError("the kernel's accesses cannot be sliced");
  }
  if (result->prefetches == 0)
    return createStringError(
        "the kernel accesses no global memory: there is nothing to fetch");
  return Error::success();
}

/// The skip factor begins with one thread for each line, and changes by two
/// lines: threads in a row access elements in a row.
void Assistance::chooseFactors() {
  int64_t bytes = options.lineBytes;
  sliced.walk([&](mlir::Operation *op) {
    if (!isPrefetch(op))
      return;
    auto type = cast<mlir::MemRefType>(op->getOperand(0).getType());
    bytes = std::min<int64_t>(bytes,
                              std::max(1u, type.getElementTypeBitWidth() / 8));
  });
  program.firstSkipFactor = options.lineBytes / bytes;
  program.skipStep = 2 * program.firstSkipFactor;
}

Expected<mlir::func::FuncOp> Assistance::split() {
  std::string name = sliced.getName().str();
  mlir::PassManager passes(module->getContext());
  passes.addPass(createSplitSlices());
  if (failed(passes.run(*module)))
    return printer.makeError("the kernel's loops cannot be split");
  return module->lookupSymbol<mlir::func::FuncOp>(name);
}

Expected<std::string> Assistance::run() {
  if (compilation.isSplit(kernel))
    return createStringError("a kernel with grid-wide synchronisation is "
                             "several launches: they are not assisted");
  function = compilation.tunedKernel(kernel);
  if (!function)
    return createStringError("the kernel is not raised: what it accesses is "
                             "not known");
  program.notes.push_back(formatv(
      "What a CPU does for kernel {0} of {1} that shares a cache with the GPU:",
      kernel.name, sys::path::filename(compilation.path())));
  program.notes.push_back("it fetches what the threads are about to access. "
                          "Made by gpuopt assist.");
  if (Error error = countBlocks())
    return error;
  if (Error error = slice())
    return error;
  chooseFactors();
  Expected<mlir::func::FuncOp> host = split();
  if (!host)
    return host.takeError();
  mlir::FailureOr<std::string> text = emitAssistant(*host, program);
  if (failed(text))
    return printer.makeError("the program has no form in C");
  return *text;
}

Expected<std::string> gpuopt::makeAssistant(const Compilation &compilation,
                                            const KernelInfo &kernel,
                                            const AssistOptions &options) {
  return Assistance(compilation, kernel, options).run();
}
