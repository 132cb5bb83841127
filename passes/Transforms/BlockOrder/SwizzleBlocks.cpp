//===- SwizzleBlocks.cpp - let active blocks form a rectangle -------------===//
//
// Blocks of a row of the grid read the same panel of one array, blocks of a
// column the same panel of another. SwizzlePlan.h tells how many rows to
// work on together; BlockOrder.h renames the blocks. Comes last: what
// passes before it know of block ids stays simple.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessReport.h"

#include "passes/Analysis/Evaluation.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Analysis/ReachedAccesses.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/BlockOrder/SwizzlePlan.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/RegisterPressure.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {
#define GEN_PASS_DEF_SWIZZLEBLOCKS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;
/// More rows than that are no group.
static constexpr int64_t kMostRows = 1 << 16;

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

/// Different bytes that a block reads by `load` in all iterations: those of one
/// iteration, times the iterations of the loops that the address depends on.
static double panelBytes(const AccessFunction &load,
                         const VariableTable &variables,
                         const BlockShape &block) {
  Evaluation evaluation(variables, block, {}, load.address);
  evaluation.foldUniform();
  FlatPolynomial position = evaluation.fold(FlatPolynomial(load.address));
  std::vector<int64_t> addresses;
  for (int64_t thread = 0; thread < block[0] * block[1] * block[2]; ++thread) {
    evaluation.setThread(thread);
    evaluation.updateLane();
    if (std::optional<int64_t> address = evaluation.evaluate(position))
      addresses.push_back(*address);
  }
  llvm::sort(addresses);
  addresses.erase(llvm::unique(addresses), addresses.end());
  AccessFunction moving = load;
  llvm::erase_if(moving.loops, [&](int loop) {
    return loop < 0 || !variables.dependsOnAny(
                           load.address,
                           [&](unsigned number) {
                             return number == static_cast<unsigned>(loop);
                           });
  });
  return computeExecutions(moving, variables, block).count * addresses.size() *
         load.accessBytes;
}

/// Blocks that the device holds at once.
static int64_t countActiveBlocks(gpu::GPUFuncOp kernel, TargetAttr target,
                                 const BlockShape &block) {
  int64_t registers = 0;
  kernel.walk([&](LoopLikeOpInterface loop) {
    if (!loop->getParentOfType<LoopLikeOpInterface>())
      registers = std::max(registers, estimateRegisters(loop));
  });
  OccupancyFact occupancy =
      computeOccupancy({block[0] * block[1] * block[2],
                        std::min(registers, target.getRegistersPerThread()),
                        workgroupBytes(kernel)},
                       target);
  return std::max<int64_t>(1, occupancy.blocksPerMultiprocessor) *
         target.getMultiprocessors();
}

/// Blocks along `dimension`: of the extent where that is a number, else of the
/// size that parameters are assumed to have.
static int64_t countBlocks(gpu::GPUFuncOp kernel, unsigned dimension) {
  GeometryAttr geometry = geometryOf(kernel);
  int64_t items = kAssumedSize;
  ArrayAttr extents = geometry.getExtents();
  auto map = extents && dimension < extents.size()
                 ? dyn_cast<AffineMapAttr>(extents[dimension])
                 : AffineMapAttr();
  if (map)
    if (auto constant =
            dyn_cast<AffineConstantExpr>(map.getValue().getResult(0)))
      items = std::max<int64_t>(1, constant.getValue());
  return llvm::divideCeil(items, geometry.getItemsPerBlock()[dimension]);
}

static bool dependsOnBlock(const AccessFunction &access,
                           const VariableTable &variables, unsigned dimension) {
  return variables.dependsOnAny(access.address, [&](unsigned number) {
    return number == VariableTable::blockId(dimension);
  });
}

namespace {
/// The loads of panels that blocks share.
struct PanelLoads {
  /// Of the blocks of a row of the grid, and of a column.
  std::vector<const AccessFunction *> ofRows, ofColumns;
};
} // namespace

static PanelLoads findPanelLoads(const AccessFunctions &functions) {
  PanelLoads loads;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space != MemorySpace::Global ||
        access.kind != AccessKind::Load || !access.isResolved())
      continue;
    bool alongX = dependsOnBlock(access, functions.variables(), 0);
    bool alongY = dependsOnBlock(access, functions.variables(), 1);
    if (alongX != alongY)
      (alongY ? loads.ofRows : loads.ofColumns).push_back(&access);
  }
  return loads;
}

