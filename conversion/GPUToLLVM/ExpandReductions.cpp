//===- ExpandReductions.cpp - reductions over subgroups and blocks --------===//
//
// Upstream has patterns for reductions over a subgroup. Its reduction over a
// block lets several lanes store different results to one element where the
// number of subgroups is no power of two, so that there is one here: lanes
// reduce a subgroup, whose first lane stores to workgroup memory; then every
// thread reduces what was stored, in the same order.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/LargestBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDREDUCTIONS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// Lanes that are reduced by shuffles: a subgroup of NVIDIA's, and of AMD's at
/// least.
static constexpr int64_t kGroupSize = 32;

namespace {

class BlockReduction {
public:
  explicit BlockReduction(gpu::AllReduceOp op)
      : op(op), kernel(op->getParentOfType<gpu::GPUFuncOp>()), builder(op),
        loc(op.getLoc()) {}

  void expand();

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        value);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  template <typename OpTy>
  Value make(Value left, Value right) {
    return OpTy::create(builder, loc, left, right).getResult();
  }
  template <typename OpTy>
  Value query(gpu::Dimension dim) {
    return OpTy::create(builder, loc, builder.getIndexType(), dim, nullptr);
  }
  Value combine(Value left, Value right);
  Value reduceGroup(Value lane, Value numLanes);
  Value reduceStored(Value buffer, Value numGroups);

  gpu::AllReduceOp op;
  gpu::GPUFuncOp kernel;
  OpBuilder builder;
  Location loc;
};

struct ExpandReductions : impl::ExpandReductionsBase<ExpandReductions> {
  using ExpandReductionsBase::ExpandReductionsBase;

  void runOnOperation() override;
  LogicalResult expandSubgroups();
  LogicalResult expandBlocks();
};

} // namespace

/// The operation's function of two values: named, or its body.
Value BlockReduction::combine(Value left, Value right) {
  if (op.getBody().empty())
    return vector::makeArithReduction(
        builder, loc, gpu::convertReductionKind(*op.getOp()), left, right);
  Block &body = op.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), ValueRange{left, right});
  for (Operation &part : body.without_terminator())
    builder.clone(part, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

/// Lane k gets the values of lanes k to k + 2^step - 1 that there are.
Value BlockReduction::reduceGroup(Value lane, Value numLanes) {
  Value value = op.getValue();
  for (int64_t offset = 1; offset < kGroupSize; offset *= 2) {
    Value other = gpu::ShuffleOp::create(builder, loc, value, constant(offset),
                                         numLanes, gpu::ShuffleMode::DOWN)
                      .getShuffleResult();
    Value source = make<arith::AddIOp>(lane, constant(offset));
    Value isThere = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, source, numLanes);
    value = arith::SelectOp::create(builder, loc, isThere,
                                    combine(value, other), value);
  }
  return value;
}

Value BlockReduction::reduceStored(Value buffer, Value numGroups) {
  Value zero = index(0), one = index(1);
  Value first = memref::LoadOp::create(builder, loc, buffer, zero);
  auto loop = scf::ForOp::create(builder, loc, one, numGroups, one, first);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Value next =
      memref::LoadOp::create(builder, loc, buffer, loop.getInductionVar());
  Value sum = combine(loop.getRegionIterArg(0), next);
  scf::YieldOp::create(builder, loc, sum);
  return loop.getResult(0);
}

