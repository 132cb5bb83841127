//===- PartitionReport.cpp - what blocks do to memory partitions ----------===//

#include "tools/lib/report/PartitionReport.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Occupancy.h"

#include "llvm/Support/Format.h"

using namespace gpuopt;
namespace json = llvm::json;

/// Registers of a thread where neither ptxas nor LLVM could tell.
static constexpr int64_t kUnknownRegisters = 32;
/// Traffic counts as uneven from this multiple of a partition's equal share.
static constexpr double kUneven = 1.5;

/// Along which dimensions `function` tells work items or blocks apart.
static std::array<bool, 3> usedDimensions(mlir::gpu::GPUFuncOp function) {
  std::array<bool, 3> used = {false, false, false};
  function.walk([&](mlir::Operation *op) {
    if (auto id = dyn_cast<mlir::gpu::BlockIdOp>(op))
      used[static_cast<unsigned>(id.getDimension())] = true;
    if (auto id = dyn_cast<mlir::gpu::GlobalIdOp>(op))
      used[static_cast<unsigned>(id.getDimension())] = true;
  });
  return used;
}

KernelPartitions gpuopt::partitionsOf(const Compilation &compilation,
                                      const KernelInfo &kernel, bool tuned,
                                      const KernelResources *resources) {
  mlir::gpu::GPUFuncOp function = tuned ? compilation.tunedKernel(kernel)
                                        : compilation.raisedKernel(kernel);
  TargetAttr target = compilation.target();
  if (!function || !partitionPeriod(target))
    return {};
  const SizeMap &sizes = compilation.options().sizes;
  Dim3 block = compilation.defaultBlock(kernel), itemsPerBlock = block;
  Dim3 items = {1, 1, 1};
  auto geometry = compilation.geometry(kernel, sizes);
  if (tuned && geometry) {
    block = geometry->block;
    itemsPerBlock = geometry->itemsPerBlock;
  }
  std::array<bool, 3> used = usedDimensions(compilation.raisedKernel(kernel));
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (used[dimension])
      items[dimension] =
          geometry ? geometry->extents[dimension].value_or(kAssumedSize)
                   : kAssumedSize;
  OccupancyFact occupancy = computeOccupancy(
      {block[0] * block[1] * block[2],
       tuned && resources ? resources->registers : kUnknownRegisters,
       tuned ? declaredWorkgroupBytes(function) : 0},
      target);
  KernelPartitions result;
  result.active = activeBlocksOf(target, items, itemsPerBlock,
                                 occupancy.blocksPerMultiprocessor);
  result.arrays = computePartitions(AccessFunctions(function), target, block,
                                    result.active, sizes);
  return result;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static json::Object toObject(const KernelPartitions &partitions) {
  json::Array arrays;
  for (const ArrayPartitions &array : partitions.arrays) {
    json::Array sectors, assumptions;
    for (int64_t count : array.histogram.sectors)
      sectors.push_back(count);
    for (const std::string &note : array.histogram.assumptions)
      assumptions.push_back(note);
    arrays.push_back(
        json::Object{{"array", array.array},
                     {"kind", stringifyAccessKind(array.kind)},
                     {"sectors", std::move(sectors)},
                     {"busiest_share", array.histogram.busiestShare()},
                     {"same_for_all_blocks", array.isSameForBlocks},
                     {"assumptions", std::move(assumptions)}});
  }
  const auto &grid = partitions.active.grid;
  return json::Object{{"grid", json::Array{grid[0], grid[1], grid[2]}},
                      {"active_blocks", partitions.active.count},
                      {"arrays", std::move(arrays)}};
}

json::Value gpuopt::reportPartitions(const Compilation &compilation,
                                     const KernelInfo &kernel,
                                     const KernelResources *resources) {
  TargetAttr target = compilation.target();
  if (!partitionPeriod(target))
    return nullptr;
  auto of = [&](bool tuned) {
    return toObject(partitionsOf(compilation, kernel, tuned, resources));
  };
  return json::Object{{"partitions", target.getMemoryPartitions()},
                      {"partition_bytes", target.getMemoryPartitionBytes()},
                      {"before", of(false)},
                      {"after", of(true)}};
}

//===----------------------------------------------------------------------===//
// The explanation
//===----------------------------------------------------------------------===//

void gpuopt::explainPartitions(const Compilation &compilation,
                               const KernelInfo &kernel,
                               const KernelResources *resources,
                               llvm::raw_ostream &os) {
  KernelPartitions before = partitionsOf(compilation, kernel, false, resources);
  KernelPartitions after = partitionsOf(compilation, kernel, true, resources);
  int64_t partitions = compilation.target().getMemoryPartitions();
  for (const ArrayPartitions &now : after.arrays) {
    auto then = llvm::find_if(before.arrays, [&](const ArrayPartitions &array) {
      return array.array == now.array && array.kind == now.kind;
    });
    if (then == before.arrays.end() || then->isSameForBlocks)
      continue;
    double share = now.histogram.busiestShare();
    double old = then->histogram.busiestShare();
    if (std::max(share, old) * partitions < kUneven)
      continue;
    os << "  = " << stringifyAccessKind(now.kind) << "s of '" << now.array
       << "': the busiest of " << partitions << " partitions has "
       << llvm::format("%.1f", 100 * old) << " % of the sectors before, "
       << llvm::format("%.1f", 100 * share) << " % after";
    if (!now.histogram.assumptions.empty()) {
      os << " (assuming ";
      llvm::interleaveComma(now.histogram.assumptions, os);
      os << ")";
    }
    os << '\n';
  }
}