/// Where blocks share nothing along x or along y, the rest says nothing: to see
/// which loads are made, and what they read, takes time.
static SwizzleSummary summarise(gpu::GPUFuncOp kernel, TargetAttr target) {
  AccessFunctions functions(kernel);
  const VariableTable &variables = functions.variables();
  BlockShape block = blockShapeOf(kernel);
  SwizzleSummary summary;
  summary.cacheBytes = target.getL2Bytes();
  PanelLoads loads = findPanelLoads(functions);
  if (loads.ofRows.empty() || loads.ofColumns.empty())
    return summary;
  SizeMap sizes;
  ReachedAccesses reached(variables, block, sizes);
  auto bytesOf = [&](llvm::ArrayRef<const AccessFunction *> panels) {
    double bytes = 0;
    for (const AccessFunction *load : panels)
      if (reached.contains(*load))
        bytes += panelBytes(*load, variables, block);
    return bytes;
  };
  summary.rowPanelBytes = bytesOf(loads.ofRows);
  if (summary.rowPanelBytes == 0)
    return summary;
  summary.columnPanelBytes = bytesOf(loads.ofColumns);
  summary.columns = countBlocks(kernel, 0);
  summary.rows = countBlocks(kernel, 1);
  summary.activeBlocks = countActiveBlocks(kernel, target, block);
  return summary;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SwizzleBlocks : public gpuopt::impl::SwizzleBlocksBase<SwizzleBlocks> {
  using SwizzleBlocksBase::SwizzleBlocksBase;

  void runOnOperation() override;
  std::optional<Refusal> swizzle(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

/// Whether `kernel` reads blockIdx in `dimension`.
static bool readsBlockId(gpu::GPUFuncOp kernel, gpu::Dimension dimension) {
  return kernel
      .walk([&](gpu::BlockIdOp id) {
        return id.getDimension() == dimension ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Rows of blocks to group, with the estimate that says so in `plan`; or why
/// the blocks keep their order.
std::optional<Refusal> SwizzleBlocks::swizzle(gpu::GPUFuncOp kernel,
                                              TargetAttr machine) {
  if (blockOrderOf(kernel))
    return Refusal{kernel.getLoc(), "the blocks have another order already"};
  SwizzlePlan plan;
  plan.group = group;
  if (group < 0) {
    plan = computeSwizzlePlan(summarise(kernel, machine));
    if (plan.group == 0)
      return Refusal{kernel.getLoc(), plan.reason};
  }
  auto order = BlockOrderAttr::get(kernel.getContext(), BlockOrderKind::Grouped,
                                   plan.group);
  reorderBlocks(kernel, order, [&](OpBuilder &builder, GridPosition at) {
    return emitGroupedOrder(builder, at, plan.group);
  });
  ++swizzled;
  auto mebibytes = [](double bytes) {
    return static_cast<int>(bytes / (1 << 20));
  };
  auto done = sayPassed(RemarkCode::BlocksGrouped, kernel, kernel.getLoc(),
                        {{"rows", plan.group}});
  if (group < 0)
    done << remark::metric("dram_mib_before", mebibytes(plan.bytesBefore))
         << remark::metric("dram_mib_after", mebibytes(plan.bytesAfter));
  return std::nullopt;
}

void SwizzleBlocks::runOnOperation() {
  if (group < -1 || group == 1 || group > kMostRows) {
    getOperation().emitError("expected 'group' to be 0, -1 or from 2 to ")
        << kMostRows << ", got " << group.getValue();
    return signalPassFailure();
  }
  FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
  if (failed(machine))
    return signalPassFailure();
  if (group == 0)
    return;
  for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
    // One row or column has one order, and nothing is to be gained without a
    // loop over what blocks share.
    if (!geometryOf(kernel) || !readsBlockId(kernel, gpu::Dimension::x) ||
        !readsBlockId(kernel, gpu::Dimension::y))
      continue;
    if (std::optional<Refusal> refusal = swizzle(kernel, *machine))
      sayMissed(RemarkCode::BlocksNotGrouped, kernel, *refusal);
  }
}
