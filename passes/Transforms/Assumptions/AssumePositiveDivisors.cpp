//===- AssumePositiveDivisors.cpp - leave other divisors to the launcher --===//
//
// find the parameters that ids are divided by → keep the original → record that
// they are positive.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSUMEPOSITIVEDIVISORS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
/// Finds what has to hold for the divisions of a kernel to be defined for all
/// threads.
class DivisorFinder {
public:
  DivisorFinder(gpu::GPUFuncOp kernel, IntegerValues &values)
      : kernel(kernel), values(values) {}

  void visit(Operation *op);
  /// None may be negative.
  ArrayRef<AffineExpr> conditions() const { return found.getArrayRef(); }

private:
  bool isPosition(const Polynomial &dividend) const;
  void addParameters(const Polynomial &factors, int64_t least);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  llvm::SmallSetVector<AffineExpr, 4> found;
};
} // namespace

/// Whether `dividend` is made of ids, iterators and parameters: a position, not
/// data.
bool DivisorFinder::isPosition(const Polynomial &dividend) const {
  return !dividend.isUnknown() &&
         llvm::all_of(dividend.getVariables(), [&](unsigned variable) {
           const Atom &atom = values.getAtom(variable);
           if (!atom.value || atom.isParameter)
             return true;
           if (auto argument = dyn_cast<BlockArgument>(atom.value)) {
             auto loop = dyn_cast<LoopLikeOpInterface>(
                 argument.getOwner()->getParentOp());
             return loop && loop.getSingleInductionVar() == argument;
           }
           return getDivisor(atom.value.getDefiningOp()) != Value();
         });
}

/// Asks that each parameter in the product `factors` is `least` or more, unless
/// that is known.
void DivisorFinder::addParameters(const Polynomial &factors, int64_t least) {
  SmallVector<AffineExpr> conditions;
  for (unsigned variable : factors.getVariables()) {
    Polynomial factor = Polynomial::variable(variable);
    if (values.getRange(factor).low >= least)
      continue;
    AffineExpr symbol = expressionOverArguments(kernel, values, factor);
    if (!symbol)
      return;
    conditions.push_back(symbol - least);
  }
  found.insert_range(conditions);
}

void DivisorFinder::visit(Operation *op) {
  if (!getDivisor(op) || !isa<arith::ArithDialect>(op->getDialect()))
    return;
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  IntegerValue dividend = values.getExact(op->getOperand(0), isUnsigned);
  Polynomial divisor = values.getExact(op->getOperand(1), isUnsigned).value;
  // A product of positive factors.
  bool isProduct =
      divisor.getTerms().size() == 1 && divisor.getTerms().front().second >= 1;
  if (!isProduct || divisor.getConstant() || !values.isParameter(divisor) ||
      !isPosition(dividend.value))
    return;
  addParameters(divisor, 1);
  // A parameter may be negative where a position is not.
  bool isSize = dividend.value.getTerms().size() == 1 &&
                dividend.value.getTerms().front().second >= 1 &&
                values.isParameter(dividend.value);
  if (isSize && dividend.range.low < 0)
    addParameters(dividend.value, 0);
}

namespace {
struct AssumePositiveDivisors
    : public gpuopt::impl::AssumePositiveDivisorsBase<AssumePositiveDivisors> {
  using AssumePositiveDivisorsBase::AssumePositiveDivisorsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      assume(kernel);
  }

  void assume(gpu::GPUFuncOp kernel);
};
} // namespace

void AssumePositiveDivisors::assume(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  DivisorFinder finder(kernel, values);
  kernel.walk([&](Operation *op) { finder.visit(op); });
  ArrayRef<AffineExpr> conditions = finder.conditions();
  if (conditions.empty())
    return;
  keepOriginal(kernel);
  addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
  ++assumed;
  sayPassed(RemarkCode::DivisorsAssumedPositive, kernel, kernel.getLoc())
      << remark::metric("conditions", static_cast<int>(conditions.size()));
}
