//===- UnrollGeometricLoops.cpp - loops whose counter doubles or halves ---===//
//
// The counter of such a loop goes through a few numbers that are known when the
// block is: 128, 64, …, 1. What is accessed at a distance of that counter has a
// known address only where there is one copy of the body for each.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {
#define GEN_PASS_DEF_UNROLLGEOMETRICLOOPS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Whether `loop` has a barrier, or accesses workgroup memory.
static bool sharesMemory(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        bool isShared =
            isa<gpu::BarrierOp>(op) ||
            llvm::any_of(op->getOperandTypes(), [](Type type) {
              auto memref = dyn_cast<MemRefType>(type);
              return memref &&
                     gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
            });
        return isShared ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether something is shifted by `value`, as in 1 << i.
static bool isExponent(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(user))
      return use.getOperandNumber() == 1;
    return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp,
               arith::ExtSIOp, arith::ExtUIOp>(user) &&
           isExponent(user->getResult(0));
  });
}

//===----------------------------------------------------------------------===//
// The number of iterations
//===----------------------------------------------------------------------===//

namespace {
/// Values of which the numbers are known while a loop is followed.
class KnownNumbers {
public:
  Attribute lookup(Value value) const {
    Attribute number = numbers.lookup(value);
    if (!number)
      matchPattern(value, m_Constant(&number));
    return number;
  }
  SmallVector<Attribute> lookup(ValueRange values) const {
    return llvm::map_to_vector(values,
                               [&](Value value) { return lookup(value); });
  }
  void set(ValueRange values, ArrayRef<Attribute> known) {
    for (auto [value, number] : llvm::zip_equal(values, known))
      numbers[value] = number;
  }
  /// Computes what follows in `block` from what is known.
  void follow(Block &block);

private:
  DenseMap<Value, Attribute> numbers;
};
} // namespace

void KnownNumbers::follow(Block &block) {
  for (Operation &op : block.without_terminator()) {
    for (Value result : op.getResults())
      numbers.erase(result);
    if (op.getNumRegions() > 0 || op.getNumResults() != 1 || !isPure(&op))
      continue;
    SmallVector<Attribute> operands = lookup(op.getOperands());
    // `fold` may change an operation that has operands of other kinds.
    if (operands.empty() || !llvm::all_of(operands, [](Attribute number) {
          return isa_and_nonnull<IntegerAttr>(number);
        }))
      continue;
    SmallVector<OpFoldResult> results;
    if (succeeded(op.fold(operands, results)) && results.size() == 1)
      if (auto number = dyn_cast<Attribute>(results.front()))
        numbers[op.getResult(0)] = number;
  }
}

/// How often the body of `loop` runs, up to `most`; nothing where that is more,
/// or not known.
static std::optional<int64_t> countIterations(scf::WhileOp loop, int64_t most) {
  KnownNumbers numbers;
  SmallVector<Attribute> carried = numbers.lookup(loop.getInits());
  for (int64_t trips = 0; trips <= most; ++trips) {
    numbers.set(loop.getBeforeArguments(), carried);
    numbers.follow(*loop.getBeforeBody());
    auto goesOn = dyn_cast_or_null<IntegerAttr>(
        numbers.lookup(loop.getConditionOp().getCondition()));
    if (!goesOn)
      return std::nullopt;
    if (goesOn.getValue().isZero())
      return trips;
    numbers.set(loop.getAfterArguments(),
                numbers.lookup(loop.getConditionOp().getArgs()));
    numbers.follow(*loop.getAfterBody());
    carried = numbers.lookup(loop.getYieldOp().getOperands());
  }
  return std::nullopt;
}

/// The same for a loop that counts by one, where what it counts is an exponent.
static std::optional<int64_t> countIterations(affine::AffineForOp loop,
                                              int64_t most) {
  std::optional<int64_t> trips = constantTripCount(loop);
  if (!trips || *trips > most || !isExponent(loop.getInductionVar()))
    return std::nullopt;
  return trips;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Repeats the operations of `block` with `arguments`; returns what its
/// terminator's `results` are there.
static SmallVector<Value> repeat(Block &block, ArrayRef<Value> arguments,
                                 ValueRange results, OpBuilder &builder) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    // Inner loops begin with what follows from a number. What is folded in
    // place has no such values.
    SmallVector<Value> folded;
    if (copy->getNumRegions() > 0 || !isPure(copy) ||
        failed(builder.tryFold(copy, folded)) || folded.empty())
      continue;
    mapping.map(op.getResults(), folded);
    copy->erase();
  }
  return llvm::map_to_vector(
      results, [&](Value value) { return mapping.lookupOrDefault(value); });
}

static void unroll(scf::WhileOp loop, int64_t trips, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> carried(loop.getInits());
  SmallVector<Value> passed;
  for (int64_t trip = 0; trip <= trips; ++trip) {
    passed = repeat(*loop.getBeforeBody(), carried,
                    loop.getConditionOp().getArgs(), rewriter);
    if (trip < trips)
      carried = repeat(*loop.getAfterBody(), passed,
                       loop.getYieldOp().getOperands(), rewriter);
  }
  rewriter.replaceOp(loop, passed);
}

namespace {
struct UnrollGeometricLoops
    : public gpuopt::impl::UnrollGeometricLoopsBase<UnrollGeometricLoops> {
  using UnrollGeometricLoopsBase::UnrollGeometricLoopsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      unrollIn(kernel);
  }

  void unrollIn(gpu::GPUFuncOp kernel);
  bool tryUnrolling(gpu::GPUFuncOp kernel, Operation *loop);
};
} // namespace

bool UnrollGeometricLoops::tryUnrolling(gpu::GPUFuncOp kernel,
                                        Operation *loop) {
  auto steps = dyn_cast<scf::WhileOp>(loop);
  auto counted = dyn_cast<affine::AffineForOp>(loop);
  if ((!steps && !counted) || !sharesMemory(loop))
    return false;
  std::optional<int64_t> trips = steps ? countIterations(steps, maxTripCount)
                                       : countIterations(counted, maxTripCount);
  int64_t operations = 0;
  loop->walk([&](Operation *) { ++operations; });
  if (!trips || *trips * operations > maxOperations)
    return false;
  Location loc = loop->getLoc();
  IRRewriter rewriter(kernel.getContext());
  if (steps)
    unroll(steps, *trips, rewriter);
  else if (failed(unrollFully(counted)))
    return false;
  sayPassed(RemarkCode::StepsUnrolled, kernel, loc, {{"steps", *trips}});
  ++unrolled;
  return true;
}

void UnrollGeometricLoops::unrollIn(gpu::GPUFuncOp kernel) {
  // Outer loops first: what inner ones begin with is known behind them.
  llvm::SmallPtrSet<Operation *, 8> kept;
  auto unrollOne = [&](Operation *op) {
    if (!isa<LoopLikeOpInterface>(op) || kept.contains(op))
      return WalkResult::advance();
    if (tryUnrolling(kernel, op))
      return WalkResult::interrupt();
    kept.insert(op);
    return WalkResult::advance();
  };
  while (kernel.walk<WalkOrder::PreOrder>(unrollOne).wasInterrupted()) {
  }
}
