//===- DistributeTiles.cpp - per-thread code for collective loops ---------===//
//
// Up to here a collective loop says what the block does together; now each
// thread gets its part: the iterations that TileDistribution.h gives it, in
// straight-line code with all loads before all stores where nothing is guarded.
// That is the form in which loads overlap, and from which they can be moved
// ahead of what comes before them.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Tiles/TileDistribution.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/TileShape.h"
#include "passes/Transforms/Utils/VectorWidth.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_DISTRIBUTETILES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Makes per-thread code of one loop.
class TileRewriter {
public:
  TileRewriter(gpu::GPUFuncOp tileKernel, affine::AffineParallelOp tileLoop,
               const TileDistribution &tileDistribution)
      : kernel(tileKernel), loop(tileLoop), distribution(tileDistribution),
        builder(tileLoop) {}

  void run(int64_t maxUnrolledRounds);

private:
  /// Which part of the loop's body is made.
  enum class Part { Loads, Stores, Both };

  /// What a thread does in one round.
  struct Round {
    /// One for each iteration of a vector.
    std::vector<SliceCloner> lanes;
    /// By load: a vector, or a value for each lane.
    llvm::DenseMap<Operation *, SmallVector<Value, 4>> loaded;
    /// Whether the thread has something to do; null where it always has.
    Value isActive;
  };

  bool isStraight();
  void emitRounds(ArrayRef<Value> rounds);
  Round prepare(Value number);
  bool holdsForAll(AffineExpr expr, int64_t limit, Value round);
  Value evaluate(AffineExpr expr, Value round);
  void emit(Block &body, Round &round, Part part);
  void emitBranch(scf::IfOp branch, Round &round);
  void emitLoad(Operation *load, Round &round);
  void emitStore(Operation *store, Round &round);
  bool isVector(Operation *access) {
    return distribution.width > 1 &&
           distribution.vectorAccesses.contains(access);
  }

  gpu::GPUFuncOp kernel;
  affine::AffineParallelOp loop;
  const TileDistribution &distribution;
  OpBuilder builder;
};
} // namespace

/// Whether `op` stands in a loop as code with guards that has a version without
/// them, which most blocks run.
static bool isGuardedVersion(Operation *op) {
  auto versions = dyn_cast<scf::IfOp>(op->getParentOp());
  return versions && versions->hasAttr(kUnguardedAttrName) &&
         op->getBlock() != versions.thenBlock() &&
         versions->getParentOfType<affine::AffineForOp>();
}

void TileRewriter::run(int64_t maxUnrolledRounds) {
  int64_t rounds = distribution.assignment.rounds;
  bool staysLoop = rounds > 1 && isGuardedVersion(loop);
  if (staysLoop || rounds > maxUnrolledRounds) {
    auto around =
        affine::AffineForOp::create(builder, loop.getLoc(), 0, rounds);
    if (staysLoop)
      around->setAttr(kRolledAttrName, builder.getUnitAttr());
    builder.setInsertionPointToStart(around.getBody());
    emitRounds(around.getInductionVar());
  } else {
    SmallVector<Value> numbers;
    for (int64_t number = 0; number < rounds; ++number)
      numbers.push_back(
          arith::ConstantIndexOp::create(builder, loop.getLoc(), number));
    emitRounds(numbers);
  }
  loop.erase();
}

/// Whether each round is the same copies, unconditionally.
bool TileRewriter::isStraight() {
  return distribution.isCopy && distribution.assignment.limits.empty() &&
         loop.getBody()->getOps<scf::IfOp>().empty();
}

