//===- SplitFlatIds.cpp - several ids in the place of a flat one ----------===//
//
// find the digits that the kernel takes its id apart to, and the guard that
// bounds the last → keep the original → an id for each digit, in a guard →
// raise what has become affine.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/GPUOptOps.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Launches/FlatIdDigits.h"
#include "passes/Launches/FlatIdGain.h"
#include "passes/Launches/LaunchedItems.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_SPLITFLATIDS
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Rows that are shorter fill no subgroup: lanes would have nothing to do.
static constexpr int64_t kLeastWidth = 32;

//===----------------------------------------------------------------------===//
// The flat id
//===----------------------------------------------------------------------===//

namespace {
/// A work item's id as digits: t = d0 + w0 * (d1 + w1 * (d2 + …)).
struct FlatId {
  /// 1, w0, w0 * w1, … and, last, how many work items do anything; all of them
  /// parameters.
  SmallVector<Polynomial> products;
  /// Comparisons of t that say so, and their result there.
  llvm::MapVector<Operation *, bool> bounds;

  unsigned size() const { return products.size() - 1; }
  /// How many digits `number` there are.
  Polynomial width(unsigned number) const {
    return *divideExactly(products[number + 1], products[number]);
  }
};

class Finder {
public:
  Finder(gpu::GPUFuncOp kernel, IntegerValues &values)
      : digits(values), kernel(kernel), values(values) {}

  /// Whether the kernel divides its flat id.
  bool findDivisions();
  /// Finds the widths; or says why there are none.
  std::optional<Refusal> findWidths();

  FlatId flat;
  FlatIdDigits digits;

private:
  std::optional<Polynomial> itemsBy(const Conjunct &guard);
  std::optional<Refusal> checkEffect(Operation *op);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  std::optional<Polynomial> items;
};
} // namespace

bool Finder::findDivisions() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 1 && op->getNumOperands() == 2)
      digits.visit(op);
  });
  return !digits.runs().empty();
}

/// The number of work items where `guard` says that t is less than it: t < n,
/// or t / w < h.
std::optional<Polynomial> Finder::itemsBy(const Conjunct &guard) {
  arith::CmpIPredicate predicate = guard.predicate;
  Value left = guard.left, right = guard.right;
  bool isGreater = predicate == arith::CmpIPredicate::sgt ||
                   predicate == arith::CmpIPredicate::sge ||
                   predicate == arith::CmpIPredicate::ugt ||
                   predicate == arith::CmpIPredicate::uge;
  if (isGreater) {
    std::swap(left, right);
    predicate = swapSides(predicate);
  }
  bool isUnsigned = predicate == arith::CmpIPredicate::ult ||
                    predicate == arith::CmpIPredicate::ule;
  bool isStrict = predicate == arith::CmpIPredicate::ult ||
                  predicate == arith::CmpIPredicate::slt;
  if (!isUnsigned && !isStrict && predicate != arith::CmpIPredicate::sle)
    return std::nullopt;
  std::optional<DigitRun> bounded =
      digits.read(values.getExact(left, isUnsigned).value);
  // What wraps, below 0 or above 2^31, is no number of a launch that has digits
  // and as many work items: the launcher checks both.
  Polynomial end = values.get(right).value + (isStrict ? 0 : 1);
  if (!bounded || bounded->high || end.isUnknown() || !values.isParameter(end))
    return std::nullopt;
  Polynomial all = end * bounded->low;
  if (!divideExactly(all, flat.products.back()))
    return std::nullopt;
  if (bounded->isWhole())
    flat.bounds.insert(
        {guard.comparison.value.getDefiningOp(), !guard.comparison.negated});
  return all;
}

/// What `op` does must be done by one number of work items only.
std::optional<Refusal> Finder::checkEffect(Operation *op) {
  Conjunction guards;
  for (const Condition &condition : conditionsAround(op))
    takeApart(condition, guards);
  std::optional<Polynomial> number;
  for (const Conjunct &guard : guards.conjuncts)
    if (!number)
      number = itemsBy(guard);
  if (!number)
    return Refusal{op->getLoc(), "no guard bounds the quotient of the flat id"};
  if (items && items != number)
    return Refusal{op->getLoc(), "guards bound the flat id in several ways"};
  items = number;
  return std::nullopt;
}

