//===- TrimPadding.cpp - loops that end where their data ends -------------===//
//
// find a loop over tiles and the one over each tile → find the comparison that
// says where the data ends → check that nothing happens behind that → one loop
// up to there.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {
#define GEN_PASS_DEF_TRIMPADDING
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

namespace {
/// A loop over tiles, and in it nothing but the loop over a tile's elements.
struct Strips {
  affine::AffineForOp tiles, elements;
  /// Elements of a tile.
  int64_t length;
  /// `factor * tile + element` is the position.
  int64_t factor;
};
} // namespace

static bool countsFromZero(affine::AffineForOp loop) {
  return loop.hasConstantLowerBound() && loop.getConstantLowerBound() == 0;
}

/// The strips that `tiles` goes over, as its only work.
static std::optional<Strips> findStrips(affine::AffineForOp tiles) {
  auto loops = tiles.getOps<affine::AffineForOp>();
  if (!countsFromZero(tiles) || !llvm::hasSingleElement(loops))
    return std::nullopt;
  affine::AffineForOp elements = *loops.begin();
  Operation *yield = tiles.getBody()->getTerminator();
  auto isOnlyHandedOn = [](Value carried) { return carried.hasOneUse(); };
  bool hasMore =
      llvm::any_of(tiles.getBody()->without_terminator(), [&](Operation &op) {
        return &op != elements && !isPure(&op);
      });
  if (hasMore || elements->getNextNode() != yield ||
      !countsFromZero(elements) || !elements.hasConstantUpperBound() ||
      elements.getStepAsInt() != 1 ||
      !llvm::equal(elements.getInits(), tiles.getRegionIterArgs()) ||
      !llvm::all_of(tiles.getRegionIterArgs(), isOnlyHandedOn) ||
      !llvm::equal(yield->getOperands(), elements.getResults()))
    return std::nullopt;
  Strips strips{tiles, elements, elements.getConstantUpperBound(), 1};
  if (tiles.getStepAsInt() == 1)
    strips.factor = strips.length;
  else if (tiles.getStepAsInt() != strips.length)
    return std::nullopt;
  return strips;
}

//===----------------------------------------------------------------------===//
// Where the data ends
//===----------------------------------------------------------------------===//

namespace {
/// The end of the data, and the comparisons that are true before it only.
struct DataEnd {
  Value end;
  llvm::SmallPtrSet<Operation *, 4> comparisons;
};

class PaddingFinder {
public:
  PaddingFinder(Strips strips, IntegerValues &values)
      : strips(strips), values(values),
        position(Polynomial(strips.factor) *
                     values.get(strips.tiles.getInductionVar()).value +
                 values.get(strips.elements.getInductionVar()).value) {}

  std::optional<DataEnd> findEnd();
  /// Whether everything depends on the position, not on tile and element.
  bool dependsOnPosition();
  /// Whether tiles go on to the end of the data at least.
  bool coversData(Value end);

private:
  /// Whether the polynomial depends on tile and element by the position only,
  /// also where it has quotients or what is computed from them.
  bool isOfPosition(const Polynomial &polynomial);
  bool isOfPosition(const Atom &atom);
  bool isOfPosition(Value value);
  void addComparison(arith::CmpIOp comparison, DataEnd &found);

  Strips strips;
  IntegerValues &values;
  Polynomial position;
};
} // namespace

bool PaddingFinder::isOfPosition(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::FloorDiv:
    return isOfPosition(atom.numerator);
  case Atom::Kind::Derived:
    return isOfPosition(atom.left) && isOfPosition(atom.right);
  case Atom::Kind::Signed:
  case Atom::Kind::Unsigned:
    return isOfPosition(atom.value);
  default:
    return true;
  }
}

