//===- Extents.cpp - the part of a launch that a kernel acts on -----------===//

#include "passes/Transforms/Utils/Extents.h"

#include "dialects/GPUOpt/AffineParts.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// Multiples of a thread's id that occur; products with a block's size are
/// exact.
static constexpr int64_t kMostPerThread = int64_t(1) << 32;

namespace {
/// An extent, and the arguments that must not be negative for it.
struct Extent {
  AffineExpr end;
  SmallVector<unsigned> nonNegative;

  bool operator==(const Extent &other) const = default;
};
using ExtentsInXYZ = std::array<SmallVector<Extent, 2>, 3>;

/// Turns comparisons with the global ids into extents.
class ExtentReader {
public:
  ExtentReader(gpu::GPUFuncOp kernel, IntegerValues &values, bool readsBlocks)
      : kernel(kernel), values(values), readsBlocks(readsBlocks) {}

  /// The extents that follow from `conjunct`, added to `extents`.
  void addExtents(const Conjunct &conjunct, ExtentsInXYZ &extents);
  /// Those that follow from two conjuncts together: from x <= y and y < n that
  /// x is less than n, as under a mask.
  void addImplied(ArrayRef<Conjunct> conjuncts, ExtentsInXYZ &extents);

private:
  std::optional<Polynomial> readInequality(const Conjunct &conjunct);
  void addExtents(const Polynomial &difference, bool isStrict,
                  ExtentsInXYZ &extents);
  AffineExpr endOf(int64_t factor, const Polynomial &rest, bool isStrict,
                   Extent &extent);
  void addBlockExtent(const Polynomial &difference, bool isStrict, unsigned dim,
                      ExtentsInXYZ &extents);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  /// Whether blocks have a known size, and ids of blocks count as well as those
  /// of work items.
  bool readsBlocks;
};
} // namespace

void ExtentReader::addExtents(const Conjunct &conjunct, ExtentsInXYZ &extents) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = conjunct.predicate;
  if (predicate == Predicate::ne || getBits(conjunct.left.getType()) == 0)
    return;
  Value less = conjunct.left, more = conjunct.right;
  if (predicate == Predicate::sgt || predicate == Predicate::sge ||
      predicate == Predicate::ugt || predicate == Predicate::uge)
    std::swap(less, more);
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::sgt ||
                  predicate == Predicate::ult || predicate == Predicate::ugt;
  // x <u E implies x < E for the value that E has without a sign: that of x is
  // x or more.
  Polynomial difference = values.getExact(less, false).value -
                          values.getExact(more, isUnsigned(predicate)).value;
  addExtents(difference, isStrict, extents);
  if (predicate == Predicate::eq)
    addExtents(-difference, isStrict, extents);
}

/// An ordering of signed numbers as a polynomial that is 0 or less.
std::optional<Polynomial>
ExtentReader::readInequality(const Conjunct &conjunct) {
  using Predicate = arith::CmpIPredicate;
  auto [predicate, less, more, comparison] = conjunct;
  if (predicate == Predicate::sgt || predicate == Predicate::sge) {
    std::swap(less, more);
    predicate = swapSides(predicate);
  }
  bool isStrict = predicate == Predicate::slt;
  if ((!isStrict && predicate != Predicate::sle) ||
      getBits(less.getType()) == 0)
    return std::nullopt;
  Polynomial difference = values.getExact(less, false).value -
                          values.getExact(more, false).value +
                          Polynomial(isStrict ? 1 : 0);
  return difference.isUnknown() ? std::nullopt
                                : std::optional<Polynomial>(difference);
}

void ExtentReader::addImplied(ArrayRef<Conjunct> conjuncts,
                              ExtentsInXYZ &extents) {
  SmallVector<Polynomial> inequalities;
  for (const Conjunct &conjunct : conjuncts)
    if (std::optional<Polynomial> inequality = readInequality(conjunct))
      inequalities.push_back(*inequality);
  for (unsigned dim = 0; dim < 3; ++dim) {
    unsigned id = *values.getId(Atom::Kind::GlobalId, dim).getVariable();
    for (const Polynomial &below : inequalities)
      for (const Polynomial &above : inequalities)
        if (below.getCoefficient({id}) == -1 && above.getCoefficient({id}) == 1)
          addExtents(below + above, /*isStrict=*/false, extents);
  }
}

