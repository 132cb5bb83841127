//===- Uniformity.cpp - which ids a value depends on ----------------------===//
//
// A fixed point over the kernel's operations: sets only grow, so that loops and
// arrays converge after a few sweeps.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Uniformity.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Analysis/Variables.h"
#include "passes/Analysis/VendorArithmetic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Sets of ids
//===----------------------------------------------------------------------===//

Dependence gpuopt::threadDependence(gpu::Dimension dimension) {
  return Dependence(uint8_t(Dependence::ThreadX) << unsigned(dimension));
}

Dependence gpuopt::blockDependence(gpu::Dimension dimension) {
  return Dependence(uint8_t(Dependence::BlockX) << unsigned(dimension));
}

void gpuopt::printDependence(llvm::raw_ostream &os, Dependence dependence) {
  static constexpr StringLiteral names[] = {
      "thread_x", "thread_y", "thread_z",         "block_x",
      "block_y",  "block_z",  "workgroup_memory", "unknown"};
  if (dependence == Dependence::None) {
    os << "uniform";
    return;
  }
  bool first = true;
  for (auto [bit, name] : llvm::enumerate(names)) {
    if (!(uint8_t(dependence) & (1u << bit)))
      continue;
    os << (first ? "" : " ") << name;
    first = false;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value gpuopt::memoryRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

SmallVector<Operation *> gpuopt::usersThroughViews(Value array) {
  SmallVector<Operation *> users;
  SmallVector<Value> views = {array};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers())
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      else
        users.push_back(user);
  return users;
}

namespace {
/// What kind of memory an array lives in, as far as this analysis cares.
enum class RootKind {
  Argument,
  Workgroup,
  Private,
  Variable, ///< of the module, which a kernel may write
  Constant,
  Unknown
};
} // namespace

static RootKind classifyRoot(Value root) {
  if (auto argument = dyn_cast_or_null<BlockArgument>(root)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    if (!kernel || !argument.getOwner()->isEntryBlock())
      return RootKind::Unknown;
    if (argument.getArgNumber() < kernel.getNumArguments())
      return RootKind::Argument;
    return llvm::is_contained(kernel.getWorkgroupAttributions(), argument)
               ? RootKind::Workgroup
               : RootKind::Private;
  }
  if (!root)
    return RootKind::Unknown;
  if (root.getDefiningOp<memref::AllocaOp>())
    return RootKind::Private;
  if (isConstantVariable(root))
    return RootKind::Constant;
  return getVariable(root) ? RootKind::Variable : RootKind::Unknown;
}

static bool isNoAlias(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return false;
  auto kernel = cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttr(argument.getArgNumber(),
                           LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
}

bool UniformityAnalysis::isReadOnly(Value root) const {
  RootKind kind = classifyRoot(root);
  if (kind == RootKind::Constant)
    return true;
  if ((kind != RootKind::Argument && kind != RootKind::Variable) ||
      writtenRoots.contains(nullptr))
    return false;
  return llvm::all_of(writtenRoots, [&](void *opaque) {
    Value written = Value::getFromOpaquePointer(opaque);
    if (written == root)
      return false;
    RootKind other = classifyRoot(written);
    // Accesses through a restrict pointer and ones past it do not conflict.
    return (other != RootKind::Argument && other != RootKind::Variable) ||
           isNoAlias(root) || isNoAlias(written) ||
           areDistinctVariables(root, written);
  });
}

Dependence UniformityAnalysis::contentsDependOn(Value root) const {
  switch (classifyRoot(root)) {
  case RootKind::Workgroup:
    return contents.lookup(root) | Dependence::WorkgroupMemory;
  case RootKind::Private:
    return contents.lookup(root);
  case RootKind::Argument:
  case RootKind::Variable:
  case RootKind::Constant:
    return isReadOnly(root) ? Dependence::None : Dependence::Unknown;
  case RootKind::Unknown:
    break;
  }
  return Dependence::Unknown;
}

/// Whether `op` accesses its memrefs in a way that its memory effects describe.
static bool hasKnownEffects(Operation *op) {
  return isa<MemoryEffectOpInterface>(op) || touchesNoMemory(op) ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         isa<gpu::BarrierOp, gpu::ReturnOp>(op);
}

void UniformityAnalysis::collectWrites() {
  kernel.getBody().walk([&](Operation *op) {
    if (!hasKnownEffects(op)) {
      writtenRoots.insert(nullptr);
      return;
    }
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface || isa<gpu::BarrierOp, GridBarrierOp>(op))
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()))
        continue;
      Value root = effect.getValue() ? memoryRoot(effect.getValue()) : Value();
      if (classifyRoot(root) == RootKind::Unknown)
        root = nullptr;
      writtenRoots.insert(root.getAsOpaquePointer());
    }
  });
}

