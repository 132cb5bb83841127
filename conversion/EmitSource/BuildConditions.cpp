//===- BuildConditions.cpp - conditions on indices ------------------------===//
//
// Conditions are put the way a person would, `bx * 16 + 16 <= n` for a
// difference that is not negative, and what they tell of parameters is kept for
// the branch that they guard. See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Conditions.h"
#include "conversion/EmitSource/KernelBuilder.h"

#include "dialects/GPUOpt/Predicates.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

//===--- Conditions on indices --------------------------------------------===//

static StringRef signOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  default:
    return ">=";
  }
}

/// Whether no partial result of `sum` leaves `int`.
static bool staysInt(const Expr *sum) {
  return partialResults(sum).fitsInt() &&
         llvm::all_of(sum->operands, [](const Expr *operand) {
           return rangeOf(operand).fitsInt();
         });
}

/// `left` and `right` with the summands that are taken away put on the other
/// side; as they are where that might leave 64 bits.
static std::array<const Expr *, 2> balance(Kernel &kernel, const Expr *left,
                                           const Expr *right, bool isEquality) {
  const Expr *difference = kernel.add(left, right, -1);
  std::array<const Expr *, 2> sides = {kernel.constant(0), kernel.constant(0)};
  for (auto [operand, coefficient] :
       llvm::zip(difference->operands, difference->coefficients)) {
    const Expr *&side = sides[coefficient < 0];
    side = kernel.add(side, operand, std::abs(coefficient));
  }
  // Copies of an equality have their constants on one side.
  bool isLeft =
      difference->constant >= 0 ||
      (isEquality && !constantValue(sides[0]) && !constantValue(sides[1]));
  const Expr *&side = sides[!isLeft];
  side = kernel.add(side, kernel.constant(isLeft ? difference->constant
                                                 : -difference->constant));
  bool isSafe = llvm::all_of(sides, [&](const Expr *sum) {
    return sum == left || sum == right || staysWide(sum);
  });
  return isSafe ? sides : std::array{left, right};
}

/// Whether a counter in `sum` needs 64 bits.
static bool readsWideCounter(const Expr *sum) {
  return llvm::any_of(sum->operands, [](const Expr *operand) {
    const Variable *variable = operand->variable;
    return variable && variable->kind == Variable::Counter &&
           !(variable->range + source::Range{0, variable->counterStep})
                .fitsInt();
  });
}

/// Whether the first thing of `sum` is an id or a counter.
static bool startsWithId(const Expr *sum) {
  if (sum->operands.empty())
    return false;
  const Expr *first = sum->operands[0];
  while (first->kind != Expr::Use && !first->operands.empty())
    first = first->operands[0];
  return first->variable && (first->variable->kind == Variable::Builtin ||
                             first->variable->kind == Variable::Counter ||
                             first->variable->isIndex);
}

/// Of a quotient it makes no difference to comparisons with positive numbers
/// how it is rounded, and of a remainder none to whether it is zero.
static const Expr *allowTruncation(Kernel &kernel, const Expr *sum,
                                   Expr::Kind kind) {
  if (sum->operands.size() != 1 || sum->coefficients[0] <= 0 || sum->constant ||
      sum->operands[0]->kind != kind)
    return sum;
  Expr division = *sum->operands[0];
  division.isTruncating = true;
  return kernel.scale(kernel.asSum(kernel.make(std::move(division))),
                      sum->coefficients[0]);
}

/// The E of floor(E / d) where E is not negative; null for all else.
static const Expr *quotientOf(const Expr *sum) {
  bool isQuotient = sum->operands.size() == 1 && sum->constant == 0 &&
                    sum->coefficients[0] == 1 &&
                    sum->operands[0]->kind == Expr::Quotient;
  const Expr *dividend = isQuotient ? sum->operands[0]->operands[0] : nullptr;
  return dividend && rangeOf(dividend).isNonNegative() ? dividend : nullptr;
}

