//===- StepEmitter.cpp - work items of steps in other places --------------===//

#include "passes/Launches/StepEmitter.h"

#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Emits one work item. Conditionals become selects: what they do is arithmetic
/// and stores to elements whose values are known.
class ItemEmitter {
public:
  ItemEmitter(OpBuilder &builder, const GuardedKernel &kernel,
              function_ref<Value(ItemElement)> load)
      : builder(builder), kernel(kernel), load(load) {}

  ItemValues emit(ValueRange arguments, Value id, Value extent,
                  ArrayRef<std::pair<Value, Value>> given);

private:
  void emitBlock(Block &block, Value condition);
  void emitElement(Operation *op, unsigned offset, Value condition);
  void emitIf(scf::IfOp branch, Value condition);
  bool emitAffine(Operation *op);
  bool isGiven(Operation &op) {
    return op.getNumResults() == 1 && mapping.contains(op.getResult(0));
  }
  SmallVector<Value> expand(Location loc, AffineMap map, ValueRange operands);
  Value valueOf(ItemElement element);

  OpBuilder &builder;
  const GuardedKernel &kernel;
  function_ref<Value(ItemElement)> load;
  IRMapping mapping;
  ItemValues known, stored;
};
} // namespace

Value ItemEmitter::valueOf(ItemElement element) {
  Value &value = known[element];
  if (!value)
    value = load(element);
  return value;
}

/// Ids are no affine symbols where the items stand now.
SmallVector<Value> ItemEmitter::expand(Location loc, AffineMap map,
                                       ValueRange operands) {
  SmallVector<Value> mapped;
  for (Value operand : operands)
    mapped.push_back(mapping.lookupOrDefault(operand));
  auto results = affine::expandAffineMap(builder, loc, map, mapped);
  return results ? llvm::to_vector_of<Value>(*results) : SmallVector<Value>();
}

bool ItemEmitter::emitAffine(Operation *op) {
  Location loc = op->getLoc();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    mapping.map(apply.getResult(),
                expand(loc, apply.getMap(), apply.getOperands()).front());
    return true;
  }
  if (auto access = dyn_cast<affine::AffineLoadOp>(op)) {
    SmallVector<Value> at =
        expand(loc, access.getAffineMap(), access.getMapOperands());
    Value memref = mapping.lookupOrDefault(access.getMemRef());
    mapping.map(access.getResult(),
                memref::LoadOp::create(builder, loc, memref, at).getResult());
    return true;
  }
  auto minimum = dyn_cast<affine::AffineMinOp>(op);
  auto maximum = dyn_cast<affine::AffineMaxOp>(op);
  if (!minimum && !maximum)
    return false;
  AffineMap map = minimum ? minimum.getMap() : maximum.getMap();
  SmallVector<Value> results = expand(loc, map, op->getOperands());
  Value value = results.front();
  for (Value other : llvm::drop_begin(results))
    value =
        minimum
            ? arith::MinSIOp::create(builder, loc, value, other).getResult()
            : arith::MaxSIOp::create(builder, loc, value, other).getResult();
  mapping.map(op->getResult(0), value);
  return true;
}

/// The number of the argument behind a load's or store's array.
static unsigned arrayOf(Operation *op) {
  Value memref;
  if (auto read = dyn_cast<affine::AffineReadOpInterface>(op))
    memref = read.getMemRef();
  else if (auto write = dyn_cast<affine::AffineWriteOpInterface>(op))
    memref = write.getMemRef();
  else if (auto plainLoad = dyn_cast<memref::LoadOp>(op))
    memref = plainLoad.getMemRef();
  else
    memref = cast<memref::StoreOp>(op).getMemRef();
  return cast<BlockArgument>(memoryRoot(memref)).getArgNumber();
}

void ItemEmitter::emitElement(Operation *op, unsigned offset, Value condition) {
  ItemElement element(arrayOf(op), offset);
  if (op->getNumResults() == 1) {
    mapping.map(op->getResult(0), valueOf(element));
    return;
  }
  Value value = mapping.lookupOrDefault(op->getOperand(0));
  if (condition)
    value = arith::SelectOp::create(builder, op->getLoc(), condition, value,
                                    valueOf(element));
  known[element] = stored[element] = value;
}

