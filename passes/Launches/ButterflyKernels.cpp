//===- ButterflyKernels.cpp - butterflies of several steps ----------------===//

#include "passes/Launches/ButterflyKernels.h"

#include "passes/Analysis/IntegerValues.h"
#include "passes/Launches/StepEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpuopt;

namespace {
class ButterflyBuilder {
public:
  ButterflyBuilder(const StepLoop &loop, unsigned numLevels)
      : steps(loop), levels(numLevels),
        builder(loop.step.kernel->getLoc(), loop.step.kernel->getContext()) {}

  gpu::GPUFuncOp create();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, left, right);
  }
  /// `index + number * unit`.
  Value place(Value index, unsigned number) {
    return elementAt(builder, builder.getLoc(), index, number, unit);
  }
  Value toIndex(Value value) {
    return value.getType().isIndex()
               ? value
               : arith::IndexCastOp::create(builder, builder.getIndexType(),
                                            value)
                     .getResult();
  }
  void emitThread(Value thread);
  void emitItem(unsigned level, unsigned number);
  SmallVector<std::pair<Value, Value>> givenFor(Value quotient,
                                                Value remainder);

  const StepLoop &steps;
  unsigned levels;
  ImplicitLocOpBuilder builder;
  gpu::GPUFuncOp function;
  /// The first step s, the last step u, and of the thread Q and R.
  Value first, unit, group, position;
  /// The thread's first element.
  Value base;
  /// By array and j.
  llvm::MapVector<std::pair<unsigned, unsigned>, Value> values;
  llvm::SetVector<std::pair<unsigned, unsigned>> stored;
};
} // namespace

/// The value that casts make another type of, if it is below 2^31: of 32 bits
/// or more.
static Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp>(op) ||
        getBits(value.getType()) < 32)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The quotients and remainders of the work item's id by the step, which the
/// thread knows. Ids and steps are below 2^31.
SmallVector<std::pair<Value, Value>>
ButterflyBuilder::givenFor(Value quotient, Value remainder) {
  SmallVector<std::pair<Value, Value>> given;
  gpu::GPUFuncOp kernel = steps.step.kernel;
  kernel.walk([&](Operation *op) {
    bool isQuotient = isa<arith::DivSIOp, arith::DivUIOp>(op);
    if (!isQuotient && !isa<arith::RemSIOp, arith::RemUIOp>(op))
      return;
    if (!withoutCasts(op->getOperand(0)).getDefiningOp<gpu::GlobalIdOp>() ||
        withoutCasts(op->getOperand(1)) !=
            kernel.getArgument(steps.step.extent))
      return;
    Value value = isQuotient ? quotient : remainder;
    Type type = op->getResult(0).getType();
    if (!type.isIndex())
      value = arith::IndexCastOp::create(builder, type, value);
    given.push_back({op->getResult(0), value});
  });
  return given;
}

/// Emits butterfly `number` of the thread's in step s >> level.
void ButterflyBuilder::emitItem(unsigned level, unsigned number) {
  // 2^level groups of elements, each with so many pairs.
  unsigned pairs = 1u << (levels - 1 - level);
  unsigned ofGroup = number / pairs, pair = number % pairs;
  unsigned own = ofGroup * 2 * pairs + pair;
  auto placeOf = [&](ItemElement element) {
    return std::pair(element.first, own + element.second * pairs);
  };
  auto load = [&](ItemElement element) -> Value {
    Value &value = values[placeOf(element)];
    if (!value)
      value =
          memref::LoadOp::create(builder, function.getArgument(element.first),
                                 place(base, placeOf(element).second));
    return value;
  };
  Value start = arith::MulIOp::create(builder, group, first);
  Value id = place(add(start, position), number);
  Value extent = arith::ShRUIOp::create(builder, first, constant(level));
  Value scaled =
      arith::MulIOp::create(builder, group, constant(int64_t(1) << level));
  SmallVector<std::pair<Value, Value>> given =
      givenFor(add(scaled, constant(ofGroup)), place(position, pair));
  for (auto [element, value] :
       gpuopt::emitItem(builder, steps.step, function.getArguments(), id,
                        extent, load, given)) {
    values[placeOf(element)] = value;
    stored.insert(placeOf(element));
  }
}

void ButterflyBuilder::emitThread(Value thread) {
  // Divisions of 64 bits take many instructions.
  Value step = function.getArgument(steps.step.extent);
  Type type = step.getType();
  Value smaller = unit, number = thread;
  if (!type.isIndex()) {
    smaller = arith::IndexCastOp::create(builder, type, smaller);
    number = arith::IndexCastOp::create(builder, type, number);
  }
  group = toIndex(arith::DivSIOp::create(builder, number, smaller));
  position = toIndex(arith::RemSIOp::create(builder, number, smaller));
  Value twice = arith::MulIOp::create(builder, first, constant(2));
  base = add(arith::MulIOp::create(builder, group, twice), position);
  for (unsigned level = 0; level < levels; ++level)
    for (unsigned item = 0; item < 1u << (levels - 1); ++item)
      emitItem(level, item);
  for (auto [array, element] : stored)
    memref::StoreOp::create(builder, values.lookup({array, element}),
                            function.getArgument(array), place(base, element));
}

gpu::GPUFuncOp ButterflyBuilder::create() {
  function = createKernelBeside(builder, steps,
                                "__" + std::to_string(1 << levels) + "_points");
  builder.setInsertionPointToStart(&function.getBody().front());
  Value thread = gpu::GlobalIdOp::create(builder, gpu::Dimension::x);
  first = toIndex(function.getArgument(steps.step.extent));
  unit = arith::ShRUIOp::create(builder, first, constant(levels - 1));
  Value items = emitItemCount(builder, steps, function.getArguments());
  Value threads = arith::ShRUIOp::create(builder, items, constant(levels - 1));
  Value acts = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, thread,
                                     threads);
  auto guard = scf::IfOp::create(builder, acts, /*withElseRegion=*/false);
  gpu::ReturnOp::create(builder);
  builder.setInsertionPointToStart(guard.thenBlock());
  emitThread(thread);
  return function;
}

gpu::GPUFuncOp gpuopt::createButterflies(const StepLoop &steps,
                                         unsigned levels) {
  return ButterflyBuilder(steps, levels).create();
}

Value gpuopt::emitItemCount(OpBuilder &builder, const StepLoop &steps,
                            ValueRange arguments) {
  const ButterflyGuard &guard = *steps.step.butterflies;
  Location loc = steps.step.kernel->getLoc();
  Value bound = emitBound(builder, steps.step, arguments);
  Type index = builder.getIndexType();
  if (!bound.getType().isIndex())
    bound = guard.isUnsigned
                ? arith::IndexCastUIOp::create(builder, loc, index, bound)
                      .getResult()
                : arith::IndexCastOp::create(builder, loc, index, bound)
                      .getResult();
  if (!guard.boundsElements)
    return bound;
  Value two = arith::ConstantIndexOp::create(builder, loc, 2);
  return arith::DivSIOp::create(builder, loc, bound, two);
}
