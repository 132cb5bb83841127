//===- PermuteGeometry.cpp - make another thread dimension x --------------===//
//
// Threads of a block may be renumbered at will: which thread does which work is
// nobody's business but that of the lanes that are coalesced together.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/ThreadOrder.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Geometry/ThreadOrderOption.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_PERMUTEGEOMETRY
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Threads along z that a block may have on any GPU.
static constexpr int64_t maxThreadsInZ = 64;

namespace {
/// What the pass does to one kernel.
struct PermutationPlan {
  unsigned fastest = 0;
  /// Accesses of global memory that are uncoalesced as it is, and then.
  unsigned uncoalescedBefore = 0;
  unsigned uncoalescedAfter = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isVolatile(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getVolatile_();
  return false;
}

/// Whether the result of `op` may depend on which threads form a subgroup.
static bool dependsOnSubgroups(Operation *op) {
  if (isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::GlobalIdOp, gpu::ThreadIdOp,
          gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::BarrierOp,
          gpu::PrintfOp, GridBarrierOp>(op))
    return false;
  Dialect *dialect = op->getDialect();
  StringRef space = dialect ? dialect->getNamespace() : "";
  bool isOfDevice = space == "gpu" || space == "nvvm" || space == "nvgpu" ||
                    space == "rocdl" || space == "amdgpu" || space == "gpuopt";
  return isOfDevice || (isa<CallOpInterface>(op) && !callsLibrary(op)) ||
         mayReadRegisters(op);
}

static std::optional<Refusal> findObstacle(gpu::GPUFuncOp kernel) {
  std::optional<Refusal> obstacle;
  kernel.walk([&](Operation *op) {
    if (isVolatile(op))
      // Code from before Volta relies on lanes that run in lockstep.
      obstacle = Refusal{op->getLoc(), "it accesses memory as volatile"};
    else if (dependsOnSubgroups(op))
      obstacle = Refusal{op->getLoc(),
                         "it uses '" + op->getName().getStringRef().str() +
                             "', which may depend on what threads form a "
                             "subgroup"};
    return obstacle ? WalkResult::interrupt() : WalkResult::advance();
  });
  return obstacle;
}

/// The dimensions in which a block may have more than one thread, and that may
/// become x.
static std::array<bool, 3> findCandidates(gpu::GPUFuncOp kernel) {
  std::array<bool, 3> candidates = {};
  if (GeometryAttr geometry = geometryOf(kernel)) {
    ArrayRef<int64_t> block = geometry.getBlock();
    for (unsigned dim = 0; dim < 3; ++dim)
      candidates[dim] = block[dim] > 1;
    candidates[2] &= block[0] <= maxThreadsInZ;
    return candidates;
  }
  kernel.walk([&](Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      candidates[static_cast<unsigned>(id.getDimension())] = true;
    if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
      candidates[static_cast<unsigned>(id.getDimension())] = true;
  });
  return candidates;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The id in the place of `gpu.thread_id dim` for a kernel whose block has a
/// fixed shape, which is permuted too.
static void permuteBlock(gpu::GPUFuncOp kernel, GeometryAttr geometry,
                         const DimensionOrder &order) {
  // `order` exchanges two dimensions, so it is its own inverse.
  kernel.walk([&](gpu::ThreadIdOp id) {
    unsigned dim = static_cast<unsigned>(id.getDimension());
    id.setDimension(static_cast<gpu::Dimension>(order[dim]));
  });
  std::array<int64_t, 3> block;
  for (unsigned dim = 0; dim < 3; ++dim)
    block[dim] = geometry.getBlock()[order[dim]];
  kernel->setAttr(kGeometryAttrName,
                  GeometryAttr::get(
                      kernel.getContext(), block, geometry.getItemsPerThread(),
                      geometry.getItemsPerBlock(), geometry.getExtents(),
                      geometry.getOriginalBlock()));
  SmallVector<int32_t> known(block.begin(), block.end());
  kernel.setKnownBlockSizeAttr(
      DenseI32ArrayAttr::get(kernel.getContext(), known));
}

/// Numbers the threads of a block anew, whatever its shape: thread n of it, by
/// the launch, becomes thread n by `order`.
static std::array<Value, 3> renumberThreads(gpu::GPUFuncOp kernel,
                                            const DimensionOrder &order) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  std::array<Value, 3> ids, sizes;
  std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize();
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto dimension = static_cast<gpu::Dimension>(dim);
    ids[dim] = gpu::ThreadIdOp::create(builder, loc, dimension);
    sizes[dim] =
        known ? arith::ConstantIndexOp::create(builder, loc, (*known)[dim])
                    .getResult()
              : gpu::BlockDimOp::create(builder, loc, dimension);
  }
  auto flags =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  auto addTo = [&](Value slower, Value size, Value faster) -> Value {
    Value rows = arith::MulIOp::create(builder, loc, slower, size, flags);
    return arith::AddIOp::create(builder, loc, rows, faster, flags);
  };
  Value rest = addTo(addTo(ids[2], sizes[1], ids[1]), sizes[0], ids[0]);
  std::array<Value, 3> renumbered;
  for (unsigned dim : {order[0], order[1]}) {
    renumbered[dim] = arith::RemUIOp::create(builder, loc, rest, sizes[dim]);
    rest = arith::DivUIOp::create(builder, loc, rest, sizes[dim]);
  }
  renumbered[order[2]] = rest;
  return renumbered;
}

/// Makes a kernel that runs in blocks of any shape use other numbers.
static void permuteThreads(gpu::GPUFuncOp kernel, const DimensionOrder &order) {
  SmallVector<Operation *> users;
  kernel.walk([&](Operation *op) {
    if (isa<gpu::ThreadIdOp, gpu::GlobalIdOp>(op))
      users.push_back(op);
  });
  std::array<Value, 3> ids = renumberThreads(kernel, order);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfterValue(ids[order[2]]);
  for (Operation *op : users) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      id.replaceAllUsesWith(ids[static_cast<unsigned>(id.getDimension())]);
    } else {
      auto item = cast<gpu::GlobalIdOp>(op);
      Location loc = item.getLoc();
      gpu::Dimension dim = item.getDimension();
      Value first = arith::MulIOp::create(
          builder, loc, gpu::BlockIdOp::create(builder, loc, dim),
          gpu::BlockDimOp::create(builder, loc, dim),
          arith::IntegerOverflowFlags::nsw);
      item.replaceAllUsesWith(
          arith::AddIOp::create(builder, loc, first,
                                ids[static_cast<unsigned>(dim)],
                                arith::IntegerOverflowFlags::nsw)
              .getResult());
    }
  }
  // Only now: the builder may stand in front of one of them.
  for (Operation *op : users)
    op->erase();
}