void ItemEmitter::emitIf(scf::IfOp branch, Value condition) {
  Location loc = branch.getLoc();
  Value holds = mapping.lookupOrDefault(branch.getCondition());
  auto both = [&](Value inner) {
    return condition ? createConjunction(builder, loc, condition, inner)
                     : inner;
  };
  emitBlock(*branch.thenBlock(), both(holds));
  if (!branch.getElseRegion().empty()) {
    Value one = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value fails = arith::XOrIOp::create(builder, loc, holds, one);
    emitBlock(*branch.elseBlock(), both(fails));
  }
  for (auto [index, result] : llvm::enumerate(branch.getResults())) {
    Value then = branch.thenYield().getOperand(index);
    Value otherwise = branch.elseYield().getOperand(index);
    mapping.map(result, arith::SelectOp::create(
                            builder, loc, holds, mapping.lookupOrDefault(then),
                            mapping.lookupOrDefault(otherwise))
                            .getResult());
  }
}

void ItemEmitter::emitBlock(Block &block, Value condition) {
  for (Operation &op : block.without_terminator()) {
    if (auto offset = kernel.offsets.find(&op); offset != kernel.offsets.end())
      emitElement(&op, offset->second, condition);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      emitIf(branch, condition);
    else if (!isGiven(op) && !emitAffine(&op))
      builder.clone(op, mapping);
  }
}

ItemValues ItemEmitter::emit(ValueRange arguments, Value id, Value extent,
                             ArrayRef<std::pair<Value, Value>> given) {
  gpu::GPUFuncOp function = kernel.kernel;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    mapping.map(function.getArgument(i), arguments[i]);
  Location loc = function.getLoc();
  Type type = function.getArgument(kernel.extent).getType();
  if (!type.isIndex())
    extent = arith::IndexCastOp::create(builder, loc, type, extent);
  mapping.map(function.getArgument(kernel.extent), extent);
  for (const auto &[original, value] : given)
    mapping.map(original, value);
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<gpu::GlobalIdOp>(op))
      mapping.map(op.getResult(0), id);
    else if (&op != kernel.guard && !isGiven(op) && !emitAffine(&op))
      builder.clone(op, mapping);
  }
  emitBlock(*kernel.guard->getRegion(0).begin(), Value());
  return std::move(stored);
}

ItemValues gpuopt::emitItem(OpBuilder &builder, const GuardedKernel &kernel,
                            ValueRange arguments, Value id, Value extent,
                            function_ref<Value(ItemElement)> load,
                            ArrayRef<std::pair<Value, Value>> given) {
  return ItemEmitter(builder, kernel, load).emit(arguments, id, extent, given);
}

gpu::GPUFuncOp gpuopt::createKernelBeside(OpBuilder &builder,
                                          const StepLoop &steps,
                                          StringRef suffix) {
  gpu::GPUFuncOp step = steps.step.kernel;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(step);
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : step->getDiscardableAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName() &&
        attribute.getName() != step.getNumWorkgroupAttributionsAttrName())
      attributes.push_back(attribute);
  auto host = steps.loop->getParentOfType<func::FuncOp>();
  auto function = gpu::GPUFuncOp::create(
      builder, step.getLoc(), (host.getName() + suffix).str(),
      step.getFunctionType(), TypeRange(), TypeRange(), attributes);
  SymbolTable(step->getParentOp()).insert(function);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  for (unsigned i = 0; i < step.getNumArguments(); ++i)
    if (DictionaryAttr facts = step.getArgAttrDict(i))
      function.setArgAttrs(i, facts);
  return function;
}

Value gpuopt::elementAt(OpBuilder &builder, Location loc, Value index,
                        unsigned number, Value stride) {
  if (number == 0)
    return index;
  Value factor = arith::ConstantIndexOp::create(builder, loc, number);
  Value distance = arith::MulIOp::create(builder, loc, stride, factor);
  return arith::AddIOp::create(builder, loc, index, distance);
}

