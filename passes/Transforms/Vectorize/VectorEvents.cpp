//===- VectorEvents.cpp - what a block does to memory, as data ------------===//

#include "passes/Transforms/Vectorize/VectorEvents.h"

#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Alignment.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

using Kind = MemoryEvent::Kind;

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

/// Whether vectors of `type` can be loaded: whole bytes, a power of two of
/// them.
static bool isVectorElement(Type type) {
  if (!type.isIntOrFloat())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits);
}

MemRefType gpuopt::vectorizableMemRef(Operation *op) {
  if (!isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
           memref::StoreOp>(op))
    return nullptr;
  auto nontemporal = op->getAttrOfType<BoolAttr>("nontemporal");
  auto type = cast<MemRefType>(getAccessedMemRef(op).getType());
  bool isSuitable =
      !(nontemporal && nontemporal.getValue()) && type.getRank() > 0 &&
      isVectorElement(type.getElementType()) && type.isLastDimUnitStride();
  return isSuitable ? type : nullptr;
}

/// The number of `item` in `known`, a new one for a new item.
template <typename T>
static unsigned numberOf(T item, SmallVectorImpl<T> &known) {
  auto *found = llvm::find(known, item);
  unsigned number = found - known.begin();
  if (found == known.end())
    known.push_back(item);
  return number;
}

int64_t VectorEvents::divisorOf(const Polynomial &polynomial) const {
  return provenDivisor(polynomial, functions.variables(), hypothesis.multiples);
}

/// What the first byte of the array is a multiple of.
int64_t VectorEvents::baseDivisor(const AccessFunction &access) {
  Value memref = getAccessedMemRef(access.op);
  int64_t &proven = baseAlignments[memref];
  if (proven == 0)
    proven = provenBaseAlignment(memref);
  return access.space == MemorySpace::Global
             ? std::max(proven, hypothesis.baseBytes)
             : proven;
}

std::optional<unsigned> SubscriptProofs::findFirstPacked(Operation &op) {
  Value memref = getAccessedMemRef(&op);
  auto type = cast<MemRefType>(memref.getType());
  if (type.getRank() < 2 ||
      llvm::none_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return std::nullopt;
  auto [entry, isNew] = firstPacked.try_emplace(&op, std::nullopt);
  if (!isNew)
    return entry->second;
  unsigned first = getFirstPackedDimension(memref, values);
  if (first >= type.getRank())
    return std::nullopt;
  // Unrolled code has the same columns in many rows.
  SmallVector<Polynomial> columns = getSubscripts(&op, values);
  columns.erase(columns.begin(), columns.begin() + first + 1);
  auto [proof, isFresh] = proofs.try_emplace(
      {op.getBlock(), memref.getAsOpaquePointer(), std::move(columns)}, false);
  if (isFresh)
    proof->second = proveSubscripts(&op, first + 1, facts);
  if (proof->second)
    entry->second = first;
  return entry->second;
}

/// A scalar load or store with a known address.
std::optional<MemoryEvent> VectorEvents::describe(Operation &op) {
  MemRefType type = vectorizableMemRef(&op);
  const AccessFunction *access = type ? functions.lookup(&op) : nullptr;
  if (!access || !access->isResolved())
    return std::nullopt;
  Value memref = getAccessedMemRef(&op);
  MemoryEvent event;
  event.kind = access->kind == AccessKind::Load ? Kind::Load : Kind::Store;
  event.array = numberOf(memoryRoot(memref), arrays);
  event.address = access->address;
  event.bytes = access->elementBytes;
  event.type = numberOf(type.getElementType(), types);
  event.divisor =
      std::min(baseDivisor(*access),
               divisorOf(event.address - event.address.getConstantTerm()));
  if (std::optional<unsigned> first = proofs.findFirstPacked(op)) {
    event.view = numberOf(memref, views);
    event.subscripts = access->subscripts;
    event.firstPacked = *first;
  }
  return event;
}

/// Whatever else `op`, or what is nested in it, does to memory. What it does
/// several times to an array, it does: blocks may be nested very deeply.
void VectorEvents::addEffects(Operation &op, BlockEvents &result) {
  auto addEvent = [&](Kind kind, unsigned array) {
    MemoryEvent event;
    event.kind = kind;
    event.array = array;
    result.events.push_back(event);
    result.operations.push_back(&op);
  };
  if (op.hasTrait<OpTrait::IsTerminator>() || touchesNoMemory(&op))
    return;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(&op);
  if (!effects)
    return addEvent(Kind::Fence, 0);
  llvm::SmallSetVector<std::pair<Kind, unsigned>, 4> arrayEvents;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    Value memref = effect.getValue();
    if (!memref || !isa<BaseMemRefType>(memref.getType())) {
      arrayEvents.insert({Kind::Fence, 0});
      break;
    }
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    arrayEvents.insert({isRead ? Kind::Read : Kind::Write,
                        numberOf(memoryRoot(memref), arrays)});
  }
  for (auto [kind, array] : arrayEvents)
    addEvent(kind, array);
}

void VectorEvents::add(Operation &op, BlockEvents &result) {
  std::optional<MemoryEvent> access = describe(op);
  if (!access)
    return addEffects(op, result);
  result.events.push_back(*access);
  result.operations.push_back(&op);
}

BlockEvents VectorEvents::collect(Block &block) {
  BlockEvents result;
  for (Operation &op : block)
    add(op, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

std::optional<VectorLoop> gpuopt::vectorLoopOf(Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return VectorLoop{loop.getInductionVar(), loop.getStepAsInt(),
                      loop.getBody()};
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op);
      loop && !loop.getIVs().empty())
    return VectorLoop{loop.getIVs().back(), loop.getSteps().back(),
                      loop.getBody()};
  return std::nullopt;
}

