//===- DRAMModel.h - modelled time and DRAM traffic -------------*- C++ -*-===//
//
// What `passes/Analysis/PerformanceModel.h` says of a launch that nobody has
// named: `kAssumedSize` work items along each dimension in which the
// kernel reads ids, blocks resident as the registers that its loops are
// estimated to need let them be. Not a measurement, but the same on every
// machine, so that a change of it tells of a change of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_REPORT_DRAMMODEL_H
#define TOOLS_LIB_REPORT_DRAMMODEL_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// Of each work item of the original kernel.
struct ModelledItem {
  double dramBytes = 0;
  /// Its share of the launch's time.
  double nanoseconds = 0;
};

/// A kernel without `gpuopt.geometry` runs in blocks of the shape `block`.
ModelledItem modelItem(mlir::gpu::GPUFuncOp kernel, TargetAttr target,
                       const BlockShape &block, const SizeMap &sizes);

} // namespace gpuopt

#endif // TOOLS_LIB_REPORT_DRAMMODEL_H