static void applyPlan(gpu::GPUFuncOp kernel, const PermutationPlan &plan) {
  DimensionOrder order = orderWithFastest(plan.fastest);
  if (GeometryAttr geometry = geometryOf(kernel))
    permuteBlock(kernel, geometry, order);
  else
    permuteThreads(kernel, order);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PermuteGeometry
    : public gpuopt::impl::PermuteGeometryBase<PermuteGeometry> {
  using PermuteGeometryBase::PermuteGeometryBase;

  void runOnOperation() override {
    FailureOr<std::optional<unsigned>> wanted =
        readFastest(fastest, getOperation());
    if (failed(wanted))
      return signalPassFailure();
    llvm::DenseSet<StringAttr> fallbacks;
    SmallVector<gpu::GPUFuncOp> kernels;
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (auto name =
              kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
        fallbacks.insert(name.getAttr());
      if (kernel.isKernel() && !kernel.getBody().empty())
        kernels.push_back(kernel);
    }
    for (gpu::GPUFuncOp kernel : kernels)
      // A plan knows which threads are neighbours.
      if (!fallbacks.contains(kernel.getNameAttr()) &&
          !kernel->hasAttr(kPartitionAttrName) &&
          failed(permute(kernel, *wanted)))
        return signalPassFailure();
  }

private:
  LogicalResult permute(gpu::GPUFuncOp kernel, std::optional<unsigned> wanted);
  FailureOr<PermutationPlan> plan(gpu::GPUFuncOp kernel, TargetAttr target,
                                  std::optional<unsigned> wanted) const;
};
} // namespace

/// Fails with a remark where the threads keep their numbers.
FailureOr<PermutationPlan>
PermuteGeometry::plan(gpu::GPUFuncOp kernel, TargetAttr target,
                      std::optional<unsigned> wanted) const {
  std::array<bool, 3> candidates = findCandidates(kernel);
  if (llvm::count(candidates, true) < 2)
    return failure();
  std::vector<AccessStrides> accesses =
      collectStrides(AccessFunctions(kernel), target, candidates);
  PermutationPlan plan;
  plan.fastest = wanted.value_or(solveThreadOrder(accesses, candidates));
  plan.uncoalescedBefore = countUncoalesced(accesses, 0);
  plan.uncoalescedAfter = countUncoalesced(accesses, plan.fastest);
  // There is nothing to gain, and so nothing to say.
  if (plan.uncoalescedBefore == 0 && plan.fastest == 0)
    return failure();
  auto miss = [&](Location loc, const llvm::Twine &reason) {
    sayMissed(RemarkCode::ThreadsNotPermuted, kernel, loc,
              {{"kernel", kernel.getName()}, {"reason", reason}});
    return failure();
  };
  if (!candidates[plan.fastest])
    return miss(kernel.getLoc(), "its blocks cannot have their threads along " +
                                     nameOfDimension(plan.fastest) + " as x");
  if (plan.fastest == 0)
    return miss(kernel.getLoc(),
                "another dimension as x leaves as many accesses uncoalesced");
  if (std::optional<Refusal> obstacle = findObstacle(kernel))
    return miss(obstacle->location, obstacle->reason);
  if (!wanted && onlyBetter && !isClearlyBetter(accesses, plan.fastest))
    return miss(kernel.getLoc(),
                "with " + nameOfDimension(plan.fastest) +
                    " as x others would become uncoalesced, or are not known");
  return plan;
}

LogicalResult PermuteGeometry::permute(gpu::GPUFuncOp kernel,
                                       std::optional<unsigned> wanted) {
  FailureOr<TargetAttr> description = resolveTarget(kernel, target);
  if (failed(description))
    return failure();
  FailureOr<PermutationPlan> found = plan(kernel, *description, wanted);
  if (failed(found))
    return success();
  applyPlan(kernel, *found);
  sayPassed(RemarkCode::ThreadsPermuted, kernel, kernel.getLoc(),
            {{"dimension", nameOfDimension(found->fastest)}})
      << remark::metric("uncoalesced_before", found->uncoalescedBefore)
      << remark::metric("uncoalesced_after", found->uncoalescedAfter);
  ++permuted;
  return success();
}
