//===- SizedChecker.cpp - check at sizes that need not be given -----------===//

#include "tools/lib/check/SizedChecker.h"

using namespace gpuopt;
using llvm::Expected;

Expected<bool> SizedChecker::check(const RunOptions &given, SizeWish wish) {
  auto chosen = chooseSizes(compilation, kernel, given, wish);
  if (!chosen)
    return chosen.takeError();
  bool areChosen = !chosen->front().options.empty();
  settings.allowFallback = options.allowFallback || areChosen;
  settings.inputs = options.inputs;
  bool passed = true, ranTuned = false;
  for (const ChosenRun &choice : *chosen) {
    if (onChoice)
      onChoice(choice);
    Expected<KernelCheck> check = checker.check(choice.run);
    if (!check)
      return check.takeError();
    // Nor will they be possible with more of the same.
    if (areChosen && !check->extremesSkipped.empty())
      settings.inputs = CheckInputs::Ordinary;
    passed &= check->passed();
    // Whoever asks for a launch without work gets it; to choose one is no
    // check.
    ranTuned |= areChosen ? !check->usedFallback() : !check->lacksTunedLaunch();
    if (onCheck)
      onCheck(choice, *check);
  }
  if (!passed || ranTuned || options.allowFallback)
    return passed;
  return llvm::createStringError(
      "the optimised kernel takes none of the chosen launches; --size, --grid "
      "and --block give others, --allow-fallback lets it pass");
}
