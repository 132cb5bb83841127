//===- NameStages.cpp - a name for the stage of a tile --------------------===//
//
// Which of several stages an iteration reads, i / 16 % 3, has a name where it
// is asked for several times.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/MapVector.h"

using namespace gpuopt::source;

/// Whether `expr` is a remainder of a number of iterations that `counter`
/// counts.
static bool isStageOf(const Expr *expr, const Variable *counter) {
  if (expr->kind != Expr::Sum || expr->operands.size() != 1 ||
      expr->constant != 0 || expr->coefficients[0] != 1 ||
      expr->operands[0]->kind != Expr::Remainder)
    return false;
  bool divides = false, isOfCounter = true;
  forEachPart(expr, [&](const Expr *part) {
    divides |= part->kind == Expr::Quotient;
    isOfCounter &= !part->variable || part->variable == counter;
  });
  return divides && isOfCounter;
}

/// How often `loop` asks for each stage.
static llvm::MapVector<const Expr *, unsigned> countStages(const Stmt &loop) {
  llvm::MapVector<const Expr *, unsigned> counts;
  for (Stmt *stmt : loop.body) {
    Block only{stmt};
    forEachStmt(only, [&](Stmt &inner) {
      forEachRoot(inner, [&](const Expr *root) {
        forEachPart(root, [&](const Expr *part) {
          if (isStageOf(part, loop.counter))
            ++counts[part];
        });
      });
    });
  }
  return counts;
}

/// Replaces `stage` in `block` by a variable that is set before the first
/// statement with it.
static void name(Kernel &kernel, Block &block, const Expr *stage) {
  // The one that is filled lies ahead.
  const Expr *number = stage->operands[0]->operands[0];
  Variable *variable = kernel.createVariable(
      Variable::Local, number->constant == 0 ? "stage" : "next_stage",
      kIndexType);
  variable->isIndex = true;
  variable->range = rangeOf(stage);
  const Expr *use = kernel.use(variable);
  std::optional<size_t> first;
  for (auto [at, stmt] : llvm::enumerate(block)) {
    Block only{stmt};
    bool isFound = false;
    forEachStmt(only, [&](Stmt &inner) {
      for (const Expr **root : {&inner.target, &inner.value, &inner.lower,
                                &inner.upper, &inner.stepBy})
        if (*root)
          *root = rewrite(kernel, *root, [&](const Expr *part) -> const Expr * {
            isFound |= part == stage;
            return part == stage ? kernel.asSum(use) : nullptr;
          });
    });
    if (isFound && !first)
      first = at;
  }
  Stmt *definition = kernel.createStmt(Stmt::Assign, block[*first]->location);
  definition->target = use;
  definition->value = stage;
  block.insert(block.begin() + *first, definition);
}

void gpuopt::source::nameStages(Kernel &kernel) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind != Stmt::For || !stmt.counter)
      return;
    for (const auto &[stage, count] : countStages(stmt))
      if (count > 1)
        name(kernel, stmt.body, stage);
  });
}
