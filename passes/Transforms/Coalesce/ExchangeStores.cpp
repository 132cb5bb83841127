//===- ExchangeStores.cpp - stores by other threads -----------------------===//

#include "passes/Transforms/Coalesce/ExchangeStores.h"

#include "passes/Transforms/Coalesce/StageLoads.h"
#include "passes/Transforms/Coalesce/TileCost.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

/// Sectors saved, as a factor, from which an exchange pays.
static constexpr double worthwhileFactor = 2;

/// Returns why the store of `plan` may not be done by another thread, later.
static std::string whyNotLegal(const StagingContext &context,
                               ExchangePlan &plan) {
  BlockSlice slice = computeSlice(plan.op->getOperands().drop_front());
  if (!slice.isComputable())
    return "other threads cannot compute its address: " + slice.obstacle;
  plan.conditions = conditionsToCheck(plan.op, plan.op);
  for (const Condition &condition : plan.conditions)
    if (BlockSlice needed = computeSlice(condition.value);
        !needed.isComputable())
      return "other threads cannot compute its condition: " + needed.obstacle;
  Operation *conflict = findConflict(context.kernel, plan.op->getOperand(1),
                                     /*readsToo=*/true, [&](Operation *op) {
                                       return op != plan.op &&
                                              !isStrictlyAfter(plan.op, op) &&
                                              !areAlternatives(plan.op, op);
                                     });
  if (conflict)
    return ("'" + conflict->getName().getStringRef() +
            "' may access the array after it is written")
        .str();
  return whyNotReachable(plan.op);
}

/// Lays out the tile of `plan`, or says why there is none.
static std::string layOut(const StagingContext &context,
                          const AccessFunction &access,
                          const VariableTable &table, ExchangePlan &plan) {
  for (unsigned dim = 3; dim-- > 0;) {
    if (context.block[dim] == 1)
      continue;
    if (!access.address.contains(VariableTable::threadId(dim)))
      return "several threads store to one address";
    plan.dimensions.push_back({dim, context.block[dim]});
  }
  if (!orderDimensions(access.address, table, std::nullopt, plan.dimensions))
    return "its address is no linear function of thread ids";
  return {};
}

ExchangePlan gpuopt::planExchange(const StagingContext &context,
                                  const AccessFunctions &functions,
                                  Operation *store,
                                  std::vector<MissedAccess> &missed) {
  const AccessFunction *access = functions.lookup(store);
  if (!access || access->kind != AccessKind::Store || !access->isResolved() ||
      access->space != MemorySpace::Global ||
      !isTileType(store->getOperand(0).getType()))
    return {};
  const VariableTable &table = functions.variables();
  CoalescingFact fact =
      computeCoalescing(*access, table, context.target, context.block);
  if (fact.verdict == Verdict::Coalesced ||
      fact.verdict == Verdict::Misaligned || fact.verdict == Verdict::Broadcast)
    return {};

  ExchangePlan plan;
  plan.op = store;
  std::string reason = layOut(context, *access, table, plan);
  if (reason.empty()) {
    AccessFunction plain = *access;
    plain.guards.clear();
    plan.sectorsBefore = sectorsPerBlock(context, plain, table);
    plan.sectorsAfter =
        sectorsOfTile(context, plan.dimensions, plain, std::nullopt, 1, table);
    if (plan.sectorsBefore < worthwhileFactor * plan.sectorsAfter)
      reason = "no other order of the block's threads coalesces it";
  }
  if (reason.empty() &&
      tileBytes(plan.dimensions, store->getOperand(0).getType()) >
          freeWorkgroupBytes(context))
    reason = "its tile does not fit in the workgroup memory left";
  if (reason.empty())
    reason = whyNotLegal(context, plan);
  if (!reason.empty()) {
    missed.push_back({store, reason});
    return {};
  }
  return plan;
}

void gpuopt::applyExchange(const StagingContext &context,
                           const ExchangePlan &plan) {
  gpu::GPUFuncOp kernel = context.kernel;
  Operation *store = plan.op;
  Location loc = store->getLoc();
  bringAllThreads(store);
  Value stored = store->getOperand(0);

  Value tile =
      createTile(kernel, stored.getType(), shapeOf(plan.dimensions), loc);
  OpBuilder builder(store);
  SmallVector<Value> own =
      llvm::map_to_vector(plan.dimensions, [&](const TileDimension &dimension) {
        return threadIdAtTop(kernel, dimension.source);
      });
  createStore(builder, loc, stored, tile, own);
  gpu::BarrierOp::create(builder, loc);
  // In a loop, the next iteration must not overwrite what is still read.
  if (store->getParentOfType<LoopLikeOpInterface>()) {
    OpBuilder after(kernel.getContext());
    after.setInsertionPointAfter(store);
    gpu::BarrierOp::create(after, loc);
  }

  affine::AffineParallelOp loop =
      createCollectiveLoop(builder, loc, shapeOf(plan.dimensions));
  builder.setInsertionPointToStart(loop.getBody());
  SliceCloner cloner(builder);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (context.block[dim] == 1)
      cloner.substituteThreadId(
          dim, arith::ConstantIndexOp::create(builder, loc, 0));
  for (auto [dimension, index] :
       llvm::zip_equal(plan.dimensions, loop.getIVs()))
    cloner.substituteThreadId(dimension.source, index);
  Value legal = cloneConditions(builder, loc, cloner, plan.conditions);
  if (legal) {
    auto branch = scf::IfOp::create(builder, loc, legal, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  SmallVector<Value> indices(loop.getIVs().begin(), loop.getIVs().end());
  cloner.cloneStore(store, createLoad(builder, loc, tile, indices));
  store->erase();
}
