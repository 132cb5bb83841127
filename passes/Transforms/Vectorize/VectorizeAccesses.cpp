//===- VectorizeAccesses.cpp - neighbouring elements in one access --------===//
//
// A request moves up to 16 bytes for each lane; an access of one element uses a
// part of that and costs an instruction all the same. Here the accesses of a
// thread to neighbouring elements become one (Yang et al. 2012, section 3.1):
// those in straight-line code, and those of consecutive iterations of a loop.
// Accesses of neighbouring threads get there by merging the threads before,
// each with contiguous work items.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/VectorWidth.h"
#include "passes/Transforms/Vectorize/UnrollForVectors.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_VECTORIZEACCESSES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static bool isLoad(Operation *op) {
  return isa<affine::AffineLoadOp, memref::LoadOp>(op);
}

/// The subscripts of a scalar access as index values at `builder`.
static SmallVector<Value> subscriptsOf(OpBuilder &builder, Operation *op) {
  AffineMap map;
  SmallVector<Value> operands;
  if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
    map = load.getAffineMap();
    operands = SmallVector<Value>(load.getMapOperands());
  } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
    map = store.getAffineMap();
    operands = SmallVector<Value>(store.getMapOperands());
  } else if (auto plain = dyn_cast<memref::LoadOp>(op)) {
    return SmallVector<Value>(plain.getIndices());
  } else {
    return SmallVector<Value>(cast<memref::StoreOp>(op).getIndices());
  }
  SmallVector<Value> subscripts;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    subscripts.push_back(getValueOrCreateConstantIndexOp(
        builder, op->getLoc(),
        affine::makeComposedFoldedAffineApply(builder, op->getLoc(),
                                              map.getSubMap({i}),
                                              getAsOpFoldResult(operands))));
  return subscripts;
}

/// Whether everything that `op` uses is known before `point`, in its block.
static bool operandsDominate(Operation *op, Operation *point) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->getBlock() != point->getBlock() ||
           definition->isBeforeInBlock(point);
  });
}

namespace {
/// A group with its operations.
struct VectorAccess {
  SmallVector<Operation *> lanes;
  Operation *position;
  int64_t alignment;
};
} // namespace

/// The subscripts of the first lane, as values before the place of the group:
/// its own, where they are known there, else those of the access that stands
/// there, less its lane.
static SmallVector<Value> firstSubscripts(OpBuilder &builder,
                                          const VectorAccess &group,
                                          Operation *&origin) {
  origin = group.lanes.front();
  if (isLoad(origin) && !operandsDominate(origin, group.position))
    origin = group.position;
  SmallVector<Value> subscripts = subscriptsOf(builder, origin);
  int64_t lane = llvm::find(group.lanes, origin) - group.lanes.begin();
  if (lane == 0)
    return subscripts;
  Value shift = arith::ConstantIndexOp::create(builder, origin->getLoc(), lane);
  subscripts.back() = arith::SubIOp::create(builder, origin->getLoc(),
                                            subscripts.back(), shift);
  return subscripts;
}