/// The same for what is no polynomial. Loads, choices and what is carried are
/// data: their subscripts, conditions and terms are asked by themselves.
bool PaddingFinder::isOfPosition(Value value) {
  Operation *op = value.getDefiningOp();
  if (strips.tiles.isDefinedOutsideOfLoop(value) || !op ||
      op->getNumRegions() > 0 || !isMemoryEffectFree(op))
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !operand.getType().isIntOrIndex() ||
           isOfPosition(values.get(operand).value);
  });
}

bool PaddingFinder::isOfPosition(const Polynomial &polynomial) {
  if (polynomial.isUnknown())
    return false;
  unsigned element =
      *values.get(strips.elements.getInductionVar()).value.getVariable();
  unsigned tile =
      *values.get(strips.tiles.getInductionVar()).value.getVariable();
  Polynomial rest = polynomial - polynomial.getCofactor(element) * position;
  if (rest.isUnknown() || rest.contains(element) || rest.contains(tile))
    return false;
  return llvm::all_of(polynomial.getVariables(), [&](unsigned variable) {
    return variable == element || variable == tile ||
           isOfPosition(values.getAtom(variable));
  });
}

void PaddingFinder::addComparison(arith::CmpIOp comparison, DataEnd &found) {
  using Predicate = arith::CmpIPredicate;
  Value left = comparison.getLhs(), right = comparison.getRhs();
  Predicate predicate = comparison.getPredicate();
  if (predicate == Predicate::sgt || predicate == Predicate::ugt) {
    std::swap(left, right);
    predicate = predicate == Predicate::sgt ? Predicate::slt : Predicate::ult;
  }
  bool isUnsigned = predicate == Predicate::ult;
  if ((predicate != Predicate::slt && !isUnsigned) ||
      !strips.tiles.isDefinedOutsideOfLoop(right) ||
      (found.end && found.end != right))
    return;
  Polynomial end = values.getExact(right, /*isUnsigned=*/false).value;
  if (values.getDifference(predicate, left, right) != position - end ||
      (isUnsigned && !provesNonNegative(comparison, end, values)))
    return;
  found.end = right;
  found.comparisons.insert(comparison);
}

std::optional<DataEnd> PaddingFinder::findEnd() {
  DataEnd found;
  strips.elements->walk(
      [&](arith::CmpIOp comparison) { addComparison(comparison, found); });
  return found.end ? std::optional(found) : std::nullopt;
}