/// The end of x where factor * x + rest is less than 0, or not more; null where
/// it is nothing that arguments tell.
AffineExpr ExtentReader::endOf(int64_t factor, const Polynomial &rest,
                               bool isStrict, Extent &extent) {
  AffineExpr end =
      computedOverArguments(kernel, values, -rest, extent.nonNegative);
  if (!end)
    return nullptr;
  end = isStrict ? end.ceilDiv(factor) : end.floorDiv(factor) + 1;
  // Upstream makes differences of remainders, which are how a parameter is read
  // as unsigned.
  return hasPart(end, isRemainder)
             ? end
             : simplifyAffineExpr(end, 0, kernel.getNumArguments());
}

/// In blocks of a known size T: the thread's part of a * block + c * thread +
/// rest is nothing but a part of the work item's id where a = c * T, and
/// otherwise at least 0 or c * (T - 1), so that it bounds the block.
void ExtentReader::addBlockExtent(const Polynomial &difference, bool isStrict,
                                  unsigned dim, ExtentsInXYZ &extents) {
  std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize();
  if (!readsBlocks || !known || dim >= known->size())
    return;
  int64_t size = (*known)[dim];
  unsigned block = *values.getId(Atom::Kind::BlockId, dim).getVariable();
  unsigned thread = *values.getId(Atom::Kind::ThreadId, dim).getVariable();
  int64_t perBlock = difference.getCoefficient({block});
  int64_t perThread = difference.getCoefficient({thread});
  if (perBlock <= 0 || perThread > kMostPerThread ||
      perThread < -kMostPerThread)
    return;
  Polynomial rest = difference -
                    Polynomial(perBlock) * Polynomial::variable(block) -
                    Polynomial(perThread) * Polynomial::variable(thread);
  Extent extent;
  if (perBlock == perThread * size)
    extent.end = endOf(perThread, rest, isStrict, extent);
  else if (AffineExpr blocks = endOf(
               perBlock,
               rest + Polynomial(std::min<int64_t>(perThread, 0) * (size - 1)),
               isStrict, extent))
    extent.end = blocks * size;
  if (extent.end)
    extents[dim].push_back(std::move(extent));
}

/// From a * id + rest <= 0 follows id < floor(-rest / a) + 1.
void ExtentReader::addExtents(const Polynomial &difference, bool isStrict,
                              ExtentsInXYZ &extents) {
  if (difference.isUnknown())
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    unsigned id = *values.getId(Atom::Kind::GlobalId, dim).getVariable();
    int64_t factor = difference.getCoefficient({id});
    if (factor <= 0) {
      addBlockExtent(difference, isStrict, dim, extents);
      continue;
    }
    Polynomial rest =
        difference - Polynomial(factor) * Polynomial::variable(id);
    Extent extent;
    extent.end = endOf(factor, rest, isStrict, extent);
    if (extent.end)
      extents[dim].push_back(std::move(extent));
  }
}

/// Whether all that `op` does is to make an array of its thread, or to access
/// an element of one that is the same for all.
static bool touchesPrivateMemoryOnly(Operation *op) {
  if (isa<memref::AllocaOp>(op))
    return true;
  if (!isa<memref::LoadOp, memref::StoreOp>(op))
    return false;
  Operation *array = memoryRoot(getAccessedMemRef(op)).getDefiningOp();
  ValueRange subscripts = isa<memref::LoadOp>(op)
                              ? cast<memref::LoadOp>(op).getIndices()
                              : cast<memref::StoreOp>(op).getIndices();
  return isa_and_nonnull<memref::AllocaOp>(array) &&
         llvm::all_of(subscripts, [](Value subscript) {
           return matchPattern(subscript, m_Constant());
         });
}