static void vectorize(const VectorAccess &group) {
  OpBuilder builder(group.position);
  Location loc = group.position->getLoc();
  Operation *origin = nullptr;
  SmallVector<Value> subscripts = firstSubscripts(builder, group, origin);
  Value memref = getAccessedMemRef(origin);
  auto type =
      VectorType::get({int64_t(group.lanes.size())},
                      cast<MemRefType>(memref.getType()).getElementType());
  llvm::MaybeAlign alignment(group.alignment);
  if (isLoad(origin)) {
    Value wide = vector::LoadOp::create(builder, loc, type, memref, subscripts,
                                        /*nontemporal=*/false, alignment);
    for (auto [lane, op] : llvm::enumerate(group.lanes))
      op->getResult(0).replaceAllUsesWith(vector::ExtractOp::create(
          builder, op->getLoc(), wide, static_cast<int64_t>(lane)));
  } else {
    SmallVector<Value> values =
        llvm::map_to_vector(group.lanes, [](Operation *op) {
          auto store = dyn_cast<affine::AffineStoreOp>(op);
          return store ? store.getValueToStore()
                       : cast<memref::StoreOp>(op).getValueToStore();
        });
    Value wide = vector::FromElementsOp::create(builder, loc, type, values);
    vector::StoreOp::create(builder, loc, wide, memref, subscripts,
                            /*nontemporal=*/false, alignment);
  }
  for (Operation *op : group.lanes)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {
/// What was done, or not, to each array: one remark for many accesses.
class Summary {
public:
  Summary(gpu::GPUFuncOp kernel, const AccessFunctions &functions)
      : kernel(kernel), functions(functions) {}

  void addGroup(const BlockEvents &block, const VectorGroup &group);
  void addMiss(const BlockEvents &block, const VectorMiss &miss);
  void report() const;

private:
  /// A remark, and how often there was a reason for it.
  struct Entry {
    Location loc;
    /// "loads of a".
    std::string accesses;
    /// Why they stay apart; empty where they do not.
    std::string reason;
    int64_t elements = 0;
    int count = 0;
    int64_t bytes = 0;
  };

  static void add(std::vector<Entry> &entries, Entry entry);
  std::string nameOf(Operation *op, StringRef ofLoads,
                     StringRef ofStores) const;

  gpu::GPUFuncOp kernel;
  const AccessFunctions &functions;
  std::vector<Entry> passed;
  std::vector<Entry> missed;
};
} // namespace

std::string Summary::nameOf(Operation *op, StringRef ofLoads,
                            StringRef ofStores) const {
  const AccessFunction &access = *functions.lookup(op);
  StringRef array = access.space == MemorySpace::Workgroup
                        ? StringRef("a tile")
                        : StringRef(access.array);
  return ((isLoad(op) ? ofLoads : ofStores) + array).str();
}

void Summary::add(std::vector<Entry> &entries, Entry entry) {
  auto known = llvm::find_if(entries, [&](const Entry &other) {
    return std::tie(other.accesses, other.reason, other.elements) ==
           std::tie(entry.accesses, entry.reason, entry.elements);
  });
  if (known == entries.end())
    known = entries.insert(known, std::move(entry));
  ++known->count;
}

void Summary::addGroup(const BlockEvents &block, const VectorGroup &group) {
  Operation *op = block.operations[group.lanes.front()];
  int64_t lanes = group.lanes.size();
  add(passed, {op->getLoc(), nameOf(op, "loads of ", "stores to "), "", lanes,
               0, lanes * functions.lookup(op)->elementBytes});
}

void Summary::addMiss(const BlockEvents &block, const VectorMiss &miss) {
  Operation *op = block.operations[miss.event];
  std::string reason;
  switch (miss.reason) {
  case VectorMiss::Reason::Unaligned:
    reason = "the address is known to be a multiple of " +
             std::to_string(miss.alignment) + " bytes only";
    break;
  case VectorMiss::Reason::Conflict: {
    Operation *conflict = block.operations[miss.conflict];
    reason = "'" + conflict->getName().getStringRef().str() +
             "' in between may access the same memory";
    break;
  }
  case VectorMiss::Reason::Gap:
    reason = "an element between them is not accessed";
    break;
  }
  add(missed, {op->getLoc(), nameOf(op, "loads of ", "stores to "), reason});
}

void Summary::report() const {
  for (const Entry &entry : passed)
    sayPassed(RemarkCode::AccessesVectorized, kernel, entry.loc,
              {{"accesses", entry.accesses}, {"elements", entry.elements}})
        << remark::metric("accesses", entry.count)
        << remark::metric("bytes", static_cast<int>(entry.bytes));
  for (const Entry &entry : missed)
    sayMissed(RemarkCode::AccessesNotVectorized, kernel, entry.loc,
              {{"accesses", entry.accesses}, {"reason", entry.reason}});
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a kernel until it changes.
struct KernelFacts {
  explicit KernelFacts(gpu::GPUFuncOp kernel)
      : kernel(kernel), functions(kernel), proofs(kernel),
        events(functions, proofs) {}

  gpu::GPUFuncOp kernel;
  AccessFunctions functions;
  SubscriptProofs proofs;
  VectorEvents events;
};

struct VectorizeAccesses
    : public gpuopt::impl::VectorizeAccessesBase<VectorizeAccesses> {
  using VectorizeAccessesBase::VectorizeAccessesBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      FailureOr<TargetAttr> resolved = resolveTarget(kernel, target);
      if (failed(resolved))
        return signalPassFailure();
      if (failed(checkAccessBytes(kernel, width)))
        return signalPassFailure();
      int64_t maxBytes = preferredAccessBytes(*resolved, width);
      std::optional<KernelFacts> facts(std::in_place, kernel);
      if (unroll && gainsFromWideAccesses(*resolved, width) &&
          unrollLoops(*facts, maxBytes))
        facts.emplace(kernel);
      groupAccesses(*facts, maxBytes);
    }
  }

  bool unrollLoops(KernelFacts &facts, int64_t maxBytes);
  void groupAccesses(KernelFacts &facts, int64_t maxBytes);
};
} // namespace

