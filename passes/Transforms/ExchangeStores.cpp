//===- ExchangeStores.cpp - stores by the transposed thread ---------------===//

#include "passes/Transforms/ExchangeStores.h"

#include "passes/Transforms/StageLoads.h"
#include "passes/Transforms/TileCost.h"
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

/// `access` with the thread ids in x and y exchanged.
static AccessFunction exchangeIds(const AccessFunction &access,
                                  VariableTable &table) {
  AccessFunction exchanged = access;
  unsigned x = VariableTable::threadId(0), y = VariableTable::threadId(1);
  unsigned placeholder = table.addParameter("exchanged");
  exchanged.guards.clear();
  exchanged.address =
      access.address.substitute(x, Polynomial::variable(placeholder))
          .substitute(y, Polynomial::variable(x))
          .substitute(placeholder, Polynomial::variable(y));
  return exchanged;
}

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
  Operation *conflict =
      findConflict(context.kernel, plan.op->getOperand(1), /*readsToo=*/true,
                   [&](Operation *op) {
                     return op != plan.op && !isStrictlyAfter(plan.op, op);
                   });
  if (conflict)
    return ("'" + conflict->getName().getStringRef() +
            "' may access the array after it is written")
        .str();
  return whyNotReachable(plan.op);
}

/// Elements to add to each row of the tile.
static int64_t paddingFor(const StagingContext &context, int64_t bytes) {
  // Filled along rows, read along columns: a tile like that of a staged load
  // with the roles of filling and reading exchanged.
  StagedLoad load;
  load.dimensions = {{0, context.block[0]}, {1, context.block[1]}};
  gpu::GPUFuncOp kernel = context.kernel;
  load.assignment = assignTile({context.block[0], context.block[1]},
                               context.block, kernel.getContext());
  return choosePadding(context, load, bytes);
}

ExchangePlan gpuopt::planExchange(const StagingContext &context,
                                  Operation *store,
                                  std::vector<MissedAccess> &missed) {
  AccessFunctions functions(context.kernel);
  const AccessFunction *access = functions.lookup(store);
  if (!access || access->kind != AccessKind::Store || !access->isResolved() ||
      access->space != MemorySpace::Global)
    return {};
  CoalescingFact fact = computeCoalescing(*access, functions.variables(),
                                          context.target, context.block);
  if (fact.verdict == Verdict::Coalesced ||
      fact.verdict == Verdict::Misaligned || fact.verdict == Verdict::Broadcast)
    return {};

  ExchangePlan plan;
  VariableTable table = functions.variables();
  AccessFunction plain = *access;
  plain.guards.clear();
  AccessFunction exchanged = exchangeIds(*access, table);
  plan.sectorsBefore = sectorsPerBlock(context, plain, table);
  plan.sectorsAfter = sectorsPerBlock(context, exchanged, table);
  std::string reason;
  if (context.block[0] != context.block[1] || context.block[0] == 1 ||
      context.block[2] != 1)
    reason = "only square blocks can exchange the ids in x and y";
  else if (plan.sectorsBefore < worthwhileFactor * plan.sectorsAfter)
    reason = "exchanging the ids in x and y does not coalesce it";
  plan.op = store;
  if (reason.empty())
    reason = whyNotLegal(context, plan);
  if (!reason.empty()) {
    missed.push_back({store, reason});
    return {};
  }
  plan.padding = paddingFor(context, access->accessBytes);
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
      createTile(kernel, stored.getType(), {context.block[1], context.block[0]},
                 plan.padding, loc);
  Value x = threadIdAtTop(kernel, 0), y = threadIdAtTop(kernel, 1);
  OpBuilder builder(store);
  SmallVector<Value> own = {y, x}, other = {x, y};
  createStore(builder, loc, stored, tile, own);
  gpu::BarrierOp::create(builder, loc);

  SliceCloner cloner(builder);
  cloner.substituteThreadId(0, y);
  cloner.substituteThreadId(1, x);
  Value legal = cloneConditions(builder, loc, cloner, plan.conditions);
  // In a loop, the next iteration must not overwrite what is still read.
  if (store->getParentOfType<LoopLikeOpInterface>()) {
    OpBuilder after(kernel.getContext());
    after.setInsertionPointAfter(store);
    gpu::BarrierOp::create(after, loc);
  }
  if (legal) {
    auto branch = scf::IfOp::create(builder, loc, legal, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  Value datum = createLoad(builder, loc, tile, other);
  cloner.cloneStore(store, datum);
  store->erase();
}
