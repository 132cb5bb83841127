//===- RaiseMemory.cpp - pointers to memrefs ------------------------------===//
//
// Runs on branches (`cf`), where a pointer that a loop advances is just a block
// argument: it becomes the offset from its array's start, counted in elements,
// of type i64. 64-bit offsets wrap as addresses do, so nothing is assumed about
// them.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Raising/ArrayElements.h"
#include "passes/Raising/Passes.h"
#include "passes/Raising/PointerRoots.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PostOrderIterator.h"

#include <numeric>

namespace gpuopt {
#define GEN_PASS_DEF_RAISEMEMORY
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// Rewrites the pointers of one kernel.
class KernelMemory {
public:
  KernelMemory(gpu::GPUFuncOp kernel)
      : kernel(kernel), pointers(kernel), layout(DataLayout::closest(kernel)) {}

  /// Chooses element types; afterwards an array has one or an obstacle.
  void plan();
  void apply();

  gpu::GPUFuncOp kernel;
  PointerRoots pointers;

private:
  /// The array that a pointer points into if it is raised, else null.
  RootArray *lookupRaised(Value pointer);
  Value replaceRoot(RootArray &array);
  void raiseBranchArguments();
  void raiseOperation(Operation *op);
  void raiseOffset(LLVM::GEPOp gep, RootArray &array);
  void raiseComparison(LLVM::ICmpOp op);
  Value getOffset(OpBuilder &builder, Value pointer);

  DataLayout layout;
  /// Offset in elements of each pointer that is raised; of type i64.
  DenseMap<Value, Value> offsets;
  /// The memref of each root.
  DenseMap<Value, Value> memrefs;
  /// Operations that nothing uses any more, in the order of the kernel.
  SmallVector<Operation *> dead;
};

} // namespace

void KernelMemory::plan() {
  for (auto &[root, array] : pointers.arrays) {
    if (!array.obstacle)
      array.obstacle = checkRoot(kernel, root);
    if (!array.obstacle)
      chooseElement(array, layout);
    for (LLVM::GEPOp gep : array.offsets) {
      if (array.obstacle)
        break;
      array.obstacle = checkOffset(gep, array, layout);
    }
  }
}

RootArray *KernelMemory::lookupRaised(Value pointer) {
  auto it = pointers.arrays.find(pointers.lookup(pointer));
  if (it == pointers.arrays.end() || it->second.obstacle)
    return nullptr;
  return &it->second;
}

Value KernelMemory::getOffset(OpBuilder &builder, Value pointer) {
  if (Value offset = offsets.lookup(pointer))
    return offset;
  return arith::ConstantOp::create(builder, pointer.getLoc(),
                                   builder.getI64IntegerAttr(0));
}

/// Makes the memref of a root.
Value KernelMemory::replaceRoot(RootArray &array) {
  if (auto argument = dyn_cast<BlockArgument>(array.root)) {
    argument.setType(MemRefType::get({ShapedType::kDynamic}, array.element));
    unsigned position = argument.getArgNumber();
    if (argument.use_empty())
      kernel.setArgAttr(position, kUnusedAttrName,
                        UnitAttr::get(kernel.getContext()));
    // A pointer that is never followed says so already, which excludes this.
    if (!array.isWritten &&
        !kernel.getArgAttr(position, LLVM::LLVMDialect::getReadnoneAttrName()))
      kernel.setArgAttr(position, LLVM::LLVMDialect::getReadonlyAttrName(),
                        UnitAttr::get(kernel.getContext()));
    return argument;
  }
  dead.push_back(array.root.getDefiningOp());
  if (isa<LLVM::AllocaOp>(array.root.getDefiningOp()))
    return makePrivateArray(array, layout);
  return makeVariableArray(kernel, array, layout);
}

/// Pointers that are passed along branches become numbers in place.
void KernelMemory::raiseBranchArguments() {
  SmallVector<BlockArgument> arguments;
  for (Block &block : llvm::drop_begin(kernel.getBody()))
    for (BlockArgument argument : block.getArguments())
      if (isa<LLVM::LLVMPointerType>(argument.getType()) &&
          lookupRaised(argument))
        arguments.push_back(argument);
  for (BlockArgument argument : arguments) {
    argument.setType(IntegerType::get(kernel.getContext(), 64));
    offsets[argument] = argument;
  }
}

void KernelMemory::raiseOffset(LLVM::GEPOp gep, RootArray &array) {
  OpBuilder builder(gep);
  Location loc = gep.getLoc();
  Type i64 = builder.getI64Type();
  PointerOffset bytes = *computePointerOffset(gep, layout);
  auto makeConstant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  // Two offsets inside one object, which is smaller than 2^63 bytes.
  bool inBounds =
      bitEnumContainsAll(gep.getNoWrapFlags(), LLVM::GEPNoWrapFlags::inbounds);
  auto flags = inBounds ? arith::IntegerOverflowFlags::nsw
                        : arith::IntegerOverflowFlags::none;
  Value offset = offsets.lookup(gep.getBase());
  auto add = [&](Value value) {
    offset = offset ? arith::AddIOp::create(builder, loc, offset, value, flags)
                    : value;
  };
  for (auto [value, stride] : bytes.terms) {
    int64_t common = std::gcd(stride, array.bytes);
    Value term = makeQuotient(builder, value, array.bytes / common);
    unsigned width = term.getType().getIntOrFloatBitWidth();
    if (width < 64)
      term = arith::ExtSIOp::create(builder, loc, i64, term);
    else if (width > 64)
      term = arith::TruncIOp::create(builder, loc, i64, term);
    if (stride != common)
      term = arith::MulIOp::create(builder, loc, term,
                                   makeConstant(stride / common));
    add(term);
  }
  if (bytes.constantBytes != 0 || !offset)
    add(makeConstant(bytes.constantBytes / array.bytes));
  offsets[gep.getResult()] = offset;
}