/// Returns whether the kernel has changed.
bool VectorizeAccesses::unrollLoops(KernelFacts &facts, int64_t maxBytes) {
  gpu::GPUFuncOp kernel = facts.kernel;
  bool isChanged = false;
  SmallVector<std::pair<affine::AffineForOp, VectorUnrolling>> plans;
  kernel.walk([&](affine::AffineForOp loop) {
    if (isVectorLoop(loop))
      plans.push_back({loop, planUnrolling(*vectorLoopOf(loop), facts.events,
                                           maxBytes, maxOperations)});
  });
  for (auto &[loop, plan] : plans) {
    if (plan.factor > 1) {
      Location loc = plan.vectorized->getLoc();
      isChanged = true;
      if (failed(unrollByFactor(loop, plan.factor))) {
        sayMissed(RemarkCode::LoopNotUnrolledForVectors, kernel,
                  Refusal{loc, "the loop cannot be unrolled"});
        continue;
      }
      ++unrolled;
      sayPassed(RemarkCode::LoopUnrolledForVectors, kernel, loc,
                {{"factor", plan.factor}})
          << remark::metric("accesses_before", static_cast<int>(plan.accesses))
          << remark::metric("accesses", static_cast<int>(plan.vectorAccesses));
    } else if (plan.unaligned) {
      sayMissed(RemarkCode::LoopNotUnrolledForVectors, kernel,
                Refusal{plan.unaligned->getLoc(),
                        "iterations access neighbouring elements, but their "
                        "address is not known to be aligned"});
    }
  }
  return isChanged;
}

void VectorizeAccesses::groupAccesses(KernelFacts &facts, int64_t maxBytes) {
  Summary summary(facts.kernel, facts.functions);
  SmallVector<VectorAccess> groups;
  facts.kernel.walk([&](Block *block) {
    BlockEvents collected = facts.events.collect(*block);
    VectorPlan plan = facts.events.plan(collected, maxBytes);
    for (const VectorGroup &group : plan.groups) {
      summary.addGroup(collected, group);
      groups.push_back(
          {llvm::map_to_vector(
               group.lanes,
               [&](unsigned event) { return collected.operations[event]; }),
           collected.operations[group.position],
           std::min<int64_t>(group.alignment,
                             group.lanes.size() *
                                 collected.events[group.lanes.front()].bytes)});
    }
    for (const VectorMiss &miss : plan.misses)
      summary.addMiss(collected, miss);
  });
  summary.report();
  vectorized += groups.size();
  llvm::for_each(groups, vectorize);
}
