//===- AssignGeometry.cpp - fix the block shape of naive kernels ----------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "dialects/GPUOpt/ResidentBlocks.h"
#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/BlockItems.h"
#include "passes/Analysis/ThreadOrder.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Geometry/FixGeometry.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Geometry/ThreadOrderOption.h"
#include "passes/Transforms/Merge/MergeLegality.h"
#include "passes/Transforms/Merge/MergePlan.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSIGNGEOMETRY
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Whether coalescing may want a square block: for a load in a loop that
/// threads along either x or y repeat, or for an access that is not contiguous
/// along x. It leaves accesses alone whose addresses it cannot tell. `order`
/// says which dimensions stand for x and y.
static bool mayBeStaged(const AccessFunctions &functions, int64_t sectorBytes,
                        const DimensionOrder &order) {
  auto dependsOn = [&](const AccessFunction &access, unsigned id) {
    return functions.variables().dependsOnAny(
        access.address, [&](unsigned variable) { return variable == id; });
  };
  unsigned x = VariableTable::threadId(order[0]);
  unsigned y = VariableTable::threadId(order[1]);
  return llvm::any_of(functions.accesses(), [&](const AccessFunction &access) {
    if (access.space != MemorySpace::Global || !access.isResolved())
      return false;
    if (!dependsOn(access, x))
      return !access.loops.empty() && dependsOn(access, y);
    Polynomial step = access.address.getCofactor(x);
    // In a quotient or a minimum.
    if (step.isZero())
      return false;
    // Neighbours a few bytes apart use most of each sector as they are.
    std::optional<int64_t> bytes = step.getConstant();
    bool isNear = bytes && std::abs(*bytes) < sectorBytes;
    if (step != Polynomial(access.elementBytes) &&
        !(isNear && access.loops.empty()))
      return true;
    return !access.loops.empty() && !dependsOn(access, y);
  });
}

/// Whether what a loop loads is contiguous along x for all y, or the same along
/// x and contiguous along the loop, and both are there, as in a matrix product:
/// a row of threads shares tiles of the latter, and the items of a thread along
/// y what it loads of the former.
static bool isProductOfRows(const AccessFunctions &functions) {
  unsigned x = VariableTable::threadId(0), y = VariableTable::threadId(1);
  bool hasRows = false, hasColumns = false;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space != MemorySpace::Global)
      continue;
    if (!access.isResolved())
      return false;
    auto dependsOn = [&](unsigned id) {
      return functions.variables().dependsOnAny(
          access.address, [&](unsigned variable) { return variable == id; });
    };
    auto isContiguousAlong = [&](unsigned variable) {
      return access.address.getCofactor(variable) ==
             Polynomial(access.elementBytes);
    };
    if (dependsOn(x) && !isContiguousAlong(x))
      return false;
    if (access.loops.empty())
      continue;
    int loop = access.loops.back();
    if (dependsOn(x) == dependsOn(y) || loop < 0 ||
        (dependsOn(y) && !isContiguousAlong(loop)))
      return false;
    (dependsOn(x) ? hasColumns : hasRows) = true;
  }
  return hasRows && hasColumns;
}

/// Words of the widest element that is accessed.
static int64_t widestElementWords(const AccessFunctions &functions) {
  constexpr int64_t wordBytes = 4;
  int64_t bytes = wordBytes;
  for (const AccessFunction &access : functions.accesses())
    bytes = std::max(bytes, access.elementBytes);
  return llvm::divideCeil(bytes, wordBytes);
}

/// The dimension along which rows of threads should lie, by the model.
static unsigned chooseFastest(gpu::GPUFuncOp kernel,
                              const AccessFunctions &functions,
                              TargetAttr target,
                              const std::array<bool, 3> &single) {
  std::array<bool, 3> candidates = {};
  kernel.walk([&](gpu::GlobalIdOp id) {
    auto dim = static_cast<unsigned>(id.getDimension());
    candidates[dim] = !single[dim];
  });
  if (!candidates[1] && !candidates[2])
    return 0;
  std::vector<AccessStrides> accesses =
      collectStrides(functions, target, candidates);
  unsigned fastest = solveThreadOrder(accesses, candidates);
  return isClearlyBetter(accesses, fastest) ? fastest : 0;
}

