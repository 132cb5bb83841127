//===- RemapThreads.cpp - threads do each other's work --------------------===//
//
// Between two barriers it does not matter which thread of a block does what, as
// long as nothing that it has in registers is used across them: barriers order
// what is in memory. So the ids there may be those of another work item, by a
// bijection of the block ("thread remap" of Li et al. 2016), by which lanes
// that were neighbours in a column of a workgroup array are neighbours on a
// diagonal.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Banks/MovedAccesses.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/KnownBlock.h"

#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace gpuopt {
#define GEN_PASS_DEF_REMAPTHREADS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

namespace {
/// Operations of one block between barriers.
struct Phase {
  SmallVector<Operation *> ops;
  /// What is computed from the thread's ids alone, and used both in the phase
  /// and elsewhere, definitions before uses: computed twice.
  llvm::SetVector<Operation *> computed = {};

  bool contains(Operation *op) const {
    return llvm::any_of(ops,
                        [&](Operation *own) { return own->isAncestor(op); });
  }
};
} // namespace

/// The phases of `block`. Only in the body of the kernel are its beginning and
/// end as good as barriers: an iteration of a loop goes on in the next one.
static void collectPhases(Block &block, SmallVectorImpl<Phase> &phases) {
  bool isBody = isa<gpu::GPUFuncOp>(block.getParentOp());
  bool isOpen = isBody, hasBarrier = false;
  Phase phase;
  for (Operation &op : block.without_terminator()) {
    if (!isa<gpu::BarrierOp>(op)) {
      phase.ops.push_back(&op);
      continue;
    }
    if (isOpen && !phase.ops.empty())
      phases.push_back(phase);
    phase.ops.clear();
    isOpen = hasBarrier = true;
  }
  if (isBody && hasBarrier && !phase.ops.empty())
    phases.push_back(phase);
}