std::optional<Refusal> Finder::findWidths() {
  std::optional<SmallVector<Polynomial>> chain = digits.chain(kLeastWidth);
  if (!chain)
    return Refusal{kernel.getLoc(), "the flat id is divided by several widths"};
  if (chain->size() == 1)
    return Refusal{kernel.getLoc(), "the flat id is divided by small numbers"};
  flat.products = *chain;
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    auto globalId = dyn_cast<gpu::GlobalIdOp>(op);
    bool isFlatId = globalId && globalId.getDimension() == gpu::Dimension::x;
    if (mayTellPlace(op) && !isFlatId && !isa<gpu::ReturnOp, GetVariableOp>(op))
      refusal = Refusal{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                          "' tells more than the flat id"};
    else if (!isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
             !op->hasTrait<OpTrait::IsTerminator>())
      refusal = checkEffect(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!refusal && !items)
    refusal = Refusal{kernel.getLoc(), "the kernel does nothing"};
  if (!refusal && !kernel.getWorkgroupAttributions().empty())
    refusal = Refusal{kernel.getLoc(), "it has memory of the workgroup"};
  if (refusal)
    return refusal;
  flat.products.push_back(*items);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

/// `value`, an index, as `type`.
static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (type.isIndex())
    return value;
  return arith::IndexCastOp::create(builder, loc, type, value);
}

/// Puts what has an effect or need not be defined for other work items, and
/// what depends on it, under `inside`.
static void guardEffects(Block &body, Value inside) {
  llvm::SmallPtrSet<Operation *, 16> moved;
  SmallVector<Operation *> order;
  for (Operation &op : body.without_terminator()) {
    bool depends = llvm::any_of(op.getOperands(), [&](Value operand) {
      return moved.contains(operand.getDefiningOp());
    });
    if (op.getNumRegions() == 0 && isTotal(&op) && !depends)
      continue;
    moved.insert(&op);
    order.push_back(&op);
  }
  OpBuilder builder(body.getTerminator());
  auto guard = scf::IfOp::create(builder, inside.getLoc(), inside,
                                 /*withElseRegion=*/false);
  for (Operation *op : order)
    op->moveBefore(guard.thenYield());
}

namespace {
/// Makes the digits of the new work items, and what the kernel makes of them.
class DigitBuilder {
public:
  DigitBuilder(gpu::GPUFuncOp kernel, IntegerValues &values, const FlatId &flat)
      : kernel(kernel), flat(flat), indices(kernel, values),
        builder(kernel.getContext()) {}

  /// Ids at the top; whether a work item is one of the original's.
  Value makeIds();
  /// (t / products[low]) % (products[high] / products[low]).
  Value makeRun(unsigned low, unsigned high);

  OpBuilder &getBuilder() { return builder; }

private:
  Value quotient(unsigned number, unsigned by) {
    return indices.buildParameter(
        *divideExactly(flat.products[number], flat.products[by]));
  }
  void moveSizesToTop();

  gpu::GPUFuncOp kernel;
  const FlatId &flat;
  IndexBuilder indices;
  OpBuilder builder;
  /// Of each place, and for those from the third on all digits from there on.
  SmallVector<Value> digits, rests;
};
} // namespace

/// Puts all sizes that are needed in front of all uses of the id.
void DigitBuilder::moveSizesToTop() {
  llvm::SetVector<Operation *> sizes;
  BackwardSliceOptions options;
  options.inclusive = true;
  // Upstream takes a parameter for computed by its function.
  options.filter = [&](Operation *op) { return op != kernel; };
  for (unsigned high = 0; high <= flat.size(); ++high)
    for (unsigned low = 0; low <= high; ++low)
      (void)getBackwardSlice(quotient(high, low), &sizes, options);
  Block &body = kernel.getBody().front();
  for (Operation *op : llvm::reverse(sizes))
    op->moveBefore(&body, body.begin());
  builder.setInsertionPointToStart(&body);
  if (!sizes.empty())
    builder.setInsertionPointAfter(sizes.back());
}