/// Returns the block shape for `kernel` on `target`, with rows along
/// `fastest`, or what the model says, and one thread along the dimensions in
/// `single`.
static std::array<int64_t, 3> defaultBlock(gpu::GPUFuncOp kernel,
                                           TargetAttr target,
                                           const std::array<bool, 3> &single,
                                           std::optional<unsigned> fastest) {
  constexpr int64_t threads = 256;
  bool isFlat = true;
  kernel.walk([&](gpu::GlobalIdOp id) {
    isFlat &= id.getDimension() != gpu::Dimension::y || single[1];
  });
  AccessFunctions functions(kernel);
  if (!fastest)
    fastest = chooseFastest(kernel, functions, target, single);
  std::array<int64_t, 3> block = {target.getCoalescedThreads(), 1, 1};
  if (!isFlat && *fastest == 0 && isProductOfRows(functions) &&
      !fitsSquareBlocks(target, widestElementWords(functions)))
    ; // One row, from which Yang et al. start.
  else if (!isFlat && mayBeStaged(functions, target.getSectorBytes(),
                                  orderWithFastest(*fastest)))
    // A segment of 16 words in both directions.
    block = {16, 16, 1};
  else if (!isFlat)
    block[1] = threads / block[0];
  else if (!mayBeMerged(kernel))
    block[0] = threads; // No merge makes more of one row.
  std::swap(block[0], block[*fastest]);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (single[dim])
      block[dim] = 1;
  return block;
}

/// Writes the ids of work items as block and thread ids.
static void replaceGlobalIds(gpu::GPUFuncOp kernel,
                             const std::array<int64_t, 3> &block) {
  std::array<Value, 3> replacements;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });
  for (gpu::GlobalIdOp id : ids) {
    Value &replacement = replacements[static_cast<unsigned>(id.getDimension())];
    if (!replacement) {
      Location loc = id.getLoc();
      Value blockId = gpu::BlockIdOp::create(builder, loc, id.getDimension());
      Value threadId = gpu::ThreadIdOp::create(builder, loc, id.getDimension());
      AffineExpr expr = builder.getAffineDimExpr(0) *
                            block[static_cast<unsigned>(id.getDimension())] +
                        builder.getAffineDimExpr(1);
      replacement = affine::AffineApplyOp::create(
          builder, loc, AffineMap::get(2, 0, expr),
          ValueRange{blockId, threadId});
    }
    id.replaceAllUsesWith(replacement);
  }
  for (gpu::GlobalIdOp id : ids)
    id.erase();
}

static void reportPlan(gpu::GPUFuncOp kernel, const GeometryPlan &plan) {
  sayPassed(RemarkCode::LaunchAssigned, kernel, kernel.getLoc(),
            {{"block", llvm::formatv("{0}x{1}x{2}", plan.block[0],
                                     plan.block[1], plan.block[2])
                           .str()},
             {"condition", describeCondition(plan)}});
}

