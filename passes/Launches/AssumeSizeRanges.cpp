//===- AssumeSizeRanges.cpp - leave sizes that wrap to the launcher -------===//
//
// find the sizes that the kernel takes for unsigned numbers → keep the original
// → record the range in which they are one number with a sign and without →
// raise what has become exact.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSUMESIZERANGES
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What has to hold
//===----------------------------------------------------------------------===//

/// No array has so many elements. Below, sums of sizes fit an index.
static constexpr int64_t kMostOf64Bits = (int64_t(1) << 62) - 1;
static constexpr int64_t kMostOf32Bits = (int64_t(1) << 32) - 1;

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

namespace {
/// The scalar arguments of a kernel that it compares, as n or as n + c, without
/// a sign, and the ranges in which these are what they are as integers.
class SizeRanges {
public:
  explicit SizeRanges(gpu::GPUFuncOp function)
      : kernel(function), values(function) {
    kernel.walk([&](Operation *op) { visit(op); });
  }

  bool isEmpty() const { return needed.empty(); }
  /// None may be negative.
  SmallVector<AffineExpr> conditions();
  /// Casts sizes as what they are from now on: numbers with a sign.
  void castWithSign();

private:
  void visit(Operation *op);
  void visitComparison(arith::CmpIOp compare);
  void visitLoop(scf::WhileOp loop);
  void need(Value compared, int64_t beyond = 0, int64_t most = kMostOf64Bits);
  bool hasSign(BlockArgument size);

  gpu::GPUFuncOp kernel;
  IntegerValues values;
  llvm::MapVector<BlockArgument, Interval> needed;
};
} // namespace

/// Whether launchers know the size as a number with a sign: as all of 64 bits,
/// and those of 32 that the source declares so.
bool SizeRanges::hasSign(BlockArgument size) {
  return size.getType().isInteger(64) ||
         !kernel.getArgAttr(size.getArgNumber(), kUnsignedAttrName);
}

void SizeRanges::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitLoop(loop);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return visitComparison(compare);
  if (isa<arith::IndexCastUIOp>(op) &&
      llvm::any_of(op->getUsers(), [](Operation *reader) {
        return llvm::none_of(reader->getOperands(), isConstant);
      }))
    need(op->getOperand(0));
}

/// The largest number that what `value` is extended from holds, if anything.
static int64_t mostOf(Value value) {
  Operation *extension = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension) ||
      !extension->getOperand(0).getType().isInteger(32))
    return kMostOf64Bits;
  return isa<arith::ExtSIOp>(extension) ? kMostOf32Bits / 2 : kMostOf32Bits;
}

/// Comparisons with a constant ask for nothing that a sign would change.
void SizeRanges::visitComparison(arith::CmpIOp compare) {
  Value left = compare.getLhs(), right = compare.getRhs();
  if (isConstant(left) || isConstant(right))
    return;
  bool endsLoop = llvm::any_of(compare->getUsers(), [](Operation *user) {
    return isa<scf::ConditionOp>(user);
  });
  // `i <= n` ends a loop behind n.
  arith::CmpIPredicate predicate = compare.getPredicate();
  bool isInclusive = predicate == arith::CmpIPredicate::ule ||
                     predicate == arith::CmpIPredicate::uge;
  int64_t beyond = isInclusive && endsLoop ? 1 : 0;
  // A loop's variable of fewer bits has to reach the bound.
  int64_t most =
      endsLoop ? std::min(mostOf(left), mostOf(right)) : kMostOf64Bits;
  if (!isUnsigned(predicate) && most >= kMostOf64Bits)
    return;
  need(left, beyond, most);
  need(right, beyond, most);
}

/// What counts down without a sign begins at a size.
void SizeRanges::visitLoop(scf::WhileOp loop) {
  auto test =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!test || (!isUnsigned(test.getPredicate()) &&
                test.getPredicate() != arith::CmpIPredicate::ne))
    return;
  for (auto [init, next] :
       llvm::zip(loop.getInits(), loop.getYieldOp().getResults())) {
    auto sum = next.getDefiningOp<arith::AddIOp>();
    if (sum && init.getType().isInteger(64) && !sum.hasNoSignedWrap() &&
        llvm::any_of(sum->getOperands(), isConstant))
      need(init);
  }
}

/// `compared`, and what is up to `beyond` more, is to be the same number with a
/// sign and without, and no more than `most`.
void SizeRanges::need(Value compared, int64_t beyond, int64_t most) {
  Polynomial value = values.get(compared).value;
  if (value.isUnknown() || value.isConstant())
    return;
  int64_t constant = value.getConstantTerm();
  std::optional<unsigned> variable = (value - constant).getVariable();
  auto size =
      variable
          ? dyn_cast_or_null<BlockArgument>(values.getAtom(*variable).value)
          : BlockArgument();
  // What has fewer bits than an id is no size.
  if (!size || size.getOwner() != &kernel.getBody().front() ||
      size.getArgNumber() >= kernel.getFunctionType().getNumInputs() ||
      !(size.getType().isInteger(32) || size.getType().isInteger(64)) ||
      std::abs(constant) > kMostOf32Bits)
    return;
  if (getBits(compared.getType()) < 64)
    most = std::min(most, kMostOf32Bits);
  Interval range{std::max<int64_t>(-constant, 0),
                 most - std::max<int64_t>(constant + beyond, 0)};
  Interval known = values.getExact(size, /*isUnsigned=*/!hasSign(size)).range;
  if (known.isWithin(range))
    return;
  auto [entry, isNew] = needed.try_emplace(size, range);
  entry->second = entry->second.intersect(range);
}

SmallVector<AffineExpr> SizeRanges::conditions() {
  SmallVector<AffineExpr> conditions;
  for (auto [size, range] : needed) {
    Interval known = values.getExact(size, /*isUnsigned=*/!hasSign(size)).range;
    AffineExpr number =
        getAffineSymbolExpr(size.getArgNumber(), kernel.getContext());
    if (!hasSign(size))
      number = number % (int64_t(1) << 32);
    if (known.low < range.low)
      conditions.push_back(number - range.low);
    if (known.high > range.high)
      conditions.push_back(-number + range.high);
  }
  return conditions;
}

void SizeRanges::castWithSign() {
  for (auto [size, range] : needed)
    for (Operation *user : llvm::make_early_inc_range(size.getUsers()))
      if (isa<arith::IndexCastUIOp>(user) && hasSign(size)) {
        OpBuilder builder(user);
        auto number = arith::IndexCastOp::create(
            builder, user->getLoc(), user->getResult(0).getType(), size);
        user->replaceAllUsesWith(number);
        user->erase();
      }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct AssumeSizeRanges
    : public gpuopt::impl::AssumeSizeRangesBase<AssumeSizeRanges> {
  using AssumeSizeRangesBase::AssumeSizeRangesBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      assume(kernel);
  }

  void assume(gpu::GPUFuncOp kernel);
};
} // namespace

void AssumeSizeRanges::assume(gpu::GPUFuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return;
  SizeRanges sizes(kernel);
  if (sizes.isEmpty())
    return;
  SmallVector<AffineExpr> conditions = sizes.conditions();
  keepOriginal(kernel);
  sizes.castWithSign();
  addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
  ++assumed;
  sayPassed(RemarkCode::SizesAssumedInRange, kernel, kernel.getLoc())
      << remark::metric("conditions", static_cast<int>(conditions.size()));
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  again.addPass(createRaiseControlFlow());
  again.addPass(createRaiseIndices());
  buildRaiseAgainPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
}
