//===- RecordedTrace.h - what an instrumented kernel has recorded -*- C++ -*-=//
//
// `gpuopt instrument` writes PTX that records its accesses wherever it runs, on
// a GPU as well (conversion/ImportPTX/TracePoints.h has the format). Here the
// records become requests again, and the analysis of `gpuopt profile` judges
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_RECORDEDTRACE_H
#define TOOLS_LIB_PROFILE_RECORDEDTRACE_H

#include "tools/lib/profile/Profile.h"

namespace gpuopt {

/// What the records in `buffer` say of `kernel`, which stands in `text`: PTX as
/// it was before it was instrumented. Traffic to DRAM, operations and branches
/// are not known. The error is for a buffer that is of another kernel, or that
/// has lost records.
llvm::Expected<KernelMeasurement>
measureRecords(const Compilation &compilation, const KernelInfo &kernel,
               llvm::StringRef text, llvm::ArrayRef<uint64_t> buffer);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_RECORDEDTRACE_H