/// What the ranges of two sides tell of a condition; null where they do not.
static const Expr *foldCompare(Kernel &kernel, arith::CmpIPredicate predicate,
                               const Expr *left, const Expr *right) {
  source::Range range = rangeOf(kernel.add(left, right, -1));
  std::optional<bool> known;
  bool isConstant = range.low == range.high;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
  case arith::CmpIPredicate::ne:
    if (isConstant)
      known = (range.low == 0) == (predicate == arith::CmpIPredicate::eq);
    break;
  case arith::CmpIPredicate::slt:
    if (range.high < 0 || range.low >= 0)
      known = range.high < 0;
    break;
  case arith::CmpIPredicate::sle:
    if (range.high <= 0 || range.low > 0)
      known = range.high <= 0;
    break;
  case arith::CmpIPredicate::sgt:
    if (range.low > 0 || range.high <= 0)
      known = range.low > 0;
    break;
  case arith::CmpIPredicate::sge:
    if (range.low >= 0 || range.high < 0)
      known = range.low >= 0;
    break;
  default:
    break;
  }
  if (!known)
    return nullptr;
  return kernel.literal(*known ? "true" : "false", kBoolType);
}

const Expr *KernelBuilder::conjunction(const Expr *left, const Expr *right) {
  auto is = [](const Expr *expr, StringRef text) {
    return expr->kind == Expr::Literal && expr->text == text;
  };
  if (is(left, "true") || is(right, "false"))
    return right;
  if (is(right, "true") || is(left, "false"))
    return left;
  // What has been asked is not asked again.
  for (const Expr *part = left;; part = part->operands[0]) {
    bool isPair = part->kind == Expr::Binary && part->text == "&&";
    if ((isPair ? part->operands[1] : part) == right)
      return left;
    if (!isPair)
      break;
  }
  if (right->kind == Expr::Binary && right->text == "&&")
    return conjunction(conjunction(left, right->operands[0]),
                       right->operands[1]);
  return binary("&&", left, right, kBoolType);
}

const Expr *KernelBuilder::disjunction(const Expr *left, const Expr *right) {
  auto is = [](const Expr *expr, StringRef text) {
    return expr->kind == Expr::Literal && expr->text == text;
  };
  if (is(left, "false") || is(right, "true"))
    return right;
  if (is(right, "false") || is(left, "true"))
    return left;
  for (const Expr *part = left;; part = part->operands[0]) {
    bool isPair = part->kind == Expr::Binary && part->text == "||";
    if ((isPair ? part->operands[1] : part) == right)
      return left;
    if (!isPair)
      break;
  }
  if (right->kind == Expr::Binary && right->text == "||")
    return disjunction(disjunction(left, right->operands[0]),
                       right->operands[1]);
  return eitherOf(kernel, left, right);
}

const Expr *KernelBuilder::opposite(const Expr *condition) {
  static constexpr std::pair<StringRef, StringRef> signs[] = {
      {"==", "!="}, {"!=", "=="}, {"<", ">="},
      {">=", "<"},  {">", "<="},  {"<=", ">"}};
  if (condition->kind == Expr::Literal)
    return kernel.literal(condition->text == "true" ? "false" : "true",
                          kBoolType);
  if (condition->kind == Expr::Unary && condition->text == "!")
    return condition->operands[0];
  if (condition->kind == Expr::Binary && condition->text == "||")
    return conjunction(opposite(condition->operands[0]),
                       opposite(condition->operands[1]));
  if (condition->kind == Expr::Binary && condition->text == "&&")
    return disjunction(opposite(condition->operands[0]),
                       opposite(condition->operands[1]));
  // Numbers that are none are neither below nor above another.
  bool isOrdered = condition->kind == Expr::Binary &&
                   (condition->operands[0]->type.kind == CType::Index ||
                    condition->operands[0]->type.isInteger());
  for (auto [sign, turned] : signs)
    if (isOrdered && condition->text == sign)
      return binary(turned, condition->operands[0], condition->operands[1],
                    kBoolType);
  Expr negation{Expr::Unary, kBoolType};
  negation.text = "!";
  negation.operands = {condition};
  return kernel.make(std::move(negation));
}

/// A number that is compared with `bound`, as the number whose bits it has.
static const Expr *dropSignChange(Kernel &kernel, const Expr *sum,
                                  int64_t bound) {
  if (sum->operands.size() != 1 || sum->constant != 0 ||
      sum->coefficients[0] != 1 || bound < 0 ||
      bound > std::numeric_limits<int32_t>::max())
    return sum;
  const Expr *operand = sum->operands[0];
  while (operand->kind == Expr::Cast && operand->type.isInteger() &&
         operand->operands[0]->type.isInteger() &&
         operand->operands[0]->type.bits >= 32 &&
         operand->operands[0]->type.bits <= operand->type.bits)
    operand = operand->operands[0];
  return kernel.asSum(operand);
}

