//===- ResolveAccesses.cpp - loads and stores and what guards them --------===//

#include "passes/Analysis/AccessResolver.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/MatrixRows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Adds the comparisons that `condition` is made of.
void AccessResolver::collect(Value condition, Guard &guard) {
  Conjunction conjunction;
  takeApart({condition, false}, conjunction);
  guard.complete &= conjunction.others.empty();
  for (const Conjunct &conjunct : conjunction.conjuncts) {
    std::optional<Comparison> comparison = resolve(conjunct);
    guard.complete &= comparison.has_value();
    if (comparison)
      guard.comparisons.push_back(std::move(*comparison));
  }
}

static Comparison complementOf(const Comparison &comparison) {
  using Relation = Comparison::Relation;
  switch (comparison.relation) {
  case Relation::Equal:
    return {comparison.left, Relation::NotEqual};
  case Relation::NotEqual:
    return {comparison.left, Relation::Equal};
  case Relation::Less:
    return {-comparison.left, Relation::LessEqual};
  case Relation::LessEqual:
    break;
  }
  return {-comparison.left, Relation::Less};
}

/// Adds the complements of the alternatives of `condition` to `guard`, which
/// fails as a whole where the condition holds; false where one is no
/// comparison.
bool AccessResolver::collectAlternatives(Value condition, Guard &guard) {
  if (auto either = condition.getDefiningOp<arith::OrIOp>())
    return collectAlternatives(either.getLhs(), guard) &&
           collectAlternatives(either.getRhs(), guard);
  Guard alternative;
  collect(condition, alternative);
  if (!alternative.complete || alternative.comparisons.size() != 1)
    return false;
  guard.comparisons.push_back(complementOf(alternative.comparisons.front()));
  return true;
}

void AccessResolver::visitCondition(scf::IfOp branch) {
  Guard guard;
  // The sizes that are assumed where none are known may fail the test of
  // versions; an empty guard always holds.
  bool isVersion = branch->hasAttr(kIndexRangeVersionAttrName);
  if (!isVersion && branch.getCondition().getDefiningOp<arith::OrIOp>()) {
    Guard neither;
    if (collectAlternatives(branch.getCondition(), neither)) {
      neither.negated = true;
      visitBranch(branch.getThenRegion(), neither);
      neither.negated = false;
      return visitBranch(branch.getElseRegion(), neither);
    }
  }
  if (!isVersion)
    collect(branch.getCondition(), guard);
  visitBranch(branch.getThenRegion(), guard);
  guard.negated = true;
  visitBranch(branch.getElseRegion(), guard);
}

void AccessResolver::visitBranch(Region &region, Guard guard) {
  guards.push_back(std::move(guard));
  visit(region);
  guards.pop_back();
}

void AccessResolver::visitAffineIf(affine::AffineIfOp op) {
  Guard guard;
  IntegerSet set = op.getIntegerSet();
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op.getContext());
  std::vector<Polynomial> values = resolveExact(map, op.getOperands());
  guard.complete = !values.empty();
  for (auto [value, isEquality] : llvm::zip(values, set.getEqFlags()))
    guard.comparisons.push_back(
        isEquality ? Comparison{value, Comparison::Relation::Equal}
                   : Comparison{-value, Comparison::Relation::LessEqual});
  visitBranch(op.getThenRegion(), guard);
  guard.negated = true;
  visitBranch(op.getElseRegion(), guard);
}

void AccessResolver::visitLoop(LoopLikeOpInterface op) {
  std::optional<Value> iterator = op.getSingleInductionVar();
  std::optional<unsigned> number =
      iterator ? loopVariable(*iterator) : std::nullopt;
  loops.push_back(number ? static_cast<int>(*number) : -1);
  for (Region &body : op->getRegions())
    visit(body);
  loops.pop_back();
}

void AccessResolver::visitCollective(affine::AffineParallelOp op) {
  std::vector<unsigned> around = collective;
  for (Value iterator : op.getIVs())
    if (std::optional<unsigned> number = loopVariable(iterator))
      collective.push_back(*number);
  visit(op.getRegion());
  collective = std::move(around);
}

