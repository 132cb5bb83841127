//===- UniteConditions.cpp - conditions of which one has to hold ----------===//
//
// What is loaded for several neighbours is wanted where one of them exists:
// x < 32 || (x >= 1 && x < 33) || x >= 2. Alternatives that follow from another
// one go, and those that differ in the interval of one number become one.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Conditions.h"

using namespace gpuopt::source;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// Comparisons that all have to hold.
using Alternative = SmallVector<const Expr *>;

/// `low <= number <= high`, and the comparisons that say so; null for an end
/// that is open.
struct Interval {
  const Expr *number = nullptr;
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
  const Expr *saysLow = nullptr, *saysHigh = nullptr;
};
} // namespace

void gpuopt::source::takeApart(const Expr *condition, StringRef text,
                               llvm::SmallVectorImpl<const Expr *> &parts) {
  if (condition->kind != Expr::Binary || condition->text != text) {
    parts.push_back(condition);
    return;
  }
  takeApart(condition->operands[0], text, parts);
  takeApart(condition->operands[1], text, parts);
}

const Expr *gpuopt::source::join(Kernel &kernel, StringRef text,
                                 ArrayRef<const Expr *> parts) {
  const Expr *all = parts.front();
  for (const Expr *part : parts.drop_front()) {
    Expr both{Expr::Binary, kBoolType};
    both.text = text.str();
    both.operands = {all, part};
    all = kernel.make(std::move(both));
  }
  return all;
}

const Expr *gpuopt::source::differenceOf(Kernel &kernel,
                                         const Expr *comparison) {
  if (comparison->kind != Expr::Binary)
    return nullptr;
  const Expr *left = comparison->operands[0], *right = comparison->operands[1];
  if (left->kind != Expr::Sum || right->kind != Expr::Sum)
    return nullptr;
  StringRef text = comparison->text;
  if (text == ">" || text == ">=")
    std::swap(left, right);
  else if (text != "<" && text != "<=")
    return nullptr;
  int64_t strict = text == "<" || text == ">";
  return kernel.add(kernel.add(right, left, -1), kernel.constant(-strict));
}

bool gpuopt::source::implies(Kernel &kernel, ArrayRef<const Expr *> given,
                             const Expr *wanted) {
  const Expr *difference = differenceOf(kernel, wanted);
  return llvm::any_of(given, [&](const Expr *fact) {
    const Expr *known = differenceOf(kernel, fact);
    return fact == wanted ||
           (difference && known &&
            rangeOf(kernel.add(difference, known, -1)).isNonNegative());
  });
}

bool gpuopt::source::implies(Kernel &kernel, const Expr *first,
                             const Expr *second) {
  SmallVector<const Expr *> given, wanted;
  takeApart(first, "&&", given);
  takeApart(second, "&&", wanted);
  return llvm::all_of(
      wanted, [&](const Expr *part) { return implies(kernel, given, part); });
}

//===--- Intervals --------------------------------------------------------===//

/// Takes in that `number` or its opposite plus a constant is not negative;
/// false where `comparison` is about another number.
static bool narrow(Kernel &kernel, Interval &interval, const Expr *comparison,
                   const Expr *difference) {
  if (!difference || difference->operands.empty())
    return false;
  bool isLow = difference->coefficients[0] > 0;
  int64_t constant = difference->constant;
  const Expr *number = kernel.add(difference, kernel.constant(constant), -1);
  number = isLow ? number : kernel.scale(number, -1);
  if (interval.number && interval.number != number)
    return false;
  interval.number = number;
  const Expr *&says = isLow ? interval.saysLow : interval.saysHigh;
  if (says)
    return false;
  says = comparison;
  if (isLow)
    interval.low = -constant;
  else
    interval.high = constant;
  return true;
}

/// The comparisons that hold where all of `left` or all of `right` do, where
/// there are such.
static std::optional<Alternative> unite(Kernel &kernel,
                                        ArrayRef<const Expr *> left,
                                        ArrayRef<const Expr *> right) {
  Alternative common;
  auto intervalOf = [&](ArrayRef<const Expr *> parts,
                        ArrayRef<const Expr *> others) {
    Interval interval;
    for (const Expr *part : parts)
      if (!llvm::is_contained(others, part) &&
          !narrow(kernel, interval, part, differenceOf(kernel, part)))
        return Interval();
    return interval;
  };
  Interval first = intervalOf(left, right), second = intervalOf(right, left);
  bool touches = first.number && first.number == second.number &&
                 first.low - 1 <= second.high && second.low - 1 <= first.high;
  if (!touches)
    return std::nullopt;
  for (const Expr *part : left)
    if (llvm::is_contained(right, part))
      common.push_back(part);
  if (first.saysLow && second.saysLow)
    common.push_back(first.low < second.low ? first.saysLow : second.saysLow);
  if (first.saysHigh && second.saysHigh)
    common.push_back(first.high > second.high ? first.saysHigh
                                              : second.saysHigh);
  return common;
}

const Expr *gpuopt::source::eitherOf(Kernel &kernel, const Expr *left,
                                     const Expr *right) {
  SmallVector<const Expr *> sides;
  takeApart(left, "||", sides);
  takeApart(right, "||", sides);
  std::vector<Alternative> all;
  for (const Expr *side : sides)
    takeApart(side, "&&", all.emplace_back());
  // Each pass makes one alternative less.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < all.size() && !isChanged; ++i)
      for (size_t j = 0; j < all.size() && !isChanged; ++j) {
        if (i == j)
          continue;
        if (implies(kernel, join(kernel, "&&", all[i]),
                    join(kernel, "&&", all[j]))) {
          all.erase(all.begin() + i);
          isChanged = true;
        } else if (auto both = unite(kernel, all[i], all[j])) {
          if (both->empty())
            return kernel.literal("true", kBoolType);
          all[std::min(i, j)] = *both;
          all.erase(all.begin() + std::max(i, j));
          isChanged = true;
        }
      }
  }
  SmallVector<const Expr *> parts;
  for (const Alternative &one : all)
    parts.push_back(join(kernel, "&&", one));
  return join(kernel, "||", parts);
}
