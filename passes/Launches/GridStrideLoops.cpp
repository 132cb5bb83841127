//===- GridStrideLoops.cpp - loops by the size of the launch --------------===//

#include "passes/Launches/GridStrideLoops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Analysis/ArgumentExpressions.h"

using namespace mlir;
using namespace gpuopt;

SmallVector<GridStrideLoop> gpuopt::findGridStrideLoops(gpu::GPUFuncOp kernel,
                                                        IntegerValues &values) {
  SmallVector<GridStrideLoop> loops;
  kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    Polynomial step = values.get(loop.getStep()).value;
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      if (step != values.getId(Atom::Kind::GlobalSize, dimension))
        continue;
      Polynomial begin = values.getExact(loop.getLowerBound(), false).value -
                         values.getId(Atom::Kind::GlobalId, dimension);
      // Products of sizes may wrap; launchers look whether they do.
      Polynomial end = congruentOverArguments(loop.getUpperBound(), values);
      bool mayWrap = !values.get(loop.getUpperBound()).isSigned;
      if (values.isParameter(begin) && values.isParameter(end))
        loops.push_back({loop, dimension, end - begin, mayWrap});
    }
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// What the kernel does besides
//===----------------------------------------------------------------------===//

/// Whether all that becomes of `value` are operands of `loops`: their first
/// iterations or their steps, as `operandOf` says.
static bool feedsOnly(Value value, ArrayRef<GridStrideLoop> loops,
                      llvm::function_ref<Value(scf::ForOp)> operandOf) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    bool isLoop = llvm::any_of(
        loops, [&](const GridStrideLoop &other) { return other.loop == user; });
    if (isLoop)
      return llvm::count(user->getOperands(), value) == 1 &&
             operandOf(cast<scf::ForOp>(user)) == value;
    return user->getNumRegions() == 0 && isMemoryEffectFree(user) &&
           llvm::all_of(user->getResults(), [&](Value result) {
             return feedsOnly(result, loops, operandOf);
           });
  });
}

static bool isStepOf(Value value, ArrayRef<GridStrideLoop> loops) {
  return feedsOnly(value, loops,
                   [](scf::ForOp loop) { return loop.getStep(); });
}

bool gpuopt::usesSizesOtherwise(gpu::GPUFuncOp kernel,
                                ArrayRef<GridStrideLoop> loops) {
  return kernel.getBody()
      .walk([&](Operation *op) {
        bool isFree = !isa<gpu::BlockDimOp, gpu::GridDimOp>(op) ||
                      isStepOf(op->getResult(0), loops);
        return isFree ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether `op`, of the GPU dialect, is there for the bounds of `loops` only,
/// or an id along one of the `plain` dimensions.
static bool isOfLoops(Operation *op, ArrayRef<GridStrideLoop> loops,
                      const std::array<bool, 3> &plain) {
  auto id = dyn_cast<gpu::GlobalIdOp>(op);
  if (isa<gpu::ReturnOp>(op) ||
      (id && plain[static_cast<unsigned>(id.getDimension())]))
    return true;
  if (id)
    return feedsOnly(op->getResult(0), loops,
                     [](scf::ForOp loop) { return loop.getLowerBound(); });
  return isa<gpu::BlockDimOp, gpu::GridDimOp>(op) &&
         isStepOf(op->getResult(0), loops);
}

/// Each loop stands in the one before and has a dimension of its own.
static std::optional<IterationOrder> checkNest(ArrayRef<GridStrideLoop> loops) {
  for (auto [index, other] : llvm::enumerate(loops)) {
    scf::ForOp loop = other.loop;
    if (index != 0 && !loops[index - 1].loop->isProperAncestor(loop))
      return IterationOrder{{loop.getLoc(), "a loop stands beside another one"},
                            /*mayBeFree=*/true};
    for (const GridStrideLoop &outer : loops.take_front(index))
      if (outer.dimension == other.dimension)
        return IterationOrder{
            {loop.getLoc(), "two loops run along one dimension"}};
  }
  return std::nullopt;
}

static std::optional<IterationOrder>
checkIds(gpu::GPUFuncOp kernel, ArrayRef<GridStrideLoop> loops,
         const std::array<bool, 3> &plain) {
  std::optional<IterationOrder> order;
  kernel.getBody().walk([&](Operation *op) {
    if (!isa<gpu::GPUDialect>(op->getDialect()) || isOfLoops(op, loops, plain))
      return WalkResult::advance();
    order = IterationOrder{
        {op->getLoc(), "'" + op->getName().getStringRef().str() +
                           "' is used for more than bounds of the loops"},
        /*mayBeFree=*/true};
    return WalkResult::interrupt();
  });
  return order;
}

std::optional<IterationOrder>
gpuopt::checkIterationsIndependent(gpu::GPUFuncOp kernel,
                                   ArrayRef<GridStrideLoop> loops,
                                   const std::array<bool, 3> &plain) {
  if (std::optional<IterationOrder> order = checkNest(loops))
    return order;
  SmallVector<LoopLikeOpInterface> iterations =
      llvm::map_to_vector(loops, [](const GridStrideLoop &loop) {
        return cast<LoopLikeOpInterface>(*scf::ForOp(loop.loop));
      });
  if (std::optional<IterationOrder> order =
          checkIterationsIndependent(kernel, iterations))
    return order;
  return checkIds(kernel, loops, plain);
}
