//===- FlatIdGain.h - what ids along a flat id's digits gain ----*- C++ -*-===//
//
// A row of w work items that starts in the middle of a sector costs one sector
// more for each subgroup than the flat id, whose subgroups all start at whole
// ones. Ids along the digits are worth that where tiles come of them:
//
//   for i: s += a[row*n + i]     the threads of a row share it  always
//   for i: s += b[i*w + col]     those of a column do           always
//   o[col*h + row] = a[t]        far apart for neighbours       always
//   a[t - w] + a[t] + a[t + w]   rows share each other's        always
//   o[t] = a[row] * b[col]       more is shared than along t    always
//   o[t] = a[t] * b[col]         quotients are saved            whole sectors
//   o[t] = a[t] + row            nothing that is not along t    none
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_FLATIDGAIN_H
#define PASSES_LAUNCHES_FLATIDGAIN_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Launches/FlatIdDigits.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <variant>

namespace gpuopt {

/// Rows of which it gains: 1 for all.
struct FlatIdGain {
  /// The first width has to be a multiple of it.
  int64_t rowMultiple = 1;
};

/// What `kernel` gains by an id for each of the `digits` of its flat id, which
/// are multiples of `places`; a reason where it gains nothing.
std::variant<FlatIdGain, Refusal>
findFlatIdGain(mlir::gpu::GPUFuncOp kernel, IntegerValues &values,
               const FlatIdDigits &digits, llvm::ArrayRef<Polynomial> places,
               TargetAttr target);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_FLATIDGAIN_H
