//===- Mutations.cpp - miscompilations to plant in a kernel ---------------===//

#include "test/mutation/Mutations.h"

#include "test/mutation/Harmless.h"
#include "tools/lib/compile/Steps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <random>

using namespace mlir;
using namespace gpuopt;

namespace {
/// Collects the mutations of one kernel.
class Finder {
public:
  Finder(const LaunchConfig &tunedLaunch, unsigned seed)
      : launch(tunedLaunch), random(seed) {}

  void visit(Operation *op);

  std::vector<Mutation> found;

private:
  /// Adds a mutation of `op` that `change` makes, and which anything that
  /// executes it notices.
  void add(StringRef kind, Operation *op, std::function<void()> plant);
  /// Adds one of the only result of `op`, which counts where it is another one.
  /// `change` returns what computes it then.
  void addValue(StringRef kind, Operation *op,
                std::function<Operation *(Operation *)> change);
  void visitSubscripts(Operation *op);
  void visitSigns(Operation *op);
  void visitOperands(Operation *op);
  void visitGuards(Operation *op);
  void visitLoop(affine::AffineForOp loop);
  void visitArithmetic(Operation *op);
  void visitStore(Operation *op);

  const LaunchConfig &launch;
  std::mt19937 random;
};
} // namespace

/// `affine.load at 12:20`.
static std::string describe(Operation *op) {
  SourcePosition position = sourcePosition(op->getLoc());
  return op->getName().getStringRef().str() + " at " +
         std::to_string(position.line) + ":" + std::to_string(position.column);
}

void Finder::add(StringRef kind, Operation *op, std::function<void()> plant) {
  Mutation mutation;
  mutation.kind = kind.str();
  mutation.where = describe(op);
  mutation.plant = std::move(plant);
  mutation.trap = [op] {
    OpBuilder builder(op);
    LLVM::Trap::create(builder, op->getLoc());
  };
  found.push_back(std::move(mutation));
}

static void trapWhere(OpBuilder &builder, Location loc, Value condition) {
  auto guard = scf::IfOp::create(builder, loc, condition);
  OpBuilder inside(guard.thenYield());
  LLVM::Trap::create(inside, loc);
}

/// Whether two numbers differ in any bit.
static Value differs(OpBuilder &builder, Location loc, Value left,
                     Value right) {
  if (auto type = dyn_cast<FloatType>(left.getType())) {
    Type bits = builder.getIntegerType(type.getWidth());
    left = arith::BitcastOp::create(builder, loc, bits, left);
    right = arith::BitcastOp::create(builder, loc, bits, right);
  }
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, left,
                               right);
}

void Finder::addValue(StringRef kind, Operation *op,
                      std::function<Operation *(Operation *)> change) {
  add(kind, op, [op, change] { change(op); });
  found.back().harmless = reasonToChange(op);
  if (!isa<FloatType, IntegerType, IndexType>(op->getResult(0).getType()))
    return;
  found.back().trap = [op, change] {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *changed = change(builder.clone(*op));
    builder.setInsertionPointAfter(changed);
    trapWhere(builder, op->getLoc(),
              differs(builder, op->getLoc(), op->getResult(0),
                      changed->getResult(0)));
  };
}

//===--- Subscripts -------------------------------------------------------===//

/// `map` with 1 more in its last result.
static AffineMap shifted(AffineMap map) {
  SmallVector<AffineExpr> results(map.getResults());
  results.back() = results.back() + 1;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results,
                        map.getContext());
}

static void shiftLast(Operation *op, MutableOperandRange indices) {
  OpBuilder builder(op);
  OpOperand &last = indices[indices.size() - 1];
  Value one = arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
  last.set(arith::AddIOp::create(builder, op->getLoc(), last.get(), one));
}

void Finder::visitSubscripts(Operation *op) {
  StringRef kind = "subscript off by one";
  if (isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface>(op)) {
    auto map = op->getAttrOfType<AffineMapAttr>("map");
    if (map && map.getValue().getNumResults())
      add(kind, op, [op, map] {
        op->setAttr("map", AffineMapAttr::get(shifted(map.getValue())));
      });
    return;
  }
  TypeSwitch<Operation *>(op)
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
        if (!access.getIndices().empty())
          add(kind, op,
              [=]() mutable { shiftLast(op, access.getIndicesMutable()); });
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        add(kind, op,
            [=]() mutable { shiftLast(op, copy.getSrcIndicesMutable()); });
      });
}

//===--- Signs ------------------------------------------------------------===//

/// Replaces `op` by one of type `To` with the same operands.
template <typename To>
static Operation *replaceBy(Operation *op) {
  OpBuilder builder(op);
  Operation *other = To::create(builder, op->getLoc(), op->getResultTypes(),
                                op->getOperands());
  op->replaceAllUsesWith(other);
  op->erase();
  return other;
}

