//===- AssumeIndexRange.cpp - leave wrapping indices to the launcher ------===//
//
// read the tests (as exact conditions on a launch) → keep the original →
// record the conditions → leave one version.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSUMEINDEXRANGE
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Tests as conditions
//===----------------------------------------------------------------------===//

namespace {
/// Polynomials over what a launcher knows, none of which may be negative.
class Requirements {
public:
  Requirements(gpu::GPUFuncOp kernel, IntegerValues &values)
      : kernel(kernel), values(values),
        usesLaunch(!kernel->hasAttr(kWorkItemsAttrName)) {}

  /// Adds what implies that `test` holds in the kernel, as far as the launcher
  /// can know. Returns the parts of it that it cannot know.
  SmallVector<Value> add(Value test);
  /// Without what follows from the rest; linear ones first, since products of
  /// what they bound are smaller.
  SmallVector<AffineExpr> take();

private:
  bool collect(Value part, SmallVectorImpl<Polynomial> &all);
  bool follows(const Polynomial &polynomial, size_t index) const;

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  /// Whether the kernel's launch has the size of the original one.
  bool usesLaunch;
  SmallVector<Polynomial> polynomials;
};
} // namespace

/// Reads `part` exactly. Arithmetic of 64 bits in the kernel is congruent to
/// its polynomial; where both sides of a comparison are numbers of 64 bits, the
/// unsigned one between 0 and 2^63, it says the same of both.
bool Requirements::collect(Value part, SmallVectorImpl<Polynomial> &all) {
  if (matchPattern(part, m_One()))
    return true;
  auto compare = part.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  arith::CmpIPredicate predicate = compare.getPredicate();
  bool isUnsigned = predicate == arith::CmpIPredicate::ult ||
                    predicate == arith::CmpIPredicate::ule;
  bool isNarrow = getBits(compare.getLhs().getType()) < 64;
  auto read = [&](Value value) {
    return isNarrow ? values.getExact(value, isUnsigned).value
                    : congruentOverArguments(value, values);
  };
  Polynomial left = read(compare.getLhs()), right = read(compare.getRhs());
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    all.push_back(left);
    [[fallthrough]];
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    std::swap(left, right);
    break;
  default:
    return false;
  }
  bool isStrict = predicate == arith::CmpIPredicate::ult ||
                  predicate == arith::CmpIPredicate::slt ||
                  predicate == arith::CmpIPredicate::sgt;
  all.push_back(right - left - (isStrict ? 1 : 0));
  return llvm::all_of(all, [&](const Polynomial &polynomial) {
    return !polynomial.isUnknown() &&
           expressionOverArguments(kernel, values, polynomial, usesLaunch);
  });
}

SmallVector<Value> Requirements::add(Value test) {
  SmallVector<Value> parts, unknown;
  collectConjuncts(test, parts);
  for (Value part : parts) {
    SmallVector<Polynomial> all;
    if (collect(part, all))
      llvm::append_range(polynomials, all);
    else
      unknown.push_back(part);
  }
  return unknown;
}

/// Whether number `index` is never negative where the others are not.
bool Requirements::follows(const Polynomial &polynomial, size_t index) const {
  auto isNeverNegative = [&](const Polynomial &value) {
    return values.getRange(value).low >= 0;
  };
  if (isNeverNegative(polynomial))
    return true;
  for (size_t i = 0; i < polynomials.size(); ++i) {
    if (i == index)
      continue;
    Polynomial rest = polynomial - polynomials[i];
    SmallVector<Polynomial> rests = {rest};
    // (m - 1) * k where k is never negative.
    for (unsigned factor : polynomial.getVariables())
      if (values.getAtom(factor).range.low >= 0)
        rests.push_back(polynomial -
                        polynomials[i] * Polynomial::variable(factor));
    for (const Polynomial &other : rests) {
      if (isNeverNegative(other))
        return true;
      for (size_t j = 0; j < polynomials.size(); ++j)
        if (j != index && isNeverNegative(other - polynomials[j]))
          return true;
    }
  }
  return false;
}

SmallVector<AffineExpr> Requirements::take() {
  for (size_t i = 0; i < polynomials.size();)
    if (follows(polynomials[i], i))
      polynomials.erase(polynomials.begin() + i);
    else
      ++i;
  SmallVector<AffineExpr> conditions;
  for (bool isLinear : {true, false})
    for (const Polynomial &polynomial : polynomials)
      if (polynomial.isLinear() == isLinear)
        conditions.push_back(
            expressionOverArguments(kernel, values, polynomial, usesLaunch));
  return conditions;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Leaves of the test of `versions` its parts `unknown`: the launcher sees to
/// the others, such as those that are about the launch.
static void testOnly(scf::IfOp versions, ArrayRef<Value> unknown) {
  OpBuilder builder(versions);
  Value test = unknown.front();
  for (Value part : unknown.drop_front())
    test = arith::AndIOp::create(builder, versions.getLoc(), test, part);
  versions.getConditionMutable().assign(test);
}

/// Leaves what stands in the first branch of `versions`.
static void takeFirstVersion(scf::IfOp versions) {
  Block *block = versions.thenBlock();
  SmallVector<Value> results;
  if (versions.getNumResults() != 0)
    llvm::append_range(results, block->getTerminator()->getOperands());
  versions->getBlock()->getOperations().splice(
      versions->getIterator(), block->getOperations(), block->begin(),
      std::prev(block->end()));
  versions.replaceAllUsesWith(results);
  versions.erase();
}

namespace {
struct AssumeIndexRange
    : public gpuopt::impl::AssumeIndexRangeBase<AssumeIndexRange> {
  using AssumeIndexRangeBase::AssumeIndexRangeBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      assume(kernel);
  }

  void assume(gpu::GPUFuncOp kernel);
};
} // namespace

void AssumeIndexRange::assume(gpu::GPUFuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return;
  IntegerValues values(kernel);
  Requirements requirements(kernel, values);
  SmallVector<scf::IfOp> decided;
  SmallVector<std::pair<scf::IfOp, SmallVector<Value>>> narrowed;
  kernel.walk<WalkOrder::PreOrder>([&](scf::IfOp branch) {
    if (!branch->hasAttr(kIndexRangeVersionAttrName) ||
        isInFallbackVersion(branch))
      return WalkResult::advance();
    SmallVector<Value> unknown = requirements.add(branch.getCondition());
    if (unknown.empty()) {
      decided.push_back(branch);
      return WalkResult::advance();
    }
    sayMissed(RemarkCode::IndexRangeNotAssumed, kernel,
              Refusal{branch.getLoc(),
                      "whether an index wraps depends on values that are not "
                      "known when the kernel is launched"});
    narrowed.emplace_back(branch, std::move(unknown));
    return WalkResult::advance();
  });
  SmallVector<AffineExpr> conditions = requirements.take();
  if (decided.empty() && conditions.empty())
    return;
  if (!conditions.empty()) {
    keepOriginal(kernel);
    addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
  }
  for (auto &[versions, unknown] : narrowed)
    testOnly(versions, unknown);
  for (scf::IfOp versions : decided)
    takeFirstVersion(versions);
  assumed += decided.size();
  sayPassed(RemarkCode::IndexRangeAssumed, kernel, kernel.getLoc())
      << remark::metric("conditions", static_cast<int>(conditions.size()));
}