namespace {
struct AssignGeometry
    : public gpuopt::impl::AssignGeometryBase<AssignGeometry> {
  using AssignGeometryBase::AssignGeometryBase;

  void runOnOperation() override {
    if (resident < 0) {
      getOperation().emitError("expected 'resident' to be 0 or more, got ")
          << resident.getValue();
      return signalPassFailure();
    }
    for (gpu::GPUFuncOp kernel : collectOpenKernels(getOperation()))
      if (failed(assign(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult assign(gpu::GPUFuncOp kernel);
  FailureOr<std::optional<std::array<int64_t, 3>>>
  planBlock(gpu::GPUFuncOp kernel, GeometryPlan &plan);
  FailureOr<std::array<int64_t, 3>>
  chooseBlock(gpu::GPUFuncOp kernel, const std::array<bool, 3> &single);
};
} // namespace

/// The block that `gpuopt-share-arrays` has chosen.
static std::array<int64_t, 3> readBlock(DictionaryAttr plan,
                                        const std::array<bool, 3> &single) {
  std::array<int64_t, 3> block = {1, 1, 1};
  ArrayRef<int32_t> chosen =
      plan.getAs<DenseI32ArrayAttr>("block").asArrayRef();
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!single[dim])
      block[dim] = chosen[dim];
  return block;
}

FailureOr<std::array<int64_t, 3>>
AssignGeometry::chooseBlock(gpu::GPUFuncOp kernel,
                            const std::array<bool, 3> &single) {
  if (block.empty()) {
    if (auto plan = kernel->getAttrOfType<DictionaryAttr>(kPartitionAttrName))
      return readBlock(plan, single);
    FailureOr<TargetAttr> description = resolveTarget(kernel, target);
    FailureOr<std::optional<unsigned>> wanted = readFastest(fastest, kernel);
    if (failed(description) || failed(wanted))
      return failure();
    return defaultBlock(kernel, *description, single, *wanted);
  }
  std::array<int64_t, 3> shape = {1, 1, 1};
  if (block.size() > 3)
    return kernel.emitError("expected at most three threads per block, found ")
           << block.size();
  llvm::copy(block, shape.begin());
  for (int64_t threads : shape)
    if (threads < 1 || threads > kMostThreadsOfBlock)
      return kernel.emitError("expected between 1 and ")
             << kMostThreadsOfBlock
             << " threads in each dimension of a block, found " << threads;
  return shape;
}

/// The block of a kernel that is launched in no other; null where any will do.
static std::optional<std::array<int64_t, 3>> knownBlock(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize();
  if (!known || known->size() != 3)
    return std::nullopt;
  return std::array<int64_t, 3>{(*known)[0], (*known)[1], (*known)[2]};
}

/// Plans what suits the kernel; failure has been reported. No block where it
/// keeps its launch.
FailureOr<std::optional<std::array<int64_t, 3>>>
AssignGeometry::planBlock(gpu::GPUFuncOp kernel, GeometryPlan &plan) {
  std::optional<LaunchObstacle> obstacle =
      findLaunchObstacle(kernel, plan.blockItems, block);
  std::optional<std::array<int64_t, 3>> known = knownBlock(kernel);
  // The launches of a sequence are decided with it.
  plan.keepsBlock = obstacle && obstacle->mayKeepBlock && known &&
                    !kernel->hasAttr(kPhaseOfAttrName);
  bool isRefused =
      plan.keepsBlock && !block.empty() && (*block != ArrayRef(*known));
  if (obstacle && (!plan.keepsBlock || isRefused)) {
    auto name = kernel->getAttrOfType<StringAttr>(kSourceNameAttrName);
    sayMissed(RemarkCode::LaunchKept, kernel, obstacle->location,
              {{"kernel", name ? name.getValue() : kernel.getName()},
               {"reason", obstacle->reason}});
  }
  if (obstacle && !plan.keepsBlock)
    return std::optional<std::array<int64_t, 3>>();
  openGeometry(kernel, plan);
  if (plan.keepsBlock)
    return known;
  FailureOr<std::array<int64_t, 3>> shape =
      chooseBlock(kernel, findSingleItems(kernel, plan));
  if (failed(shape))
    return failure();
  return std::optional(*shape);
}

LogicalResult AssignGeometry::assign(gpu::GPUFuncOp kernel) {
  GeometryPlan plan;
  plan.blockItems = findBlockItems(kernel);
  FailureOr<std::optional<std::array<int64_t, 3>>> shape =
      planBlock(kernel, plan);
  if (failed(shape))
    return failure();
  if (!*shape) {
    ++kept;
    return success();
  }
  plan.block = plan.items = **shape;
  replaceGlobalIds(kernel, plan.block);
  recordGeometry(kernel, plan);
  if (resident > 1)
    kernel->setAttr(kResidentBlocksAttrName,
                    Builder(&getContext()).getI64IntegerAttr(resident));
  reportPlan(kernel, plan);
  ++assigned;
  return success();
}
