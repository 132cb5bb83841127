//===- AccessSlice.cpp - the accesses of a kernel alone -------------------===//

#include "passes/Assist/AccessSlice.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Analysis/Variables.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// The element that an operation accesses, or the first of several.
struct Element {
  Value memref;
  /// From `indices` to the subscripts; null where they are the subscripts.
  AffineMap map;
  SmallVector<Value> indices;

  bool operator==(const Element &) const = default;
};
} // namespace

static std::optional<Element> elementOf(Operation *op) {
  using Found = std::optional<Element>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<affine::AffineLoadOp, affine::AffineVectorLoadOp,
            affine::AffineStoreOp, affine::AffineVectorStoreOp>(
          [](auto access) {
            return Element{access.getMemRef(), access.getAffineMap(),
                           access.getMapOperands()};
          })
      .Case([](affine::AffinePrefetchOp prefetch) {
        return Element{prefetch.getMemref(), prefetch.getAffineMap(),
                       prefetch.getMapOperands()};
      })
      .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
            memref::GenericAtomicRMWOp, memref::PrefetchOp>([](auto access) {
        return Element{access.getMemref(), AffineMap(), access.getIndices()};
      })
      .Case<vector::LoadOp, vector::StoreOp>([](auto access) {
        return Element{access.getBase(), AffineMap(), access.getIndices()};
      })
      .Case([](nvgpu::DeviceAsyncCopyOp copy) {
        return Element{copy.getSrc(), AffineMap(), copy.getSrcIndices()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

static bool isLoad(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineVectorLoadOp, memref::LoadOp,
             vector::LoadOp>(op);
}

static bool isAtomic(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op);
}

bool gpuopt::isPrefetch(Operation *op) {
  return isa<affine::AffinePrefetchOp, memref::PrefetchOp>(op);
}

bool gpuopt::hasPrefetch(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isPrefetch(inner) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` changes the element that it accesses: a store, or an atomic
/// operation. A copy to workgroup memory accesses what it copies.
static bool isStore(Operation *op) {
  return elementOf(op) && !isLoad(op) && !isPrefetch(op) &&
         !isa<nvgpu::DeviceAsyncCopyOp>(op);
}

/// Whether `memref` is memory of a block or of a thread, which a CPU does not
/// share with it.
static bool isLocal(Value memref) {
  Value root = memoryRoot(memref);
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    return kernel && argument.getArgNumber() >= kernel.getNumArguments();
  }
  return isa_and_nonnull<memref::AllocaOp>(root.getDefiningOp());
}

static bool isWorkgroupMemory(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memoryRoot(memref));
  return argument && isLocal(argument) &&
         llvm::is_contained(
             cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())
                 .getWorkgroupAttributions(),
             argument);
}

/// The arrays of a block or a thread, in an order that copies of `function`
/// share.
static SmallVector<Value> localArrays(gpu::GPUFuncOp function) {
  SmallVector<Value> arrays(llvm::drop_begin(function.getBody().getArguments(),
                                             function.getNumArguments()));
  function.walk([&](memref::AllocaOp alloca) { arrays.push_back(alloca); });
  return arrays;
}

//===----------------------------------------------------------------------===//
// From accesses to prefetches
//===----------------------------------------------------------------------===//

static void createPrefetch(OpBuilder &builder, Location loc,
                           const Element &element) {
  constexpr bool isWrite = false, isDataCache = true;
  constexpr unsigned keepInAllCaches = 3;
  if (element.map)
    affine::AffinePrefetchOp::create(builder, loc, element.memref, element.map,
                                     element.indices, isWrite, keepInAllCaches,
                                     isDataCache);
  else
    memref::PrefetchOp::create(builder, loc, element.memref, element.indices,
                               isWrite, keepInAllCaches, isDataCache);
}

/// Makes loads of what atomic operations return: these only store then.
static void separateLoads(gpu::GPUFuncOp function) {
  function.walk([](Operation *op) {
    if (!isAtomic(op) || op->use_empty())
      return;
    OpBuilder builder(op);
    Element element = *elementOf(op);
    op->getResult(0).replaceAllUsesWith(memref::LoadOp::create(
        builder, op->getLoc(), element.memref, element.indices));
  });
}

/// Puts a prefetch in front of each access of global memory.
static void addPrefetches(gpu::GPUFuncOp function) {
  function.walk([](Operation *op) {
    std::optional<Element> element = elementOf(op);
    if (!element || isLocal(element->memref) || isPrefetch(op))
      return;
    OpBuilder builder(op);
    createPrefetch(builder, op->getLoc(), *element);
  });
}

/// Erases prefetches that one of the same element precedes on every way.
static void dropRepeated(gpu::GPUFuncOp function) {
  DominanceInfo dominance(function);
  llvm::DenseMap<llvm::hash_code, SmallVector<Operation *>> earlier;
  SmallVector<Operation *> repeated;
  constexpr auto anywhere = OperationEquivalence::IgnoreLocations;
  function.walk([&](Operation *op) {
    if (!isPrefetch(op))
      return;
    auto &alike = earlier[OperationEquivalence::computeHash(
        op, OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue, anywhere)];
    bool isRepeated = llvm::any_of(alike, [&](Operation *first) {
      return dominance.properlyDominates(first, op) &&
             OperationEquivalence::isEquivalentTo(
                 first, op, OperationEquivalence::exactValueMatch,
                 /*markEquivalent=*/nullptr, anywhere);
    });
    (isRepeated ? repeated : alike).push_back(op);
  });
  for (Operation *op : repeated)
    op->erase();
}

/// Erases prefetches in front of loads that have stayed: those do the same.
static void dropPrefetchesOfLoads(gpu::GPUFuncOp function) {
  function.walk([](Operation *op) {
    Operation *before = op->getPrevNode();
    if (isLoad(op) && before && isPrefetch(before) &&
        elementOf(before) == elementOf(op))
      before->erase();
  });
}

//===----------------------------------------------------------------------===//
// What no prefetch needs
//===----------------------------------------------------------------------===//

/// Whether `op` does nothing but make threads, or accesses, wait.
static bool isWait(Operation *op) {
  return isa<gpu::BarrierOp, GridBarrierOp, LLVM::FenceOp,
             nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp,
             NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op);
}

/// Whether assembly may access memory: it has side effects and is given what
/// can be an address.
static bool mayAccessMemory(LLVM::InlineAsmOp assembly) {
  return assembly.getHasSideEffects() &&
         llvm::any_of(assembly->getOperandTypes(), [](Type type) {
           return isa<LLVM::LLVMPointerType>(type) || type.isInteger(64);
         });
}

/// Whether `op` calls one of the device's own functions, with numbers only:
/// what lanes tell each other, the clock, and others that access no memory.
static bool asksDevice(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee().value_or("").starts_with("__gpuopt_") &&
         llvm::none_of(op->getOperandTypes(),
                       llvm::IsaPred<LLVM::LLVMPointerType>);
}

/// Whether `op` accesses global memory by what is no access to prefetch.
static bool accessesOutOfSight(Operation *op) {
  if (elementOf(op) || isWait(op) || callsFunctionOfNumbers(op) ||
      asksDevice(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isa<gpu::GPUFuncOp>(op))
    return false;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return mayAccessMemory(assembly);
  // Its effect does not say on what.
  if (auto rows = dyn_cast<nvgpu::LdMatrixOp>(op))
    return !isLocal(rows.getSrcMemref());
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    Value memory = effect.getValue();
    return !isa<MemoryEffects::Allocate>(effect.getEffect()) &&
           !(memory && isa<MemRefType>(memory.getType()) && isLocal(memory));
  });
}

/// The name of what a call calls, on what stands for it.
static constexpr StringLiteral kCalleeName = "callee";

/// What `op` is called in a sentence: a call by what it calls.
static std::string describe(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  StringRef callee = call ? call.getCallee().value_or("") : "";
  return (callee.empty() ? op->getName().getStringRef() : callee).str();
}

/// Puts something without effects in the place of calls, and of assembly: these
/// are known to access no memory, so that they may go with what they compute.
static void forgetEffects(gpu::GPUFuncOp function) {
  SmallVector<Operation *> calls;
  function.walk([&](Operation *op) {
    if (isa<LLVM::CallOp, LLVM::InlineAsmOp>(op))
      calls.push_back(op);
  });
  for (Operation *call : calls) {
    OpBuilder builder(call);
    SmallVector<Value> inputs(call->getOperands());
    // Conversions to the same types would fold.
    while (!inputs.empty() && inputs.size() <= call->getNumResults())
      inputs.push_back(inputs.front());
    if (call->getNumResults() > 0) {
      auto standIn = UnrealizedConversionCastOp::create(
          builder, call->getLoc(), call->getResultTypes(), inputs);
      standIn->setAttr(kCalleeName, builder.getStringAttr(describe(call)));
      call->replaceAllUsesWith(standIn);
    }
    call->erase();
  }
}

/// Whether a slice can do without `op` that keeps what `kept` arrays hold.
static bool isDispensable(Operation *op, const llvm::DenseSet<Value> &kept) {
  return isWait(op) || isa<nvgpu::DeviceAsyncCopyOp>(op) ||
         (isStore(op) && !kept.contains(memoryRoot(elementOf(op)->memref)));
}

static void eraseIf(gpu::GPUFuncOp function,
                    llvm::function_ref<bool(Operation *)> isErased) {
  SmallVector<Operation *> erased;
  function.walk([&](Operation *op) {
    if (isErased(op))
      erased.push_back(op);
  });
  // Users first.
  for (Operation *op : llvm::reverse(erased))
    op->erase();
}

/// Removes the values that `loop` carries and nobody reads: upstream removes
/// those of other loops.
static void dropUnreadValues(affine::AffineForOp loop) {
  auto isRead = [&](unsigned number) {
    return !loop.getResult(number).use_empty() ||
           !loop.getRegionIterArgs()[number].use_empty();
  };
  SmallVector<unsigned> read = llvm::to_vector(
      llvm::make_filter_range(llvm::seq(loop.getNumResults()), isRead));
  if (read.size() == loop.getNumResults())
    return;
  auto select = [&](auto all) {
    return llvm::map_to_vector(
        read, [&](unsigned number) -> Value { return all[number]; });
  };
  OpBuilder builder(loop);
  auto reduced = affine::AffineForOp::create(
      builder, loop.getLoc(), loop.getLowerBoundOperands(),
      loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
      loop.getUpperBoundMap(), loop.getStepAsInt(), select(loop.getInits()));
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  yield->setOperands(select(yield.getOperands()));
  Block *body = reduced.getBody();
  body->clear();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(reduced.getInductionVar());
  for (auto [number, old] : llvm::enumerate(read)) {
    loop.getRegionIterArgs()[old].replaceAllUsesWith(
        reduced.getRegionIterArgs()[number]);
    loop.getResult(old).replaceAllUsesWith(reduced.getResult(number));
  }
  loop->erase();
}

/// Leaves what has effects, and what that needs.
static LogicalResult removeDeadCode(gpu::GPUFuncOp function, CleanUp cleanUp) {
  if (failed(cleanUp(function)))
    return failure();
  function.walk([](affine::AffineForOp loop) { dropUnreadValues(loop); });
  return cleanUp(function);
}

/// The numbers of the local arrays that `function` loads from.
static llvm::SmallSet<unsigned, 4> loadedArrays(gpu::GPUFuncOp function,
                                                ArrayRef<Value> arrays) {
  llvm::SmallSet<unsigned, 4> loaded;
  function.walk([&](Operation *op) {
    if (isPrefetch(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && !isa<ViewLikeOpInterface>(op)) {
        auto *found = llvm::find(arrays, memoryRoot(operand));
        if (found != arrays.end() && !isStore(op))
          loaded.insert(found - arrays.begin());
      }
  });
  return loaded;
}

//===----------------------------------------------------------------------===//
// What stands in the way
//===----------------------------------------------------------------------===//

/// What the source calls an array.
static std::string nameOf(Value root) {
  if (LLVM::GlobalOp variable = getVariable(root))
    return variable.getName().str();
  if (auto argument = dyn_cast<BlockArgument>(root))
    if (auto kernel =
            dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
      if (auto name = kernel.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), kNameAttrName))
        return name.str();
  return "an array";
}

/// What an array has in common with the same one in a copy of its kernel: the
/// number of the parameter, or the variable; null for what is neither.
static Attribute identify(Value root) {
  if (auto get = root.getDefiningOp<GetVariableOp>())
    return get.getVariableAttr();
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || !isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
    return {};
  return IntegerAttr::get(IndexType::get(root.getContext()),
                          argument.getArgNumber());
}

namespace {
/// The global arrays of a kernel that are not the same before it runs and
/// while it does.
struct ChangingArrays {
  llvm::DenseSet<Attribute> written;
  /// Those that a pointer may lead to which is written.
  llvm::DenseSet<Attribute> perhapsWritten;

  explicit ChangingArrays(gpu::GPUFuncOp function);
};
} // namespace

ChangingArrays::ChangingArrays(gpu::GPUFuncOp function) {
  UniformityAnalysis uniformity(function);
  function.walk([&](Operation *op) {
    std::optional<Element> element = elementOf(op);
    if (!element)
      return;
    Value root = memoryRoot(element->memref);
    if (isLocal(root))
      return;
    if (isStore(op))
      written.insert(identify(root));
    if (!uniformity.isReadOnly(root))
      perhapsWritten.insert(identify(root));
  });
}

/// Why a CPU cannot do before the kernel what `op` does; empty where it can.
static std::string obstacleIn(Operation *op, const ChangingArrays &changing) {
  static constexpr StringLiteral whose =
      "an address, or what decides about an access, depends on ";
  if (isPrefetch(op) ||
      isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::ThreadIdOp, gpu::BlockIdOp,
          gpu::GlobalIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return "";
  if (std::optional<Element> element = elementOf(op)) {
    Value root = memoryRoot(element->memref);
    // What is stored there is kept for a load, which is the obstacle.
    if (isWorkgroupMemory(root))
      return isStore(op)
                 ? ""
                 : (whose + "workgroup memory, which other threads write")
                       .str();
    if (isLocal(root))
      return "";
    if (changing.written.contains(identify(root)))
      return (whose + "'" + nameOf(root) + "', which the kernel writes").str();
    if (changing.perhapsWritten.contains(identify(root)))
      return (whose + "'" + nameOf(root) +
              "', to which a pointer may lead that the kernel writes through "
              "(__restrict__ and --assume-noalias say that none does)")
          .str();
    return "";
  }
  auto callee = op->getAttrOfType<StringAttr>(kCalleeName);
  if (isa<UnrealizedConversionCastOp>(op) && callee)
    return (whose + "'" + callee.getValue() + "', which a CPU cannot tell")
        .str();
  if (!isFunctionOfOperands(op))
    return (whose + "'" + describe(op) + "', which a CPU cannot tell").str();
  return "";
}

/// Notes the first thing in `function` for which `check` has a reason.
static bool findObstacle(gpu::GPUFuncOp function, AccessSlice &slice,
                         llvm::function_ref<std::string(Operation *)> check) {
  return function
      .walk([&](Operation *op) {
        slice.obstacle = {op->getLoc(), check(op)};
        return slice.obstacle.reason.empty() ? WalkResult::advance()
                                             : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The slice
//===----------------------------------------------------------------------===//

/// Forgets workgroup and private arrays that nothing uses.
static void dropUnusedArrays(gpu::GPUFuncOp function) {
  Block &entry = function.getBody().front();
  unsigned count = function.getNumArguments();
  auto own = llvm::drop_begin(entry.getArguments(), count);
  if (!llvm::all_of(own, [](Value array) { return array.use_empty(); }))
    return;
  entry.eraseArguments(count, entry.getNumArguments() - count);
  function->removeAttr(function.getNumWorkgroupAttributionsAttrName());
  function.removeWorkgroupAttribAttrsAttr();
  function.removePrivateAttribAttrsAttr();
}

static gpu::GPUFuncOp copyBeside(gpu::GPUFuncOp kernel) {
  auto copy = cast<gpu::GPUFuncOp>(kernel->clone());
  copy.setName((kernel.getName() + "__slice").str());
  copy->removeAttr(kFallbackAttrName);
  SymbolTable(kernel->getParentOp())
      .insert(copy, std::next(kernel->getIterator()));
  return copy;
}

/// What `kernel` writes, seen without what has unknown effects and writes no
/// global memory.
static ChangingArrays findChangingArrays(gpu::GPUFuncOp kernel) {
  gpu::GPUFuncOp quiet = copyBeside(kernel);
  eraseIf(quiet, [](Operation *op) {
    return isWait(op) || isPrefetch(op) || isa<nvgpu::DeviceAsyncCopyOp>(op);
  });
  forgetEffects(quiet);
  ChangingArrays changing(quiet);
  quiet.erase();
  return changing;
}

/// A copy of `kernel` in which only prefetches count, and the local arrays
/// with the numbers `kept` keep what they hold.
static FailureOr<gpu::GPUFuncOp>
copyWithPrefetches(gpu::GPUFuncOp kernel,
                   const llvm::SmallSet<unsigned, 4> &kept, CleanUp cleanUp) {
  gpu::GPUFuncOp copy = copyBeside(kernel);
  // Equal addresses are equal values then.
  if (failed(cleanUp(copy))) {
    copy.erase();
    return failure();
  }
  addPrefetches(copy);
  separateLoads(copy);
  dropRepeated(copy);
  SmallVector<Value> arrays = localArrays(copy);
  llvm::DenseSet<Value> keptArrays;
  for (unsigned number : kept)
    keptArrays.insert(arrays[number]);
  eraseIf(copy, [&](Operation *op) { return isDispensable(op, keptArrays); });
  forgetEffects(copy);
  if (failed(removeDeadCode(copy, cleanUp))) {
    copy.erase();
    return failure();
  }
  return copy;
}

/// Copies `kernel` with ever more local arrays, until those are kept that are
/// loaded from.
static FailureOr<gpu::GPUFuncOp> copyWithNeededArrays(gpu::GPUFuncOp kernel,
                                                      CleanUp cleanUp) {
  llvm::SmallSet<unsigned, 4> kept;
  while (true) {
    FailureOr<gpu::GPUFuncOp> copy = copyWithPrefetches(kernel, kept, cleanUp);
    if (failed(copy))
      return failure();
    size_t before = kept.size();
    for (unsigned number : loadedArrays(*copy, localArrays(*copy)))
      kept.insert(number);
    if (kept.size() == before)
      return copy;
    copy->erase();
  }
}

void gpuopt::addCleanUp(OpPassManager &passes) {
  passes.addPass(createRemoveDeadValuesPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

FailureOr<AccessSlice> gpuopt::sliceAccesses(gpu::GPUFuncOp kernel,
                                             CleanUp cleanUp) {
  AccessSlice slice{nullptr, 0, 0, {kernel.getLoc(), ""}};
  bool isHidden = findObstacle(kernel, slice, [](Operation *op) {
    return accessesOutOfSight(op)
               ? "'" + describe(op) +
                     "' may access global memory, and is no load or store of "
                     "an array"
               : "";
  });
  if (isHidden)
    return slice;
  FailureOr<gpu::GPUFuncOp> copy = copyWithNeededArrays(kernel, cleanUp);
  if (failed(copy))
    return failure();
  ChangingArrays changing = findChangingArrays(kernel);
  if (findObstacle(*copy, slice,
                   [&](Operation *op) { return obstacleIn(op, changing); })) {
    copy->erase();
    return slice;
  }
  dropPrefetchesOfLoads(*copy);
  dropUnusedArrays(*copy);
  copy->walk([&](Operation *op) {
    slice.prefetches += isPrefetch(op);
    slice.loads += isLoad(op) && !isLocal(elementOf(op)->memref);
  });
  slice.function = *copy;
  return slice;
}
