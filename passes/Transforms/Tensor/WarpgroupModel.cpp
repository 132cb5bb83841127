//===- WarpgroupModel.cpp - how much of a unit's rate is reached ----------===//

#include "passes/Transforms/Tensor/WarpgroupModel.h"

#include "passes/Analysis/PerformanceModel.h"
#include "passes/Transforms/Tensor/WarpgroupPlan.h"

#include <algorithm>

using namespace gpuopt;

int64_t WarpgroupShape::rows() const {
  return warpgroups * products * kWarpgroupRows;
}

double gpuopt::shareOfPeak(const WarpgroupShape &shape, MatrixUnitAttr unit,
                           TargetAttr target) {
  double perCycle = unit.getGflops() * 1e9 / 2 / target.getMultiprocessors() /
                    clockOf(target);
  double bytes = unit.getOperands().getIntOrFloatBitWidth() / 8.0;
  double products = shape.warpgroups * shape.products;
  double filled = double(shape.rows() + shape.columns) * bytes;
  double read = products * double(kWarpgroupRows + shape.columns) * bytes;
  double ofUnit = double(shape.rows() * shape.columns) / perCycle;
  double ofMemory =
      (read + filled) / double(target.getWorkgroupMemoryBanks() *
                               target.getWorkgroupMemoryBankBytes());
  double ofCache = filled / kGlobalBytesPerCycle;
  return ofUnit / std::max({ofUnit, ofMemory, ofCache});
}

WarpgroupShape gpuopt::chooseShape(MatrixUnitAttr unit, TargetAttr target) {
  WarpgroupShape best;
  double bestShare = 0;
  for (int64_t warpgroups : {1, 2})
    for (int64_t columns : {64, 128, 256}) {
      WarpgroupShape shape = {warpgroups, 1, columns};
      double share = shareOfPeak(shape, unit, target);
      if (columns > unit.getColumns() || share <= bestShare)
        continue;
      best = shape;
      bestShare = share;
    }
  return best;
}