/// What a loop counts over; nothing where `op` is none that counts.
static std::optional<SmallVector<Value>> findControlOperands(Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return SmallVector<Value>(loop.getControlOperands());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return SmallVector<Value>{loop.getLowerBound(), loop.getUpperBound(),
                              loop.getStep()};
  return std::nullopt;
}

static bool isLoopVariable(Value value) {
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
          : LoopLikeOpInterface();
  std::optional<Value> variable =
      loop ? loop.getSingleInductionVar() : std::nullopt;
  return variable && *variable == value;
}

/// Whether `value` may differ between work items that come to it. Iterators of
/// loops that are the same for all do not; what a loop carries is taken to.
static bool isVarying(Value value,
                      const llvm::SmallPtrSetImpl<Operation *> &varying) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return varying.contains(value.getDefiningOp());
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<gpu::GPUFuncOp>(owner))
    return false;
  std::optional<SmallVector<Value>> control = findControlOperands(owner);
  return !control || !isLoopVariable(argument) ||
         llvm::any_of(*control, [&](Value operand) {
           return isVarying(operand, varying);
         });
}

/// Whether the original's work items all come to `op`, as often as one another.
static bool isReachedAlike(Operation *op,
                           const llvm::SmallPtrSetImpl<Operation *> &varying) {
  for (Operation *around = op->getParentOp(); !isa<gpu::GPUFuncOp>(around);
       around = around->getParentOp()) {
    std::optional<SmallVector<Value>> control = findControlOperands(around);
    if (!control || llvm::any_of(*control, [&](Value operand) {
          return isVarying(operand, varying);
        }))
      return false;
  }
  return true;
}

/// Whether `op` is a division that all work items run alike. A division is
/// undefined for some divisors only: for those that are the same for all, the
/// original has run it too.
static bool dividesAlike(Operation *op, RangeOfValue rangeOf,
                         const llvm::SmallPtrSetImpl<Operation *> &varying) {
  Value divisor = getDivisor(op);
  return divisor && isTotalForItsDivisor(op, rangeOf) &&
         !isVarying(divisor, varying) && isReachedAlike(op, varying);
}

/// Whether `bound`, of a loop, is for other work items much what it is for the
/// original's: the same, or a polynomial of ids and parameters. `n - i` without
/// a sign is not: beyond n it is near 2^32.
static bool
isAlikeForOthers(Value bound, IntegerValues &values,
                 const llvm::SmallPtrSetImpl<Operation *> &varying) {
  if (!isVarying(bound, varying))
    return true;
  Polynomial exact = values.getExact(bound, /*isUnsigned=*/false).value;
  return !exact.isUnknown() &&
         llvm::all_of(exact.getVariables(), [&](unsigned variable) {
           const Atom &atom = values.getAtom(variable);
           return atom.kind == Atom::Kind::GlobalId || atom.isParameter ||
                  isLoopVariable(atom.value);
         });
}

/// Whether `op` is a branch, or a loop that ends for other work items, too: it
/// counts, over a like distance, by a step that is positive or that the
/// original has run.
static bool
isHarmlessControlFlow(Operation *op, IntegerValues &values,
                      const llvm::SmallPtrSetImpl<Operation *> &varying) {
  auto isAlike = [&](Value bound) {
    return isAlikeForOthers(bound, values, varying);
  };
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return llvm::all_of(loop.getControlOperands(), isAlike);
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return isa<scf::IfOp, affine::AffineIfOp>(op);
  Value step = loop.getStep();
  bool isForward = values.getExact(step, /*isUnsigned=*/false).range.low >= 1 ||
                   (!isVarying(step, varying) && isReachedAlike(op, varying));
  return isForward && isAlike(loop.getLowerBound()) &&
         isAlike(loop.getUpperBound());
}