/// How `event` changes from one iteration to the next, whose iterator is `step`
/// larger. Where that is not known of its address it becomes one to somewhere
/// in the array.
LoopEvents::Advance VectorEvents::advanceOf(MemoryEvent &event, Operation *op,
                                            unsigned iterator, int64_t step) {
  const VariableTable &variables = functions.variables();
  auto isIterator = [&](unsigned number) { return number == iterator; };
  // With the iterator in a quotient or a square, the value is not known.
  auto isLinear = [&](const Polynomial &value, const Polynomial &cofactor,
                      const Polynomial &rest) {
    return cofactor * Polynomial::variable(iterator) + rest == value &&
           !variables.dependsOnAny(cofactor, isIterator) &&
           !variables.dependsOnAny(rest, isIterator);
  };
  LoopEvents::Advance advance;
  for (const Polynomial &subscript : event.subscripts) {
    Polynomial cofactor = subscript.getCofactor(iterator);
    advance.subscripts.push_back(
        isLinear(subscript, cofactor, subscript.without(iterator))
            ? cofactor * Polynomial(step)
            : Polynomial::unknown());
  }
  if (!variables.dependsOnAny(event.address, isIterator))
    return advance;
  Polynomial cofactor = event.address.getCofactor(iterator);
  Polynomial rest = event.address.without(iterator);
  if (!isLinear(event.address, cofactor, rest)) {
    event.kind = event.kind == Kind::Load ? Kind::Read : Kind::Write;
    return advance;
  }
  const Variable &loop = variables[iterator];
  advance.address = cofactor * Polynomial(step);
  advance.divisor = std::min(baseDivisor(*functions.lookup(op)),
                             divisorOf(rest - rest.getConstantTerm()));
  for (const Polynomial &bound : loop.lowerBounds)
    advance.divisor = std::min(advance.divisor, divisorOf(cofactor * bound));
  if (loop.lowerBounds.empty())
    advance.divisor = 1;
  return advance;
}

LoopEvents VectorEvents::collectLoop(const VectorLoop &loop) {
  LoopEvents result{collect(*loop.body), {}};
  std::optional<unsigned> iterator = functions.variableOf(loop.iterator);
  for (auto [event, op] :
       llvm::zip(result.once.events, result.once.operations)) {
    bool isAccess = event.kind == Kind::Load || event.kind == Kind::Store;
    result.advances.emplace_back();
    if (iterator && isAccess)
      result.advances.back() = advanceOf(event, op, *iterator, loop.step);
  }
  return result;
}

BlockEvents VectorEvents::repeat(const LoopEvents &loop, int64_t copies) const {
  BlockEvents result;
  result.events.reserve(copies * loop.once.events.size());
  for (int64_t copy = 0; copy < copies; ++copy)
    for (auto [event, op, advance] :
         llvm::zip(loop.once.events, loop.once.operations, loop.advances)) {
      result.operations.push_back(op);
      MemoryEvent &repeated = result.events.emplace_back(event);
      if (!advance)
        continue;
      for (auto [subscript, more] :
           llvm::zip(repeated.subscripts, advance->subscripts))
        subscript += more * Polynomial(copy);
      if (!advance->address)
        continue;
      // In the unrolled loop the iterator is lower bound + step * copies *
      // number.
      repeated.divisor = std::min(
          advance->divisor, divisorOf(*advance->address * Polynomial(copies)));
      repeated.address += *advance->address * Polynomial(copy);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

/// Turns `event` into that of the item number `item` of a thread: position
/// block * B + thread becomes block * B * items + thread * items + item.
void VectorEvents::inItem(MemoryEvent &event, Operation *op, unsigned dimension,
                          int64_t items, int64_t item) {
  const VariableTable &variables = functions.variables();
  unsigned thread = VariableTable::threadId(dimension);
  unsigned block = VariableTable::blockId(dimension);
  auto isId = [&](unsigned number) {
    return number == thread || number == block;
  };
  auto adapt = [&](const Polynomial &value) {
    if (!variables.dependsOnAny(value, isId))
      return value;
    Polynomial rest = value.without(thread).without(block);
    if (variables.dependsOnAny(rest, isId) ||
        variables.dependsOnAny(value.getCofactor(thread), isId) ||
        variables.dependsOnAny(value.getCofactor(block), isId))
      return Polynomial::unknown();
    return value
        .substitute(thread, Polynomial(items) * Polynomial::variable(thread) +
                                Polynomial(item))
        .substitute(block, Polynomial(items) * Polynomial::variable(block));
  };
  event.address = adapt(event.address);
  for (Polynomial &subscript : event.subscripts)
    subscript = adapt(subscript);
  if (event.address.isUnknown())
    event.kind = event.kind == Kind::Load ? Kind::Read : Kind::Write;
  else
    event.divisor =
        std::min(baseDivisor(*functions.lookup(op)),
                 divisorOf(event.address - event.address.getConstantTerm()));
}

BlockEvents VectorEvents::collectItems(Block &block, unsigned dimension,
                                       int64_t items) {
  BlockEvents once = collect(block);
  BlockEvents result;
  for (int64_t item = 0; item < items; ++item)
    for (auto [event, op] : llvm::zip(once.events, once.operations)) {
      MemoryEvent repeated = event;
      if (event.kind == Kind::Load || event.kind == Kind::Store)
        inItem(repeated, op, dimension, items, item);
      result.events.push_back(repeated);
      result.operations.push_back(op);
    }
  return result;
}

VectorPlan VectorEvents::plan(const BlockEvents &block,
                              int64_t maxBytes) const {
  return planVectors(block.events, maxBytes, [&](unsigned a, unsigned b) {
    return mayAlias(arrays[a], arrays[b]);
  });
}