void TileRewriter::emitRounds(ArrayRef<Value> numbers) {
  std::vector<Round> rounds;
  if (isStraight()) {
    for (Value number : numbers) {
      rounds.push_back(prepare(number));
      emit(*loop.getBody(), rounds.back(), Part::Loads);
    }
    for (Round &round : rounds)
      emit(*loop.getBody(), round, Part::Stores);
    return;
  }
  for (Value number : numbers) {
    Round round = prepare(number);
    OpBuilder::InsertionGuard keep(builder);
    if (round.isActive) {
      auto branch = scf::IfOp::create(builder, loop.getLoc(), round.isActive,
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    if (distribution.isCopy)
      emit(*loop.getBody(), round, Part::Both);
    else
      round.lanes.front().cloneBody(*loop.getBody());
  }
}

/// An expression over the thread ids and the round.
Value TileRewriter::evaluate(AffineExpr expr, Value round) {
  SmallVector<AffineExpr> replacements;
  SmallVector<Value> operands;
  for (unsigned dim = 0; dim < 4; ++dim) {
    replacements.push_back(builder.getAffineDimExpr(operands.size()));
    if (expr.isFunctionOfDim(dim))
      operands.push_back(dim < 3 ? threadIdAtTop(kernel, dim) : round);
  }
  return createApply(
      builder, loop.getLoc(),
      AffineMap::get(operands.size(), 0, expr.replaceDims(replacements)),
      operands);
}

/// Whether `expr` is below `limit` for every thread.
bool TileRewriter::holdsForAll(AffineExpr expr, int64_t limit, Value round) {
  SmallVector<std::optional<int64_t>> least(4, 0), most;
  for (int64_t extent : geometryOf(kernel).getBlock())
    most.push_back(extent - 1);
  std::optional<int64_t> number = getConstantIntValue(round);
  least[3] = number.value_or(0);
  most.push_back(number.value_or(distribution.assignment.rounds - 1));
  std::optional<int64_t> bound =
      getBoundForAffineExpr(expr, 4, 0, least, most, /*isUpper=*/true);
  return bound && *bound < limit;
}

TileRewriter::Round TileRewriter::prepare(Value number) {
  Location loc = loop.getLoc();
  Round round;
  for (const auto &[expr, limit] : distribution.assignment.limits) {
    if (holdsForAll(expr, limit, number))
      continue;
    Value isBelow = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, evaluate(expr, number),
        arith::ConstantIndexOp::create(builder, loc, limit));
    round.isActive =
        round.isActive
            ? arith::AndIOp::create(builder, loc, round.isActive, isBelow)
                  .getResult()
            : isBelow;
  }
  for (int64_t lane = 0; lane < distribution.width; ++lane) {
    SliceCloner cloner(builder);
    for (auto [dimension, expr] :
         llvm::zip_equal(distribution.order, distribution.assignment.indices)) {
      AffineExpr index = dimension == distribution.fastest()
                             ? expr * distribution.width + lane
                             : expr;
      cloner.substitute(loop.getIVs()[dimension], evaluate(index, number));
    }
    round.lanes.push_back(cloner);
  }
  return round;
}

void TileRewriter::emit(Block &body, Round &round, Part part) {
  for (Operation &op : body.without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      emitBranch(branch, round);
    else if (isa<affine::AffineLoadOp, memref::LoadOp>(op) &&
             part != Part::Stores)
      emitLoad(&op, round);
    else if (isa<affine::AffineStoreOp, memref::StoreOp>(op) &&
             part != Part::Loads)
      emitStore(&op, round);
  }
}

/// The lanes agree on the condition.
void TileRewriter::emitBranch(scf::IfOp branch, Round &round) {
  Value condition = round.lanes.front().clone(branch.getCondition());
  auto copy = scf::IfOp::create(builder, branch.getLoc(), condition,
                                /*withElseRegion=*/false);
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(copy.thenBlock());
  // What is computed in the branch is not there behind it.
  std::vector<SliceCloner> outside = round.lanes;
  emit(*branch.thenBlock(), round, Part::Both);
  round.lanes = std::move(outside);
}

void TileRewriter::emitLoad(Operation *load, Round &round) {
  SmallVector<Value, 4> &values = round.loaded[load];
  if (!isVector(load)) {
    for (SliceCloner &lane : round.lanes)
      values.push_back(lane.cloneLoad(load));
    return;
  }
  Type element = load->getResult(0).getType();
  auto type = VectorType::get({distribution.width}, element);
  SliceCloner &first = round.lanes.front();
  auto copy = vector::LoadOp::create(builder, load->getLoc(), type,
                                     first.clone(load->getOperand(0)),
                                     first.cloneIndices(load));
  copy.setAlignment(distribution.width * element.getIntOrFloatBitWidth() / 8);
  values.push_back(copy);
}

void TileRewriter::emitStore(Operation *store, Round &round) {
  Location loc = store->getLoc();
  Operation *load = store->getOperand(0).getDefiningOp();
  ArrayRef<Value> values = round.loaded.find(load)->second;
  if (!isVector(store)) {
    for (auto [number, lane] : llvm::enumerate(round.lanes))
      lane.cloneStore(store, isVector(load)
                                 ? vector::ExtractOp::create(
                                       builder, loc, values[0], int64_t(number))
                                       .getResult()
                                 : values[number]);
    return;
  }
  Type element = load->getResult(0).getType();
  Value vector = values.front();
  if (!isVector(load))
    vector = vector::FromElementsOp::create(
        builder, loc, VectorType::get({distribution.width}, element), values);
  SliceCloner &first = round.lanes.front();
  auto copy = vector::StoreOp::create(builder, loc, vector,
                                      first.clone(store->getOperand(1)),
                                      first.cloneIndices(store));
  copy.setAlignment(distribution.width * element.getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// What becomes of loops, told once for those that are alike: versions and
/// merged blocks have copies of one tile's loop.
class Reporter {
public:
  explicit Reporter(gpu::GPUFuncOp reported) : kernel(reported) {}

  void add(affine::AffineParallelOp loop, const TileDistribution &distribution);
  void report();

private:
  struct Loops {
    Location location;
    std::string elements;
    const TileDistribution *distribution;
    int count = 0;
  };

  gpu::GPUFuncOp kernel;
  std::vector<Loops> kinds;
};
} // namespace

void Reporter::add(affine::AffineParallelOp loop,
                   const TileDistribution &distribution) {
  std::string elements = shapeText(*collectiveExtents(loop));
  auto known = llvm::find_if(kinds, [&](const Loops &kind) {
    return kind.location == loop.getLoc() && kind.elements == elements &&
           kind.distribution->width == distribution.width &&
           kind.distribution->whyNotWider == distribution.whyNotWider;
  });
  if (known == kinds.end())
    known = kinds.insert(known, {loop.getLoc(), elements, &distribution});
  ++known->count;
}

void Reporter::report() {
  for (const Loops &kind : kinds) {
    const TileDistribution &distribution = *kind.distribution;
    sayPassed(RemarkCode::TileDistributed, kernel, kind.location,
              {{"width", distribution.width}, {"elements", kind.elements}})
        << remark::metric("rounds",
                          static_cast<int>(distribution.assignment.rounds))
        << remark::metric("sectors", distribution.sectors)
        << remark::metric("loops", kind.count);
    if (!distribution.whyNotWider.empty())
      sayMissed(RemarkCode::TileVectorsNarrow, kernel,
                Refusal{kind.location, distribution.whyNotWider});
  }
}

namespace {
struct DistributeTiles
    : public gpuopt::impl::DistributeTilesBase<DistributeTiles> {
  using DistributeTilesBase::DistributeTilesBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(distribute(kernel)))
        return signalPassFailure();
  }

  LogicalResult distribute(gpu::GPUFuncOp kernel);
};
} // namespace

