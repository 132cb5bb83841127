//===- Harmless.cpp - mutations that have no effect -----------------------===//

#include "test/mutation/Harmless.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
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

/// Whether `op` orders accesses and does none itself.
static bool isSynchronisation(Operation *op) {
  return isa<gpu::BarrierOp, NVVM::CpAsyncCommitGroupOp,
             NVVM::CpAsyncWaitGroupOp, nvgpu::DeviceAsyncCreateGroupOp,
             nvgpu::DeviceAsyncWaitOp>(op);
}

/// The parameter or workgroup array that `memory` is or is a view of; null
/// where that cannot be told.
static Value arrayOf(Value memory) {
  auto memref = dyn_cast_or_null<TypedValue<BaseMemRefType>>(memory);
  Value array = memref ? Value(memref::skipViewLikeOps(memref)) : Value();
  auto argument = dyn_cast_or_null<BlockArgument>(array);
  bool isOfKernel =
      argument && isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? array : Value();
}

/// What runs behind `barrier`; nothing where that is not all behind it, as it
/// stands in a loop.
static std::optional<SmallVector<Operation *>>
operationsBehind(gpu::BarrierOp barrier) {
  SmallVector<Operation *> behind;
  for (Operation *at = barrier; !isa<gpu::GPUFuncOp>(at);
       at = at->getParentOp()) {
    if (isa<LoopLikeOpInterface>(at->getParentOp()))
      return std::nullopt;
    for (Operation *next = at->getNextNode(); next; next = next->getNextNode())
      next->walk([&](Operation *op) { behind.push_back(op); });
  }
  return behind;
}

namespace {
/// The arrays that are read and written on one side of a barrier.
struct AccessedArrays {
  llvm::SmallPtrSet<Value, 8> read, written;

  /// Adds those of `op`; false where that cannot be told.
  bool add(Operation *op);
  /// Whether it matters which of the two comes first. Each parameter of a
  /// mutant's launch has an array of its own.
  bool conflictsWith(const AccessedArrays &other) const {
    auto meet = [](const auto &some, const auto &others) {
      return llvm::any_of(some,
                          [&](Value array) { return others.contains(array); });
    };
    return meet(written, other.written) || meet(written, other.read) ||
           meet(read, other.written);
  }
};
} // namespace

bool AccessedArrays::add(Operation *op) {
  if (op->getNumRegions() != 0 || isMemoryEffectFree(op) ||
      isSynchronisation(op))
    return true;
  auto accesses = dyn_cast<MemoryEffectOpInterface>(op);
  if (!accesses)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  accesses.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value array = arrayOf(effect.getValue());
    if (!array)
      return false;
    (isa<MemoryEffects::Read>(effect.getEffect()) ? read : written)
        .insert(array);
  }
  return true;
}

std::string gpuopt::reasonToDrop(gpu::BarrierOp barrier) {
  std::optional<SmallVector<Operation *>> behind = operationsBehind(barrier);
  if (!behind)
    return "";
  llvm::SmallPtrSet<Operation *, 16> isBehind(behind->begin(), behind->end());
  AccessedArrays sides[2];
  WalkResult walk =
      barrier->getParentOfType<gpu::GPUFuncOp>().walk([&](Operation *op) {
        bool isKnown = sides[isBehind.contains(op)].add(op);
        return isKnown ? WalkResult::advance() : WalkResult::interrupt();
      });
  if (walk.wasInterrupted() || sides[0].conflictsWith(sides[1]))
    return "";
  return "no access that follows it conflicts with one before it";
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
      isSynchronisation(op))
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
