//===- Checks.cpp - what runs kernels to say something about them ---------===//

#include "python-bindings/Module.h"

#include "tools/lib/check/Sanitize.h"
#include "tools/lib/check/SizedChecker.h"
#include "tools/lib/profile/Profile.h"
#include "tools/lib/profile/ProfilePage.h"
#include "tools/lib/report/Report.h"

#include "llvm/Support/FormatVariadic.h"

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

namespace {
/// One launch, as far as Python says what it is.
struct GivenRun {
  Numbers sizes;
  /// Files with the contents of arrays.
  std::map<std::string, std::string> inputs;
  std::map<std::string, std::string> sameArrays;
  std::optional<Shape> grid, block;
  int64_t sharedBytes = 0;
  uint64_t seed = 1;

  RunOptions options() const {
    RunOptions run;
    run.sizes = toNumberMap(sizes);
    run.inputs = inputs;
    run.sameArrays = sameArrays;
    run.grid = toDim3(grid);
    run.block = toDim3(block);
    run.dynamicSharedBytes = sharedBytes;
    run.seed = seed;
    return run;
  }
};

/// What a run has to say: as JSON, and for a person.
struct Outcome {
  llvm::json::Array reports;
  std::string text;
  bool passed = true;
  std::string page;
};
} // namespace

static std::string toText(llvm::json::Array values) {
  return llvm::formatv("{0}", llvm::json::Value(std::move(values)));
}

/// What `work` does on a file, with what it says for a person going to the
/// stream.
static Outcome
runFor(const CompiledFile &file,
       llvm::function_ref<llvm::Error(Outcome &, llvm::raw_ostream &,
                                      const std::atomic<bool> &stop)>
           work) {
  Outcome outcome;
  llvm::raw_string_ostream stream(outcome.text);
  runOn(file,
        [&](std::atomic<bool> &stop) { return work(outcome, stream, stop); });
  return outcome;
}

static CheckInputs toCheckInputs(const std::string &name) {
  if (name == "ordinary")
    return CheckInputs::Ordinary;
  if (name == "extreme")
    return CheckInputs::Extreme;
  if (name == "both")
    return CheckInputs::Both;
  if (name == "auto")
    return CheckInputs::BothIfCheap;
  throw nb::value_error(
      "values: expected 'ordinary', 'extreme', 'both' or 'auto'");
}

static CheckText toCheckText(const std::string &name) {
  if (name == "llvm")
    return CheckText::Never;
  if (name == "ptx")
    return CheckText::Only;
  if (name == "both")
    return CheckText::Always;
  if (name == "auto")
    return CheckText::IfCheap;
  throw nb::value_error("from_: expected 'llvm', 'ptx', 'both' or 'auto'");
}

/// Whether all launches passed, what was found as JSON, and as text.
static std::tuple<bool, std::string, std::string>
check(const CompiledFile &file, size_t index, const GivenRun &given,
      const std::string &values, const std::string &from, bool allowFallback) {
  const KernelInfo &kernel = file.kernel(index);
  CheckOptions options;
  options.inputs = toCheckInputs(values);
  options.allowFallback = allowFallback;
  options.text = toCheckText(from);
  Outcome outcome =
      runFor(file,
             [&](Outcome &made, llvm::raw_ostream &os,
                 const std::atomic<bool> &stop) -> llvm::Error {
               options.stop = &stop;
               SizedChecker checker(*file.compilation, kernel, options);
               checker.onChoice = [&](const ChosenRun &choice) {
                 printChoice(kernel, choice, os);
               };
               checker.onCheck = [&](const ChosenRun &choice,
                                     const KernelCheck &result) {
                 printCheck(result, os);
                 llvm::json::Object report = makeReport(result);
                 if (!choice.options.empty())
                   report["chosen"] = choice.options;
                 made.reports.push_back(std::move(report));
               };
               return checker.check(given.options(), SizeWish::Several)
                   .moveInto(made.passed);
             });
  return {outcome.passed, toText(std::move(outcome.reports)), outcome.text};
}

/// The launch that `given` describes, or a large one that is chosen.
static llvm::Expected<RunOptions>
chooseRun(const CompiledFile &file, const KernelInfo &kernel,
          const GivenRun &given, SizeWish wish, llvm::raw_ostream &os) {
  auto chosen = chooseSizes(*file.compilation, kernel, given.options(), wish);
  if (!chosen)
    return chosen.takeError();
  printChoice(kernel, chosen->front(), os);
  return chosen->front().run;
}

/// What was measured as JSON, as text and as a page.
static std::tuple<std::string, std::string, std::string>
profile(const CompiledFile &file, size_t index, const GivenRun &given,
        const std::vector<bool> &versions) {
  const KernelInfo &kernel = file.kernel(index);
  const Compilation &compilation = *file.compilation;
  Outcome outcome = runFor(
      file,
      [&](Outcome &made, llvm::raw_ostream &os,
          const std::atomic<bool> &stop) -> llvm::Error {
        ProfileOptions options;
        options.stop = &stop;
        auto run = chooseRun(file, kernel, given, SizeWish::Large, os);
        if (!run)
          return run.takeError();
        options.run = std::move(*run);
        for (bool isTuned : versions) {
          auto measured = profileKernel(compilation, kernel, isTuned, options);
          if (!measured)
            return measured.takeError();
          printProfile(*measured, compilation.target(), os);
          made.reports.push_back(makeReport(*measured, compilation.target()));
        }
        made.page = makeProfilePage(compilation, made.reports);
        return llvm::Error::success();
      });
  return {toText(std::move(outcome.reports)), outcome.text, outcome.page};
}

/// What was found as JSON, and as text.
static std::tuple<std::string, std::string>
sanitize(const CompiledFile &file, size_t index, const GivenRun &given) {
  const KernelInfo &kernel = file.kernel(index);
  Outcome outcome =
      runFor(file,
             [&](Outcome &made, llvm::raw_ostream &os,
                 const std::atomic<bool> &stop) -> llvm::Error {
               auto run = chooseRun(file, kernel, given, SizeWish::One, os);
               if (!run)
                 return run.takeError();
               auto found =
                   sanitizeKernel(*file.compilation, kernel, *run, nullptr,
                                  CPUExecutorOptions().maxSeconds,
                                  CPUExecutorOptions().maxSteps, &stop);
               if (!found)
                 return found.takeError();
               printSanity(*found, os);
               made.reports.push_back(makeReport(*found));
               return llvm::Error::success();
             });
  return {toText(std::move(outcome.reports)), outcome.text};
}

static void defineGivenRun(nb::class_<CompiledFile> &file) {
  nb::class_<GivenRun>(file, "Run")
      .def(nb::init<>())
      .def_rw("sizes", &GivenRun::sizes)
      .def_rw("inputs", &GivenRun::inputs)
      .def_rw("same_arrays", &GivenRun::sameArrays)
      .def_rw("grid", &GivenRun::grid, nb::arg().none())
      .def_rw("block", &GivenRun::block, nb::arg().none())
      .def_rw("shared_bytes", &GivenRun::sharedBytes)
      .def_rw("seed", &GivenRun::seed);
}

void python::defineChecks(nb::class_<CompiledFile> &file) {
  defineGivenRun(file);
  file.def("check", check, nb::arg("kernel"), nb::arg("run"), nb::arg("values"),
           nb::arg("from_"), nb::arg("allow_fallback"));
  file.def("profile", profile, nb::arg("kernel"), nb::arg("run"),
           nb::arg("versions"));
  file.def("sanitize", sanitize, nb::arg("kernel"), nb::arg("run"));
}
