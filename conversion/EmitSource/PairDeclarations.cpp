//===- PairDeclarations.cpp - the row and the column of a place -----------===//
//
// The names of two indices that belong together are declared together:
//
//   const int a_tile_row = ty * 4 + tx / 4, a_tile_col = tx % 4 * 4;
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

using namespace gpuopt::source;

/// The variable that `stmt` declares as a constant; null for all else.
static const Variable *constantOf(const Stmt &stmt) {
  bool isConstant = stmt.kind == Stmt::Assign && stmt.isDeclaration &&
                    stmt.isConstant && stmt.declares.size() == 1;
  return isConstant ? stmt.target->variable : nullptr;
}

/// `a_tile_col` for `a_tile_row`, `b_row_2` for `b_col_2`; empty for other
/// names.
static std::string partnerOf(llvm::StringRef name) {
  for (auto [from, to] : {std::pair("_row", "_col"), std::pair("_col", "_row")})
    if (size_t at = name.rfind(from); at != llvm::StringRef::npos) {
      llvm::StringRef rest = name.substr(at + 4);
      if (rest.empty() || rest.starts_with("_"))
        return (name.take_front(at) + to + rest).str();
    }
  return "";
}

/// Whether what `later` declares can be declared in front of all of `between`.
static bool canMoveUp(const Stmt &later, llvm::ArrayRef<Stmt *> between) {
  bool isFree = true;
  forEachPart(later.value, [&](const Expr *part) {
    // Memory may have changed.
    isFree &= part->kind != Expr::Access && part->kind != Expr::Call;
    for (Stmt *stmt : between) {
      bool sets = stmt->target && stmt->target->variable == part->variable;
      isFree &= !part->variable || (!sets && stmt->body.empty());
    }
  });
  return isFree;
}

/// Brings the partner of what `block[first]` declares next to it, the row in
/// front.
static void pairWithin(Block &block, size_t first) {
  const Variable *one = constantOf(*block[first]);
  std::string wanted = one ? partnerOf(one->name) : "";
  if (wanted.empty() || (first > 0 && block[first - 1]->joinsNext))
    return;
  for (size_t next = first + 1; next < block.size(); ++next) {
    const Variable *other = constantOf(*block[next]);
    if (!other || other->name != wanted)
      continue;
    Stmt *stmt = block[next];
    if (!(other->type == one->type) ||
        other->range.fitsInt() != one->range.fitsInt() ||
        !canMoveUp(*stmt, llvm::ArrayRef(block).slice(first, next - first)))
      return;
    bool isRow = llvm::StringRef(wanted).contains("_row");
    block.erase(block.begin() + next);
    block.insert(block.begin() + first + (isRow ? 0 : 1), stmt);
    block[first]->joinsNext = true;
    return;
  }
}

static void pairIn(Block &block) {
  for (size_t first = 0; first < block.size(); ++first) {
    pairIn(block[first]->body);
    pairIn(block[first]->orElse);
    pairWithin(block, first);
  }
}

void gpuopt::source::pairDeclarations(Kernel &kernel) { pairIn(kernel.body); }
