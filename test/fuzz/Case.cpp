//===- Case.cpp - one kernel through some passes --------------------------===//

#include "test/fuzz/Case.h"

#include "runtime/CPUExecutor.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/MLIRKernels.h"
#include "tools/lib/launch/LaunchArguments.h"
#include "tools/lib/launch/Problem.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include <cmath>

using namespace gpuopt;
using namespace gpuopt::fuzz;

llvm::StringRef gpuopt::fuzz::toString(Outcome::Kind kind) {
  static const char *names[] = {"unchanged", "equal",   "bad kernel", "invalid",
                                "fault",     "differs", "crash",      "hang"};
  return names[kind];
}

/// Seconds that a launch may take.
static constexpr double kMaxSeconds = 10;

struct Case::Impl {
  GeneratedKernel kernel;
  std::unique_ptr<mlir::MLIRContext> context = createCompilerContext();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelInfo info;
  RunOptions launch;
  /// What the kernel leaves in its arrays.
  std::vector<ProblemArray> expected;

  std::unique_ptr<Compilation> compile(const std::string &bytes) const;
  Outcome execute(const Compilation &compilation, bool checkRaces,
                  std::vector<ProblemArray> &arrays) const;
};

Case::Case(GeneratedKernel kernel) : impl(new Impl()) {
  impl->kernel = std::move(kernel);
  impl->launch.sizes.insert(impl->kernel.sizes.begin(),
                            impl->kernel.sizes.end());
  // Subscripts are reduced: the integers may be any.
  impl->launch.fitSubscripts = false;
  impl->launch.sameArrays = impl->kernel.sameArrays;
  impl->launch.grid = impl->kernel.grid;
  impl->launch.block = impl->kernel.block;
}

Case::~Case() = default;

static std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// `module` as bytecode; not as text, since upstream prints some symbols
/// (`symbol(%0#1)`) that it does not read.
static std::string bytesOf(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  // Writing to memory cannot fail.
  (void)mlir::writeBytecodeToFile(module, stream);
  return bytes;
}

/// A compilation with the module in `bytes` as its tuned kernel.
std::unique_ptr<Compilation>
Case::Impl::compile(const std::string &bytes) const {
  RaisedKernel raised{info, "case.mlir", CompileOptions(), bytes, ""};
  raised.options.optimize = false;
  // What is to be split is split by the passes.
  raised.options.gridSync = GridSync::Cooperative;
  return Compilation::create(raised, Design());
}

/// Runs the tuned kernel of `compilation` and returns its arrays.
Outcome Case::Impl::execute(const Compilation &compilation, bool checkRaces,
                            std::vector<ProblemArray> &arrays) const {
  auto problem = Problem::create(compilation, info, launch);
  if (!problem)
    return {Outcome::BadKernel, llvm::toString(problem.takeError())};
  llvm::LLVMContext llvmContext;
  auto lowered = compilation.lowered(llvmContext);
  if (!lowered)
    return {Outcome::Invalid, llvm::toString(lowered.takeError())};
  CPUExecutorOptions options;
  options.checkRaces = checkRaces;
  options.compileQuickly = true;
  options.maxSeconds = kMaxSeconds;
  options.workers = 1;
  auto executor = CPUExecutor::create(**lowered, options);
  if (!executor)
    return {Outcome::Invalid, llvm::toString(executor.takeError())};
  auto launches = compilation.launches(info, problem->scalars(),
                                       problem->launch(), problem->addresses());
  if (!launches)
    return {Outcome::Invalid, llvm::toString(launches.takeError())};
  for (const KernelLaunch &one : *launches) {
    auto run = (*executor)->launch(one.symbol, one.config,
                                   argumentsOf(one, problem->arguments()));
    if (!run)
      return {Outcome::Invalid, llvm::toString(run.takeError())};
    if (!run->faults.empty())
      return {Outcome::Fault, run->faults.front().message};
  }
  arrays = std::move(problem->arrays());
  return {Outcome::Equal, ""};
}