/// A sum that may leave `int` gives its constant to the other side.
static void balanceWithinInt(Kernel &kernel,
                             std::array<const Expr *, 2> &sides) {
  for (bool second : {false, true}) {
    const Expr *&sum = sides[second], *&other = sides[!second];
    if (sum->constant == 0 || rangeOf(sum).fitsInt() || readsWideCounter(sum))
      continue;
    const Expr *moved = kernel.constant(sum->constant);
    const Expr *rest = kernel.add(sum, moved, -1);
    const Expr *grown = kernel.add(other, moved, -1);
    if (!rangeOf(rest).fitsInt() || !rangeOf(grown).fitsInt())
      continue;
    sum = kernel.markInt(rest);
    other = kernel.markInt(grown);
    return;
  }
}

/// Whether the comparison of a number with `bound` only asks for its sign, or
/// whether it is 0.
static bool testsSign(arith::CmpIPredicate predicate, int64_t bound) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
  case arith::CmpIPredicate::ne:
    return bound == 0;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sle:
    return bound >= 0;
  default:
    return bound > 0;
  }
}

const Expr *KernelBuilder::compareIndices(arith::CmpIPredicate predicate,
                                          const Expr *left, const Expr *right) {
  bool isEquality = predicate == arith::CmpIPredicate::eq ||
                    predicate == arith::CmpIPredicate::ne;
  if (isEquality)
    if (std::optional<int64_t> bound = constantValue(right))
      left = dropSignChange(kernel, left, *bound);
  if (const Expr *known = foldCompare(kernel, predicate, left, right))
    return known;
  std::array<const Expr *, 2> sides = balance(kernel, left, right, isEquality);
  // x + 1 > 0 is x >= 0.
  auto lower = [&](unsigned larger, arith::CmpIPredicate strict,
                   arith::CmpIPredicate relaxed) {
    if (predicate != strict || constantValue(sides[1 - larger]) != 0 ||
        sides[larger]->constant < 1 || sides[larger]->operands.empty())
      return;
    sides[larger] = kernel.add(sides[larger], kernel.constant(-1));
    predicate = relaxed;
  };
  lower(0, arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge);
  lower(1, arith::CmpIPredicate::slt, arith::CmpIPredicate::sle);
  balanceWithinInt(kernel, sides);
  // What is known here of parameters is not known where this is printed.
  for (const Expr *&sum : sides)
    if (sum->constant != 0 && !sum->operands.empty() && staysInt(sum))
      sum = kernel.markInt(sum);
  bool isSwapped = constantValue(sides[0]).has_value() ||
                   (!startsWithId(sides[0]) && startsWithId(sides[1]));
  if (isSwapped) {
    std::swap(sides[0], sides[1]);
    predicate = swapSides(predicate);
  }
  // What is below 1 and not negative is 0.
  if (predicate == arith::CmpIPredicate::slt && constantValue(sides[1]) == 1 &&
      rangeOf(sides[0]).isNonNegative()) {
    predicate = arith::CmpIPredicate::eq;
    sides[1] = kernel.constant(0);
  }
  isEquality = predicate == arith::CmpIPredicate::eq ||
               predicate == arith::CmpIPredicate::ne;
  // x / 8 is 0 where x is below 8.
  if (isEquality && constantValue(sides[1]) == 0)
    if (const Expr *dividend = quotientOf(sides[0]))
      return compareIndices(
          predicate == arith::CmpIPredicate::eq ? arith::CmpIPredicate::slt
                                                : arith::CmpIPredicate::sge,
          dividend, kernel.constant(sides[0]->operands[0]->constant));
  std::optional<int64_t> bound = constantValue(sides[1]);
  if (bound && testsSign(predicate, *bound))
    sides[0] = allowTruncation(kernel, sides[0],
                               isEquality ? Expr::Remainder : Expr::Quotient);
  return binary(signOf(predicate), sides[0], sides[1], kBoolType);
}

