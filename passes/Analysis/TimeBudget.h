//===- TimeBudget.h - passes that take too long -----------------*- C++ -*-===//
//
// A pass cannot be stopped from outside. While a TimeBudget exists, the passes
// that its context runs do nothing once the time is up; neither do the patterns
// of clean-ups, which may stop anywhere. Long loops of a pass ask `hasTime` and
// stop as if they had found nothing. What is left is valid but of no use:
// whoever owns the budget drops it.
//
// All of this rests on MLIR's actions: without a budget, or another handler of
// actions, nothing is asked and nothing measured.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_TIMEBUDGET_H
#define PASSES_ANALYSIS_TIMEBUDGET_H

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace gpuopt {

/// False once the time that passes have in `context` is up.
bool hasTime(mlir::MLIRContext *context);

class TimeBudget {
public:
  /// Seconds that this thread computes from now on; 0 for no end.
  TimeBudget(mlir::MLIRContext &context, double seconds);
  ~TimeBudget();
  TimeBudget(const TimeBudget &) = delete;

  bool isSpent() const { return spent; }
  /// The pass that was running when the time was up.
  const std::string &lastPass() const { return pass; }

private:
  void handle(llvm::function_ref<void()> run,
              const mlir::tracing::Action &action);
  /// Looks at the clock.
  void measure();

  mlir::MLIRContext &context;
  double end;
  bool spent = false;
  unsigned actions = 0;
  /// Those that are running, outermost first.
  std::vector<std::string> running;
  std::string pass;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_TIMEBUDGET_H
