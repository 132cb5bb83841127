//===- ReproduceCommand.cpp - gpuopt reproduce ----------------------------===//
//
// The smallest IR for which a pass still fails, or crashes, and the pass: what
// upstream's crash reproducer writes, of IR that is made smaller here.
// `gpuopt-opt --run-reproducer` runs it again.
//
//===----------------------------------------------------------------------===//

#include "passes/Pipelines/Pipelines.h"
#include "passes/Raising/Passes.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/gpuopt/Outputs.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Diagnostics.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

namespace {
/// Where a reproducer goes.
class TextStream : public ReproducerStream {
public:
  explicit TextStream(std::string &text) : stream(text) {}
  StringRef description() override { return "the reproducer"; }
  raw_ostream &os() override { return stream; }

private:
  llvm::raw_string_ostream stream;
};

/// What has gone wrong.
struct Failed {
  std::string reason;
  /// The IR in front of the pass, with the pass.
  std::string reproducer;
};

using Build = llvm::function_ref<LogicalResult(PassManager &)>;
} // namespace

/// What goes wrong in the passes; nothing where nothing does.
static std::optional<Failed> findFailure(ModuleOp module, Build build) {
  Failed failed;
  MLIRContext *context = module.getContext();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &said) {
    if (said.getSeverity() == DiagnosticSeverity::Error &&
        failed.reason.empty())
      failed.reason = said.str();
  });
  OwningOpRef<ModuleOp> clone = module.clone();
  PassManager manager(context);
  manager.enableCrashReproducerGeneration(
      [&](std::string &) {
        return std::make_unique<TextStream>(failed.reproducer);
      },
      /*genLocalReproducer=*/true);
  if (succeeded(build(manager)) && succeeded(manager.run(*clone)))
    return std::nullopt;
  return failed;
}

/// What a reproducer names: `builtin.module(gpuopt-raise)`.
static LogicalResult addPasses(PassManager &manager, StringRef passes) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  StringRef inner = passes;
  if (inner.consume_front("builtin.module(") && inner.consume_back(")") &&
      succeeded(parsePassPipeline(inner, manager, os)))
    return success();
  return emitError(UnknownLoc::get(manager.getContext()))
         << "these are no passes of a module: " << passes << problem;
}

/// Those that reproducers may name.
static void registerPasses() {
  gpuopt::registerAllPasses();
  registerTransformsPasses();
  registerGPUPasses();
  registerLinalgPasses();
  registerConvertParallelLoopToGpuPass();
  registerLowerAffinePass();
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// Deletes an operation; what others need of it becomes zero. False where there
/// is no zero for it.
static bool deleteOperation(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || isa<ModuleOp>(op))
    return false;
  OpBuilder builder(&op);
  for (OpResult result : op.getResults()) {
    if (result.use_empty())
      continue;
    auto zero = builder.getZeroAttr(result.getType());
    if (!zero || !isa<IntegerType, IndexType, FloatType>(result.getType()))
      return false;
    // What is zero already cannot become simpler.
    if (isa<arith::ConstantOp>(op))
      return false;
    result.replaceAllUsesWith(
        arith::ConstantOp::create(builder, op.getLoc(), zero));
  }
  op.erase();
  return true;
}

/// `module` without its operation `number`, where that still fails for the same
/// reason; null where it does not.
static OwningOpRef<ModuleOp> withoutOperation(ModuleOp module, size_t number,
                                              StringRef reason, Build build) {
  OwningOpRef<ModuleOp> candidate = module.clone();
  SmallVector<Operation *> operations;
  candidate->walk([&](Operation *op) { operations.push_back(op); });
  if (!deleteOperation(*operations[number]))
    return nullptr;
  {
    ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) {});
    if (mlir::failed(verify(*candidate)))
      return nullptr;
  }
  std::optional<Failed> failed = findFailure(*candidate, build);
  return failed && failed->reason == reason ? std::move(candidate) : nullptr;
}

/// Deletes what the failure does not need, until nothing more can be.
/// Upstream's reduction pass deletes terminators, too, and crashes.
static void reduce(OwningOpRef<ModuleOp> &module, StringRef reason,
                   Build build) {
  auto countOperations = [&] {
    size_t count = 0;
    module->walk([&](Operation *) { ++count; });
    return count;
  };
  bool isSmaller = true;
  while (std::exchange(isSmaller, false))
    for (size_t number = countOperations(); number-- > 0;)
      if (number < countOperations())
        if (auto smaller = withoutOperation(*module, number, reason, build)) {
          module = std::move(smaller);
          isSmaller = true;
        }
}

/// The smallest reproducer of a failure, or the one that there is.
static std::string shrink(const Failed &failed, MLIRContext *context) {
  ParserConfig config(context);
  PassReproducerOptions options;
  options.attachResourceParser(config);
  auto module = parseSourceString<ModuleOp>(failed.reproducer, config);
  PassManager manager(context);
  if (!module || mlir::failed(options.apply(manager)))
    return failed.reproducer;
  std::string passes;
  llvm::raw_string_ostream os(passes);
  manager.printAsTextualPipeline(os);
  auto build = [&](PassManager &alone) { return addPasses(alone, passes); };
  std::optional<Failed> again = findFailure(*module, build);
  if (!again || again->reason != failed.reason)
    return failed.reproducer;
  reduce(module, failed.reason, build);
  std::optional<Failed> reduced = findFailure(*module, build);
  return reduced ? reduced->reproducer : failed.reproducer;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// The passes that a compilation runs, or those that were asked for.
static LogicalResult build(PassManager &manager, const CompileOptions &options,
                           StringRef passes) {
  if (!passes.empty())
    return addPasses(manager, passes);
  buildRaisePipeline(manager);
  OptimizeOptions optimize;
  optimize.target = options.target;
  optimize.matrixUnits = options.matrixUnits;
  buildOptimizePipeline(manager, optimize);
  return success();
}

int gpuopt::runReproduce(const llvm::opt::InputArgList &arguments) {
  std::optional<std::string> input = inputFile(arguments);
  if (!input)
    return kBadUsage;
  StringRef passes = arguments.getLastArgValue(OPT_passes);
  registerPasses();
  Expected<CompileOptions> options =
      compileOptions(arguments, /*forAllSizes=*/true);
  if (!options)
    return usageError(llvm::toString(options.takeError()));
  std::unique_ptr<Compilation> all = Compilation::read(*input, *options);
  if (!all)
    return kBadInput;
  for (const KernelInfo &kernel : all->kernels()) {
    CompileOptions alone = *options;
    alone.kernels = {kernel.symbol};
    std::unique_ptr<Compilation> compilation = Compilation::read(*input, alone);
    if (!compilation)
      return kBadInput;
    std::optional<Failed> failed =
        findFailure(compilation->raised(), [&](PassManager &manager) {
          return build(manager, alone, passes);
        });
    if (!failed)
      continue;
    if (failed->reproducer.empty()) {
      printError(*input, llvm::createStringError(failed->reason));
      return kBadInput;
    }
    llvm::WithColor::note(llvm::errs())
        << "kernel '" << kernel.displayName << "': " << failed->reason << '\n';
    StringRef output = arguments.getLastArgValue(OPT_o, "-");
    MLIRContext *context = compilation->raised()->getContext();
    if (Error error = writeOutput(output, shrink(*failed, context))) {
      printError(output, std::move(error));
      return kBadInput;
    }
    return kDone;
  }
  printError(*input,
             llvm::createStringError("no pass fails for any of its kernels"));
  return kBadInput;
}