const Expr *KernelBuilder::buildCompare(arith::CmpIOp op) {
  arith::CmpIPredicate predicate = op.getPredicate();
  bool isUnsigned = gpuopt::isUnsigned(predicate);
  if (op.getLhs().getType().isInteger(1)) {
    if (predicate != arith::CmpIPredicate::eq &&
        predicate != arith::CmpIPredicate::ne)
      return fail(op.getLoc(), "an order of truth values has no source form");
    return binary(signOf(predicate), build(op.getLhs()), build(op.getRhs()),
                  kBoolType);
  }
  if (!isa<IndexType>(op.getLhs().getType())) {
    CType type = typeOf(op.getLhs().getType());
    if (type.kind == CType::Void || type.lanes != 1)
      return fail(op.getLoc(), "a comparison of values of type " +
                                   spell(op.getLhs().getType()) +
                                   " has no source form");
    if (isUnsigned)
      type.kind = CType::Unsigned;
    return binary(signOf(predicate), cast(build(op.getLhs()), type),
                  cast(build(op.getRhs()), type), kBoolType);
  }
  const Expr *left = index(op.getLhs()), *right = index(op.getRhs());
  if (!isUnsigned)
    return compareIndices(predicate, left, right);
  Range leftRange = rangeOf(left), rightRange = rangeOf(right);
  // Ends of ranges also stand for all beyond, which may have wrapped.
  auto isKnown = [](source::Range range) {
    return range.isNonNegative() && range.isFinite();
  };
  if (isKnown(leftRange) && isKnown(rightRange))
    return compareIndices(toSigned(predicate), left, right);
  bool isBelow = predicate == arith::CmpIPredicate::ult ||
                 predicate == arith::CmpIPredicate::ule;
  if (isBelow && isKnown(rightRange) &&
      leftRange.high < std::numeric_limits<int64_t>::max()) {
    // Neither negative nor too large; the second is sure for many types.
    const Expr *positive =
        compareIndices(arith::CmpIPredicate::sge, left, kernel.constant(0));
    if (leftRange.high < rightRange.low)
      return positive;
    return conjunction(positive,
                       compareIndices(toSigned(predicate), left, right));
  }
  CType wide{CType::Unsigned, 64, 1};
  return binary(signOf(predicate), cast(left, wide), cast(right, wide),
                kBoolType);
}

//===--- What conditions tell ---------------------------------------------===//

void KernelBuilder::learnAtLeast(const Expr *sum, int64_t bound) {
  if (sum->operands.size() != 1 || sum->coefficients[0] <= 0)
    return;
  const Expr *operand = sum->operands[0];
  int64_t rest;
  if (llvm::SubOverflow(bound, sum->constant, rest))
    return;
  int64_t low = llvm::divideCeilSigned(rest, sum->coefficients[0]);
  if (operand->kind == Expr::Quotient) {
    if (!llvm::MulOverflow(low, operand->constant, low))
      learnAtLeast(operand->operands[0], low);
    return;
  }
  if (operand->kind != Expr::Use ||
      operand->variable->kind != Variable::Parameter ||
      operand->variable->range.low >= low)
    return;
  facts.push_back({operand->variable, operand->variable->range.low});
  operand->variable->range.low = low;
}

size_t KernelBuilder::learn(const Expr *condition) {
  size_t mark = facts.size();
  if (condition->kind == Expr::Use)
    if (const Expr *meaning = meanings.lookup(condition->variable)) {
      learn(meaning);
      return mark;
    }
  if (condition->kind != Expr::Binary)
    return mark;
  if (condition->text == "&&") {
    learn(condition->operands[0]);
    learn(condition->operands[1]);
    return mark;
  }
  const Expr *left = condition->operands[0], *right = condition->operands[1];
  if (left->kind != Expr::Sum || right->kind != Expr::Sum)
    return mark;
  StringRef text = condition->text;
  if (text == "<" || text == "<=")
    learnAtLeast(right, (rangeOf(left) + Range{text == "<", 0}).low);
  if (text == ">" || text == ">=")
    learnAtLeast(left, (rangeOf(right) + Range{text == ">", 0}).low);
  if (text == "==" && constantValue(right) == 0 && left->operands.size() == 1 &&
      left->operands[0]->kind == Expr::Remainder) {
    facts.push_back({nullptr, 0});
    kernel.setDivisible(left->operands[0]->operands[0],
                        left->operands[0]->constant, true);
  }
  return mark;
}

void KernelBuilder::forget(size_t mark) {
  while (facts.size() > mark) {
    Fact fact = facts.back();
    facts.pop_back();
    if (fact.variable)
      fact.variable->range.low = fact.oldLow;
    else
      kernel.setDivisible(nullptr, 0, false);
  }
}