/// Compares offsets; whether an array is there at all is read off its address.
void KernelMemory::raiseComparison(LLVM::ICmpOp op) {
  RootArray *array = lookupRaised(op.getLhs());
  if (!array)
    array = lookupRaised(op.getRhs());
  if (!array)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value lhs, rhs;
  auto predicate = static_cast<arith::CmpIPredicate>(op.getPredicate());
  if (lookupRaised(op.getLhs()) && lookupRaised(op.getRhs())) {
    lhs = getOffset(builder, op.getLhs());
    rhs = getOffset(builder, op.getRhs());
    // Addresses in one object are ordered as offsets are, which are signed.
    predicate = toSigned(predicate);
  } else {
    lhs = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, memrefs.lookup(array->root));
    rhs = arith::ConstantIndexOp::create(builder, loc, 0);
  }
  op.getResult().replaceAllUsesWith(
      arith::CmpIOp::create(builder, loc, predicate, lhs, rhs));
  dead.push_back(op);
}

void KernelMemory::raiseOperation(Operation *op) {
  OpBuilder builder(op);
  auto getIndex = [&](Value pointer) -> Value {
    return arith::IndexCastOp::create(builder, op->getLoc(),
                                      builder.getIndexType(),
                                      getOffset(builder, pointer));
  };
  if (Value pointer = getAccessedPointer(op)) {
    RootArray *array = lookupRaised(pointer);
    if (!array)
      return;
    raiseAccess(builder, op, memrefs.lookup(array->root), getIndex(pointer));
    dead.push_back(op);
    return;
  }
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op)) {
    raiseComparison(compare);
    return;
  }
  if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op)) {
    if (lookupRaised(op->getOperand(0)))
      dead.push_back(op);
    return;
  }
  if (auto number = dyn_cast<LLVM::PtrToIntOp>(op)) {
    if (lookupRaised(number.getArg()))
      dead.push_back(op);
    return;
  }
  if (op->getNumResults() != 1)
    return;
  RootArray *array = lookupRaised(op->getResult(0));
  if (!array || op->getResult(0) == array->root)
    return;
  if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
    raiseOffset(gep, *array);
  } else if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
    Value lhs = getOffset(builder, select.getTrueValue());
    Value rhs = getOffset(builder, select.getFalseValue());
    offsets[op->getResult(0)] = arith::SelectOp::create(
        builder, op->getLoc(), select.getCondition(), lhs, rhs);
  } else if (isa<LLVM::AddrSpaceCastOp>(op)) {
    offsets[op->getResult(0)] = offsets.lookup(op->getOperand(0));
  } else if (auto cast = dyn_cast<LLVM::IntToPtrOp>(op)) {
    auto number = cast.getArg().getDefiningOp<LLVM::PtrToIntOp>();
    offsets[op->getResult(0)] = offsets.lookup(number.getArg());
  }
  dead.push_back(op);
}

void KernelMemory::apply() {
  for (auto &[root, array] : pointers.arrays)
    if (!array.obstacle)
      memrefs[root] = replaceRoot(array);
  raiseBranchArguments();
  // Blocks in an order in which definitions come before uses.
  llvm::ReversePostOrderTraversal<Block *> blocks(&kernel.getBody().front());
  for (Block *block : blocks) {
    for (Operation &op :
         llvm::make_early_inc_range(block->without_terminator()))
      raiseOperation(&op);
    OpBuilder builder(block->getTerminator());
    for (OpOperand &operand : block->getTerminator()->getOpOperands())
      if (lookupRaised(operand.get()))
        operand.set(getOffset(builder, operand.get()));
  }
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    op->erase();
  }
  auto parameters =
      kernel.getArguments().take_front(kernel.getFunctionType().getNumInputs());
  kernel.setFunctionType(FunctionType::get(
      kernel.getContext(), ValueRange(parameters).getTypes(), {}));
}

namespace {

class RaiseMemoryPass : public gpuopt::impl::RaiseMemoryBase<RaiseMemoryPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      IRRewriter rewriter(&getContext());
      (void)eraseUnreachableBlocks(rewriter, kernel->getRegions());
      KernelMemory memory(kernel);
      memory.plan();
      report(memory);
      memory.apply();
    }
  }

  void report(KernelMemory &memory) {
    for (auto &[root, array] : memory.pointers.arrays) {
      if (!array.obstacle) {
        ++numRaised;
        continue;
      }
      ++numKept;
      sayMissed(RemarkCode::ArrayNotRaised, memory.kernel,
                array.obstacle->location,
                {{"array", describeRoot(memory.kernel, root)},
                 {"reason", array.obstacle->reason}});
    }
  }
};

} // namespace
