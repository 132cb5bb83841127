//===- ReorderAccesses.cpp - threads walk from different banks on ---------===//
//
// Loops over rows of workgroup arrays whose threads meet in a bank are rotated
// by the thread's id ("access reorder" of Li et al. 2016). The rotation itself,
// and when the order of iterations is free, are BlockOrder/RotateLoop.h's:
// there all threads of a block start at the same iteration, here each at its
// own. So nothing in the loop may concern other threads.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Banks/MovedAccesses.h"
#include "passes/Transforms/BlockOrder/RotateLoop.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/KnownBlock.h"

#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Traffic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_REORDERACCESSES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Wavefronts that an iteration of a subgroup has to save: about as many cycles
/// as the rotated index takes.
static constexpr double kFewestSaved = 4;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

namespace {
/// A loop with constant bounds, and what it accesses.
struct Walk {
  affine::AffineForOp loop;
  unsigned iterator = 0;
  int64_t begin = 0, step = 1, iterations = 0;
  std::vector<AccessFunction> accesses = {};
};

/// `group` neighbouring threads start together, the next ones an iteration
/// further on.
struct ReorderPlan {
  int64_t group = 1;
  AccessesCost before, after;
};

/// A kernel and its block.
struct Situation {
  gpu::GPUFuncOp kernel;
  TargetAttr target;
  BlockShape block;
  AccessFunctions functions;

  /// How many dimensions of ids tell the threads of a subgroup apart.
  unsigned dimensions() const {
    int64_t threads = 1;
    for (unsigned dimension : {0, 1, 2}) {
      threads *= block[dimension];
      if (threads % target.getSubgroupSize() == 0)
        return dimension + 1;
    }
    return 3;
  }
};
} // namespace

/// The accesses of `loop`; nothing where its bounds are not constant.
static std::optional<Walk> describe(affine::AffineForOp loop,
                                    const Situation &at) {
  std::optional<unsigned> iterator =
      at.functions.variableOf(loop.getInductionVar());
  if (!iterator || !loop.hasConstantBounds())
    return std::nullopt;
  Walk walk{loop, *iterator};
  walk.begin = loop.getConstantLowerBound();
  walk.step = loop.getStepAsInt();
  int64_t span = loop.getConstantUpperBound() - walk.begin;
  walk.iterations = llvm::divideCeil(std::max<int64_t>(span, 0), walk.step);
  for (const AccessFunction &access : at.functions.accesses())
    if (access.op && loop->isProperAncestor(access.op))
      walk.accesses.push_back(access);
  return walk;
}

/// The cost where `group` threads start together.
static std::optional<AccessesCost> costOf(const Walk &walk, int64_t group,
                                          const Situation &at) {
  VariableTable variables = at.functions.variables();
  Polynomial thread, scale(1);
  for (unsigned dimension = 0; dimension < at.dimensions(); ++dimension) {
    thread += scale * Polynomial::variable(VariableTable::threadId(dimension));
    scale = scale * at.block[dimension];
  }
  Polynomial start = addRemainder(
      variables,
      variables.addDerived(Variable::Operator::FloorDiv, thread, group),
      walk.iterations);
  Polynomial rotated = addRemainder(variables,
                                    Polynomial::variable(walk.iterator) -
                                        walk.begin + start * walk.step,
                                    walk.iterations * walk.step) +
                       walk.begin;
  std::vector<AccessFunction> moved;
  for (const AccessFunction &access : walk.accesses)
    moved.push_back(
        moveAccess(access, variables, [&](unsigned number) -> Polynomial {
          return number == walk.iterator ? rotated
                                         : Polynomial::variable(number);
        }));
  return computeAccessesCost(moved, variables, at.target, at.block);
}

/// Iterations of subgroups in a block.
static double countIterations(const Walk &walk, const Situation &at) {
  double most = 0;
  for (const AccessFunction &access : walk.accesses)
    most = std::max(
        most,
        computeExecutions(access, at.functions.variables(), at.block).count);
  int64_t threads = at.block[0] * at.block[1] * at.block[2];
  return most * llvm::divideCeil(threads, at.target.getSubgroupSize());
}

