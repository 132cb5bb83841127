//===- Harmless.cpp - mutations that have no effect -----------------------===//

#include "test/mutation/Harmless.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

const char *const gpuopt::kExposedReason =
    "what it does more touches workgroup memory only, where nobody reads it: "
    "with garbage there the check passes as well";

//===--- What the kernel tells --------------------------------------------===//

/// Whether `op`, or one inside it, may access memory that other threads see.
static bool mayAccessMemory(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    bool isQuiet = inner->getNumRegions() != 0 || isa<gpu::BarrierOp>(inner) ||
                   isMemoryEffectFree(inner);
    return isQuiet ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

/// Whether `op` reads or writes elements of workgroup memory, or what cannot be
/// told.
static bool mayAccessWorkgroupMemory(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    if (inner->getNumRegions() != 0 || !mayAccessMemory(inner))
      return WalkResult::advance();
    bool knowsWhere =
        isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface,
            memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(
            inner);
    bool isElsewhere =
        knowsWhere && llvm::none_of(inner->getOperandTypes(), [](Type type) {
          auto memory = dyn_cast<MemRefType>(type);
          return memory &&
                 gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memory);
        });
    return isElsewhere ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

std::string gpuopt::reasonToDrop(gpu::BarrierOp barrier) {
  for (Operation *at = barrier; !isa<gpu::GPUFuncOp>(at);
       at = at->getParentOp()) {
    for (Operation *next = at->getNextNode(); next; next = next->getNextNode())
      if (mayAccessWorkgroupMemory(next))
        return "";
    // The next iteration follows as well.
    if (isa<LoopLikeOpInterface>(at->getParentOp()))
      return "";
  }
  return "no access of workgroup memory follows it";
}

std::string gpuopt::reasonToChange(Operation *op) {
  SmallVector<Operation *> unvisited = {op};
  while (!unvisited.empty()) {
    Operation *at = unvisited.pop_back_val();
    for (OpOperand &use : at->getUses()) {
      Operation *user = use.getOwner();
      if (auto view = dyn_cast<memref::ReinterpretCastOp>(user)) {
        bool isSize = llvm::is_contained(view.getSizes(), use.get()) &&
                      !llvm::is_contained(view.getStrides(), use.get()) &&
                      !llvm::is_contained(view.getOffsets(), use.get());
        bool isAsked = llvm::any_of(view->getUsers(), [](Operation *reader) {
          return isa<memref::DimOp, memref::ExtractStridedMetadataOp>(reader);
        });
        if (!isSize || isAsked)
          return "";
        continue;
      }
      if (user->getNumRegions() != 0 || user->getNumResults() != 1 ||
          !isPure(user))
        return "";
      unvisited.push_back(user);
    }
  }
  return "it is the extent of views only, which addresses nothing";
}

std::string gpuopt::reasonToNegate(Operation *op) {
  for (Operation *user : op->getUsers()) {
    bool isSquare = isa<arith::MulFOp, math::FmaOp>(user) &&
                    user->getOperand(0) == op->getResult(0) &&
                    user->getOperand(1) == op->getResult(0) &&
                    (user->getNumOperands() == 2 ||
                     user->getOperand(2) != op->getResult(0));
    if (!isSquare)
      return "";
  }
  return "it is squared only, which takes the sign away";
}

//===--- What the mutant shows --------------------------------------------===//

namespace {
/// Makes visible what is done where `isWrong` holds.
class Exposer {
public:
  explicit Exposer(Value wrong) : isWrong(wrong) {}

  /// Traps in the operations of `region`, or garbage from them.
  bool expose(Region &region);
  /// A trap in front of `op` where `condition` holds, too.
  void trapBefore(Operation *op, Value condition = {});
  /// One where it yields something else than `before` in the place of `after`.
  bool trapWhereChanged(Operation *op, Value before, Value after);

private:
  bool exposeOperation(Operation *op);
  bool spoil(Operation *store, Value stored);

  Value isWrong;
};
} // namespace

void Exposer::trapBefore(Operation *op, Value condition) {
  OpBuilder builder(op);
  Value where = isWrong;
  if (condition)
    where = arith::AndIOp::create(builder, op->getLoc(), where, condition);
  auto guard = scf::IfOp::create(builder, op->getLoc(), where);
  OpBuilder inside(guard.thenYield());
  LLVM::Trap::create(inside, op->getLoc());
}

/// The bits of `value` as integers; null for what has none.
static Value bitsOf(OpBuilder &builder, Location loc, Value value) {
  Type scalar = getElementTypeOrSelf(value.getType());
  if (scalar.isInteger() || value.getType().isIndex())
    return value;
  if (!isa<FloatType>(scalar))
    return {};
  Type bits = builder.getIntegerType(scalar.getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    bits = vector.clone(bits);
  return arith::BitcastOp::create(builder, loc, bits, value);
}

bool Exposer::trapWhereChanged(Operation *op, Value before, Value after) {
  if (before == after)
    return true;
  OpBuilder builder(op);
  Value left = bitsOf(builder, op->getLoc(), before);
  Value right = bitsOf(builder, op->getLoc(), after);
  if (!left || isa<VectorType>(left.getType()))
    return false;
  trapBefore(op, arith::CmpIOp::create(builder, op->getLoc(),
                                       arith::CmpIPredicate::ne, left, right));
  return true;
}

/// Stores something else in the place of `stored`.
bool Exposer::spoil(Operation *store, Value stored) {
  OpBuilder builder(store);
  Location loc = store->getLoc();
  Value bits = bitsOf(builder, loc, stored);
  if (!bits || bits.getType().isIndex())
    return false;
  TypedAttr ones = builder.getIntegerAttr(getElementTypeOrSelf(bits), -1);
  if (auto vector = dyn_cast<VectorType>(bits.getType()))
    ones = DenseElementsAttr::get(vector, ones);
  Value flipped = arith::XOrIOp::create(
      builder, loc, bits, arith::ConstantOp::create(builder, loc, ones));
  if (flipped.getType() != stored.getType())
    flipped = arith::BitcastOp::create(builder, loc, stored.getType(), flipped);
  store->replaceUsesOfWith(
      stored, arith::SelectOp::create(builder, loc, isWrong, flipped, stored));
  return true;
}

bool Exposer::exposeOperation(Operation *op) {
  if (op->getNumRegions() != 0 || isMemoryEffectFree(op) ||
      isa<gpu::BarrierOp, NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(
          op))
    return true;
  Value memory, stored;
  TypeSwitch<Operation *>(op)
      .Case([&](affine::AffineWriteOpInterface store) {
        memory = store.getMemRef();
        stored = store.getValueToStore();
      })
      .Case([&](memref::StoreOp store) {
        memory = store.getMemRef();
        stored = store.getValueToStore();
      })
      .Case([&](vector::StoreOp store) {
        memory = store.getBase();
        stored = store.getValueToStore();
      })
      .Case([&](affine::AffineReadOpInterface load) {
        memory = load.getMemRef();
      })
      .Case<memref::LoadOp>([&](auto load) { memory = load.getMemRef(); })
      .Case<vector::LoadOp>([&](auto load) { memory = load.getBase(); });
  if (memory && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                    cast<MemRefType>(memory.getType())))
    return !stored || spoil(op, stored);
  trapBefore(op);
  return true;
}

bool Exposer::expose(Region &region) {
  SmallVector<Operation *> operations;
  region.walk([&](Operation *op) { operations.push_back(op); });
  return llvm::all_of(operations,
                      [&](Operation *op) { return exposeOperation(op); });
}

bool gpuopt::exposeIterationsFrom(affine::AffineForOp loop, AffineMap bound) {
  Block *body = loop.getBody();
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  Location loc = loop.getLoc();
  Value isBehind;
  for (unsigned i = 0; i < bound.getNumResults(); ++i) {
    Value end = affine::AffineApplyOp::create(
        builder, loc, bound.getSubMap({i}), loop.getUpperBoundOperands());
    Value reached = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, loop.getInductionVar(), end);
    isBehind = isBehind ? arith::OrIOp::create(builder, loc, isBehind, reached)
                        : reached;
  }
  Exposer exposer(isBehind);
  if (!exposer.expose(loop.getRegion()))
    return false;
  // Nothing follows such an iteration: values that the loop carries and nobody
  // takes from it are not seen.
  Operation *end = body->getTerminator();
  for (auto [result, before, after] : llvm::zip(
           loop.getResults(), loop.getRegionIterArgs(), end->getOperands()))
    if (!result.use_empty() && !exposer.trapWhereChanged(end, before, after))
      return false;
  return true;
}

bool gpuopt::exposeUnguarded(scf::IfOp guard, Value condition) {
  if (guard.getNumResults() || guard.elseBlock())
    return false;
  OpBuilder builder(guard);
  Value one = arith::ConstantIntOp::create(builder, guard.getLoc(), 1, 1);
  return Exposer(arith::XOrIOp::create(builder, guard.getLoc(), condition, one))
      .expose(guard.getThenRegion());
}