bool PaddingFinder::dependsOnPosition() {
  auto isRight = [&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return false;
    if (auto comparison = dyn_cast<arith::CmpIOp>(op))
      return isOfPosition(values.getDifference(
          comparison.getPredicate(), comparison.getLhs(), comparison.getRhs()));
    if (isa<affine::AffineLoadOp>(op)) {
      auto load = cast<affine::AffineLoadOp>(op);
      return llvm::all_of(
          values.get(load.getAffineMap(), load.getMapOperands()),
          [&](const Polynomial &subscript) { return isOfPosition(subscript); });
    }
    // Whoever uses what they compute is asked.
    if (isa<affine::AffineApplyOp, arith::AddIOp, arith::MulIOp, arith::ShLIOp,
            arith::IndexCastOp, arith::ExtSIOp>(op))
      return true;
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      return operand.getType().isIntOrIndex() &&
             !operand.getType().isInteger(1) &&
             !strips.tiles.isDefinedOutsideOfLoop(operand) &&
             !isOfPosition(values.get(operand).value);
    });
  };
  return !strips.tiles.getBody()
              ->walk([&](Operation *op) {
                return op == strips.elements || isRight(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool PaddingFinder::coversData(Value end) {
  Polynomial data = values.getExact(end, /*isUnsigned=*/false).value;
  SmallVector<Polynomial> bounds = values.get(
      strips.tiles.getUpperBoundMap(), strips.tiles.getUpperBoundOperands());
  if (bounds.size() != 1 || bounds.front().isUnknown())
    return false;
  if (strips.factor == 1)
    return bounds.front() == data;
  // (data + length - 1) / length tiles, at least, or (data - 1) / length + 1.
  Polynomial more = bounds.front().getConstantTerm();
  std::optional<unsigned> variable = (bounds.front() - more).getVariable();
  if (!variable)
    return false;
  auto isEnough = [&](const Polynomial &numerator, int64_t divisor) {
    std::optional<int64_t> rest =
        (numerator + more * Polynomial(strips.length) - data).getConstant();
    return divisor == strips.length && rest && *rest >= strips.length - 1;
  };
  auto isQuotient = [&](const Atom &atom) {
    if (atom.kind == Atom::Kind::FloorDiv)
      return isEnough(atom.numerator, atom.divisor);
    return atom.kind == Atom::Kind::Derived &&
           (atom.op == IndexOperator::FloorDiv ||
            atom.op == IndexOperator::TruncDiv) &&
           atom.right.getConstant() &&
           isEnough(atom.left, *atom.right.getConstant());
  };
  if (isQuotient(values.getAtom(*variable)))
    return true;
  std::optional<Polynomial> defined = values.define(*variable);
  std::optional<unsigned> quotient =
      defined ? defined->getVariable() : std::nullopt;
  return quotient && isQuotient(values.getAtom(*quotient));
}

//===----------------------------------------------------------------------===//
// What happens behind the end
//===----------------------------------------------------------------------===//

namespace {
/// What an iteration leaves of a value that it carries.
enum class Rest {
  Same,
  /// The value plus 0.0, which is another one for -0.0.
  PlusZero,
  Unknown,
};

/// The iterations that come behind the end of the data.
class Padding {
public:
  explicit Padding(const DataEnd &data) : data(data) {}

  /// What is left of `carried` where `value` is handed on.
  Rest compute(Value value, Value carried) const;

private:
  /// The number that `value` is, or null.
  Attribute numberOf(Value value) const;
  /// What `value`, the result of a choice, is chosen to be, or null.
  Value chosen(Value value) const;
  bool isFalse(Value condition) const;
  Rest addZero(Attribute number, bool isSubtracted, Rest rest) const;

  const DataEnd &data;
};
} // namespace

bool Padding::isFalse(Value condition) const {
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    return isFalse(both.getLhs()) || isFalse(both.getRhs());
  return op && data.comparisons.contains(op);
}

Value Padding::chosen(Value value) const {
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return isFalse(select.getCondition()) ? select.getFalseValue() : Value();
  auto choice = value.getDefiningOp<scf::IfOp>();
  if (!choice || !isFalse(choice.getCondition()))
    return {};
  return choice.elseYield().getOperand(cast<OpResult>(value).getResultNumber());
}

Attribute Padding::numberOf(Value value) const {
  Attribute number;
  if (matchPattern(value, m_Constant(&number)))
    return number;
  if (Value other = chosen(value))
    return numberOf(other);
  Operation *op = value.getDefiningOp();
  if (auto choice = dyn_cast_or_null<scf::IfOp>(op)) {
    // What else it says does not matter where both are the same number.
    unsigned result = cast<OpResult>(value).getResultNumber();
    number = numberOf(choice.thenYield().getOperand(result));
    return number == numberOf(choice.elseYield().getOperand(result))
               ? number
               : Attribute();
  }
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp, arith::ExtFOp,
                       arith::ExtSIOp, arith::ExtUIOp>(op))
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(numberOf(operand));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  return dyn_cast<Attribute>(results.front());
}

Rest Padding::addZero(Attribute number, bool isSubtracted, Rest rest) const {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(number))
    return integer.getValue().isZero() ? rest : Rest::Unknown;
  auto real = dyn_cast_or_null<FloatAttr>(number);
  if (!real || !real.getValue().isZero() || rest == Rest::Unknown)
    return Rest::Unknown;
  // x + -0.0 = x, x - 0.0 = x.
  return real.getValue().isNegative() != isSubtracted ? rest : Rest::PlusZero;
}

Rest Padding::compute(Value value, Value carried) const {
  if (value == carried)
    return Rest::Same;
  if (Value other = chosen(value))
    return compute(other, carried);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::SubFOp, arith::SubIOp>(op))
    return addZero(numberOf(op->getOperand(1)), /*isSubtracted=*/true,
                   compute(op->getOperand(0), carried));
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op))
    return Rest::Unknown;
  for (unsigned term : {1, 0})
    if (Attribute number = numberOf(op->getOperand(term)))
      return addZero(number, /*isSubtracted=*/false,
                     compute(op->getOperand(1 - term), carried));
  return Rest::Unknown;
}

