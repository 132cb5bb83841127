//===- TimeBudget.cpp - passes that take too long -------------------------===//

#include "passes/Analysis/TimeBudget.h"

#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include <ctime>

using namespace mlir;
using namespace gpuopt;

namespace {
/// The question whether there is time.
struct Checkpoint : tracing::ActionImpl<Checkpoint> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Checkpoint)
  using tracing::ActionImpl<Checkpoint>::ActionImpl;
  static constexpr llvm::StringLiteral tag = "gpuopt-checkpoint";
};
} // namespace

bool gpuopt::hasTime(MLIRContext *context) {
  bool isRun = false;
  context->executeAction<Checkpoint>([&] { isRun = true; }, {});
  return isRun;
}

static double computedSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

TimeBudget::TimeBudget(MLIRContext &owner, double seconds)
    : context(owner), end(computedSeconds() + seconds) {
  if (seconds > 0)
    context.registerActionHandler(
        [this](function_ref<void()> run, const tracing::Action &action) {
          handle(run, action);
        });
}

TimeBudget::~TimeBudget() { context.registerActionHandler(nullptr); }

void TimeBudget::measure() {
  if (spent || computedSeconds() < end)
    return;
  spent = true;
  if (!running.empty())
    pass = running.back();
}

/// Passes that leave valid IR wherever they stop.
static bool isCleanUp(StringRef pass) {
  return pass == "Canonicalizer" || pass == "CleanUp";
}

void TimeBudget::handle(function_ref<void()> run,
                        const tracing::Action &action) {
  if (auto *execution = dyn_cast<PassExecutionAction>(&action)) {
    if (spent)
      return;
    running.push_back(execution->getPass().getName().str());
    run();
    // Here and not before the next one, which must not be blamed.
    measure();
    running.pop_back();
    return;
  }
  // Looking takes longer than most patterns do.
  constexpr unsigned actionsPerLook = 64;
  if (actions++ % actionsPerLook == 0)
    measure();
  bool mayStop = isa<Checkpoint>(action) ||
                 (isa<ApplyPatternAction>(action) && !running.empty() &&
                  isCleanUp(running.back()));
  if (!spent || !mayStop)
    run();
}
