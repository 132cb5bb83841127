//===- gpuopt-fuzz-passes.cpp - random kernels through passes -------------===//
//
// For tests only. Each pass is correct on any kernel in the raised form, alone
// and in any order: random kernels go through each of them, and what comes out
// has to be valid, and to compute the same in the CPU executor.
//
//   gpuopt-fuzz-passes --seeds 0:200            all passes
//   gpuopt-fuzz-passes --seeds 0:200 --pass gpuopt-coalesce-accesses
//   gpuopt-fuzz-passes --seeds 17:18 --show     the kernel
//   gpuopt-fuzz-passes --case FILE              a failure again
//
//===----------------------------------------------------------------------===//

#include "passes/Pipelines/Pipelines.h"
#include "test/fuzz/CaseFile.h"
#include "test/fuzz/Forked.h"
#include "test/fuzz/PassChoice.h"
#include "test/fuzz/Reducer.h"

#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

#include <fstream>

using namespace gpuopt::fuzz;
using llvm::outs;

static llvm::cl::opt<std::string> seeds("seeds",
                                        llvm::cl::desc("kernels A to B - 1"),
                                        llvm::cl::value_desc("A:B"),
                                        llvm::cl::init("0:100"));
static llvm::cl::opt<std::string>
    passName("pass", llvm::cl::desc("only pipelines that end in this pass"));
static llvm::cl::opt<std::string>
    passes("passes", llvm::cl::desc("only this pipeline on a module"));
static llvm::cl::opt<bool> show("show", llvm::cl::desc("print the kernels"));
static llvm::cl::opt<bool>
    shrink("reduce", llvm::cl::desc("reduce the kernels that fail"));
static llvm::cl::opt<std::string>
    outputDir("output-dir", llvm::cl::desc("where failing cases are written"));
static llvm::cl::opt<std::string>
    caseFile("case",
             llvm::cl::desc("run a case that was written, with its passes"));
static llvm::cl::opt<std::string>
    state("state",
          llvm::cl::desc("file with the next seed: go on where it says"));
static llvm::cl::opt<unsigned>
    seconds("seconds", llvm::cl::desc("limit of one pipeline, of CPU time"),
            llvm::cl::init(30));

static llvm::cl::opt<bool>
    statistics("statistics",
               llvm::cl::desc("how often each pass, as the last one, left "
                              "another kernel than it got"));

/// By the last pass of a pipeline: pipelines that changed the kernel, and all.
static std::map<std::string, std::pair<unsigned, unsigned>> counts;

/// "gpuopt-merge-for-target" of
/// "gpu.module(cse),gpu.module(gpuopt-merge-for-target{target=sm_90})".
static std::string lastPass(const std::string &pipeline) {
  size_t end = pipeline.find_last_of('{');
  if (end == std::string::npos || pipeline.find(',', end) != std::string::npos)
    end = pipeline.find_last_not_of(')') + 1;
  size_t begin = pipeline.find_last_of("(,", end - 1) + 1;
  return pipeline.substr(begin, end - begin);
}

static void report(uint64_t seed, const std::string &pipeline,
                   const Outcome &outcome) {
  outs() << "seed " << seed << ": " << toString(outcome.kind) << ": "
         << outcome.detail << "\n  passes: " << pipeline << "\n";
  outs().flush();
}

/// Writes a failure as a file that `--case` reads.
static void keep(GeneratedKernel kernel, uint64_t seed, size_t number,
                 const std::string &pipeline, const Outcome &outcome) {
  if (shrink)
    kernel = reduce(kernel, pipeline, outcome.kind, seconds);
  if (outputDir.empty()) {
    if (shrink)
      outs() << writeCase(kernel, pipeline);
    return;
  }
  llvm::sys::fs::create_directories(outputDir);
  std::string path = outputDir + "/seed-" + std::to_string(seed) + "-" +
                     std::to_string(number) + ".mlir";
  std::ofstream(path) << writeCase(kernel, pipeline);
  outs() << "  case: " << path << "\n";
}

/// Runs the kernel of `seed` through its pipelines; returns the failures.
static unsigned runSeed(uint64_t seed) {
  GeneratedKernel kernel = generateKernel(seed);
  std::vector<std::string> pipelines = passes.empty()
                                           ? choosePipelines(seed, passName)
                                           : std::vector<std::string>{passes};
  if (show) {
    outs() << writeCase(kernel, pipelines.front());
    return 0;
  }
  std::vector<Outcome> outcomes = runForked(kernel, pipelines, seconds);
  if (outcomes.front().isFailure()) {
    report(seed, "none", outcomes.front());
    return 1;
  }
  unsigned failures = 0;
  for (size_t i = 1; i < outcomes.size(); ++i) {
    auto &[changed, all] = counts[lastPass(pipelines[i - 1])];
    ++all;
    changed += outcomes[i].kind != Outcome::Unchanged;
    if (!outcomes[i].isFailure())
      continue;
    ++failures;
    report(seed, pipelines[i - 1], outcomes[i]);
    keep(kernel, seed, i, pipelines[i - 1], outcomes[i]);
  }
  return failures;
}

static int runCase() {
  std::string pipeline;
  GeneratedKernel kernel;
  if (!readCase(caseFile, kernel, pipeline)) {
    llvm::errs() << "gpuopt-fuzz-passes: '" << caseFile << "' is no case\n";
    return 1;
  }
  if (!passes.empty())
    pipeline = passes;
  Outcome last = runForked(kernel, {pipeline}, seconds).back();
  outs() << toString(last.kind) << (last.detail.empty() ? "" : ": ")
         << last.detail << "\n";
  if (last.isFailure() && last.kind != Outcome::BadKernel && shrink)
    keep(kernel, 0, 0, pipeline, last);
  return last.isFailure();
}

/// The seed to begin with: what an earlier run has done is not done again.
static uint64_t firstSeed(uint64_t first) {
  uint64_t next;
  if (!state.empty() && std::ifstream(state) >> next)
    return std::max(first, next);
  return first;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "random kernels through passes\n");
  mlir::registerTransformsPasses();
  gpuopt::registerAllPasses();
  if (!caseFile.empty())
    return runCase();
  auto [from, to] = llvm::StringRef(seeds).split(':');
  uint64_t first, end;
  if (from.getAsInteger(10, first) || to.getAsInteger(10, end)) {
    llvm::errs() << "gpuopt-fuzz-passes: --seeds takes A:B\n";
    return 2;
  }
  unsigned failures = 0;
  uint64_t kernels = 0;
  for (uint64_t seed = firstSeed(first); seed < end; ++seed, ++kernels) {
    failures += runSeed(seed);
    if (!state.empty())
      std::ofstream(state) << seed + 1 << "\n";
  }
  if (statistics)
    for (const auto &[pass, count] : counts)
      outs() << pass << ": " << count.first << " of " << count.second << "\n";
  if (!show)
    outs() << kernels << " kernels, " << failures << " failures\n";
  return failures != 0;
}
