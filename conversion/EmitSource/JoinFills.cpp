//===- JoinFills.cpp - tiles that are filled alike, in one loop -----------===//
//
// A loop that fills one tile and a loop of the same iterations, behind it, that
// fills another are one loop:
//
//   for (int i = 0; i < 2; ++i)       for (int i = 0; i < 2; ++i) {
//     a_tile[i] = a[i * k];      →      a_tile[i] = a[i * k];
//   for (int i = 0; i < 2; ++i)         b_tile[i] = b[i * n];
//     b_tile[i] = b[i * n];           }
//
// and so are two branches under one condition.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Fills.h"
#include "conversion/EmitSource/TreePasses.h"

using namespace gpuopt::source;

/// Whether `expr` reads workgroup memory, or does more than to read.
static bool isSuspect(const Expr *expr) {
  bool isOne = false;
  forEachPart(expr, [&](const Expr *part) {
    isOne |= part->kind == Expr::Call ||
             (part->variable && part->variable->kind == Variable::Shared);
  });
  return isOne;
}

static bool areFills(const Block &block, Tiles &tiles) {
  return llvm::all_of(block,
                      [&](const Stmt *stmt) { return isFill(*stmt, tiles); });
}

bool gpuopt::source::isFill(const Stmt &stmt, Tiles &tiles) {
  for (const Expr *read : {stmt.value, stmt.lower, stmt.upper, stmt.stepBy})
    if (read && isSuspect(read))
      return false;
  switch (stmt.kind) {
  case Stmt::Assign:
  case Stmt::AsyncCopy:
    if (stmt.target->kind != Expr::Access ||
        stmt.target->variable->kind != Variable::Shared ||
        llvm::any_of(stmt.target->operands, isSuspect))
      return false;
    tiles.insert(stmt.target->variable);
    return true;
  case Stmt::If:
  case Stmt::For:
    return areFills(stmt.body, tiles) && areFills(stmt.orElse, tiles);
  default:
    return false;
  }
}

/// Whether both loops have the same iterations.
static bool areAlike(const Stmt &left, const Stmt &right) {
  return left.kind == Stmt::For && right.kind == Stmt::For &&
         left.lower == right.lower && left.upper == right.upper &&
         left.step == right.step && left.stepBy == right.stepBy &&
         left.halves == right.halves && left.isUnrolled == right.isUnrolled &&
         left.counter->range.low == right.counter->range.low &&
         left.counter->range.high == right.counter->range.high;
}

/// Moves what `second` does behind what `first` does under the same condition,
/// which nothing changes that fills a tile.
static bool joinBranches(Stmt &first, Stmt &second) {
  Tiles tiles;
  if (first.kind != Stmt::If || second.kind != Stmt::If ||
      first.value != second.value || !isFill(first, tiles) ||
      !isFill(second, tiles))
    return false;
  llvm::append_range(first.body, second.body);
  llvm::append_range(first.orElse, second.orElse);
  return true;
}

/// Moves the body of `second` behind that of `first`, where that makes no
/// difference.
static bool joinLoops(Kernel &kernel, Stmt &first, Stmt &second) {
  Tiles firstTiles, secondTiles;
  if (!areAlike(first, second) || !isFill(first, firstTiles) ||
      !isFill(second, secondTiles) ||
      llvm::any_of(firstTiles, [&](const Variable *tile) {
        return secondTiles.contains(tile);
      }))
    return false;
  auto toFirst = [&](const Expr *part) -> const Expr * {
    return part->kind == Expr::Use && part->variable == second.counter
               ? kernel.use(first.counter)
               : nullptr;
  };
  forEachStmt(second.body, [&](Stmt &stmt) {
    for (const Expr **root :
         {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
      if (*root)
        *root = rewrite(kernel, *root, toFirst);
  });
  llvm::append_range(first.body, second.body);
  return true;
}

static void joinIn(Kernel &kernel, Block &block) {
  for (size_t i = 0; i < block.size(); ++i) {
    while (i + 1 < block.size() &&
           (joinBranches(*block[i], *block[i + 1]) ||
            joinLoops(kernel, *block[i], *block[i + 1])))
      block.erase(block.begin() + i + 1);
    joinIn(kernel, block[i]->body);
    joinIn(kernel, block[i]->orElse);
  }
}

void gpuopt::source::joinFills(Kernel &kernel) { joinIn(kernel, kernel.body); }
