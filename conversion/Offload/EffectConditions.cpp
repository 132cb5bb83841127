//===- EffectConditions.cpp - iterations that conditions let pass ---------===//
//
//   for (i = 0; i < n; i++)
//     if (i > 0 && i < m)        of loop i: 1 … m - 1, where m <= n
//
//===----------------------------------------------------------------------===//

#include "conversion/Offload/EffectFinder.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// The value of what has been visited before.
Value EffectFinder::valueAgain(const Expr &expression) {
  size_t accesses = effects.accesses.size();
  Work work = effects.work;
  Value value = valueOf(&expression);
  effects.accesses.resize(accesses);
  effects.work = std::move(work);
  return value;
}

/// The innermost loop, or condition on it, of which `expression` is the
/// variable.
std::optional<size_t> EffectFinder::loopOf(const Expr &expression) const {
  const VarDecl *variable = namedVariable(const_cast<Expr *>(&expression));
  auto known = environment.find(variable);
  if (!variable || known == environment.end())
    return std::nullopt;
  for (size_t loop : llvm::reverse(loops))
    if (known->second ==
        Value::ofNumber(Polynomial::ofSymbol(effects.loops[loop].symbol)))
      return loop;
  return std::nullopt;
}

/// Raises `range.least`, or lowers `range.most`, to `end`. Where it is not
/// known which of both holds, `end` does if it is in the loop.
static void moveEnd(LoopRange &range, bool isLeast, const Polynomial &end) {
  Polynomial &old = isLeast ? range.least : range.most;
  Polynomial change = isLeast ? end - old : old - end;
  std::optional<int64_t> constant = change.constant();
  if (constant && *constant <= 0)
    return;
  if (!constant)
    range.needed.push_back(change);
  old = end;
}

/// Whether `polynomial` depends on loops in the one at `outer`.
bool EffectFinder::mentionsInner(const Polynomial &polynomial,
                                 size_t outer) const {
  return llvm::any_of(effects.loops, [&](const LoopRange &loop) {
    size_t place = loop.of.value_or(&loop - effects.loops.data());
    return place >= outer && polynomial.mentions(loop.symbol);
  });
}

/// Restricts the loop whose variable `comparison` is about, for what is visited
/// next; false where that is not all that the comparison says.
bool EffectFinder::narrowVariable(const BinaryOperator &comparison) {
  BinaryOperatorKind kind = comparison.getOpcode();
  const Expr *side = comparison.getLHS(), *other = comparison.getRHS();
  std::optional<size_t> loop = loopOf(*side);
  if (!loop) {
    std::swap(side, other);
    loop = loopOf(*side);
    if (comparison.isRelationalOp())
      kind = BinaryOperator::reverseComparisonOp(kind);
  }
  if (!loop || kind == BO_NE || !side->getType()->isSignedIntegerType() ||
      !other->getType()->isSignedIntegerType())
    return false;
  Value end = valueAgain(*other);
  size_t original = effects.loops[*loop].of.value_or(*loop);
  if (!end.isInteger() || mentionsInner(end.number, original))
    return false;
  LoopRange range = effects.loops[*loop];
  range.of = original;
  bool isExact = range.isExact && (range.isDense() || kind != BO_EQ);
  if (kind == BO_GT || kind == BO_GE || kind == BO_EQ)
    moveEnd(range, /*isLeast=*/true, end.number + Polynomial(kind == BO_GT));
  if (kind == BO_LT || kind == BO_LE || kind == BO_EQ)
    moveEnd(range, /*isLeast=*/false, end.number - Polynomial(kind == BO_LT));
  range.isExact = isExact && range.isDense();
  range.distance = range.most - range.least;
  range.symbol = effects.symbols.add({});
  const VarDecl *variable = namedVariable(const_cast<Expr *>(side));
  environment[variable] = Value::ofNumber(Polynomial::ofSymbol(range.symbol));
  loops.push_back(effects.loops.size());
  effects.loops.push_back(std::move(range));
  return true;
}

/// The same for each part of `condition`; false where it says more.
bool EffectFinder::narrow(const Expr &condition) {
  const auto *binary =
      dyn_cast<BinaryOperator>(condition.IgnoreParenImpCasts());
  // What it changes, it would change again.
  if (!binary || effects.problem || binary->HasSideEffects(context))
    return false;
  if (binary->getOpcode() == BO_LAnd) {
    bool first = narrow(*binary->getLHS());
    return narrow(*binary->getRHS()) && first;
  }
  bool isComparison = binary->isRelationalOp() || binary->getOpcode() == BO_EQ;
  return isComparison && narrowVariable(*binary);
}