/// Whether `value` is computed from what is outside of all loops.
static bool isLoopInvariant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<gpu::GPUFuncOp>(value.getParentBlock()->getParentOp());
  if (isa<gpu::GPUFuncOp>(op->getParentOp()))
    return true;
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), isLoopInvariant);
}

/// The conditions that hold where `op` runs, by the `scf.if`s around it.
static SmallVector<Value> conjunctsAround(Operation *op) {
  SmallVector<Value> conjuncts;
  for (Condition condition : conditionsAround(op))
    if (!condition.negated)
      collectConjuncts(condition.value, conjuncts);
  return conjuncts;
}

void UniformityAnalysis::collectCommonConditions() {
  kernel.getBody().walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !effect.getValue())
        continue;
      Value root = memoryRoot(effect.getValue());
      if (classifyRoot(root) != RootKind::Workgroup)
        continue;
      llvm::SmallPtrSet<void *, 4> conditions;
      for (Value condition : conjunctsAround(op))
        if (isLoopInvariant(condition))
          conditions.insert(condition.getAsOpaquePointer());
      auto [entry, isNew] = commonConditions.try_emplace(root, conditions);
      if (!isNew)
        entry->second.remove_if(
            [&](void *condition) { return !conditions.contains(condition); });
    }
  });
}

/// What decides whether `op` stores to the workgroup array `root` in a block
/// that fills it at all.
Dependence UniformityAnalysis::storeControlDependsOn(Operation *op,
                                                     Value root) const {
  auto common = commonConditions.find(root);
  Dependence result = Dependence::None;
  for (Region *region = op->getParentRegion();
       !isa<gpu::GPUFuncOp>(region->getParentOp());
       region = region->getParentOp()->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!branch || region != &branch.getThenRegion() ||
        common == commonConditions.end()) {
      result |= regionDependsOn(region->getParentOp());
      continue;
    }
    SmallVector<Value> parts;
    collectConjuncts(branch.getCondition(), parts);
    for (Value part : parts)
      if (!common->second.contains(part.getAsOpaquePointer()) ||
          !isBlockUniform(part))
        result |= dependsOn(part);
  }
  return result;
}

void UniformityAnalysis::recordStore(Operation *op, Value root) {
  RootKind kind = classifyRoot(root);
  if (kind != RootKind::Workgroup && kind != RootKind::Private)
    return;
  Dependence stored = operandsDependOn(op);
  stored |= kind == RootKind::Workgroup ? storeControlDependsOn(op, root)
                                        : controlDependsOn(op);
  // The order of atomic operations is anybody's guess.
  if (op->getNumResults() != 0)
    stored = Dependence::All;
  if (kind == RootKind::Workgroup)
    stored &= Dependence::AllBlocks | Dependence::Unknown;
  Dependence &current = contents[root];
  changed |= (current | stored) != current;
  current |= stored;
}

