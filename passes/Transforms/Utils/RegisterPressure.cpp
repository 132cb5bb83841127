//===- RegisterPressure.cpp - registers that a thread needs ---------------===//

#include "passes/Transforms/Utils/RegisterPressure.h"

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpuopt;

/// What addresses and the stack take in any kernel.
static constexpr int64_t kOverheadRegisters = 16;

static int64_t weightOf(Value value) {
  Type type = value.getType();
  if (matchPattern(value, m_Constant()) || isa<MemRefType>(type) ||
      type.isInteger(1))
    return 0;
  if (type.isIndex())
    return 1;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType().isIntOrFloat()
               ? llvm::divideCeil(
                     vector.getNumElements() *
                         vector.getElementType().getIntOrFloatBitWidth(),
                     32)
               : 2 * vector.getNumElements();
  return type.isIntOrFloat()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 32)
             : 2;
}

/// The addition that the product `op` becomes one instruction with, or null.
static Operation *fusedWith(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  if (!product || !product->hasOneUse())
    return nullptr;
  Operation *user = *product->user_begin();
  auto mayContract = [](Operation *op) {
    return arith::bitEnumContainsAny(cast<arith::ArithFastMathInterface>(op)
                                         .getFastMathFlagsAttr()
                                         .getValue(),
                                     arith::FastMathFlags::contract);
  };
  bool isSum = isa<arith::AddFOp, arith::SubFOp>(user) &&
               user->getBlock() == op->getBlock();
  return isSum && mayContract(op) && mayContract(user) ? user : nullptr;
}

/// Whether a loop carries the value on in the same registers, or a product of
/// warpgroups adds to it there.
static bool isInitialValue(OpOperand &use) {
  if (auto product = dyn_cast<WarpgroupProductOp>(use.getOwner()))
    return llvm::is_contained(product.getSums(), use.get());
  auto loop = dyn_cast<LoopLikeOpInterface>(use.getOwner());
  return loop && llvm::any_of(loop.getInitsMutable(),
                              [&](OpOperand &init) { return &init == &use; });
}

/// Registers of the values that `block` defines, live at each of its
/// operations.
static SmallVector<int64_t> liveIn(Block &block) {
  llvm::DenseMap<Operation *, unsigned> order;
  for (Operation &op : block)
    order.try_emplace(&op, order.size());
  SmallVector<int64_t> change(order.size() + 1, 0);
  auto add = [&](Value value, unsigned begin) {
    int64_t weight = weightOf(value);
    if (!weight || value.use_empty())
      return;
    // One after the last operation at which the value is live.
    unsigned end = begin + 1;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (Operation *sum = fusedWith(user))
        user = sum;
      unsigned last = order[block.findAncestorOpInBlock(*user)];
      end = std::max(end, isInitialValue(use) ? last : last + 1);
    }
    change[begin] += weight;
    change[end] -= weight;
  };
  for (Value argument : block.getArguments())
    add(argument, 0);
  for (Operation &op : block)
    if (!fusedWith(&op))
      for (Value result : op.getResults())
        add(result, order[&op]);
  for (size_t i = 1; i < change.size(); ++i)
    change[i] += change[i - 1];
  return change;
}

/// The most registers live in `block`, beside those of the blocks around it.
static int64_t pressureIn(Block &block) {
  SmallVector<int64_t> live = liveIn(block);
  int64_t most = 0;
  for (auto [op, registers] : llvm::zip(block, live)) {
    int64_t inside = 0;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        inside = std::max(inside, pressureIn(nested));
    most = std::max(most, registers + inside);
  }
  return most;
}

int64_t gpuopt::estimateRegisters(Operation *loop) {
  int64_t registers = kOverheadRegisters;
  for (Region &region : loop->getRegions())
    for (Block &block : region)
      registers += pressureIn(block);
  // Results are in the registers that the loop carries.
  for (Value result : loop->getResults())
    registers -= weightOf(result);
  for (Operation *op = loop; op->getBlock() && !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp()) {
    Block *block = op->getBlock();
    SmallVector<int64_t> live = liveIn(*block);
    registers += live[std::distance(block->begin(), op->getIterator())];
  }
  return registers;
}
