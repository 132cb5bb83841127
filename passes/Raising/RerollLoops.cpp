//===- RerollLoops.cpp - undo unrolling by hand ---------------------------===//
//
//   for (i = 0; i + 4 <= k; i += 4) {        for (i = 0; i < k; ++i)
//     s += a[i]; s += a[i + 1];                s += a[i];
//     s += a[i + 2]; s += a[i + 3];    →
//   }
//   for (; i < k; ++i)
//     s += a[i];
//
// The body of the rest says what one iteration is. That the other loop's body
// is as many of them, one after the other, is matched backwards from what it
// yields.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_REROLLLOOPS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
/// Matches the body of `unrolled` with several iterations of `single`.
class BodyMatcher {
public:
  BodyMatcher(affine::AffineForOp unrolled, affine::AffineForOp single)
      : unrolled(unrolled), single(single) {}

  bool match();

private:
  bool matchValue(Value value, Value ofSingle);
  bool matchOp(Operation *op, Operation *ofSingle);
  bool matchMap(AffineMap map, ValueRange operands, AffineMap ofSingle,
                ValueRange operandsOfSingle);

  affine::AffineForOp unrolled, single;
  /// The iteration that is matched, of those in one iteration of `unrolled`.
  int64_t iteration = 0;
  /// What it starts from, as far as that is found: for each value that the
  /// loops carry.
  SmallVector<Value> carried;
};
} // namespace

/// Whether a body only reads memory, and has no bodies in it.
static bool isSimple(affine::AffineForOp loop) {
  return llvm::all_of(loop.getBody()->without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 &&
           (isPure(&op) || isa<affine::AffineLoadOp>(op));
  });
}

/// `map` over `operands`, where the variable of a loop is its last dimension,
/// all else symbols.
static AffineMap overVariable(AffineMap map, ValueRange operands,
                              Value variable, SmallVectorImpl<Value> &others) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    AffineExpr expr = getAffineDimExpr(0, context);
    if (operand != variable) {
      auto *known = llvm::find(others, operand);
      expr = getAffineSymbolExpr(known - others.begin(), context);
      if (known == others.end())
        others.push_back(operand);
    }
    (number < map.getNumDims() ? dims : symbols).push_back(expr);
  }
  return map.replaceDimsAndSymbols(dims, symbols, 1, others.size());
}

bool BodyMatcher::matchMap(AffineMap map, ValueRange operands,
                           AffineMap ofSingle, ValueRange operandsOfSingle) {
  SmallVector<Value> others;
  AffineMap here =
      overVariable(map, operands, unrolled.getInductionVar(), others);
  AffineMap there = overVariable(ofSingle, operandsOfSingle,
                                 single.getInductionVar(), others);
  // What else a body computes is none of a map's operands.
  if (llvm::any_of(others, [&](Value other) {
        return unrolled->isAncestor(other.getParentBlock()->getParentOp()) ||
               single->isAncestor(other.getParentBlock()->getParentOp());
      }))
    return false;
  AffineExpr variable = getAffineDimExpr(0, map.getContext());
  AffineMap shifted =
      there.replace(variable, variable + iteration, 1, others.size());
  AffineMap same =
      AffineMap::get(1, others.size(), here.getResults(), map.getContext());
  return simplifyAffineMap(shifted) == simplifyAffineMap(same);
}

bool BodyMatcher::matchOp(Operation *op, Operation *ofSingle) {
  if (op->getName() != ofSingle->getName() ||
      op->getResultTypes() != ofSingle->getResultTypes())
    return false;
  if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
    auto other = cast<affine::AffineLoadOp>(ofSingle);
    return load.getMemref() == other.getMemref() &&
           matchMap(load.getMap(), load.getMapOperands(), other.getMap(),
                    other.getMapOperands());
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    auto other = cast<affine::AffineApplyOp>(ofSingle);
    return matchMap(apply.getMap(), apply.getMapOperands(), other.getMap(),
                    other.getMapOperands());
  }
  return op->getAttrDictionary() == ofSingle->getAttrDictionary() &&
         op->getNumOperands() == ofSingle->getNumOperands() &&
         llvm::all_of(llvm::zip(op->getOperands(), ofSingle->getOperands()),
                      [&](const auto &pair) {
                        const auto &[here, there] = pair;
                        return matchValue(here, there);
                      });
}

/// Whether `value`, of the unrolled body, is what `ofSingle` is in the
/// iteration.
bool BodyMatcher::matchValue(Value value, Value ofSingle) {
  if (auto argument = dyn_cast<BlockArgument>(ofSingle);
      argument && argument.getOwner() == single.getBody()) {
    if (argument == single.getInductionVar())
      return false;
    Value &start = carried[argument.getArgNumber() - 1];
    if (!start)
      start = value;
    return start == value;
  }
  Operation *there = ofSingle.getDefiningOp();
  if (!there || there->getBlock() != single.getBody())
    return value == ofSingle;
  Operation *here = value.getDefiningOp();
  return here && here->getBlock() == unrolled.getBody() &&
         cast<OpResult>(value).getResultNumber() ==
             cast<OpResult>(ofSingle).getResultNumber() &&
         matchOp(here, there);
}