/// Why `loop` cannot be distributed; it then stays a loop that every thread
/// runs as a whole.
static std::string whyNot(affine::AffineParallelOp loop,
                          GeometryAttr geometry) {
  if (!geometry)
    return "the kernel's block shape is not known";
  if (!collectiveExtents(loop))
    return "the loop does not count from 0 by 1 to constants";
  Operation *obstacle = SliceCloner::findUncloneable(*loop.getBody());
  if (obstacle)
    return ("'" + obstacle->getName().getStringRef() +
            "' cannot be made per thread")
        .str();
  return {};
}

LogicalResult DistributeTiles::distribute(gpu::GPUFuncOp kernel) {
  SmallVector<affine::AffineParallelOp> loops;
  kernel.walk([&](affine::AffineParallelOp loop) {
    if (!isCollective(loop))
      return;
    std::string reason = whyNot(loop, geometryOf(kernel));
    if (reason.empty())
      loops.push_back(loop);
    else
      sayMissed(RemarkCode::TileNotDistributed, kernel,
                Refusal{loop.getLoc(), reason});
  });
  if (loops.empty())
    return success();
  FailureOr<TargetAttr> machine = resolveTarget(kernel, target);
  if (failed(machine) || failed(checkAccessBytes(kernel, width)))
    return failure();

  gatherIds(kernel);
  BlockShape block;
  llvm::copy(geometryOf(kernel).getBlock(), block.begin());
  std::vector<TileDistribution> distributions;
  AccessFunctions functions(kernel);
  for (affine::AffineParallelOp loop : loops)
    distributions.push_back(distributeTile(loop, *collectiveExtents(loop),
                                           functions, *machine, block, width));
  Reporter reporter(kernel);
  for (auto [loop, distribution] : llvm::zip_equal(loops, distributions)) {
    reporter.add(loop, distribution);
    TileRewriter(kernel, loop, distribution).run(maxUnrolledRounds);
    ++distributed;
  }
  reporter.report();
  return success();
}
