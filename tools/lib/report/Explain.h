//===- Explain.h - what was found and done, in words ------------*- C++ -*-===//

#ifndef TOOLS_LIB_REPORT_EXPLAIN_H
#define TOOLS_LIB_REPORT_EXPLAIN_H

#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// Prints, step by step, what the passes found and did to `kernel` and why not
/// more, each at its place in the source.
void printExplanation(const Compilation &compilation, const KernelInfo &kernel,
                      llvm::raw_ostream &os);
/// The same, kernel by kernel.
void printExplanation(const Compilation &compilation, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_EXPLAIN_H
