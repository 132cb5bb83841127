//===- HoistCleared.cpp - sums that all versions start with ---------------===//
//
// Versions of a body clear their sums each on their own. Where both branches
// do, they share the variable, and it is cleared in front of them.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"

using namespace gpuopt::source;

namespace {

/// The variable that `stmt` sets to a constant in all its elements; null for
/// all else.
const Expr *clearedBy(const Stmt &stmt) {
  const Stmt *inner = &stmt;
  size_t depth = 0;
  for (;
       inner->kind == Stmt::For && inner->isUnrolled && inner->body.size() == 1;
       inner = inner->body[0])
    ++depth;
  bool isClear = inner->kind == Stmt::Assign && inner->value &&
                 inner->value->kind == Expr::Literal &&
                 inner->target->kind == Expr::Use &&
                 inner->target->variable->kind == Variable::Local &&
                 inner->target->operands.size() == depth;
  return isClear ? inner->target : nullptr;
}

/// The constant that a clearing statement assigns.
const Expr *valueOf(const Stmt &stmt) {
  const Stmt *inner = &stmt;
  while (inner->kind == Stmt::For)
    inner = inner->body[0];
  return inner->value;
}

class Hoister {
public:
  explicit Hoister(Kernel &kernel) : kernel(kernel) {}
  void visit(Block &block);

private:
  /// A statement of `block` that clears a variable which nothing before it and
  /// nothing outside of `block` uses.
  bool isOwnClear(Block &block, size_t at, const Uses &inside) const;
  bool hoistOne(Block &block, size_t at);

  Kernel &kernel;
};

} // namespace

bool Hoister::isOwnClear(Block &block, size_t at, const Uses &inside) const {
  const Expr *target = clearedBy(*block[at]);
  if (!target)
    return false;
  Block before(block.begin(), block.begin() + at);
  return !countUses(before).contains(target->variable) &&
         inside.lookup(target->variable) ==
             countUses(kernel.body).lookup(target->variable);
}

bool Hoister::hoistOne(Block &block, size_t at) {
  Stmt &branch = *block[at];
  Uses inThen = countUses(branch.body), inElse = countUses(branch.orElse);
  for (size_t i = 0; i < branch.body.size(); ++i) {
    if (!isOwnClear(branch.body, i, inThen))
      continue;
    Variable *kept = clearedBy(*branch.body[i])->variable;
    for (size_t j = 0; j < branch.orElse.size(); ++j) {
      if (!isOwnClear(branch.orElse, j, inElse))
        continue;
      Variable *other = clearedBy(*branch.orElse[j])->variable;
      if (!(kept->type == other->type) || kept->shape != other->shape ||
          valueOf(*branch.body[i]) != valueOf(*branch.orElse[j]))
        continue;
      kept->isAligned |= other->isAligned;
      Stmt *clear = branch.body[i];
      branch.body.erase(branch.body.begin() + i);
      branch.orElse.erase(branch.orElse.begin() + j);
      block.insert(block.begin() + at, clear);
      rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
        if (part->variable != other)
          return nullptr;
        Expr same = *part;
        same.variable = kept;
        return kernel.make(std::move(same));
      });
      return true;
    }
  }
  return false;
}

void Hoister::visit(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    visit(block[at]->body);
    visit(block[at]->orElse);
    while (block[at]->kind == Stmt::If && hoistOne(block, at))
      ++at;
  }
}

void gpuopt::source::hoistCleared(Kernel &kernel) {
  Hoister(kernel).visit(kernel.body);
}