/// What is left of each value that the strips carry; nothing where an iteration
/// behind the end does something else.
static std::optional<SmallVector<Rest>> computeRests(Strips strips,
                                                     const DataEnd &data) {
  bool mayWrite =
      strips.elements.getBody()
          ->walk([](Operation *op) {
            bool isRead =
                isa<affine::AffineLoadOp, memref::LoadOp, scf::IfOp>(op) ||
                isPure(op);
            return isRead ? WalkResult::advance() : WalkResult::interrupt();
          })
          .wasInterrupted();
  if (mayWrite)
    return std::nullopt;
  Padding padding(data);
  SmallVector<Rest> rests;
  affine::AffineForOp loop = strips.elements;
  for (auto [yielded, carried] :
       llvm::zip_equal(loop.getBody()->getTerminator()->getOperands(),
                       loop.getRegionIterArgs())) {
    rests.push_back(padding.compute(yielded, carried));
    if (rests.back() == Rest::Unknown)
      return std::nullopt;
  }
  return rests;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// `end` as a bound of loops at the place of `loop`; null where it is none.
static Value boundOf(Value end, affine::AffineForOp loop) {
  Region *scope = affine::getAffineScope(loop);
  if (!end.getType().isIndex()) {
    if (!isa<BlockArgument>(end) ||
        !isa<gpu::GPUFuncOp>(end.getParentBlock()->getParentOp()))
      return {};
    auto builder = OpBuilder::atBlockBegin(end.getParentBlock());
    end = arith::IndexCastOp::create(builder, loop.getLoc(),
                                     builder.getIndexType(), end);
  }
  return affine::isValidSymbol(end, scope) ? end : Value();
}

/// Whether tiles go on behind `end`: an i1.
static Value createIsPadded(const Strips &strips, Value end,
                            OpBuilder &builder) {
  affine::AffineForOp tiles = strips.tiles;
  Location loc = tiles.getLoc();
  AffineMap bound = tiles.getUpperBoundMap();
  AffineExpr whole =
      strips.factor == 1
          ? bound.getResult(0).ceilDiv(strips.length) * strips.length
          : bound.getResult(0) * strips.length;
  Value covered = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(bound.getNumDims(), bound.getNumSymbols(), whole),
      tiles.getUpperBoundOperands());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value used = arith::MaxSIOp::create(builder, loc, end, zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, covered,
                               used);
}

