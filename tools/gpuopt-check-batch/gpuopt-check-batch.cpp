//===- gpuopt-check-batch.cpp - many kernels in one process ---------------===//
//
// Reads one JSON object a line from standard input,
//
//   {"file": "batch.cu", "target": "sm_90", "kernels": [{"name": "f1",
//    "launches": [{"sizes": {"n": 5, "a": 7}, "grid": [1, 1, 1],
//                  "block": [32, 1, 1], "same": {"b": "a"}}]}],
//    "sanitize": true}
//
// checks each kernel of the file with each of its launches, and answers each
// line with one:
//
//   {"kernels": [{"name": "f1", "raised": true, "transformed": true,
//                 "launches": ["passed"]}]}
//
// A launch is `passed`, `fallback` (nothing tuned ran), or says what is wrong:
// `original: …` where the kernel itself is at fault, else `tuned: …`. With
// `sanitize` the kernel's own data races are looked for as well. Where the file
// cannot be compiled the answer has `"kernels": []`.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/Check.h"
#include "tools/lib/Sanitize.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>

using namespace gpuopt;
using namespace llvm;

static Dim3 readDim(const json::Array *list) {
  Dim3 dim = {1, 1, 1};
  for (auto [to, value] : zip(dim, *list))
    to = value.getAsInteger().value_or(1);
  return dim;
}

static Number readNumber(const json::Value &value) {
  if (std::optional<int64_t> integer = value.getAsInteger())
    return *integer;
  if (std::optional<uint64_t> large = value.getAsUINT64())
    return *large;
  return value.getAsNumber().value_or(0);
}

static RunOptions readLaunch(const json::Object &launch) {
  RunOptions run;
  for (const auto &[name, value] : *launch.getObject("sizes"))
    run.sizes[name.str()] = readNumber(value);
  run.grid = readDim(launch.getArray("grid"));
  run.block = readDim(launch.getArray("block"));
  if (const json::Object *same = launch.getObject("same"))
    for (const auto &[name, other] : *same)
      run.sameArrays[name.str()] = other.getAsString().value_or("").str();
  return run;
}

/// What a finished check says: see the top.
static std::string describe(const KernelCheck &check) {
  if (!check.originalFaults.empty())
    return "original: " + check.originalFaults.front().message;
  if (check.usedFallback())
    return "fallback";
  if (!check.tunedFaults.empty())
    return "tuned: " + check.tunedFaults.front().message;
  for (const ArrayComparison &array : check.arrays)
    if (!array.passed())
      return "tuned: array " + array.name + " differs at element " +
             std::to_string(array.firstElement);
  return check.passed() ? "passed" : "tuned: the check does not pass";
}

/// What is wrong with the kernel as it is written; empty where nothing is.
static std::string findOwnFault(const Compilation &compilation,
                                const KernelInfo &kernel,
                                const RunOptions &run) {
  Expected<KernelSanity> sanity =
      sanitizeKernel(compilation, kernel, run, /*progress=*/nullptr);
  if (!sanity)
    return toString(sanity.takeError());
  return sanity->faults.empty() ? "" : sanity->faults.front().message;
}

static std::string checkLaunch(KernelChecker &checker, const RunOptions &run) {
  Expected<KernelCheck> check = checker.check(run);
  return check ? describe(*check) : "tuned: " + toString(check.takeError());
}

/// Whether any pass says that it has changed the kernel.
static bool isTransformed(const Compilation &compilation,
                          const KernelInfo &kernel) {
  return any_of(compilation.steps(), [&](const Step &step) {
    return step.outcome == Step::Outcome::Passed && !step.kernel.empty() &&
           step.isAbout(kernel);
  });
}

static json::Value checkKernel(const Compilation &compilation,
                               const KernelInfo &kernel,
                               const CheckOptions &options,
                               std::shared_ptr<CheckExecutors> executors,
                               const json::Object &request, bool sanitize) {
  KernelChecker checker(compilation, kernel, options, std::move(executors));
  json::Array launches;
  for (const json::Value &launch : *request.getArray("launches")) {
    RunOptions run = readLaunch(*launch.getAsObject());
    std::string fault = sanitize ? findOwnFault(compilation, kernel, run) : "";
    launches.push_back(fault.empty() ? checkLaunch(checker, run)
                                     : "original: " + fault);
  }
  return json::Object{
      {"name", kernel.name},
      {"raised", bool(compilation.tunedKernel(kernel))},
      {"transformed", isTransformed(compilation, kernel)},
      {"launches", std::move(launches)},
  };
}

static json::Value checkFile(const json::Object &request) {
  CompileOptions options;
  options.target = request.getString("target")->str();
  json::Array results;
  auto compilation = Compilation::create(*request.getString("file"), options);
  if (!compilation)
    return json::Object{{"kernels", std::move(results)}};
  bool sanitize = request.getBoolean("sanitize").value_or(false);
  CheckOptions checks;
  checks.countTraffic = false;
  checks.compileQuickly = true;
  checks.workers = 1;
  auto executors = std::make_shared<CheckExecutors>(*compilation, checks);
  for (const json::Value &entry : *request.getArray("kernels")) {
    const json::Object &wanted = *entry.getAsObject();
    for (const KernelInfo &kernel : compilation->kernels())
      if (kernel.name == *wanted.getString("name"))
        results.push_back(checkKernel(*compilation, kernel, checks, executors,
                                      wanted, sanitize));
  }
  return json::Object{{"kernels", std::move(results)}};
}

int main(int argc, char **argv) {
  InitLLVM initLLVM(argc, argv);
  std::string line;
  while (std::getline(std::cin, line)) {
    Expected<json::Value> request = json::parse(line);
    if (!request || !request->getAsObject()) {
      errs() << "not a request: " << line << '\n';
      return 2;
    }
    outs() << checkFile(*request->getAsObject()) << '\n';
    outs().flush();
  }
  return 0;
}