void Finder::visitSigns(Operation *op) {
  // The passes' own indices are mostly of no sign.
  if (op->getNumResults() != 1 || op->getResult(0).getType().isIndex())
    return;
  StringRef kind = "signed taken for unsigned, or the other way";
  TypeSwitch<Operation *>(op)
      .Case([&](arith::ExtSIOp) {
        addValue(kind, op, replaceBy<arith::ExtUIOp>);
      })
      .Case([&](arith::ExtUIOp) {
        addValue(kind, op, replaceBy<arith::ExtSIOp>);
      })
      .Case([&](arith::SIToFPOp) {
        addValue(kind, op, replaceBy<arith::UIToFPOp>);
      })
      .Case([&](arith::UIToFPOp) {
        addValue(kind, op, replaceBy<arith::SIToFPOp>);
      })
      .Case([&](arith::ShRSIOp) {
        addValue(kind, op, replaceBy<arith::ShRUIOp>);
      })
      .Case([&](arith::MaxSIOp) {
        addValue(kind, op, replaceBy<arith::MaxUIOp>);
      })
      .Case([&](arith::MinSIOp) {
        addValue(kind, op, replaceBy<arith::MinUIOp>);
      });
}

//===--- Operands and operations ------------------------------------------===//

static Operation *swapOperands(Operation *op, unsigned first, unsigned second) {
  Value value = op->getOperand(first);
  op->setOperand(first, op->getOperand(second));
  op->setOperand(second, value);
  return op;
}

void Finder::visitOperands(Operation *op) {
  bool isOrdered = isa<arith::SubIOp, arith::SubFOp, arith::DivFOp,
                       arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                       arith::RemUIOp, arith::ShLIOp, arith::CmpFOp>(op);
  if (isOrdered && op->getOperand(0) != op->getOperand(1)) {
    addValue("operands swapped", op,
             [](Operation *at) { return swapOperands(at, 0, 1); });
    if (isa<arith::SubFOp>(op) && found.back().harmless.empty())
      found.back().harmless = reasonToNegate(op);
  }
  if (isa<arith::SelectOp>(op) && op->getOperand(1) != op->getOperand(2))
    addValue("operands swapped", op,
             [](Operation *at) { return swapOperands(at, 1, 2); });
}

void Finder::visitArithmetic(Operation *op) {
  StringRef kind = "wrong operation";
  TypeSwitch<Operation *>(op)
      .Case(
          [&](arith::AddFOp) { addValue(kind, op, replaceBy<arith::SubFOp>); })
      .Case(
          [&](arith::MulFOp) { addValue(kind, op, replaceBy<arith::AddFOp>); })
      .Case(
          [&](arith::AddIOp) { addValue(kind, op, replaceBy<arith::SubIOp>); })
      .Case(
          [&](arith::MulIOp) { addValue(kind, op, replaceBy<arith::AddIOp>); });
}

//===--- Guards and bounds ------------------------------------------------===//

/// The comparison that lets one more value through; the same one where there
/// is none.
static arith::CmpIPredicate withEqual(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sle;
  case P::sgt:
    return P::sge;
  case P::ult:
    return P::ule;
  case P::ugt:
    return P::uge;
  default:
    return predicate;
  }
}

/// `set` with its first constraint weaker by 1.
static IntegerSet weakened(IntegerSet set) {
  SmallVector<AffineExpr> constraints(set.getConstraints());
  constraints.front() = constraints.front() + 1;
  return IntegerSet::get(set.getNumDims(), set.getNumSymbols(), constraints,
                         set.getEqFlags());
}

/// Moves the end of `loop` by `change` iterations.
static void moveEnd(affine::AffineForOp loop, int64_t change) {
  AffineMap map = loop.getUpperBoundMap();
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    results.push_back(result + change * loop.getStepAsInt());
  loop.setUpperBoundMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                       results, map.getContext()));
}

void Finder::visitLoop(affine::AffineForOp loop) {
  add("last iteration dropped", loop, [loop] { moveEnd(loop, -1); });
  add("one iteration too many", loop, [loop] { moveEnd(loop, 1); });
  found.back().expose = [loop]() mutable {
    AffineMap bound = loop.getUpperBoundMap();
    moveEnd(loop, 1);
    return exposeIterationsFrom(loop, bound);
  };
}

static void dropGuard(scf::IfOp guard) {
  OpBuilder builder(guard);
  guard.getConditionMutable().assign(
      arith::ConstantIntOp::create(builder, guard.getLoc(), 1, 1));
}