/// What a load or store says; nothing for other operations.
static std::optional<AccessOperands> operandsOf(Operation *op) {
  using Access = std::optional<AccessOperands>;
  return TypeSwitch<Operation *, Access>(op)
      .Case<affine::AffineLoadOp, affine::AffineVectorLoadOp>([](auto load) {
        return AccessOperands{AccessKind::Load, load.getMemRef(),
                              load.getMapOperands(), load.getAffineMap(),
                              load.getType()};
      })
      .Case<affine::AffineStoreOp, affine::AffineVectorStoreOp>([](auto store) {
        return AccessOperands{AccessKind::Store, store.getMemRef(),
                              store.getMapOperands(), store.getAffineMap(),
                              store.getValueToStore().getType()};
      })
      .Case([](memref::LoadOp load) {
        return AccessOperands{AccessKind::Load, load.getMemRef(),
                              load.getIndices(), AffineMap(), load.getType()};
      })
      .Case([](memref::StoreOp store) {
        return AccessOperands{AccessKind::Store, store.getMemRef(),
                              store.getIndices(), AffineMap(),
                              store.getValueToStore().getType()};
      })
      .Case([](vector::LoadOp load) {
        return AccessOperands{AccessKind::Load, load.getBase(),
                              load.getIndices(), AffineMap(), load.getType()};
      })
      // Each lane names a row of 16 bytes, and the eight of a matrix are read
      // together: as where each lane loads the row that it names.
      .Case([](nvgpu::LdMatrixOp load) {
        auto result = cast<VectorType>(load.getRes().getType());
        Type element = result.getElementType();
        auto row = VectorType::get({elementsOfMatrixRow(element)}, element);
        return AccessOperands{AccessKind::Load, load.getSrcMemref(),
                              load.getIndices(), AffineMap(), row};
      })
      // Of a matrix of a warpgroup, the place where it begins: what is read of
      // it is read without conflicts (Banks/WarpgroupLayout.h).
      .Case([](MatrixDescriptorOp matrix) {
        Type element = matrix.getTile().getType().getElementType();
        auto row = VectorType::get({elementsOfMatrixRow(element)}, element);
        return AccessOperands{AccessKind::Load, matrix.getTile(),
                              matrix.getIndices(), AffineMap(), row};
      })
      .Case([](vector::StoreOp store) {
        return AccessOperands{AccessKind::Store, store.getBase(),
                              store.getIndices(), AffineMap(),
                              store.getValueToStore().getType()};
      })
      .Case<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>([](auto atomic) {
        return AccessOperands{AccessKind::Atomic, atomic.getMemref(),
                              atomic.getIndices(), AffineMap(),
                              atomic.getResult().getType()};
      })
      .Default([](Operation *) { return Access(); });
}

void AccessResolver::visit(Region &region) {
  for (Operation &op : region.getOps()) {
    if (std::optional<AccessOperands> operands = operandsOf(&op)) {
      addAccess(&op, *operands);
    } else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
      addCopy(copy);
    } else if (isa<LLVM::LoadOp>(op)) {
      addUnraised(&op, AccessKind::Load);
    } else if (isa<LLVM::StoreOp>(op)) {
      addUnraised(&op, AccessKind::Store);
    } else if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op)) {
      addUnraised(&op, AccessKind::Atomic);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      visitCondition(branch);
    } else if (auto affineBranch = dyn_cast<affine::AffineIfOp>(op)) {
      visitAffineIf(affineBranch);
    } else if (isCollective(&op)) {
      visitCollective(cast<affine::AffineParallelOp>(op));
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      visitLoop(loop);
    } else {
      // What decides about these regions, a switch's say, is not looked at.
      Guard unknown;
      unknown.complete = false;
      for (Region &body : op.getRegions())
        visitBranch(body, unknown);
    }
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The memory space of `type`, by gpu's names or the targets' numbers.
static MemorySpace spaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space)) {
    if (named.getValue() == gpu::AddressSpace::Workgroup)
      return MemorySpace::Workgroup;
    return named.getValue() == gpu::AddressSpace::Private ? MemorySpace::Private
                                                          : MemorySpace::Global;
  }
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  if (number && number.getInt() == 3)
    return MemorySpace::Workgroup;
  if (number && number.getInt() == GetVariableOp::kConstantSpace)
    return MemorySpace::Constant;
  return number && number.getInt() == 5 ? MemorySpace::Private
                                        : MemorySpace::Global;
}

/// Adds `access` under the control flow of this point.
static void append(AccessFunction access, std::vector<AccessFunction> &list,
                   DenseMap<Operation *, unsigned> &indexByOp) {
  indexByOp.try_emplace(access.op, list.size());
  list.push_back(std::move(access));
}

