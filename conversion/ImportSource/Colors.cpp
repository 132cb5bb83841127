//===- Colors.cpp - whether diagnostics have colours ----------------------===//

#include "conversion/ImportSource/Colors.h"

#include "conversion/ImportSource/DiagnosticStream.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

bool gpuopt::isColorUnwanted() {
  const char *value = std::getenv("NO_COLOR");
  return value && *value;
}

bool gpuopt::showsColors() {
  return diagnosticStream().has_colors() && !isColorUnwanted();
}

void gpuopt::heedNoColor() {
  if (isColorUnwanted())
    WithColor::setAutoDetectFunction([](const raw_ostream &) { return false; });
}
