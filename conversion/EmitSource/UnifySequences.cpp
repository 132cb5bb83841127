//===- UnifySequences.cpp - equal statements but for arguments ------------===//
//
// See UnifySequences.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/UnifySequences.h"

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseSet.h"

using namespace gpuopt::source;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What a function of many parameters computes is no longer told by its name.
static constexpr unsigned maxArguments = 3;

using Exprs = SmallVector<const Expr *, 4>;

Uses gpuopt::source::countUses(ArrayRef<Stmt *> statements) {
  Uses uses;
  Block block(statements.begin(), statements.end());
  forEachStmt(block, [&](Stmt &inner) {
    if (inner.counter)
      ++uses[inner.counter];
    forEachRoot(inner, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        if (part->variable)
          ++uses[part->variable];
      });
    });
  });
  return uses;
}

Unifier::Unifier(Kernel &kernel, ArrayRef<Sequence> occurrences,
                 const Uses &total)
    : kernel(kernel), occurrences(occurrences), total(total),
      inside(occurrences.size()), bound(occurrences.size()) {
  for (auto [uses, sequence] : llvm::zip(inside, occurrences))
    uses = countUses(sequence.statements());
}

void Unifier::widenTo(ArrayRef<Block *> scopes) {
  for (auto [uses, scope] : llvm::zip(inside, scopes))
    uses = countUses(*scope);
}

bool Unifier::isOwn(const Variable *variable, size_t number) const {
  return (variable->kind == Variable::Local ||
          variable->kind == Variable::Counter) &&
         inside[number].lookup(variable) == total.lookup(variable);
}

/// Whether `expr` is an index that can be computed before the sequence runs.
bool Unifier::isKnownOutside(const Expr *expr, size_t number) const {
  bool isKnown = true;
  forEachPart(expr, [&](const Expr *part) {
    switch (part->kind) {
    case Expr::Sum:
    case Expr::Product:
    case Expr::Quotient:
    case Expr::Remainder:
    case Expr::Minimum:
    case Expr::Maximum:
      break;
    case Expr::Use:
      isKnown &=
          part->operands.empty() && part->type.lanes == 1 &&
          !isOwn(part->variable, number) &&
          (part->variable->kind != Variable::Local || part->variable->isIndex);
      break;
    default:
      isKnown = false;
    }
  });
  return isKnown;
}

/// Has the first of `variables` stand for the others.
bool Unifier::bind(ArrayRef<Variable *> variables) {
  Variable *first = variables[0];
  for (auto [number, variable] : llvm::enumerate(variables)) {
    if (number == 0)
      continue;
    bool isAlike =
        isOwn(first, 0) && isOwn(variable, number) &&
        variable->kind == first->kind && variable->type == first->type &&
        variable->isIndex == first->isIndex && variable->shape == first->shape;
    if (!isAlike)
      return false;
    if (bound[number].try_emplace(variable, first).first->second != first)
      return false;
  }
  return true;
}

/// Whether `other` is what `first` is, with the variables bound so far.
bool Unifier::matches(const Expr *first, const Expr *other, size_t number) {
  if (first == other && first->operands.empty() && !first->variable)
    return true;
  if (first->kind != other->kind || !(first->type == other->type) ||
      first->text != other->text || first->constant != other->constant ||
      first->operands.size() != other->operands.size() ||
      first->coefficients != other->coefficients ||
      first->numSubscripts != other->numSubscripts ||
      first->isTruncating != other->isTruncating)
    return false;
  if (first->variable != other->variable) {
    auto known = bound[number].find(other->variable);
    if (known == bound[number].end() || known->second != first->variable)
      return false;
  }
  return llvm::all_of(llvm::zip(first->operands, other->operands),
                      [&](auto pair) {
                        auto [left, right] = pair;
                        return matches(left, right, number);
                      });
}

