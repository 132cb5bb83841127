//===- Wishes.cpp - what gpuopt run wants of a program --------------------===//

#include "runtime/CUDA/Wishes.h"
#include "runtime/CUDA/Program.h"
#include "runtime/LaunchLog.h"

#include <cstdlib>

using namespace gpuopt;
using namespace gpuopt::cuda;

/// A positive number, or `otherwise`.
static uint64_t numberIn(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  if (!text)
    return otherwise;
  uint64_t number = 0;
  if (!llvm::StringRef(text).getAsInteger(10, number) && number > 0)
    return number;
  report(llvm::Twine(variable) + ": '" + text + "' is no positive number");
  return otherwise;
}

const Wishes &Wishes::get() {
  static const Wishes wishes = [] {
    Wishes made;
    made.checks = std::getenv(kCheckLaunchesVariable) != nullptr;
    made.sanitizes = std::getenv(kSanitizeLaunchesVariable) != nullptr;
    made.profiles = std::getenv(kProfileSocketVariable) != nullptr;
    made.every = numberIn(kEveryLaunchVariable, made.every);
    made.first = numberIn(kFirstLaunchesVariable, made.first);
    return made;
  }();
  return wishes;
}
