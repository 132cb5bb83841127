//===- LaunchReport.h - a launch as expressions -----------------*- C++ -*-===//
//
// What a launcher can be written from that is not linked with this library, for
// all sizes: a kernel's parameters, the conditions under which the tuned kernel
// may take the place of the original, and its grid, as texts over the
// parameters and the original launch. The same rules as
// `Compilation::launch`; docs/report.md has their grammar.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_REPORT_LAUNCHREPORT_H
#define TOOLS_LIB_REPORT_LAUNCHREPORT_H

#include "tools/lib/compile/Compiler.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// The field `parameters`: names and types, and how far the kernel reaches into
/// arrays.
llvm::json::Array reportParameters(const Compilation &compilation,
                                   const KernelInfo &kernel);

/// The field `launch.arithmetic`.
llvm::json::Object reportArithmetic(const Compilation &compilation,
                                    const KernelInfo &kernel);

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_LAUNCHREPORT_H