bool BodyMatcher::match() {
  SmallVector<Value> ends(unrolled.getBody()->getTerminator()->getOperands());
  OperandRange yielded = single.getBody()->getTerminator()->getOperands();
  for (iteration = unrolled.getStepAsInt() - 1; iteration >= 0; --iteration) {
    carried.assign(ends.size(), Value());
    for (auto [end, ofSingle] : llvm::zip_equal(ends, yielded))
      if (!end || !matchValue(end, ofSingle))
        return false;
    ends = carried;
  }
  return llvm::equal(ends, unrolled.getRegionIterArgs());
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// A bound of one result, as an exact number.
static Polynomial polynomialOf(affine::AffineBound bound,
                               IntegerValues &values) {
  SmallVector<Polynomial> results =
      values.get(bound.getMap(), bound.getOperands());
  return results.size() == 1 ? results.front() : Polynomial::unknown();
}

/// `value` before it was cut to 32 bits and extended again, if it was.
static Value withoutNarrowing(Value value) {
  auto wide = value.getDefiningOp<arith::IndexCastOp>();
  auto narrow =
      wide ? wide.getIn().getDefiningOp<arith::TruncIOp>() : arith::TruncIOp();
  auto cast = narrow ? narrow.getIn().getDefiningOp<arith::IndexCastOp>()
                     : arith::IndexCastOp();
  return cast && narrow.getType().isInteger(32) &&
                 cast.getIn().getType().isIndex()
             ? cast.getIn()
             : value;
}

/// Whether `value` is what raising computes for the variable of `loop`, which
/// starts at 0 and goes in steps of more than 1, behind its last iteration:
/// max(length, 0) ceildiv step * step. It is no more than 32 bits have where
/// the bound is not.
static bool isFinalValue(Value value, affine::AffineForOp loop,
                         IntegerValues &values) {
  int64_t step = loop.getStepAsInt();
  auto isStep = [&](Value factor) {
    return getConstantIntValue(factor) == step;
  };
  auto product = withoutNarrowing(value).getDefiningOp<arith::MulIOp>();
  if (!product || !isStep(product.getRhs()))
    return false;
  auto quotient = product.getLhs().getDefiningOp<arith::CeilDivSIOp>();
  if (!quotient || !isStep(quotient.getRhs()))
    return false;
  auto length = quotient.getLhs().getDefiningOp<arith::MaxSIOp>();
  if (!length || getConstantIntValue(length.getRhs()) != 0)
    return false;
  Polynomial upper = polynomialOf(loop.getUpperBound(), values);
  constexpr int64_t most = (int64_t(1) << 31) - 1;
  return !upper.isUnknown() &&
         values.getExact(length.getLhs(), false).value == upper &&
         values.getRange(upper + (step - 1)).high <= most;
}

/// Whether `rest` goes on where `unrolled` ends because fewer than a whole step
/// are left.
static bool continues(affine::AffineForOp rest, affine::AffineForOp unrolled) {
  IntegerValues values(rest->getParentOfType<FunctionOpInterface>());
  affine::AffineBound begin = rest.getLowerBound();
  AffineMap map = begin.getMap();
  bool isValue = map.getNumInputs() == 1 && map.getNumResults() == 1 &&
                 isa<AffineDimExpr, AffineSymbolExpr>(map.getResult(0));
  if (!unrolled.hasConstantLowerBound() ||
      unrolled.getConstantLowerBound() != 0 || rest.getStepAsInt() != 1 ||
      !isValue || !isFinalValue(begin.getOperand(0), unrolled, values))
    return false;
  Polynomial whole = polynomialOf(rest.getUpperBound(), values);
  return !whole.isUnknown() && polynomialOf(unrolled.getUpperBound(), values) +
                                       (unrolled.getStepAsInt() - 1) ==
                                   whole;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct RerollLoops : public gpuopt::impl::RerollLoopsBase<RerollLoops> {
  void runOnOperation() override;
};
} // namespace

/// The loop that `unrolled` hands all that it carries on to, and nobody else.
static affine::AffineForOp findRest(affine::AffineForOp unrolled) {
  if (unrolled.getNumResults() == 0 || unrolled.getStepAsInt() < 2)
    return nullptr;
  affine::AffineForOp rest;
  for (OpResult result : unrolled.getResults()) {
    if (!result.hasOneUse())
      return nullptr;
    auto user = dyn_cast<affine::AffineForOp>(*result.user_begin());
    if (!user || (rest && rest != user) ||
        user.getNumResults() != unrolled.getNumResults() ||
        user.getInits()[result.getResultNumber()] != result)
      return nullptr;
    rest = user;
  }
  return rest->getBlock() == unrolled->getBlock() ? rest
                                                  : affine::AffineForOp();
}

void RerollLoops::runOnOperation() {
  gpu::GPUFuncOp kernel = getOperation();
  SmallVector<affine::AffineForOp> loops;
  kernel.walk([&](affine::AffineForOp loop) { loops.push_back(loop); });
  for (affine::AffineForOp unrolled : loops) {
    affine::AffineForOp rest = findRest(unrolled);
    if (!rest || !isSimple(unrolled) || !isSimple(rest) ||
        !continues(rest, unrolled) || !BodyMatcher(unrolled, rest).match())
      continue;
    rest.setConstantLowerBound(0);
    rest.getInitsMutable().assign(unrolled.getInits());
    sayPassed(RemarkCode::LoopRerolled, kernel, unrolled.getLoc(),
              {{"iterations", std::to_string(unrolled.getStepAsInt())}});
    unrolled.erase();
    ++numRerolled;
  }
}
