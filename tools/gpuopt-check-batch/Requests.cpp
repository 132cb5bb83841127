//===- Requests.cpp - what gpuopt-check-batch is asked --------------------===//

#include "Requests.h"

#include "tools/lib/check/Sanitize.h"
#include "tools/lib/launch/RunLimits.h"

using namespace gpuopt;
using namespace llvm;

Dim3 gpuopt::readDim(const json::Array *list) {
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

RunOptions gpuopt::readLaunch(const json::Object &launch) {
  RunOptions run;
  for (const auto &[name, value] : *launch.getObject("sizes"))
    run.sizes[name.str()] = readNumber(value);
  run.grid = readDim(launch.getArray("grid"));
  run.block = readDim(launch.getArray("block"));
  if (const json::Object *same = launch.getObject("same"))
    for (const auto &[name, other] : *same)
      run.sameArrays[name.str()] = other.getAsString().value_or("").str();
  if (const json::Object *displaced = launch.getObject("displaced"))
    for (const auto &[name, bytes] : *displaced)
      run.displacedArrays[name.str()] = bytes.getAsInteger().value_or(0);
  return run;
}

std::string gpuopt::describe(const KernelCheck &check) {
  if (!check.originalFaults.empty())
    return "original: " + check.originalFaults.front().message;
  if (check.usedFallback())
    return "fallback";
  if (!check.tunedFaults.empty())
    return "tuned: " + check.tunedFaults.front().message;
  for (const ArrayComparison &array : check.arrays)
    if (!array.passed())
      return "tuned: array " + array.name + " differs at element " +
             std::to_string(array.firstElement) + ": expected " +
             array.original + ", found " + array.tuned;
  for (const KernelCheck &extreme : check.withExtremes)
    if (!extreme.passed())
      return describe(extreme) + " (extreme inputs)";
  for (const KernelCheck &text : check.asText)
    if (!text.passed())
      return describe(text) + " (as PTX)";
  std::vector<const KernelCheck *> runs = {&check};
  for (const KernelCheck &extreme : check.withExtremes)
    runs.push_back(&extreme);
  for (const KernelCheck *run : runs)
    if (!run->textSkipped.empty() && !run->textHasNoBound)
      return "tuned: PTX not compared: " + run->textSkipped;
  if (any_of(runs, [](auto *run) { return run->textHasNoBound; }))
    return "text without a bound";
  return check.passed() ? "passed" : "tuned: the check does not pass";
}

/// Seconds for each launch, which are small: one that never ends must not cost
/// the others theirs.
static constexpr double kBatchSeconds = 10;

CheckOptions gpuopt::quickChecks(const json::Object &request) {
  CheckOptions checks;
  checks.countTraffic = false;
  checks.workers = 1;
  if (request.getBoolean("text").value_or(false))
    checks.text = CheckText::Always;
  checks.maxSeconds = request.getNumber("seconds").value_or(kBatchSeconds);
  return checks;
}

LaunchOutcome gpuopt::outcomeOf(Expected<KernelCheck> check) {
  if (!check)
    return {"tuned: " + toString(check.takeError())};
  return {describe(*check),
          isEndless(check->originalFaults) || isEndless(check->tunedFaults)};
}

std::optional<LaunchOutcome>
gpuopt::findOwnFault(const Compilation &compilation, const KernelInfo &kernel,
                     const RunOptions &run, double maxSeconds) {
  Expected<KernelSanity> sanity = sanitizeKernel(
      compilation, kernel, run, /*progress=*/nullptr, maxSeconds);
  if (!sanity)
    return LaunchOutcome{"original: " + toString(sanity.takeError())};
  if (sanity->faults.empty())
    return std::nullopt;
  return LaunchOutcome{"original: " + sanity->faults.front().message,
                       isEndless(sanity->faults)};
}

json::Array gpuopt::outcomesOf(
    const json::Array &launches,
    function_ref<LaunchOutcome(const json::Object &launch)> check) {
  json::Array texts;
  LaunchOutcome outcome;
  for (const json::Value &launch : launches) {
    if (!outcome.isEndless)
      outcome = check(*launch.getAsObject());
    texts.push_back(outcome.text);
  }
  return texts;
}