void Finder::visitGuards(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](arith::CmpIOp compare) {
        arith::CmpIPredicate weaker = withEqual(compare.getPredicate());
        if (weaker != compare.getPredicate())
          addValue("guard off by one", op, [weaker](Operation *at) {
            cast<arith::CmpIOp>(at).setPredicate(weaker);
            return at;
          });
      })
      .Case([&](scf::IfOp guard) {
        add("guard dropped", op, [guard] { dropGuard(guard); });
        found.back().expose = [guard]() mutable {
          Value condition = guard.getCondition();
          dropGuard(guard);
          return exposeUnguarded(guard, condition);
        };
        found.back().trap = [guard]() mutable {
          OpBuilder builder(guard);
          Location loc = guard.getLoc();
          Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
          trapWhere(builder, loc,
                    differs(builder, loc, guard.getCondition(), always));
        };
      })
      .Case([&](affine::AffineIfOp guard) {
        add("guard weakened", op, [guard]() mutable {
          guard.setIntegerSet(weakened(guard.getIntegerSet()));
        });
      })
      .Case([&](affine::AffineForOp loop) { visitLoop(loop); })
      .Case([&](gpu::BarrierOp barrier) {
        add("barrier dropped", op, [barrier]() mutable { barrier.erase(); });
        found.back().harmless = reasonToDrop(barrier);
      });
}

//===--- One element ------------------------------------------------------===//

/// True in the thread `thread` of the block `block`.
static Value isThread(OpBuilder &builder, Location loc, const Dim3 &block,
                      const Dim3 &thread) {
  Value all;
  auto compare = [&](Value id, int64_t value) {
    Value equal = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, id,
        arith::ConstantIndexOp::create(builder, loc, value));
    all = all ? arith::AndIOp::create(builder, loc, all, equal) : equal;
  };
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto dimension = static_cast<gpu::Dimension>(dim);
    compare(gpu::BlockIdOp::create(builder, loc, dimension), block[dim]);
    compare(gpu::ThreadIdOp::create(builder, loc, dimension), thread[dim]);
  }
  return all;
}

/// `value` with its lowest bit changed where `condition` holds.
static Value withBitFlipped(OpBuilder &builder, Location loc, Value value,
                            Value condition) {
  Type type = value.getType();
  Type scalar = getElementTypeOrSelf(type);
  Type integer = builder.getIntegerType(scalar.getIntOrFloatBitWidth());
  Type integers = integer;
  if (auto vector = dyn_cast<VectorType>(type))
    integers = vector.clone(integer);
  bool isFloat = isa<FloatType>(scalar);
  Value bits =
      isFloat ? arith::BitcastOp::create(builder, loc, integers, value) : value;
  TypedAttr one = builder.getIntegerAttr(integer, 1);
  if (auto vector = dyn_cast<VectorType>(integers))
    one = DenseElementsAttr::get(vector, one);
  Value flipped = arith::XOrIOp::create(
      builder, loc, bits, arith::ConstantOp::create(builder, loc, one));
  if (isFloat)
    flipped = arith::BitcastOp::create(builder, loc, type, flipped);
  return arith::SelectOp::create(builder, loc, condition, flipped, value);
}

void Finder::visitStore(Operation *op) {
  Value stored, memory;
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op)) {
    stored = store.getValueToStore();
    memory = store.getMemRef();
  } else if (auto plain = dyn_cast<memref::StoreOp>(op)) {
    stored = plain.getValueToStore();
    memory = plain.getMemRef();
  }
  if (!stored || !getElementTypeOrSelf(stored.getType()).isIntOrFloat() ||
      gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
          cast<MemRefType>(memory.getType())))
    return;
  Dim3 block, thread;
  for (unsigned dim = 0; dim < 3; ++dim) {
    block[dim] = random() % launch.grid[dim];
    thread[dim] = random() % launch.block[dim];
  }
  add("one thread stores another bit", op, [=] {
    OpBuilder builder(op);
    Value condition = isThread(builder, op->getLoc(), block, thread);
    Value flipped = withBitFlipped(builder, op->getLoc(), stored, condition);
    op->replaceUsesOfWith(stored, flipped);
  });
  found.back().trap = [=] {
    OpBuilder builder(op);
    Value condition = isThread(builder, op->getLoc(), block, thread);
    trapWhere(builder, op->getLoc(), condition);
  };
}

void Finder::visit(Operation *op) {
  visitSubscripts(op);
  visitSigns(op);
  visitOperands(op);
  visitArithmetic(op);
  visitGuards(op);
  visitStore(op);
}

std::vector<Mutation> gpuopt::findMutations(gpu::GPUFuncOp kernel,
                                            const LaunchConfig &launch,
                                            unsigned seed) {
  Finder finder(launch, seed);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { finder.visit(op); });
  return std::move(finder.found);
}