void UniformityAnalysis::visitMemory(Operation *op,
                                     MemoryEffectOpInterface interface) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  Dependence result = operandsDependOn(op);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value root = effect.getValue() ? memoryRoot(effect.getValue()) : Value();
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      result |= contentsDependOn(root);
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      continue;
    recordStore(op, root);
    if (op->getNumResults() != 0)
      result = Dependence::All;
  }
  addAll(op->getResults(), result);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// What decides whether and how often the regions of `parent` run.
Dependence UniformityAnalysis::regionDependsOn(Operation *parent) const {
  if (llvm::any_of(parent->getRegions(), [](Region &region) {
        return !region.empty() && !region.hasOneBlock();
      }))
    return Dependence::All;
  auto all = [&](ValueRange operands) {
    Dependence result = Dependence::None;
    for (Value operand : operands)
      result |= dependsOn(operand);
    return result;
  };
  return TypeSwitch<Operation *, Dependence>(parent)
      .Case([&](gpu::GPUFuncOp) { return Dependence::None; })
      .Case([&](scf::IfOp op) { return dependsOn(op.getCondition()); })
      .Case([&](affine::AffineIfOp op) { return all(op.getOperands()); })
      .Case([&](scf::IndexSwitchOp op) { return dependsOn(op.getArg()); })
      .Case([&](scf::ExecuteRegionOp) { return Dependence::None; })
      .Case([&](affine::AffineParallelOp op) { return all(op->getOperands()); })
      .Case([&](scf::ForOp op) {
        return all({op.getLowerBound(), op.getUpperBound(), op.getStep()});
      })
      .Case([&](affine::AffineForOp op) {
        return all(op.getLowerBoundOperands()) |
               all(op.getUpperBoundOperands());
      })
      .Case([&](scf::WhileOp op) {
        return dependsOn(op.getConditionOp().getCondition());
      })
      .Default([](Operation *) { return Dependence::All; });
}

Dependence UniformityAnalysis::controlDependsOn(Operation *op) const {
  Dependence result = Dependence::None;
  while (!isa<gpu::GPUFuncOp>(op)) {
    op = op->getParentOp();
    result |= regionDependsOn(op);
  }
  return result;
}

void UniformityAnalysis::addRange(ValueRange targets, ValueRange sources) {
  for (auto [target, source] : llvm::zip(targets, sources))
    add(target, dependsOn(source));
}

/// Passes dependences between the operands, block arguments, terminators and
/// results of an operation with regions.
void UniformityAnalysis::visitRegions(Operation *op) {
  Dependence control = regionDependsOn(op);
  addAll(op->getResults(), control);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
      loop && isa<scf::ForOp, affine::AffineForOp>(op)) {
    // Among the threads that run iteration i, the lower bound and the step tell
    // the induction variable; the upper bound's part in it is harmless to add.
    SmallVector<Value> variables = *loop.getLoopInductionVars();
    addAll(variables, control);
    addRange(loop.getRegionIterArgs(), loop.getInits());
    addRange(loop.getRegionIterArgs(), loop.getYieldedValues());
    addRange(op->getResults(), loop.getRegionIterArgs());
    return;
  }
  // Each thread runs all iterations, at least in effect.
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op);
      loop && loop->getNumResults() == 0)
    return addAll(loop.getBody()->getArguments(), control);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    addRange(loop.getBeforeArguments(), loop.getInits());
    addRange(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    addRange(loop.getAfterArguments(), loop.getConditionOp().getArgs());
    addRange(loop.getResults(), loop.getConditionOp().getArgs());
    return;
  }
  bool isKnown = isa<scf::IfOp, affine::AffineIfOp, scf::IndexSwitchOp,
                     scf::ExecuteRegionOp>(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (isKnown && region.hasOneBlock())
        addRange(op->getResults(), block.getTerminator()->getOperands());
      else
        addAll(block.getArguments(), Dependence::All);
    }
  if (!isKnown)
    addAll(op->getResults(), Dependence::All);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void UniformityAnalysis::add(Value value, Dependence dependence) {
  Dependence &current = values[value];
  changed |= (current | dependence) != current;
  current |= dependence;
}

