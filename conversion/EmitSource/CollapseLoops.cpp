//===- CollapseLoops.cpp - nested loops over unrolled copies to one -------===//
//
// Two loops of unrolled copies, one in the other and nothing between, are one
// where the body only needs their joint number: an array of 2 x 4 registers is
// one of 8, and x + 32 * i + 16 * j is x + 16 * ij.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace gpuopt::source;

namespace {

/// Two nested loops: `outer` around `inner`, and nothing else in it.
struct Nest {
  Stmt *outer, *inner;
  int64_t outerCount, innerCount;
};

/// The dimension of an array that is to be joined with the next.
using Joins = llvm::MapVector<Variable *, unsigned>;

int64_t coefficientOf(const Expr *sum, const Variable *counter) {
  for (auto [operand, coefficient] :
       llvm::zip(sum->operands, sum->coefficients))
    if (operand->kind == Expr::Use && operand->variable == counter)
      return coefficient;
  return 0;
}

/// Whether `sum` is `counter` and nothing else.
bool isCounter(const Expr *sum, const Variable *counter) {
  return sum->operands.size() == 1 && sum->constant == 0 &&
         coefficientOf(sum, counter) == 1;
}

/// Whether `expr` needs only innerCount * outer + inner; notes the arrays with
/// these two as neighbouring subscripts.
bool needsJointNumber(const Expr *expr, const Nest &nest, Joins &joins) {
  const Variable *outer = nest.outer->counter, *inner = nest.inner->counter;
  if (expr->kind == Expr::Sum) {
    if (coefficientOf(expr, outer) !=
        nest.innerCount * coefficientOf(expr, inner))
      return false;
  }
  llvm::ArrayRef<const Expr *> operands = expr->operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isPair = expr->kind == Expr::Use &&
                  expr->variable->kind == Variable::Local &&
                  i + 1 < operands.size() && isCounter(operands[i], outer) &&
                  isCounter(operands[i + 1], inner);
    if (isPair && expr->variable->shape[i] == nest.outerCount &&
        expr->variable->shape[i + 1] == nest.innerCount) {
      auto [known, isNew] = joins.insert({expr->variable, i});
      if (!isNew && known->second != i)
        return false;
      ++i;
      continue;
    }
    if (!needsJointNumber(operands[i], nest, joins))
      return false;
  }
  return true;
}

/// Whether a nest only clears an array, whose dimensions it then keeps.
bool onlyClears(const Nest &nest) {
  const Stmt *only = nest.inner;
  while (only->kind == Stmt::For && only->body.size() == 1)
    only = only->body[0];
  return only->value && only->value->kind == Expr::Literal;
}

std::optional<Nest> nestAt(Stmt &stmt) {
  if (stmt.kind != Stmt::For || !stmt.isUnrolled || stmt.body.size() != 1)
    return std::nullopt;
  Stmt *inner = stmt.body[0];
  if (inner->kind != Stmt::For || !inner->isUnrolled || stmt.halves ||
      inner->halves || !constantValue(stmt.upper) ||
      !constantValue(inner->upper))
    return std::nullopt;
  return Nest{&stmt, inner, *constantValue(stmt.upper),
              *constantValue(inner->upper)};
}

/// Joins a dimension of each array in `joins` with the next, wherever the array
/// is used.
void joinDimensions(Kernel &kernel, const Joins &joins) {
  auto replace = [&](const Expr *part) -> const Expr * {
    if (!part->variable || part->variable->kind != Variable::Local)
      return nullptr;
    auto found = joins.find(part->variable);
    if (found == joins.end() || part->operands.size() <= found->second + 1)
      return nullptr;
    unsigned at = found->second;
    Expr joined = *part;
    joined.operands[at] =
        kernel.add(joined.operands[at + 1], joined.operands[at],
                   part->variable->shape[at + 1]);
    joined.operands.erase(joined.operands.begin() + at + 1);
    if (joined.numSubscripts)
      --joined.numSubscripts;
    return kernel.make(std::move(joined));
  };
  rewriteAll(kernel, replace);
  for (const auto &[variable, at] : joins) {
    variable->shape[at] *= variable->shape[at + 1];
    variable->shape.erase(variable->shape.begin() + at + 1);
  }
}

/// Makes one loop of `nest`, whose body only needs the joint number.
void collapse(Kernel &kernel, const Nest &nest) {
  Variable *outer = nest.outer->counter, *inner = nest.inner->counter;
  auto dropOuter = [&](const Expr *part) -> const Expr * {
    if (part->kind != Expr::Sum)
      return nullptr;
    int64_t coefficient = coefficientOf(part, outer);
    return coefficient ? kernel.add(part, kernel.use(outer), -coefficient)
                       : nullptr;
  };
  inner->range = {0, nest.outerCount * nest.innerCount - 1};
  Block body = nest.inner->body;
  forEachStmt(body, [&](Stmt &stmt) {
    for (const Expr **root :
         {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
      if (*root)
        *root = rewrite(kernel, *root, dropOuter);
  });
  nest.outer->counter = inner;
  nest.outer->upper = kernel.constant(nest.outerCount * nest.innerCount);
  nest.outer->body = std::move(body);
}

} // namespace

void gpuopt::source::collapseLoops(Kernel &kernel) {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    forEachStmt(kernel.body, [&](Stmt &stmt) {
      std::optional<Nest> nest = nestAt(stmt);
      if (!nest)
        return;
      Joins joins;
      bool isJoint = true;
      forEachStmt(nest->inner->body, [&](Stmt &inner) {
        forEachRoot(inner, [&](const Expr *root) {
          isJoint = isJoint && needsJointNumber(root, *nest, joins);
        });
      });
      if (!isJoint || (!joins.empty() && onlyClears(*nest)))
        return;
      joinDimensions(kernel, joins);
      collapse(kernel, *nest);
      hasChanged = true;
    });
  }
}
