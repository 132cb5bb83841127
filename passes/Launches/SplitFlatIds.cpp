//===- SplitFlatIds.cpp - two ids in the place of a flat one --------------===//
//
// find the divisions of the id and the guard that bounds the quotient → keep
// the original → two ids, in a guard → raise what has become affine.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"
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
/// A work item's id t as y * width + x.
struct FlatId {
  /// t / width and t % width.
  SmallVector<Operation *> quotients, remainders;
  /// Parameters: of all work items that do anything, y is less than `height`.
  Polynomial width, height;
  /// Comparisons of t that say so, and their result there.
  llvm::MapVector<Operation *, bool> bounds;
};

class Finder {
public:
  Finder(gpu::GPUFuncOp kernel, IntegerValues &values)
      : kernel(kernel), values(values),
        id(values.getId(Atom::Kind::GlobalId, 0)) {}

  /// Whether the kernel divides its flat id by a parameter.
  bool findDivisions();
  /// Finds the height; or says why there is none.
  std::optional<Refusal> findHeight();

  FlatId flat;

private:
  void addDivision(Operation *op);
  std::optional<Polynomial> heightBy(const Conjunct &guard);
  std::optional<Refusal> checkEffect(Operation *op);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  Polynomial id;
  bool hasSeveralWidths = false;
};
} // namespace

void Finder::addDivision(Operation *op) {
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  if (values.getExact(op->getOperand(0), isUnsigned).value != id)
    return;
  Polynomial width = values.getExact(op->getOperand(1), isUnsigned).value;
  if (!values.isParameter(width) || width.getConstant())
    return;
  hasSeveralWidths |= !flat.width.getVariables().empty() && flat.width != width;
  flat.width = width;
  bool isQuotient = isa<arith::DivUIOp, arith::DivSIOp>(op);
  (isQuotient ? flat.quotients : flat.remainders).push_back(op);
}

bool Finder::findDivisions() {
  kernel.walk([&](Operation *op) {
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(op))
      addDivision(op);
  });
  return !flat.quotients.empty() || !flat.remainders.empty();
}

/// The height where `guard` says that y is less than it: t < height * width, or
/// t / width < height.
std::optional<Polynomial> Finder::heightBy(const Conjunct &guard) {
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
  Polynomial bounded = values.getExact(left, isUnsigned).value;
  // What wraps, below 0 or above 2^31, is no height of a launch that has rows
  // and as many work items: the launcher checks both.
  Polynomial end = values.get(right).value + (isStrict ? 0 : 1);
  if (end.isUnknown() || !values.isParameter(end))
    return std::nullopt;
  bool isQuotient = llvm::any_of(flat.quotients, [&](Operation *quotient) {
    return values.getExact(quotient->getResult(0), isUnsigned).value == bounded;
  });
  if (isQuotient)
    return end;
  std::optional<unsigned> width = flat.width.getVariable();
  if (bounded != id || !width)
    return std::nullopt;
  Polynomial height = end.getCofactor(*width);
  if (height * flat.width != end)
    return std::nullopt;
  flat.bounds.insert(
      {guard.comparison.value.getDefiningOp(), !guard.comparison.negated});
  return height;
}

/// What `op` does must be done by work items below one height only.
std::optional<Refusal> Finder::checkEffect(Operation *op) {
  Conjunction guards;
  for (const Condition &condition : conditionsAround(op))
    takeApart(condition, guards);
  std::optional<Polynomial> height;
  for (const Conjunct &guard : guards.conjuncts)
    if (!height)
      height = heightBy(guard);
  if (!height)
    return Refusal{op->getLoc(), "no guard bounds the quotient of the flat id"};
  bool isFirst = flat.height == Polynomial();
  if (!isFirst && flat.height != *height)
    return Refusal{op->getLoc(), "guards bound the flat id in several ways"};
  flat.height = *height;
  return std::nullopt;
}

std::optional<Refusal> Finder::findHeight() {
  if (hasSeveralWidths)
    return Refusal{kernel.getLoc(), "the flat id is divided by several widths"};
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    auto globalId = dyn_cast<gpu::GlobalIdOp>(op);
    bool isFlatId = globalId && globalId.getDimension() == gpu::Dimension::x;
    if (isa<gpu::GPUDialect>(op->getDialect()) && !isFlatId &&
        !isa<gpu::ReturnOp>(op))
      refusal = Refusal{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                          "' tells more than the flat id"};
    else if (!isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
             !op->hasTrait<OpTrait::IsTerminator>())
      refusal = checkEffect(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!refusal && flat.height == Polynomial())
    refusal = Refusal{kernel.getLoc(), "the kernel does nothing"};
  if (!refusal && !kernel.getWorkgroupAttributions().empty())
    refusal = Refusal{kernel.getLoc(), "it has memory of the workgroup"};
  return refusal;
}