void UniformityAnalysis::addAll(ValueRange targets, Dependence dependence) {
  for (Value target : targets)
    add(target, dependence);
}

Dependence UniformityAnalysis::operandsDependOn(Operation *op) const {
  Dependence result = Dependence::None;
  for (Value operand : op->getOperands())
    result |= dependsOn(operand);
  return result;
}

bool gpuopt::mayReadRegisters(Operation *op) {
  return isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op) &&
         !isVendorArithmetic(op);
}

bool gpuopt::isFunctionOfOperands(Operation *op) {
  static const llvm::StringSet<> dialects = {
      "affine", "arith",  "builtin", "complex", "index", "llvm",
      "math",   "memref", "scf",     "ub",      "vector"};
  if (isa<GetVariableOp>(op))
    return true;
  return op->getDialect() &&
         dialects.contains(op->getDialect()->getNamespace()) &&
         !mayReadRegisters(op);
}

/// What the gpu dialect's own operations depend on, besides their operands.
static Dependence idDependence(Operation *op) {
  return TypeSwitch<Operation *, Dependence>(op)
      .Case([](gpu::ThreadIdOp id) {
        return threadDependence(id.getDimension());
      })
      .Case(
          [](gpu::BlockIdOp id) { return blockDependence(id.getDimension()); })
      .Case([](gpu::GlobalIdOp id) {
        return threadDependence(id.getDimension()) |
               blockDependence(id.getDimension());
      })
      .Case<gpu::BlockDimOp, gpu::GridDimOp, gpu::SubgroupSizeOp,
            gpu::NumSubgroupsOp, gpu::BarrierOp, gpu::ReturnOp>(
          [](Operation *) { return Dependence::None; })
      .Case<gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::ShuffleOp,
            gpu::SubgroupReduceOp, gpu::AllReduceOp>(
          [](Operation *) { return Dependence::AllThreads; })
      .Default([](Operation *) { return Dependence::All; });
}

void UniformityAnalysis::visit(Operation *op) {
  // What it lets be seen are the stores of other operations.
  if (isa<GridBarrierOp>(op))
    return;
  if (op->getNumRegions() != 0)
    return visitRegions(op);
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
    return addAll(op->getResults(), operandsDependOn(op) | idDependence(op));
  if (isSubgroupExchange(op))
    return addAll(op->getResults(),
                  operandsDependOn(op) | Dependence::AllThreads);
  if (isMemoryEffectFree(op) || callsFunctionOfNumbers(op) ||
      isa<memref::AllocaOp>(op))
    return addAll(op->getResults(), isFunctionOfOperands(op)
                                        ? operandsDependOn(op)
                                        : Dependence::All);
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    return visitMemory(op, interface);
  // It may write any array that it can reach.
  for (Value operand : op->getOperands())
    recordStore(op, memoryRoot(operand));
  addAll(op->getResults(), Dependence::All);
}

/// Whether `op` makes a view of `memref` or accesses it in a way that its
/// memory effects describe. Otherwise the array's address is out of sight.
static bool isKnownUse(Operation *op, Value memref) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource() == memref &&
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
  if (isa<memref::DimOp>(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(memref, effects);
  return !effects.empty();
}

UniformityAnalysis::UniformityAnalysis(gpu::GPUFuncOp kernelOp)
    : kernel(kernelOp) {
  collectWrites();
  collectCommonConditions();
  if (!kernel.getBody().hasOneBlock())
    for (Block &block : llvm::drop_begin(kernel.getBody()))
      addAll(block.getArguments(), Dependence::All);
  kernel.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && !isKnownUse(op, operand))
        contents[memoryRoot(operand)] = Dependence::All;
  });
  do {
    changed = false;
    kernel.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
  } while (changed);
}
