//===- SwizzlePlan.cpp - how many rows of blocks to group -----------------===//

#include "passes/Transforms/BlockOrder/SwizzlePlan.h"

#include <algorithm>

using namespace gpuopt;

/// The largest group that is tried.
static constexpr int64_t kMostRows = 64;
/// An order pays that saves so much of the bytes.
static constexpr double kWorthwhile = 0.1;

/// What any order has to move: every panel once.
static double compulsoryBytes(const SwizzleSummary &kernel) {
  return kernel.rows * kernel.rowPanelBytes +
         kernel.columns * kernel.columnPanelBytes;
}

double gpuopt::estimateBytes(const SwizzleSummary &kernel, int64_t group) {
  double compulsory = compulsoryBytes(kernel);
  if (compulsory <= kernel.cacheBytes)
    return compulsory;
  double blocks = static_cast<double>(kernel.rows) * kernel.columns;
  double active = std::min<double>(kernel.activeBlocks, blocks);
  // The rectangle that the active blocks lie in.
  double height, width;
  if (group == 0) {
    width = std::min<double>(kernel.columns, active);
    height = std::max(1.0, active / kernel.columns);
  } else {
    height = std::min<double>({double(group), double(kernel.rows), active});
    width = std::max(1.0, active / height);
    if (width > kernel.columns) {
      width = kernel.columns;
      height = active / width;
    }
  }
  double rowBytes = height * kernel.rowPanelBytes;
  double columnBytes = width * kernel.columnPanelBytes;
  if (rowBytes + columnBytes > kernel.cacheBytes)
    return std::max(compulsory, blocks / active * (rowBytes + columnBytes));
  // The cache keeps what the next blocks read too. Those of a group go down its
  // columns: where there is room for the panels of all its rows, these stay.
  // In the launch's order blocks go along the rows, and the panels of all
  // columns may stay.
  double allRows = kernel.rows * kernel.rowPanelBytes;
  double allColumns = kernel.columns * kernel.columnPanelBytes;
  if (group == 0)
    return allRows + (allColumns + rowBytes <= kernel.cacheBytes
                          ? allColumns
                          : kernel.rows / height * allColumns);
  double groups =
      static_cast<double>(kernel.rows) / std::min(group, kernel.rows);
  bool rowsStay =
      group * kernel.rowPanelBytes + columnBytes <= kernel.cacheBytes;
  return (rowsStay ? 1 : kernel.columns / width) * allRows +
         groups * allColumns;
}

SwizzlePlan gpuopt::computeSwizzlePlan(const SwizzleSummary &kernel) {
  SwizzlePlan plan;
  plan.bytesBefore = plan.bytesAfter = estimateBytes(kernel, 0);
  if (kernel.rowPanelBytes == 0 || kernel.columnPanelBytes == 0) {
    plan.reason = "blocks share nothing along one of x and y";
    return plan;
  }
  if (compulsoryBytes(kernel) <= kernel.cacheBytes) {
    plan.reason = "the cache holds all that the blocks share";
    return plan;
  }
  for (int64_t group = 2; group <= kMostRows && group <= kernel.rows;
       group *= 2) {
    double bytes = estimateBytes(kernel, group);
    // Nearly the same is not worth a larger group.
    if (bytes < 0.95 * plan.bytesAfter) {
      plan.group = group;
      plan.bytesAfter = bytes;
    }
  }
  if (plan.bytesAfter > (1 - kWorthwhile) * plan.bytesBefore) {
    plan.group = 0;
    plan.bytesAfter = plan.bytesBefore;
    plan.reason = "the active blocks lie in a compact part of the grid already";
  }
  return plan;
}