static SmallVector<Phase> collectPhases(gpu::GPUFuncOp kernel) {
  SmallVector<Phase> phases;
  kernel.walk([&](Block *block) { collectPhases(*block, phases); });
  return phases;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether another thread can do `op` as well: it concerns no other threads,
/// and no memory that only one has.
static bool isAnyonesWork(Operation *op) {
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return true;
  if (isa<memref::AllocaOp, memref::AtomicRMWOp>(op) ||
      !isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>(
          op->getDialect()))
    return false;
  return llvm::none_of(op->getOperands(), [](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return false;
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    return memoryRoot(operand).getDefiningOp<memref::AllocaOp>() ||
           (space && space.getValue() == gpu::AddressSpace::Private);
  });
}

/// Adds what computes `value`, which depends on the thread, from ids and what
/// all threads have. False where something else does.
static bool addComputation(Value value, const UniformityAnalysis &uniformity,
                           llvm::SetVector<Operation *> &computed) {
  if (uniformity.isBlockUniform(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0 || op->getNumResults() != 1)
    return false;
  if (computed.contains(op))
    return true;
  bool isId = isa<gpu::ThreadIdOp>(op);
  if (!isId && !(isPure(op) && isFunctionOfOperands(op)))
    return false;
  for (Value operand : op->getOperands())
    if (!addComputation(operand, uniformity, computed))
      return false;
  computed.insert(op);
  return true;
}

/// Whether threads may exchange what `phase` does; fills in what it uses.
static std::optional<Refusal> check(Phase &phase,
                                    const UniformityAnalysis &uniformity) {
  std::optional<Refusal> refusal;
  auto visit = [&](Operation *op) {
    if (!isAnyonesWork(op))
      refusal = Refusal{op->getLoc(), "another thread could not do this"};
    for (Value operand : op->getOperands()) {
      // Of this phase, or in front of it.
      Operation *owner = operand.getParentBlock()->getParentOp();
      Operation *definition = operand.getDefiningOp();
      bool isOwn =
          definition ? phase.contains(definition) : phase.contains(owner);
      if (!isOwn && !addComputation(operand, uniformity, phase.computed))
        refusal = Refusal{op->getLoc(),
                          "this uses what a thread has computed before"};
    }
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (!phase.contains(user) &&
            !addComputation(result, uniformity, phase.computed))
          refusal = Refusal{user->getLoc(),
                            "this uses what a thread has computed between "
                            "other barriers"};
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (Operation *op : phase.ops)
    if (op->walk(visit).wasInterrupted())
      break;
  return refusal;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

namespace {
/// Which work item a thread takes.
enum class Placement { DiagonalY, DiagonalX, Transposed };

struct RemapPlan {
  Placement placement;
  AccessesCost before, after;
};

struct Situation {
  gpu::GPUFuncOp kernel;
  TargetAttr target;
  BlockShape block;
  AccessFunctions functions;
  UniformityAnalysis uniformity;
};
} // namespace

static StringRef describe(Placement placement) {
  switch (placement) {
  case Placement::DiagonalY:
    return "(x, x + y)";
  case Placement::DiagonalX:
    return "(x + y, y)";
  case Placement::Transposed:
    return "(y, x)";
  }
  llvm_unreachable("no other placement");
}

/// The work item's id along `dimension` as a function of the thread's.
static Polynomial itemOf(Placement placement, unsigned dimension,
                         VariableTable &variables, const BlockShape &block) {
  Polynomial x = Polynomial::variable(VariableTable::threadId(0));
  Polynomial y = Polynomial::variable(VariableTable::threadId(1));
  if (placement == Placement::Transposed)
    return dimension == 0 ? y : x;
  bool isMoved = (placement == Placement::DiagonalX) == (dimension == 0);
  if (!isMoved)
    return dimension == 0 ? x : y;
  return addRemainder(variables, x + y, block[dimension]);
}

/// Whether a loop around or in the accesses runs as often as the thread says:
/// what is known of its iterator is of the thread as it is.
static bool hasLoopsOfThreads(ArrayRef<AccessFunction> accesses,
                              const VariableTable &variables) {
  auto dependsOnThread = [&](const Polynomial &bound) {
    return variables.dependsOnThread(bound);
  };
  return llvm::any_of(accesses, [&](const AccessFunction &access) {
    return llvm::any_of(access.loops, [&](int number) {
      return number >= 0 &&
             (llvm::any_of(variables[number].lowerBounds, dependsOnThread) ||
              llvm::any_of(variables[number].upperBounds, dependsOnThread));
    });
  });
}

static std::optional<RemapPlan> planRemap(const Phase &phase,
                                          const Situation &at) {
  std::vector<AccessFunction> accesses;
  for (const AccessFunction &access : at.functions.accesses())
    if (access.op && phase.contains(access.op))
      accesses.push_back(access);
  std::optional<AccessesCost> before = computeAccessesCost(
      accesses, at.functions.variables(), at.target, at.block);
  if (!before || before->degree == 1 ||
      hasLoopsOfThreads(accesses, at.functions.variables()))
    return std::nullopt;
  std::optional<RemapPlan> best;
  // Of equals the one that takes no arithmetic.
  for (Placement placement :
       {Placement::Transposed, Placement::DiagonalY, Placement::DiagonalX}) {
    if (placement == Placement::Transposed && at.block[0] != at.block[1])
      continue;
    VariableTable variables = at.functions.variables();
    std::array<Polynomial, 2> items = {
        itemOf(placement, 0, variables, at.block),
        itemOf(placement, 1, variables, at.block)};
    std::vector<AccessFunction> moved;
    for (const AccessFunction &access : accesses)
      moved.push_back(
          moveAccess(access, variables, [&](unsigned number) -> Polynomial {
            for (unsigned dimension : {0, 1})
              if (number == VariableTable::threadId(dimension))
                return items[dimension];
            return Polynomial::variable(number);
          }));
    std::optional<AccessesCost> after =
        computeAccessesCost(moved, variables, at.target, at.block);
    if (after && after->sectors <= before->sectors &&
        after->wavefronts <
            (best ? best->after.wavefronts : before->wavefronts * 4 / 5))
      best = RemapPlan{placement, *before, *after};
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The ids of the work item that a thread takes, at the top of the kernel.
static std::array<Value, 2> emitItem(const Situation &at, Placement placement) {
  gpu::GPUFuncOp kernel = at.kernel;
  Value y = threadIdAtTop(kernel, 1), x = threadIdAtTop(kernel, 0);
  if (placement == Placement::Transposed)
    return {y, x};
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfter(y.getDefiningOp());
  if (y.getDefiningOp()->isBeforeInBlock(x.getDefiningOp()))
    builder.setInsertionPointAfter(x.getDefiningOp());
  bool isX = placement == Placement::DiagonalX;
  AffineExpr sum = getAffineSymbolExpr(0, kernel.getContext()) +
                   getAffineSymbolExpr(1, kernel.getContext());
  Value moved = affine::AffineApplyOp::create(
      builder, kernel.getLoc(),
      AffineMap::get(0, 2, sum % at.block[isX ? 0 : 1]), ValueRange{x, y});
  return isX ? std::array<Value, 2>{moved, y} : std::array<Value, 2>{x, moved};
}

static void applyRemap(const Phase &phase, Placement placement,
                       const Situation &at) {
  std::array<Value, 2> item = emitItem(at, placement);
  IRMapping mapping;
  auto mapId = [&](gpu::ThreadIdOp id) {
    unsigned dimension = static_cast<unsigned>(id.getDimension());
    if (dimension < 2)
      mapping.map(id.getResult(), item[dimension]);
  };
  for (Operation *op : phase.computed) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      mapId(id);
      continue;
    }
    // Where the original is, which keeps it a symbol where that is one.
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    builder.clone(*op, mapping);
  }
  for (Operation *op : phase.ops)
    op->walk([&](gpu::ThreadIdOp id) { mapId(id); });
  for (Operation *op : phase.ops)
    op->walk([&](Operation *inner) {
      if (phase.computed.contains(inner))
        return;
      for (OpOperand &operand : inner->getOpOperands())
        if (Value other = mapping.lookupOrNull(operand.get()))
          operand.set(other);
    });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Lets threads exchange the work of a phase where that pays and is right.
static bool remap(Phase &phase, const Situation &at) {
  std::optional<RemapPlan> plan = planRemap(phase, at);
  if (!plan)
    return false;
  if (std::optional<Refusal> refusal = check(phase, at.uniformity)) {
    sayMissed(RemarkCode::ThreadsKept, at.kernel, *refusal);
    return false;
  }
  sayPassed(RemarkCode::ThreadsRemapped, at.kernel, phase.ops.front()->getLoc(),
            {{"item", describe(plan->placement)},
             {"before", plan->before.degree},
             {"after", plan->after.degree}})
      << remark::metric("wavefronts_before", plan->before.wavefronts)
      << remark::metric("wavefronts_after", plan->after.wavefronts);
  applyRemap(phase, plan->placement, at);
  return true;
}

namespace {
struct RemapThreads : public gpuopt::impl::RemapThreadsBase<RemapThreads> {
  using RemapThreadsBase::RemapThreadsBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      process(kernel, *machine);
  }

  void process(gpu::GPUFuncOp kernel, TargetAttr machine) {
    std::optional<BlockShape> block = knownBlockOf(kernel);
    if (!block || (*block)[0] == 1 || (*block)[1] == 1)
      return;
    // The first operation of each phase that has been judged: what one phase
    // becomes changes what is known of the others.
    llvm::DenseSet<Operation *> judged;
    for (bool changed = true; changed && hasTime(kernel.getContext());) {
      changed = false;
      Situation at{kernel, machine, *block, AccessFunctions(kernel),
                   UniformityAnalysis(kernel)};
      for (Phase &phase : collectPhases(kernel)) {
        if (!judged.insert(phase.ops.back()).second || !remap(phase, at))
          continue;
        ++remapped;
        changed = true;
        break;
      }
    }
  }
};
} // namespace