/// The cheapest rotation of `walk` where one pays.
static std::optional<ReorderPlan> planReorder(const Walk &walk,
                                              const Situation &at) {
  std::optional<AccessesCost> before = computeAccessesCost(
      walk.accesses, at.functions.variables(), at.target, at.block);
  if (!before || walk.iterations < 2)
    return std::nullopt;
  std::optional<ReorderPlan> best;
  for (int64_t group = 1; group < at.target.getSubgroupSize(); group *= 2) {
    std::optional<AccessesCost> after = costOf(walk, group, at);
    if (!after || after->sectors > before->sectors)
      continue;
    if (!best || after->wavefronts < best->after.wavefronts)
      best = ReorderPlan{group, *before, *after};
  }
  if (!best || before->wavefronts - best->after.wavefronts <
                   kFewestSaved * countIterations(walk, at))
    return std::nullopt;
  return best;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isPrivate(Value memory) {
  Value root = memoryRoot(memory);
  auto type = dyn_cast<MemRefType>(root.getType());
  if (root.getDefiningOp<memref::AllocaOp>() || !type)
    return true;
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Private;
}

/// Checks that threads may be in different iterations of `loop`.
static std::optional<Refusal> checkThreadsAreApart(affine::AffineForOp loop) {
  std::optional<Refusal> refusal;
  loop.getBody()->walk([&](Operation *op) {
    if (!isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                         math::MathDialect, memref::MemRefDialect,
                         scf::SCFDialect, vector::VectorDialect>(
            op->getDialect()))
      refusal = Refusal{op->getLoc(),
                        "what this does may concern threads that are in other "
                        "iterations then"};
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && isPrivate(operand))
        refusal = Refusal{op->getLoc(),
                          "this array of the thread's own would have to be in "
                          "memory"};
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The loops that are innermost around loads whose conflicts cost more than a
/// rotation.
static llvm::SetVector<Operation *> findLoops(const Situation &at) {
  int64_t threads = at.block[0] * at.block[1] * at.block[2];
  double least =
      kFewestSaved * llvm::divideCeil(threads, at.target.getSubgroupSize());
  llvm::SetVector<Operation *> loops;
  for (const AccessFunction &access : at.functions.accesses()) {
    if (access.space != MemorySpace::Workgroup || !access.op ||
        access.kind != AccessKind::Load || !access.isResolved())
      continue;
    auto loop = access.op->getParentOfType<affine::AffineForOp>();
    if (!loop || loops.contains(loop))
      continue;
    BankConflictFact fact = computeBankConflicts(
        access, at.functions.variables(), at.target, at.block);
    if (fact.wavefronts - fact.neededWavefronts >= least)
      loops.insert(loop);
  }
  return loops;
}

/// The offset of the thread that asks, an index below the length of the loop.
static Value emitOffset(OpBuilder &builder, Location loc, const Walk &walk,
                        const ReorderPlan &plan, const Situation &at) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value thread;
  int64_t scale = 1;
  for (unsigned dimension = 0; dimension < at.dimensions(); ++dimension) {
    Value id = gpu::ThreadIdOp::create(builder, loc,
                                       static_cast<gpu::Dimension>(dimension));
    if (thread)
      id = arith::AddIOp::create(
          builder, loc, thread,
          arith::MulIOp::create(builder, loc, id, constant(scale)));
    thread = id;
    scale *= at.block[dimension];
  }
  if (plan.group > 1)
    thread = arith::DivUIOp::create(builder, loc, thread, constant(plan.group));
  Value start =
      arith::RemUIOp::create(builder, loc, thread, constant(walk.iterations));
  return walk.step == 1
             ? start
             : arith::MulIOp::create(builder, loc, start, constant(walk.step))
                   .getResult();
}

/// Rotates `loop` where that pays and is right; says so.
static bool reorder(affine::AffineForOp loop, const Situation &at) {
  std::optional<Walk> walk = describe(loop, at);
  std::optional<ReorderPlan> plan =
      walk ? planReorder(*walk, at) : std::nullopt;
  auto refuse = [&](const Refusal &refusal) {
    sayMissed(RemarkCode::AccessOrderKept, at.kernel, refusal);
    return false;
  };
  if (!plan)
    return refuse({loop.getLoc(),
                   "threads that start this loop in different iterations would "
                   "not save enough wavefronts"});
  if (std::optional<Refusal> refusal = checkThreadsAreApart(loop))
    return refuse(*refusal);
  UniformityAnalysis uniformity(at.kernel);
  std::variant<FreeLoop, Refusal> checked = checkOrderIsFree(loop, uniformity);
  if (auto *refusal = std::get_if<Refusal>(&checked))
    return refuse(*refusal);
  auto &free = std::get<FreeLoop>(checked);
  auto said = sayPassed(RemarkCode::AccessesReordered, at.kernel, loop.getLoc(),
                        {{"threads", plan->group},
                         {"before", plan->before.degree},
                         {"after", plan->after.degree}});
  said << remark::metric("wavefronts_before", plan->before.wavefronts)
       << remark::metric("wavefronts_after", plan->after.wavefronts);
  if (reordersSums(free))
    said << remark::metric(kReordersSumsKey, true);
  rotateLoop(free, [&](OpBuilder &builder, Value) {
    return emitOffset(builder, loop.getLoc(), *walk, *plan, at);
  });
  return true;
}

namespace {
struct ReorderAccesses
    : public gpuopt::impl::ReorderAccessesBase<ReorderAccesses> {
  using ReorderAccessesBase::ReorderAccessesBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      process(kernel, *machine);
  }

  void process(gpu::GPUFuncOp kernel, TargetAttr machine) {
    std::optional<BlockShape> block = knownBlockOf(kernel);
    if (!block || !hasTime(kernel.getContext()))
      return;
    llvm::DenseSet<Operation *> judged;
    // A rotation changes what is known of other loops around and in this one.
    for (bool changed = true; changed;) {
      changed = false;
      Situation at{kernel, machine, *block, AccessFunctions(kernel)};
      for (Operation *loop : findLoops(at)) {
        if (!judged.insert(loop).second)
          continue;
        if (!reorder(cast<affine::AffineForOp>(loop), at))
          continue;
        ++reordered;
        changed = true;
        break;
      }
    }
  }
};
} // namespace