Value DigitBuilder::makeIds() {
  Location loc = kernel.getLoc();
  moveSizesToTop();
  unsigned count = std::min(flat.size(), 3u);
  Value inside;
  for (unsigned dim = 0; dim < count; ++dim) {
    Value id =
        gpu::GlobalIdOp::create(builder, loc, static_cast<gpu::Dimension>(dim));
    digits.push_back(id);
    // Along z lie all digits that are left.
    unsigned end = dim == 2 ? flat.size() : dim + 1;
    Value isLess = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, id, quotient(end, dim));
    inside =
        inside ? arith::AndIOp::create(builder, loc, inside, isLess) : isLess;
  }
  rests = digits;
  for (unsigned place = 2; place + 1 < flat.size(); ++place) {
    Value all = rests[place], width = quotient(place + 1, place);
    digits[place] = arith::RemSIOp::create(builder, loc, all, width);
    rests.push_back(arith::DivSIOp::create(builder, loc, all, width));
    digits.push_back(rests.back());
  }
  return inside;
}

Value DigitBuilder::makeRun(unsigned low, unsigned high) {
  Location loc = kernel.getLoc();
  // Ids end less than a block beyond widths whose product has 31 bits.
  auto exactly = arith::IntegerOverflowFlags::nsw;
  Value sum;
  for (unsigned place = low; place < high; ++place) {
    bool isRest = high == flat.size() && place >= 2;
    Value digit = isRest ? rests[place] : digits[place];
    if (place != low)
      digit = arith::MulIOp::create(builder, loc, digit, quotient(place, low),
                                    exactly);
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, digit, exactly) : digit;
    if (isRest)
      break;
  }
  return sum;
}

static void splitId(gpu::GPUFuncOp kernel, IntegerValues &values,
                    const Finder &finder) {
  const FlatId &flat = finder.flat;
  Location loc = kernel.getLoc();
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });
  DigitBuilder digits(kernel, values, flat);
  Value inside = digits.makeIds();
  OpBuilder &builder = digits.getBuilder();

  auto replace = [&](Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(
        castTo(builder, loc, op->getResult(0).getType(), value));
    op->erase();
  };
  ArrayRef<Polynomial> places = ArrayRef(flat.products).drop_back();
  auto placeOf = [&](const Polynomial &product) {
    return unsigned(llvm::find(places, product) - places.begin());
  };
  // From the last on, which may use the others.
  for (auto &[op, run] : llvm::reverse(finder.digits.runs())) {
    unsigned low = placeOf(run.low);
    unsigned high = run.high ? placeOf(*run.high) : flat.size();
    bool isKnown = low < places.size() && (!run.high || high < places.size());
    if (isKnown)
      replace(op, digits.makeRun(low, high));
  }
  // What bounds the flat id holds behind the guard.
  for (auto [compare, result] : flat.bounds) {
    compare->getResult(0).replaceAllUsesWith(
        arith::ConstantIntOp::create(builder, loc, result, 1).getResult());
    compare->erase();
  }
  Value id = digits.makeRun(0, flat.size());
  for (gpu::GlobalIdOp old : ids) {
    old.getResult().replaceAllUsesWith(id);
    old.erase();
  }
  guardEffects(kernel.getBody().front(), inside);
}