void BlockReduction::expand() {
  using gpu::Dimension;
  Value sizeX = query<gpu::BlockDimOp>(Dimension::x);
  Value sizeY = query<gpu::BlockDimOp>(Dimension::y);
  Value row = make<arith::AddIOp>(
      make<arith::MulIOp>(query<gpu::ThreadIdOp>(Dimension::z), sizeY),
      query<gpu::ThreadIdOp>(Dimension::y));
  Value thread = make<arith::AddIOp>(make<arith::MulIOp>(row, sizeX),
                                     query<gpu::ThreadIdOp>(Dimension::x));
  Value numThreads = make<arith::MulIOp>(make<arith::MulIOp>(sizeX, sizeY),
                                         query<gpu::BlockDimOp>(Dimension::z));
  Value size = index(kGroupSize);
  Value group = make<arith::DivUIOp>(thread, size);
  Value start = make<arith::MulIOp>(group, size);
  Value lane = make<arith::SubIOp>(thread, start);
  Value numLanes =
      make<arith::MinUIOp>(make<arith::SubIOp>(numThreads, start), size);
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      value);
  };
  Value reduced = reduceGroup(narrow(lane), narrow(numLanes));

  auto space = gpu::AddressSpaceAttr::get(
      builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  Value buffer = kernel.addWorkgroupAttribution(
      MemRefType::get({kMostThreadsOfBlock / kGroupSize}, op.getType(),
                      AffineMap(), space),
      loc);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, index(0));
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*else=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  memref::StoreOp::create(inside, loc, reduced, buffer, group);
  gpu::BarrierOp::create(builder, loc);
  Value numGroups = make<arith::CeilDivUIOp>(numThreads, size);
  Value result = reduceStored(buffer, numGroups);
  // The next reduction stores to the same elements.
  gpu::BarrierOp::create(builder, loc);
  op.replaceAllUsesWith(result);
  op.erase();
}

/// True where all threads of a block get to `op`, or none: the operation says
/// so, or it stands at the top of the kernel.
static bool isReachedByAll(gpu::AllReduceOp op) {
  Block *block = op->getBlock();
  return op.getUniform() ||
         (isa<gpu::GPUFuncOp>(block->getParentOp()) && block->isEntryBlock());
}

LogicalResult ExpandReductions::expandBlocks() {
  SmallVector<gpu::AllReduceOp> found;
  getOperation().walk([&](gpu::AllReduceOp op) { found.push_back(op); });
  for (gpu::AllReduceOp op : found) {
    if (!isReachedByAll(op))
      return emitError(op.getLoc(),
                       "'gpu.all_reduce' in a branch or a loop must be marked "
                       "'uniform': all threads of a block take part in it");
    if (!op.getBody().empty() && !op.getBody().hasOneBlock())
      return emitError(op.getLoc(), "'gpu.all_reduce' with a body of several "
                                    "blocks cannot be compiled");
    if (!op->getParentOfType<gpu::GPUFuncOp>())
      return emitError(op.getLoc(),
                       "'gpu.all_reduce' must stand in a 'gpu.func': it needs "
                       "workgroup memory");
    BlockReduction(op).expand();
    ++expandedReductions;
  }
  return success();
}

LogicalResult ExpandReductions::expandSubgroups() {
  unsigned found = 0;
  getOperation().walk([&](gpu::SubgroupReduceOp) { ++found; });
  if (!found)
    return success();
  RewritePatternSet patterns(&getContext());
  populateGpuBreakDownSubgroupReducePatterns(
      patterns, /*maxShuffleBitwidth=*/32, PatternBenefit(3));
  // Values of 64 bits are taken by the wider patterns only.
  for (unsigned bits : {32, 64}) {
    PatternBenefit benefit(bits == 32 ? 2 : 1);
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, subgroupSize,
                                                    bits, benefit);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
        patterns, subgroupSize, bits, benefit);
  }
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    return failure();
  expandedReductions += found;
  WalkResult left = getOperation().walk([&](gpu::SubgroupReduceOp op) {
    emitError(op.getLoc(), "'gpu.subgroup_reduce' of ")
        << op.getType() << " cannot be compiled for subgroups of "
        << subgroupSize;
    return WalkResult::interrupt();
  });
  return failure(left.wasInterrupted());
}

void ExpandReductions::runOnOperation() {
  if (failed(expandSubgroups()) || failed(expandBlocks()))
    signalPassFailure();
}

} // namespace gpuopt
