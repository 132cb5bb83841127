//===- PartitionReport.h - what blocks do to memory partitions --*- C++ -*-===//
//
// The partitions that the blocks which are active at the start of a launch
// access, before and after optimisation: the evidence for and against partition
// camping (passes/Analysis/PartitionCamping.h), for the report and for
// `--explain`.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_REPORT_PARTITIONREPORT_H
#define TOOLS_LIB_REPORT_PARTITIONREPORT_H

#include "passes/Analysis/PartitionCamping.h"
#include "tools/lib/compile/Compiler.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// One version of a kernel.
struct KernelPartitions {
  ActiveBlocks active;
  /// Empty where the target has no partitions or the kernel is not raised.
  std::vector<ArrayPartitions> arrays;
};

/// The partitions of the raised kernel in its default launch, or of the tuned
/// one, for the compilation's sizes. `resources` may be null.
KernelPartitions partitionsOf(const Compilation &compilation,
                              const KernelInfo &kernel, bool tuned,
                              const KernelResources *resources);

/// The report's field `partitions`; null where the target has none.
llvm::json::Value reportPartitions(const Compilation &compilation,
                                   const KernelInfo &kernel,
                                   const KernelResources *resources);

/// A line for each array whose loads or stores are not spread evenly, before
/// or after.
void explainPartitions(const Compilation &compilation, const KernelInfo &kernel,
                       const KernelResources *resources, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_PARTITIONREPORT_H
