//===- WarpgroupModel.h - how much of a unit's rate is reached --*- C++ -*-===//
//
// A block of w warpgroups with 64 x n sums each reads, for each product of a
// sum, w (64 + n) elements of workgroup memory by its instructions, and writes
// 64 w + n that come from the L2 cache. The unit, workgroup memory and the way
// from the cache work side by side; the slowest one sets the pace. On an H200,
// whose unit does 1893 multiply-adds of bfloat16 a cycle in each
// multiprocessor, with 128 bytes of workgroup memory and 64 of the cache:
//
//   block       unit   workgroup memory   L2     share of the peak
//   128 x 256   17.3   16                 12     100 %
//   128 x 128    8.7   10                  8      87 %
//    64 x 256    8.7   10                 10      87 %
//    64 x 128    4.3    6                  6      72 %
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TENSOR_WARPGROUPMODEL_H
#define PASSES_TRANSFORMS_TENSOR_WARPGROUPMODEL_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

namespace gpuopt {

/// The sums of a block.
struct WarpgroupShape {
  int64_t warpgroups = 2;
  /// Instructions of 64 rows that each warpgroup needs for its rows.
  int64_t products = 1;
  int64_t columns = 256;

  int64_t rows() const;
  bool operator==(const WarpgroupShape &) const = default;
};

/// The part of the peak rate of `unit` that blocks of `shape` reach by the
/// model, from 0 to 1.
double shareOfPeak(const WarpgroupShape &shape, MatrixUnitAttr unit,
                   TargetAttr target);

/// The shape with the largest share; of equal ones, the one with fewer sums.
WarpgroupShape chooseShape(MatrixUnitAttr unit, TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_WARPGROUPMODEL_H