/// An argument for what `rests` are, plus a constant where one of them already
/// is that but for it.
const Expr *Unifier::unifyRest(ArrayRef<const Expr *> rests) {
  bool isSame =
      llvm::all_of(rests, [&](const Expr *rest) { return rest == rests[0]; });
  if (isSame && isKnownOutside(rests[0], 0))
    return rests[0];
  for (auto [number, rest] : llvm::enumerate(rests))
    if (!isKnownOutside(rest, number))
      return nullptr;
  for (const Argument &argument : arguments) {
    std::optional<int64_t> offset;
    bool isOffset = true;
    for (auto [rest, value] : llvm::zip(rests, argument.values)) {
      std::optional<int64_t> difference =
          constantValue(kernel.add(rest, value, -1));
      isOffset &= difference && (!offset || *offset == *difference);
      offset = difference;
    }
    if (isOffset)
      return kernel.add(kernel.asSum(kernel.use(argument.parameter)),
                        kernel.constant(*offset));
  }
  if (arguments.size() == maxArguments)
    return nullptr;
  Variable *parameter =
      kernel.createVariable(Variable::Counter, "", kIndexType);
  parameter->counterStep = 0;
  Exprs values(rests);
  bool fitsInt = isNarrow && isCertain;
  parameter->range = rangeOf(rests[0]);
  for (const Expr *&value : values) {
    Range range = rangeOf(value);
    parameter->range = {std::min(parameter->range.low, range.low),
                        std::max(parameter->range.high, range.high)};
    fitsInt &= range.low >= 0;
  }
  // Part of a position that fits `int` and has no negative parts.
  if (fitsInt && !parameter->range.fitsInt()) {
    parameter->range.high = std::numeric_limits<int32_t>::max();
    for (const Expr *&value : values)
      value = kernel.markInt(value);
  }
  arguments.push_back({parameter, std::move(values)});
  return kernel.asSum(kernel.use(parameter));
}

const Expr *Unifier::unifySum(ArrayRef<const Expr *> sums) {
  const Expr *common = kernel.constant(0);
  SmallVector<llvm::SmallDenseSet<size_t, 4>> taken(sums.size());
  for (auto [at, operand] : llvm::enumerate(sums[0]->operands)) {
    int64_t coefficient = sums[0]->coefficients[at];
    SmallVector<size_t> places{at};
    for (size_t number = 1; number < sums.size(); ++number)
      for (size_t place = 0; place < sums[number]->operands.size(); ++place)
        if (!taken[number].contains(place) &&
            sums[number]->coefficients[place] == coefficient &&
            matches(operand, sums[number]->operands[place], number)) {
          places.push_back(place);
          break;
        }
    if (places.size() != sums.size())
      continue;
    for (auto [number, place] : llvm::enumerate(places))
      taken[number].insert(place);
    common = kernel.add(common, operand, coefficient);
  }
  Exprs rests;
  for (auto [number, sum] : llvm::enumerate(sums)) {
    const Expr *rest = kernel.constant(sum->constant);
    for (size_t at = 0; at < sum->operands.size(); ++at)
      if (!taken[number].contains(at))
        rest = kernel.add(rest, sum->operands[at], sum->coefficients[at]);
    rests.push_back(rest);
  }
  bool wasNarrow = std::exchange(
      isNarrow, isNarrow || llvm::all_of(sums, [](const Expr *sum) {
                  return sum->isInt;
                }));
  const Expr *rest = unifyRest(rests);
  bool isInt = isNarrow && !wasNarrow;
  isNarrow = wasNarrow;
  if (!rest)
    return nullptr;
  const Expr *result = kernel.add(common, rest);
  return isInt ? kernel.markInt(result) : result;
}

/// `comparison` the other way round, if that is what `like` asks for: k >= i is
/// i <= k.
static const Expr *turnLike(Kernel &kernel, const Expr *comparison,
                            const Expr *like) {
  if (comparison->kind != Expr::Binary || like->kind != Expr::Binary)
    return comparison;
  for (auto [left, right] : {std::pair("<", ">"), std::pair("<=", ">=")})
    for (auto [from, to] : {std::pair(left, right), std::pair(right, left)})
      if (comparison->text == from && like->text == to) {
        Expr turned = *comparison;
        turned.text = to;
        std::swap(turned.operands[0], turned.operands[1]);
        return kernel.make(std::move(turned));
      }
  return comparison;
}

