//===- gpuopt-check-batch.cpp - many kernels in one process ---------------===//
//
// Reads one JSON object a line from standard input,
//
//   {"file": "batch.cu", "target": "sm_90", "kernels": [{"name": "f1",
//    "launches": [{"sizes": {"n": 5, "a": 7}, "grid": [1, 1, 1],
//                  "block": [32, 1, 1], "same": {"b": "a"}}]}],
//    "sanitize": true, "seconds": 10}
//
// checks each kernel of the file with each of its launches, and answers each
// line with one:
//
//   {"kernels": [{"name": "f1", "raised": true, "transformed": true,
//                 "launches": ["passed"]}]}
//
// A launch is `passed`, `fallback` (nothing tuned ran), or says what is wrong:
// `original: …` where the kernel itself is at fault, else `tuned: …`. With
// `sanitize` the kernel's own data races are looked for as well. Behind a
// launch that does not end in `seconds` (10 if not given) the kernel's others
// are not tried, and have its answer. Where the file cannot be compiled the
// answer has `"kernels": []`.
//
// With `"with": "other.ptx"`, source or PTX, the kernels are compared as they
// are written with those of their names in that file, and nothing is tuned.
//
// With `"emit": "out.cu"` (`.hip`) the tuned kernels are written there as
// source, and none runs. For each kernel the answer has why it has no form as
// source ("" where it has one), the bytes that it wants arrays aligned to, and
// for each launch how many work items along x, y and z have something to do as
// far as guards tell:
//
//   {"kernels": [{"name": "f1", "formless": "", "aligned": {"a": 16},
//                 "extents": [[5, null, null]]}]}
//
// With `"emitted": "out.cu"` the untouched import of these kernels is checked
// against the original. What the host makes of each launch stands beside it,
//
//   {"sizes": {"n": 5, "a": 7}, "grid": [1, 1, 1], "block": [32, 1, 1],
//    "displaced": {"a": 4},
//    "made": [{"kernel": "f1", "grid": [1, 1, 1], "block": [64, 1, 1],
//              "arguments": [{"array": "a"}, {"bytes": "05000000"}]}]}
//
// where arrays start as many bytes behind an aligned place as `displaced` says.
// The answer is that of a check.
//
//===----------------------------------------------------------------------===//

#include "Requests.h"

#include "tools/lib/check/Counterpart.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>

using namespace gpuopt;
using namespace llvm;

/// Whether any pass says that it has changed the kernel.
static bool isTransformed(const Compilation &compilation,
                          const KernelInfo &kernel) {
  return any_of(compilation.steps(), [&](const Step &step) {
    return step.outcome == Step::Outcome::Passed && !step.kernel.empty() &&
           step.isAbout(kernel);
  });
}

namespace {
/// What the kernels of one file are checked with.
struct FileCheck {
  const Compilation &compilation;
  const CheckOptions &options;
  bool sanitize;
  /// The kernels to compare with; null for the tuned ones.
  const Counterpart *counterpart;
  std::shared_ptr<CheckExecutors> executors;

  json::Array checkLaunches(const KernelInfo &kernel,
                            const json::Array &launches) const;
  json::Value check(const KernelInfo &kernel, const json::Object &entry) const;
};
} // namespace

json::Array FileCheck::checkLaunches(const KernelInfo &kernel,
                                     const json::Array &launches) const {
  KernelChecker checker(compilation, kernel, options, executors);
  if (counterpart) {
    Expected<ComparedKernel> other = counterpart->compared(kernel);
    if (!other) {
      std::string reason = "tuned: " + toString(other.takeError());
      return json::Array(std::vector(launches.size(), reason));
    }
    checker.compareWith(std::move(*other));
  }
  return outcomesOf(launches, [&](const json::Object &launch) {
    RunOptions run = readLaunch(launch);
    std::optional<LaunchOutcome> fault;
    if (sanitize)
      fault = findOwnFault(compilation, kernel, run, options.maxSeconds);
    return fault ? *fault : outcomeOf(checker.check(run));
  });
}

json::Value FileCheck::check(const KernelInfo &kernel,
                             const json::Object &entry) const {
  json::Array launches = checkLaunches(kernel, *entry.getArray("launches"));
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
  std::optional<StringRef> other = request.getString("with");
  options.optimize = !other;
  json::Array results;
  auto compilation = Compilation::create(*request.getString("file"), options);
  std::unique_ptr<Counterpart> counterpart =
      compilation && other ? Counterpart::ofFile(*other, options) : nullptr;
  if (!compilation || (other && !counterpart))
    return json::Object{{"kernels", std::move(results)}};
  CheckOptions checks = quickChecks(request);
  FileCheck file = {
      *compilation, checks, request.getBoolean("sanitize").value_or(false),
      counterpart.get(),
      counterpart ? counterpart->executors(*compilation, checks)
                  : std::make_shared<CheckExecutors>(*compilation, checks)};
  for (const json::Value &entry : *request.getArray("kernels")) {
    const json::Object &wanted = *entry.getAsObject();
    for (const KernelInfo &kernel : compilation->kernels())
      if (kernel.name == *wanted.getString("name"))
        results.push_back(file.check(kernel, wanted));
  }
  return json::Object{{"kernels", std::move(results)}};
}

static json::Value answer(const json::Object &request) {
  if (request.get("emit"))
    return emitFile(request);
  return request.get("emitted") ? checkEmitted(request) : checkFile(request);
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
    outs() << answer(*request->getAsObject()) << '\n';
    outs().flush();
  }
  return 0;
}
