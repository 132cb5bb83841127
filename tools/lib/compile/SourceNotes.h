//===- SourceNotes.h - comments on what was done to a kernel ----*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_SOURCENOTES_H
#define TOOLS_LIB_COMPILE_SOURCENOTES_H

#include "conversion/ImportSource/KernelInfo.h"
#include "tools/lib/compile/Steps.h"

namespace gpuopt {

/// One line for each transform that changed `kernel`: what it did, and what
/// for.
std::vector<std::string> makeSourceNotes(const KernelInfo &kernel,
                                         const std::vector<Step> &steps);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_SOURCENOTES_H