const Expr *Unifier::unify(ArrayRef<const Expr *> asWritten) {
  const Expr *first = asWritten[0];
  Exprs exprs;
  for (const Expr *other : asWritten)
    exprs.push_back(turnLike(kernel, other, first));
  for (const Expr *other : exprs)
    if (first->kind != other->kind || !(first->type == other->type) ||
        first->text != other->text ||
        first->operands.size() != other->operands.size() ||
        first->numSubscripts != other->numSubscripts ||
        first->isTruncating != other->isTruncating)
      if (first->kind != Expr::Sum || other->kind != Expr::Sum)
        return nullptr;
  if (first->kind == Expr::Sum)
    return unifySum(exprs);
  SmallVector<Variable *> variables;
  bool isOneVariable = true;
  for (const Expr *other : exprs) {
    if (first->constant != other->constant)
      return nullptr;
    isOneVariable &= other->variable == first->variable;
    variables.push_back(other->variable);
  }
  if (!isOneVariable &&
      (llvm::is_contained(variables, nullptr) || !bind(variables)))
    return nullptr;
  bool isPosition = first->kind == Expr::Access &&
                    first->variable->kind == Variable::Parameter &&
                    kernel.hasNarrowPositions;
  bool wasNarrow = std::exchange(isNarrow, isNarrow || isPosition);
  Expr result = *first;
  for (size_t at = 0; at < first->operands.size(); ++at) {
    Exprs operands;
    for (const Expr *other : exprs)
      operands.push_back(other->operands[at]);
    result.operands[at] = unify(operands);
    if (!result.operands[at]) {
      isNarrow = wasNarrow;
      return nullptr;
    }
  }
  isNarrow = wasNarrow;
  return kernel.make(std::move(result));
}

bool Unifier::unifyBlocks(ArrayRef<const Block *> blocks) {
  for (size_t at = 0; at < blocks[0]->size(); ++at) {
    SmallVector<Stmt *> stmts;
    for (const Block *block : blocks)
      stmts.push_back((*block)[at]);
    if (!unify(stmts))
      return false;
  }
  return true;
}

bool Unifier::unify(ArrayRef<Stmt *> stmts) {
  Stmt *first = stmts[0];
  SmallVector<Variable *> counters;
  for (Stmt *stmt : stmts) {
    if (stmt->kind != first->kind || stmt->step != first->step ||
        stmt->isUnrolled != first->isUnrolled ||
        stmt->halves != first->halves || stmt->text != first->text ||
        stmt->body.size() != first->body.size() ||
        stmt->orElse.size() != first->orElse.size() ||
        !stmt->counter != !first->counter)
      return false;
    counters.push_back(stmt->counter);
  }
  using Root = const Expr *Stmt::*;
  auto unifyRoot = [&](Root root) {
    Exprs exprs;
    for (Stmt *stmt : stmts)
      exprs.push_back(stmt->*root);
    if (llvm::is_contained(exprs, nullptr))
      return llvm::all_equal(exprs);
    const Expr *result = unify(exprs);
    if (result)
      rewritten.emplace_back(&(first->*root), result);
    return result != nullptr;
  };
  if (!unifyRoot(&Stmt::lower) || !unifyRoot(&Stmt::upper) ||
      !unifyRoot(&Stmt::stepBy))
    return false;
  if (first->counter && !bind(counters))
    return false;
  // What a branch does tells more of an argument than its condition.
  bool isBranch = first->kind == Stmt::If;
  if (!isBranch && (!unifyRoot(&Stmt::target) || !unifyRoot(&Stmt::value)))
    return false;
  bool wasCertain = std::exchange(isCertain, isCertain && first->isUnrolled);
  for (Block Stmt::*part : {&Stmt::body, &Stmt::orElse}) {
    SmallVector<const Block *> blocks;
    for (Stmt *stmt : stmts)
      blocks.push_back(&(stmt->*part));
    if (!unifyBlocks(blocks))
      return false;
  }
  isCertain = wasCertain;
  return !isBranch || unifyRoot(&Stmt::value);
}

bool Unifier::run() {
  for (size_t at = 0; at < occurrences[0].length; ++at) {
    SmallVector<Stmt *> stmts;
    for (const Sequence &sequence : occurrences)
      stmts.push_back(sequence.statements()[at]);
    if (!unify(stmts))
      return false;
  }
  return true;
}

Block Unifier::takeBody() {
  for (auto [root, expr] : rewritten)
    *root = expr;
  // The counters that are left count for all.
  for (const auto &others : bound)
    for (auto [other, first] : others)
      first->range = {std::min(first->range.low, other->range.low),
                      std::max(first->range.high, other->range.high)};
  ArrayRef<Stmt *> statements = occurrences[0].statements();
  return Block(statements.begin(), statements.end());
}
