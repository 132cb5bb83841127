//===- StandardOutput.cpp - what happens where it is full -----------------===//

#include "tools/lib/process/StandardOutput.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;

/// Functions for the end of a program have no argument.
static StringRef programName;

static void reportError() {
  outs().flush();
  std::error_code error = outs().error();
  if (!error)
    return;
  outs().clear_error();
  errs() << programName
         << ": error: cannot write standard output: " << error.message()
         << '\n';
  _exit(1);
}

void gpuopt::reportOutputErrors(StringRef program) {
  programName = program;
  // The streams must exist before: what is made later is destroyed earlier, and
  // an error that nobody has seen by then is a fatal one.
  outs();
  errs();
  std::atexit(reportError);
}