//===----------------------------------------------------------------------===//
// Two ids
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

static void splitId(gpu::GPUFuncOp kernel, IntegerValues &values,
                    const FlatId &flat) {
  Location loc = kernel.getLoc();
  IndexBuilder indices(kernel, values);
  Value width = indices.buildParameter(flat.width);
  Value height = indices.buildParameter(flat.height);
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });

  // In front of all uses of the id.
  Block &body = kernel.getBody().front();
  llvm::SetVector<Operation *> sizes;
  BackwardSliceOptions options;
  options.inclusive = true;
  // Upstream takes a parameter for computed by its function.
  options.filter = [&](Operation *op) { return op != kernel; };
  for (Value size : {width, height})
    (void)getBackwardSlice(size, &sizes, options);
  for (Operation *op : llvm::reverse(sizes))
    op->moveBefore(&body, body.begin());
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  if (!sizes.empty())
    builder.setInsertionPointAfter(sizes.back());
  Value x = gpu::GlobalIdOp::create(builder, loc, gpu::Dimension::x);
  Value y = gpu::GlobalIdOp::create(builder, loc, gpu::Dimension::y);
  Value start = arith::MulIOp::create(builder, loc, y, width);
  Value id = arith::AddIOp::create(builder, loc, start, x);
  auto isLess = [&](Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left,
                                 right);
  };
  Value inside =
      arith::AndIOp::create(builder, loc, isLess(x, width), isLess(y, height));

  auto replace = [&](Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  for (Operation *quotient : flat.quotients)
    replace(quotient,
            castTo(builder, loc, quotient->getResult(0).getType(), y));
  for (Operation *remainder : flat.remainders)
    replace(remainder,
            castTo(builder, loc, remainder->getResult(0).getType(), x));
  // What bounds the flat id holds behind the guard.
  for (auto [compare, result] : flat.bounds)
    replace(compare, arith::ConstantIntOp::create(builder, loc, result, 1));
  for (gpu::GlobalIdOp old : ids) {
    old.getResult().replaceAllUsesWith(id);
    old.erase();
  }
  guardEffects(body, inside);
}

/// The new kernel's work items, and what the launch must be like.
static void describeLaunch(gpu::GPUFuncOp kernel, AffineExpr width,
                           AffineExpr height) {
  MLIRContext *context = kernel.getContext();
  unsigned numArguments = kernel.getNumArguments();
  auto own = kernel->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName);
  auto items = [&](unsigned dim) {
    return own ? own.getValue().getResult(dim)
               : getAffineSymbolExpr(numArguments + dim, context) *
                     getAffineSymbolExpr(numArguments + 3 + dim, context);
  };
  kernel->setAttr(
      kWorkItemsAttrName,
      AffineMapAttr::get(AffineMap::get(
          0, numArguments, {width, height, getAffineConstantExpr(1, context)},
          context)));
  addLaunchConditions(kernel, numArguments,
                      {width - kLeastWidth, height - 1,
                       items(0) - height * width,
                       -items(0) + std::numeric_limits<int32_t>::max(),
                       -items(1) + 1, -items(2) + 1});
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
      if (std::optional<Refusal> refusal = split(kernel, values, finder))
        sayMissed(RemarkCode::FlatIdKept, kernel, *refusal);
    }
  }

  std::optional<Refusal> split(gpu::GPUFuncOp kernel, IntegerValues &values,
                               Finder &finder);
};
} // namespace

std::optional<Refusal> SplitFlatIds::split(gpu::GPUFuncOp kernel,
                                           IntegerValues &values,
                                           Finder &finder) {
  if (geometryOf(kernel) || kernel->hasAttr(kPhaseOfAttrName))
    return Refusal{kernel.getLoc(), "its launch is decided already"};
  if (std::optional<Refusal> refusal = finder.findHeight())
    return refusal;
  const FlatId &flat = finder.flat;
  AffineExpr width = expressionOverArguments(kernel, values, flat.width);
  AffineExpr height = expressionOverArguments(kernel, values, flat.height);
  if (!width || !height)
    return Refusal{kernel.getLoc(),
                   "its width is not known when it is launched"};
  keepOriginal(kernel);
  sayPassed(
      RemarkCode::FlatIdSplit, kernel, kernel.getLoc(),
      {{"width", values.str(flat.width)}, {"height", values.str(flat.height)}});
  splitId(kernel, values, flat);
  describeLaunch(kernel, width, height);
  ++numSplit;
  // Subscripts of these ids are affine now, if need be where they cannot wrap.
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  again.addPass(createVersionIndexRange());
  buildRaiseAccessesPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
  return std::nullopt;
}