/// Whether every block of a kernel with blocks of a known size does the same in
/// `op`, or the same to its own workgroup memory: another one can, too.
static bool isAlikeInOtherBlocks(Operation *op,
                                 const UniformityAnalysis *uniformity) {
  constexpr Dependence others =
      Dependence::AllBlocks | Dependence::WorkgroupMemory | Dependence::Unknown;
  auto differs = [&](Dependence dependence) {
    return (dependence & others) != Dependence::None;
  };
  if (!uniformity || differs(uniformity->controlDependsOn(op)))
    return false;
  if (isa<gpu::BarrierOp>(op) || isSubgroupExchange(op))
    return true;
  ValueRange subscripts;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    subscripts = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    subscripts = store.getIndices();
  else if (auto affineLoad = dyn_cast<affine::AffineLoadOp>(op))
    subscripts = affineLoad.getMapOperands();
  else if (auto affineStore = dyn_cast<affine::AffineStoreOp>(op))
    subscripts = affineStore.getMapOperands();
  else
    return false;
  Value memref = getAccessedMemRef(op);
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
             cast<MemRefType>(memref.getType())) &&
         isa<BlockArgument>(memoryRoot(memref)) &&
         !differs(uniformity->dependsOn(memref)) &&
         llvm::none_of(subscripts, [&](Value subscript) {
           return differs(uniformity->dependsOn(subscript));
         });
}

/// Whether running `op` for a work item that the original launch did not have
/// could be observed.
static bool needsGuard(Operation *op, IntegerValues &values,
                       const llvm::SmallPtrSetImpl<Operation *> &varying,
                       const UniformityAnalysis *uniformity) {
  auto rangeOf = [&](Value value, bool isUnsigned) {
    return values.getExact(value, isUnsigned).range;
  };
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         !isHarmlessControlFlow(op, values, varying) && !isTotal(op, rangeOf) &&
         !touchesPrivateMemoryOnly(op) && !dividesAlike(op, rangeOf, varying) &&
         !isAlikeInOtherBlocks(op, uniformity);
}

static bool readsNoGridSize(gpu::GPUFuncOp kernel) {
  return !kernel.walk([](gpu::GridDimOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

Extents gpuopt::findExtents(gpu::GPUFuncOp kernel) {
  // Operations whose results may differ between work items.
  llvm::SmallPtrSet<Operation *, 32> varying;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isFunctionOfOperands(op) || !isPure(op) || op->getNumRegions() ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return isVarying(operand, varying);
        }))
      varying.insert(op);
  });

  // The number of blocks is another one where extents are looked at.
  std::optional<UniformityAnalysis> uniformity;
  if (kernel.getKnownBlockSize() && readsNoGridSize(kernel))
    uniformity.emplace(kernel);
  const UniformityAnalysis *blocks = uniformity ? &*uniformity : nullptr;
  IntegerValues values(kernel);
  ExtentReader reader(kernel, values, blocks != nullptr);
  std::array<std::optional<SmallVector<Extent, 2>>, 3> common;
  kernel.walk([&](Operation *op) {
    if (op == kernel || !needsGuard(op, values, varying, blocks))
      return;
    Conjunction conjunction;
    for (Condition condition : conditionsAround(op))
      takeApart(condition, conjunction);
    ExtentsInXYZ extents;
    for (const Conjunct &conjunct : conjunction.conjuncts)
      reader.addExtents(conjunct, extents);
    reader.addImplied(conjunction.conjuncts, extents);
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (!common[dim])
        common[dim] = extents[dim];
      llvm::erase_if(*common[dim], [&](const Extent &extent) {
        return !llvm::is_contained(extents[dim], extent);
      });
    }
  });

  Extents result;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!common[dim] || common[dim]->empty())
      continue;
    SmallVector<Extent, 2> &extents = *common[dim];
    // Best without a condition.
    auto isConditional = [](const Extent &e) { return !e.nonNegative.empty(); };
    if (!llvm::all_of(extents, isConditional))
      llvm::erase_if(extents, isConditional);
    for (const Extent &extent : extents) {
      result.ends[dim].push_back(extent.end);
      for (unsigned argument : extent.nonNegative)
        result.nonNegative.insert(
            getAffineSymbolExpr(argument, kernel.getContext()));
    }
  }
  return result;
}