/// The new kernel's work items, and what the launch must be like.
static void describeLaunch(gpu::GPUFuncOp kernel, ArrayRef<AffineExpr> widths,
                           const FlatIdGain &gain) {
  MLIRContext *context = kernel.getContext();
  unsigned numArguments = kernel.getNumArguments();
  auto own = kernel->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName);
  auto items = [&](unsigned dim) {
    return own ? own.getValue().getResult(dim) : launchedItems(kernel, dim);
  };
  SmallVector<AffineExpr> numbers(3, getAffineConstantExpr(1, context));
  SmallVector<AffineExpr> conditions;
  AffineExpr all = getAffineConstantExpr(1, context);
  for (auto [place, width] : llvm::enumerate(widths)) {
    AffineExpr &number = numbers[std::min<size_t>(place, 2)];
    number = width * number;
    all = width * all;
    if (AffineExpr rest = width - (place == 0 ? kLeastWidth : 1);
        !isa<AffineConstantExpr>(rest))
      conditions.push_back(rest);
  }
  llvm::append_range(
      conditions,
      ArrayRef<AffineExpr>{items(0) - all,
                           -items(0) + std::numeric_limits<int32_t>::max(),
                           -items(1) + 1, -items(2) + 1});
  kernel->setAttr(kWorkItemsAttrName, AffineMapAttr::get(AffineMap::get(
                                          0, numArguments, numbers, context)));
  addLaunchConditions(kernel, numArguments, conditions);
  if (AffineExpr rest = widths[0] % gain.rowMultiple;
      !isa<AffineConstantExpr>(rest))
    addLaunchEqualities(kernel, numArguments, rest);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitFlatIds : public gpuopt::impl::SplitFlatIdsBase<SplitFlatIds> {
  using SplitFlatIdsBase::SplitFlatIdsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      if (!kernel.getBody().hasOneBlock())
        continue;
      IntegerValues values(kernel);
      Finder finder(kernel, values);
      if (!finder.findDivisions())
        continue;
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      if (std::optional<Refusal> refusal =
              split(kernel, values, finder, *description))
        sayMissed(RemarkCode::FlatIdKept, kernel, *refusal);
    }
  }

  std::optional<Refusal> split(gpu::GPUFuncOp kernel, IntegerValues &values,
                               Finder &finder, TargetAttr description);
};
} // namespace

std::optional<Refusal> SplitFlatIds::split(gpu::GPUFuncOp kernel,
                                           IntegerValues &values,
                                           Finder &finder,
                                           TargetAttr description) {
  if (geometryOf(kernel) || kernel->hasAttr(kPhaseOfAttrName))
    return Refusal{kernel.getLoc(), "its launch is decided already"};
  if (std::optional<Refusal> refusal = finder.findWidths())
    return refusal;
  const FlatId &flat = finder.flat;
  auto found = findFlatIdGain(kernel, values, finder.digits,
                              ArrayRef(flat.products).drop_back(), description);
  if (auto *refusal = std::get_if<Refusal>(&found))
    return *refusal;
  const FlatIdGain &gain = std::get<FlatIdGain>(found);
  SmallVector<AffineExpr> widths;
  SmallVector<unsigned> nonNegative;
  SmallVector<std::string> texts;
  for (unsigned place = 0; place < flat.size(); ++place) {
    Polynomial width = flat.width(place);
    AffineExpr known = expressionOverArguments(kernel, values, width);
    widths.push_back(
        known ? known
              : computedOverArguments(kernel, values, width, nonNegative));
    texts.push_back(values.str(width));
    if (!widths.back())
      return Refusal{kernel.getLoc(),
                     "its width is not known when it is launched"};
  }
  if (std::optional<int64_t> width = flat.width(0).getConstant();
      width && *width % gain.rowMultiple != 0)
    return Refusal{kernel.getLoc(), "its rows are no whole sectors"};
  keepOriginal(kernel);
  // From the slowest to the fastest, as the source has them.
  std::string rows = texts[1];
  if (flat.size() > 2)
    rows = values.str(*divideExactly(flat.products.back(), flat.products[2])) +
           " along z and " + rows;
  sayPassed(RemarkCode::FlatIdSplit, kernel, kernel.getLoc(),
            {{"width", texts[0]}, {"height", rows}});
  // What is known of the widths by it makes quotients by them defined.
  describeLaunch(kernel, widths, gain);
  for (unsigned argument : nonNegative)
    addLaunchConditions(kernel, kernel.getNumArguments(),
                        getAffineSymbolExpr(argument, kernel.getContext()));
  splitId(kernel, values, finder);
  ++numSplit;
  // Bounds and subscripts of these ids are affine now, if need be where they
  // cannot wrap.
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseIndicesPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
  return std::nullopt;
}
