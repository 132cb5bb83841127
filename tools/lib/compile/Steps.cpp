//===- Steps.cpp - what the passes said -----------------------------------===//

#include "tools/lib/compile/Steps.h"

#include "passes/Analysis/Remarks.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/Format.h"

#include <tuple>

using namespace mlir;
using namespace gpuopt;

llvm::StringRef gpuopt::toString(Step::Outcome outcome) {
  switch (outcome) {
  case Step::Outcome::Passed:
    return "passed";
  case Step::Outcome::Missed:
    return "missed";
  case Step::Outcome::Failed:
    return "failed";
  case Step::Outcome::Analysis:
    return "analysis";
  }
  llvm_unreachable("unknown outcome");
}

llvm::StringRef Step::value(llvm::StringRef name) const {
  for (const auto &[key, text] : values)
    if (key == name)
      return text;
  return "";
}

SourcePosition gpuopt::sourcePosition(Location location) {
  SourcePosition position;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file || file.getLine() == 0)
      return WalkResult::advance();
    position.file = file.getFilename().str();
    position.line = file.getLine();
    position.column = file.getColumn();
    return WalkResult::interrupt();
  });
  return position;
}

static Step::Outcome outcomeOf(const remark::detail::Remark &remark) {
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Missed:
    return Step::Outcome::Missed;
  case llvm::remarks::Type::Failure:
    return Step::Outcome::Failed;
  case llvm::remarks::Type::Analysis:
    return Step::Outcome::Analysis;
  default:
    return Step::Outcome::Passed;
  }
}

/// The engine prints floating-point metrics as 2.560000e+02; people read 256.
static std::string readable(llvm::StringRef value) {
  double number;
  if (!value.contains("e+") && !value.contains("e-"))
    return value.str();
  if (value.getAsDouble(number))
    return value.str();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

namespace {
/// Appends remarks to a list of steps.
class StepRecorder : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit StepRecorder(std::vector<Step> &recorded) : steps(recorded) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::optional<RemarkCode> code = parseRemarkCode(remark.getRemarkName());
    assert(code && "all remarks of the category have codes");
    Step step;
    step.code = *code;
    step.pass = passOf(*code).str();
    step.outcome = outcomeOf(remark);
    if (!remark.getFunction().starts_with("<unknown"))
      step.kernel = remark.getFunction().str();
    step.location = sourcePosition(remark.getLocation());
    for (const auto &argument : remark.getArgs()) {
      if (argument.key == "Reason" || argument.key == "Remark" ||
          argument.key == "Suggestion")
        step.reason += (step.reason.empty() ? "" : "; ") + argument.val;
      else if (argument.key == kReordersSumsKey)
        step.reordersSums = true;
      else if (std::optional<llvm::StringRef> name = nameOfValue(argument.key))
        step.values.emplace_back(*name, argument.val);
      else
        step.metrics.emplace_back(argument.key, readable(argument.val));
    }
    // A pass that runs twice, or visits a clone, says the same thing again.
    auto same = [&](const Step &other) {
      return std::tie(other.code, other.kernel, other.reason, other.metrics) ==
                 std::tie(step.code, step.kernel, step.reason, step.metrics) &&
             other.location.line == step.location.line &&
             other.location.column == step.location.column;
    };
    if (llvm::none_of(steps, same))
      steps.push_back(std::move(step));
  }

private:
  std::vector<Step> &steps;
};
} // namespace

void gpuopt::recordSteps(MLIRContext &context, std::vector<Step> &steps) {
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = "gpuopt";
  // The engine may only be absent or already ours, so this cannot fail.
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<StepRecorder>(steps),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}
