//===- Report.h - what was found and done, as JSON --------------*- C++ -*-===//

#ifndef TOOLS_LIB_REPORT_REPORT_H
#define TOOLS_LIB_REPORT_REPORT_H

#include "tools/lib/check/Check.h"
#include "tools/lib/compile/Compiler.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// One object per kernel: launch geometry, resources, accesses before and
/// after, and every step of the passes. docs/report.md describes the fields.
llvm::json::Array makeReport(const Compilation &compilation);

/// What the passes said about `kernel`, as the field `steps`.
llvm::json::Array makeStepsReport(const Compilation &compilation,
                                  const KernelInfo &kernel);

/// The outcome of `gpuopt check` for one kernel.
llvm::json::Object makeReport(const KernelCheck &check);

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_REPORT_H