/// Puts one loop up to `end` in the place of the strips.
static void trim(const Strips &strips, const DataEnd &data,
                 ArrayRef<Rest> rests, Value end) {
  affine::AffineForOp tiles = strips.tiles, elements = strips.elements;
  OpBuilder builder(tiles);
  Location loc = tiles.getLoc();
  AffineMap identity = AffineMap::get(0, 1, builder.getAffineSymbolExpr(0));
  auto loop = affine::AffineForOp::create(
      builder, loc, /*lbOperands=*/ValueRange(),
      AffineMap::getConstantMap(0, builder.getContext()), ValueRange(end),
      identity, /*step=*/1, tiles.getInits());
  if (tiles.getNumResults() == 0)
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());

  // With tile 0 an element is its position.
  IRMapping mapping;
  mapping.map(tiles.getInductionVar(),
              arith::ConstantIndexOp::create(builder, loc, 0).getResult());
  mapping.map(elements.getInductionVar(), loop.getInductionVar());
  mapping.map(elements.getRegionIterArgs(), loop.getRegionIterArgs());
  for (Operation &op : tiles.getBody()->without_terminator())
    if (&op != elements)
      builder.clone(op, mapping);
  for (Operation &op : *elements.getBody())
    builder.clone(op, mapping);
  for (Operation *comparison : data.comparisons) {
    Value copy = mapping.lookup(comparison->getResult(0));
    builder.setInsertionPointAfterValue(copy);
    copy.replaceAllUsesWith(
        arith::ConstantIntOp::create(builder, loc, 1, 1).getResult());
  }

  builder.setInsertionPointAfter(loop);
  Value isPadded;
  for (auto [old, made, rest] :
       llvm::zip_equal(tiles.getResults(), loop.getResults(), rests)) {
    Value result = made;
    if (rest == Rest::PlusZero) {
      if (!isPadded)
        isPadded = createIsPadded(strips, end, builder);
      Value zero = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(made.getType()));
      Value sum = arith::AddFOp::create(builder, loc, made, zero);
      result = arith::SelectOp::create(builder, loc, isPadded, sum, made);
    }
    old.replaceAllUsesWith(result);
  }
  tiles.erase();
}

/// Lets what a guard says hold in the code that it guards.
static void assumeGuards(gpu::GPUFuncOp kernel) {
  auto assume = [](auto &self, Value condition, scf::IfOp guard) -> void {
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      self(self, both.getLhs(), guard);
      self(self, both.getRhs(), guard);
    }
    OpBuilder builder = guard.getThenBodyBuilder();
    builder.setInsertionPointToStart(guard.thenBlock());
    Value holds = arith::ConstantIntOp::create(builder, guard.getLoc(), 1, 1);
    condition.replaceUsesWithIf(holds, [&](OpOperand &use) {
      return guard.getThenRegion().isAncestor(
          use.getOwner()->getParentRegion());
    });
  };
  kernel.walk(
      [&](scf::IfOp guard) { assume(assume, guard.getCondition(), guard); });
}

namespace {
struct TrimPadding : public gpuopt::impl::TrimPaddingBase<TrimPadding> {
  using TrimPaddingBase::TrimPaddingBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      bool changed = false;
      SmallVector<affine::AffineForOp> loops;
      kernel.walk([&](affine::AffineForOp loop) { loops.push_back(loop); });
      // Outer loops come last; what was in them may be gone.
      llvm::SmallPtrSet<Operation *, 4> trimmed;
      for (affine::AffineForOp loop : llvm::reverse(loops))
        changed |=
            !trimmed.contains(loop) && tryTrimming(kernel, loop, trimmed);
      if (!changed)
        continue;
      assumeGuards(kernel);
      // Subscripts are others now.
      OpPassManager again(gpu::GPUFuncOp::getOperationName());
      buildRaiseAgainPipeline(again);
      if (failed(runPipeline(again, kernel)))
        return signalPassFailure();
    }
  }

  bool tryTrimming(gpu::GPUFuncOp kernel, affine::AffineForOp loop,
                   llvm::SmallPtrSetImpl<Operation *> &trimmed) {
    std::optional<Strips> strips = findStrips(loop);
    if (!strips)
      return false;
    IntegerValues values(kernel);
    PaddingFinder finder(*strips, values);
    std::optional<DataEnd> data = finder.findEnd();
    if (!data || !finder.coversData(data->end) || !finder.dependsOnPosition())
      return false;
    std::optional<SmallVector<Rest>> rests = computeRests(*strips, *data);
    Value end = rests ? boundOf(data->end, loop) : Value();
    if (!end)
      return false;
    sayPassed(RemarkCode::PaddingTrimmed, kernel, loop.getLoc(),
              {{"length", strips->length}});
    trimmed.insert(strips->elements);
    trim(*strips, *data, *rests, end);
    ++numTrimmed;
    return true;
  }
};
} // namespace
