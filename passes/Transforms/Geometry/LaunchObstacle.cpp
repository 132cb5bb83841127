//===- LaunchObstacle.cpp - what ties a kernel to its launch --------------===//

#include "passes/Transforms/Geometry/LaunchObstacle.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/IntricateValues.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// Whether the id or the number of blocks that `op` reads stays what it is: a
/// block is a work item, and stays one where their number is asked for.
static bool readsBlockItems(Operation *op,
                            const std::array<bool, 3> &blockItems,
                            ArrayRef<int64_t> requested) {
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return blockItems[static_cast<unsigned>(id.getDimension())];
  auto size = dyn_cast<gpu::GridDimOp>(op);
  if (!size)
    return false;
  auto dim = static_cast<unsigned>(size.getDimension());
  return blockItems[dim] && (dim >= requested.size() || requested[dim] == 1);
}

/// Whether `op` gives work items what those before them have left: the order in
/// which they run, with all that follows from it, would be another one.
static bool tellsOrder(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, LLVM::AtomicRMWOp,
             LLVM::AtomicCmpXchgOp>(op) &&
         !op->use_empty();
}

/// Whether the function that `op` calls may wait for what other blocks do.
/// Those that the prelude calls wait for threads of the block at most, but for
/// the barrier of the grid, which is an operation of its own by now.
static bool mayCallWhatWaits(Operation *op) {
  if (!isa<CallOpInterface>(op) || callsLibrary(op))
    return false;
  auto call = dyn_cast<LLVM::CallOp>(op);
  StringRef callee = call ? call.getCallee().value_or("") : StringRef();
  return !callee.starts_with("__gpuopt_") && callee != "__assertfail";
}

/// Whether a block may wait in `op` for what another one does. Blocks start in
/// the order of their ids, on which some kernels rely then.
static bool mayWaitForBlocks(Operation *op) {
  if (isa<GridBarrierOp>(op) || mayCallWhatWaits(op) || mayReadRegisters(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    constexpr unsigned workgroupSpace = 3;
    return load.getAddr().getType().getAddressSpace() != workgroupSpace &&
           (load.getVolatile_() ||
            load.getOrdering() != LLVM::AtomicOrdering::not_atomic);
  }
  return tellsOrder(op) && op->getParentOfType<scf::WhileOp>();
}

/// An access with a subscript that MLIR takes too long to classify.
static Operation *findIntricateSubscript(gpu::GPUFuncOp kernel) {
  IntricateValues intricateValues;
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp, affine::AffineReadOpInterface,
            affine::AffineWriteOpInterface>(op) &&
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getType().isIndex() &&
                 intricateValues.contains(operand);
        }))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

bool gpuopt::mayTellPlace(Operation *op) {
  Dialect *dialect = op->getDialect();
  StringRef space = dialect ? dialect->getNamespace() : "";
  return space == "gpu" || space == "nvvm" || space == "nvgpu" ||
         space == "rocdl" || space == "amdgpu" || space == "gpuopt" ||
         mayReadRegisters(op);
}

/// As `findLaunchObstacle`, but for blocks that may wait for others.
static std::optional<LaunchObstacle>
findObstacle(gpu::GPUFuncOp kernel, const std::array<bool, 3> &blockItems,
             ArrayRef<int64_t> requested) {
  if (Operation *access = findIntricateSubscript(kernel))
    return LaunchObstacle{
        {access->getLoc(),
         "a subscript takes the same values again and again, in more than " +
             std::to_string(IntricateValues::kMostSteps) + " steps"},
        /*mayKeepBlock=*/false};
  if (kernel.getNumWorkgroupAttributions() > 0)
    return LaunchObstacle{{kernel.getLoc(), "it uses workgroup memory"}};
  std::optional<LaunchObstacle> obstacle;
  kernel.walk([&](Operation *op) {
    if (tellsOrder(op)) {
      obstacle = LaunchObstacle{
          {op->getLoc(), "it uses the result of an atomic operation, which "
                         "depends on the order of work items"}};
      return WalkResult::interrupt();
    }
    bool isHarmless =
        isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::GlobalIdOp, GetVariableOp>(
            op) ||
        readsBlockItems(op, blockItems, requested);
    if ((mayTellPlace(op) && !isHarmless) ||
        (isa<CallOpInterface>(op) && !callsLibrary(op))) {
      auto call = dyn_cast<LLVM::CallOp>(op);
      StringRef name = call && call.getCallee() ? *call.getCallee()
                                                : op->getName().getStringRef();
      obstacle = LaunchObstacle{
          {op->getLoc(), "it uses '" + name.str() +
                             "', which may depend on the block shape"}};
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return obstacle;
}

std::optional<LaunchObstacle>
gpuopt::findLaunchObstacle(gpu::GPUFuncOp kernel,
                           const std::array<bool, 3> &blockItems,
                           ArrayRef<int64_t> requested) {
  std::optional<LaunchObstacle> obstacle =
      findObstacle(kernel, blockItems, requested);
  if (!obstacle)
    return std::nullopt;
  kernel.walk(
      [&](Operation *op) { obstacle->mayKeepBlock &= !mayWaitForBlocks(op); });
  return obstacle;
}