void AccessResolver::addAccess(Operation *op, const AccessOperands &operands) {
  AccessFunction access;
  access.op = op;
  access.kind = operands.kind;
  access.loops = loops;
  access.collective = collective;
  access.guards = guards;
  auto type = dyn_cast<MemRefType>(operands.memref.getType());
  if (type)
    access.space = spaceOf(type);
  if (operands.memref.getDefiningOp<memref::AllocaOp>())
    access.space = MemorySpace::Private;
  std::optional<int64_t> element =
      type ? bytesOf(type.getElementType()) : std::nullopt;
  std::optional<int64_t> moved = bytesOf(operands.type);
  std::optional<ResolvedView> view = resolveView(operands.memref);
  if (view) {
    access.base = view->base;
    access.array = view->name;
  }
  access.elementBytes = element.value_or(1);
  access.accessBytes = moved.value_or(1);
  if (view && element && moved) {
    AffineMap map = operands.map
                        ? operands.map
                        : AffineMap::getMultiDimIdentityMap(
                              operands.indices.size(), op->getContext());
    access.subscripts = resolveAddress(map, operands.indices);
    access.address = view->offsetBytes;
    if (access.subscripts.size() != map.getNumResults())
      access.unresolved = reason;
    for (auto [index, stride] : llvm::zip(access.subscripts, view->strides))
      access.address += index * stride * Polynomial(*element);
    if (access.address.isUnknown())
      access.unresolved = "index arithmetic leaves 64 bits";
  } else {
    access.unresolved = view ? "elements are no whole bytes" : reason;
  }
  append(std::move(access), result.functions, result.indexByOp);
}

/// A copy of consecutive elements from global to workgroup memory. It writes
/// all of them; those that it does not read become 0.
void AccessResolver::addCopy(nvgpu::DeviceAsyncCopyOp copy) {
  auto type = [&](Value memref) {
    return VectorType::get(
        {static_cast<int64_t>(copy.getDstElements().getZExtValue())},
        cast<MemRefType>(memref.getType()).getElementType());
  };
  addAccess(copy, {AccessKind::Load, copy.getSrc(), copy.getSrcIndices(),
                   AffineMap(), type(copy.getSrc())});
  addAccess(copy, {AccessKind::Store, copy.getDst(), copy.getDstIndices(),
                   AffineMap(), type(copy.getDst())});
}

/// A load or store that raising left in the LLVM dialect.
void AccessResolver::addUnraised(Operation *op, AccessKind kind) {
  AccessFunction access;
  access.op = op;
  access.kind = kind;
  access.loops = loops;
  access.collective = collective;
  access.guards = guards;
  access.unresolved = "the access was not raised";
  Value pointer = op->getOperand(isa<LLVM::StoreOp>(op) ? 1 : 0);
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  access.space = type.getAddressSpace() == 3   ? MemorySpace::Workgroup
                 : type.getAddressSpace() == 5 ? MemorySpace::Private
                                               : MemorySpace::Global;
  Type moved = isa<LLVM::StoreOp>(op) ? op->getOperand(0).getType()
                                      : op->getResult(0).getType();
  access.elementBytes = access.accessBytes = bytesOf(moved).value_or(1);
  append(std::move(access), result.functions, result.indexByOp);
}

void AccessResolver::run() {
  for (Region &region : kernel->getRegions())
    visit(region);
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

AccessFunctions::AccessFunctions(Operation *kernel)
    : root(kernel), values(cast<FunctionOpInterface>(kernel)) {
  AccessResolver(*this, kernel).run();
}

const AccessFunction *AccessFunctions::lookup(Operation *op) const {
  auto it = indexByOp.find(op);
  return it == indexByOp.end() ? nullptr : &functions[it->second];
}

std::optional<Polynomial> AccessFunctions::resolve(Value value) {
  return AccessResolver(*this, root).resolve(value);
}

std::optional<Comparison> AccessFunctions::resolve(const Conjunct &conjunct) {
  return AccessResolver(*this, root).resolve(conjunct);
}

std::optional<unsigned> AccessFunctions::variableOf(Value value) const {
  auto it = variableNumbers.find(value);
  return it == variableNumbers.end() ? std::nullopt : std::optional(it->second);
}