/// Whether the floating-point number at `bytes` is none.
static bool isNaN(const ElementType &type, const uint8_t *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, type.bytes);
  switch (type.kind == ElementKind::Float ? type.bytes : 0) {
  case 2:
    return (bits & 0x7fff) > 0x7c00;
  case 4:
    return (bits & 0x7fffffff) > 0x7f800000;
  case 8:
    return (bits & INT64_MAX) > 0x7ff0000000000000;
  default:
    return false;
  }
}

/// Where two arrays differ by a bit; what a NaN looks like does not count.
static std::optional<std::string> findDifference(const ProblemArray &expected,
                                                 const ProblemArray &found) {
  unsigned bytes = expected.element.bytes;
  for (size_t at = 0; at < expected.bytes.size(); at += bytes) {
    const uint8_t *left = &expected.bytes[at], *right = &found.bytes[at];
    if (std::memcmp(left, right, bytes) != 0 &&
        !(isNaN(expected.element, left) && isNaN(expected.element, right)))
      return expected.name + "[" +
             std::to_string(at / bytes / expected.element.lanes) + "] differs";
  }
  return std::nullopt;
}

Outcome Case::runReference() {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(impl->context.get(),
                                        [&](mlir::Diagnostic &said) {
                                          if (message.empty())
                                            message = said.str();
                                        });
  impl->module = mlir::parseSourceString<mlir::ModuleOp>(
      impl->kernel.text, mlir::ParserConfig(impl->context.get()));
  if (!impl->module)
    return {Outcome::BadKernel, message};
  std::vector<KernelInfo> kernels = collectKernels(*impl->module);
  auto found = llvm::find_if(
      kernels, [](const KernelInfo &kernel) { return kernel.symbol == "k"; });
  if (found == kernels.end())
    return {Outcome::BadKernel, "no kernel 'k'"};
  impl->info = *found;
  auto compilation = impl->compile(bytesOf(*impl->module));
  if (!compilation)
    return {Outcome::BadKernel, "no compilation"};
  Outcome outcome =
      impl->execute(*compilation, /*checkRaces=*/true, impl->expected);
  if (outcome.kind != Outcome::Equal)
    outcome.kind = Outcome::BadKernel;
  return outcome;
}

/// Whether every thread still does what the block does together.
static bool hasCollectiveLoops(mlir::ModuleOp module) {
  return module
      .walk([](mlir::Operation *op) {
        return op->hasAttr(kCollectiveAttrName) ? mlir::WalkResult::interrupt()
                                                : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

Outcome Case::run(llvm::StringRef passes) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      impl->context.get(), [&](mlir::Diagnostic &said) {
        if (said.getSeverity() == mlir::DiagnosticSeverity::Error &&
            message.empty())
          message = said.str();
      });
  mlir::PassManager manager(impl->context.get());
  if (failed(mlir::parsePassPipeline(passes, manager, llvm::errs())))
    return {Outcome::Invalid, "no pipeline: " + passes.str()};
  mlir::OwningOpRef<mlir::ModuleOp> result = impl->module->clone();
  if (failed(manager.run(*result))) {
    // Some kernels that meet as a whole cannot be taken apart, and that is
    // said.
    bool isRefused = llvm::StringRef(message).contains("grid-wide sync");
    return isRefused ? Outcome() : Outcome{Outcome::Invalid, message};
  }
  if (textOf(*result) == textOf(*impl->module))
    return {};
  auto compilation = impl->compile(bytesOf(*result));
  if (!compilation)
    return {Outcome::Invalid, "the result is no compilation"};
  std::vector<ProblemArray> arrays;
  Outcome outcome =
      impl->execute(*compilation, !hasCollectiveLoops(*result), arrays);
  if (outcome.kind != Outcome::Equal)
    return outcome;
  for (auto [expected, found] : llvm::zip_equal(impl->expected, arrays))
    if (auto difference = findDifference(expected, found))
      return {Outcome::Differs, *difference};
  return outcome;
}