/// What the launch before the loop puts into element `at` of each array that it
/// sets.
static ItemValues emitFirst(OpBuilder &builder, const StepContext &context,
                            Value at) {
  const GuardedKernel &first = context.steps.first;
  Value extent = context.arguments[first.extent];
  if (!extent.getType().isIndex())
    extent = arith::IndexCastOp::create(builder, extent.getLoc(),
                                        builder.getIndexType(), extent);
  // It reads none of the elements that it sets.
  auto none = [](ItemElement) { return Value(); };
  GuardedKernel kernel = first;
  return emitItem(builder, kernel, context.arguments, at, extent, none);
}

static bool isSetFirst(const StepContext &context, unsigned array) {
  if (!context.withFirst)
    return false;
  gpu::GPUFuncOp kernel = context.steps.first.kernel;
  return context.steps.first.written.contains(kernel.getArgument(array));
}

Value gpuopt::emitInitial(OpBuilder &builder, const StepContext &context,
                          unsigned array, Value at) {
  if (isSetFirst(context, array))
    return emitFirst(builder, context, at).lookup({array, 0});
  Location loc = context.arguments[array].getLoc();
  return memref::LoadOp::create(builder, loc, context.arguments[array], at);
}

namespace {
/// Emits the items of one tree, depth first: few values are alive at a time.
class TreeEmitter {
public:
  TreeEmitter(OpBuilder &builder, const StepContext &context,
              ArrayRef<Value> lengths, Value root)
      : builder(builder), context(context), lengths(lengths) {
    tree.positions.resize(size_t(1) << lengths.size());
    tree.positions[0] = root;
  }

  /// Emits item `number` of step `level` (0 is the last one) and all before it
  /// that its elements need.
  void emit(unsigned level, unsigned number);

  TreeValues tree;

private:
  Value positionOf(unsigned number);
  Value load(unsigned array, unsigned number);

  OpBuilder &builder;
  const StepContext &context;
  ArrayRef<Value> lengths;
};
} // namespace

Value TreeEmitter::positionOf(unsigned number) {
  Value &position = tree.positions[number];
  if (!position) {
    unsigned highest = llvm::Log2_32(number);
    Value lower = positionOf(number & ~(1u << highest));
    position =
        arith::AddIOp::create(builder, lower.getLoc(), lower, lengths[highest]);
  }
  return position;
}

Value TreeEmitter::load(unsigned array, unsigned number) {
  Value &value = tree.values[{array, number}];
  if (!value) {
    value = emitInitial(builder, context, array, positionOf(number));
    if (isSetFirst(context, array))
      tree.stored.insert({array, number});
  }
  return value;
}

void TreeEmitter::emit(unsigned level, unsigned number) {
  unsigned partner = number + (1u << level);
  if (level + 1 < lengths.size()) {
    emit(level + 1, number);
    emit(level + 1, partner);
  }
  auto numberOf = [&](ItemElement element) {
    return element.second ? partner : number;
  };
  auto loadElement = [&](ItemElement element) {
    return load(element.first, numberOf(element));
  };
  for (auto [element, value] :
       emitItem(builder, context.steps.step, context.arguments,
                positionOf(number), lengths[level], loadElement)) {
    std::pair<unsigned, unsigned> place(element.first, numberOf(element));
    tree.values[place] = value;
    tree.stored.insert(place);
  }
}

TreeValues gpuopt::emitTree(OpBuilder &builder, const StepContext &context,
                            ArrayRef<Value> lengths, Value root) {
  TreeEmitter emitter(builder, context, lengths, root);
  emitter.emit(0, 0);
  return std::move(emitter.tree);
}

bool gpuopt::needsWholeSteps(const StepLoop &steps) {
  return llvm::any_of(steps.step.written, [&](Value array) {
    return !wantedElements(steps, cast<BlockArgument>(array).getArgNumber());
  });
}

std::optional<int64_t> gpuopt::wantedElements(const StepLoop &steps,
                                              unsigned array) {
  gpu::GPUFuncOp kernel = steps.step.kernel;
  auto wanted = steps.outputs.find(kernel.getArgument(array));
  if (wanted == steps.outputs.end() || wanted->second > kMostOutputs)
    return std::nullopt;
  return wanted->second;
}
