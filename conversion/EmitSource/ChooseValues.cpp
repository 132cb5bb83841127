//===- ChooseValues.cpp - `tile[i] = x < n ? a[x] : 0.0f` -----------------===//
//
// A variable that both branches of a statement set, for the next statement to
// store and nothing else, is the choice between two values.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"

using namespace gpuopt::source;

/// The only statement of `block` where it sets a local variable; else null.
static Stmt *onlyAssignment(const Block &block) {
  if (block.size() != 1 || block[0]->kind != Stmt::Assign || !block[0]->value ||
      block[0]->target->kind != Expr::Use ||
      block[0]->target->variable->kind != Variable::Local)
    return nullptr;
  return block[0];
}

namespace {
class Chooser {
public:
  explicit Chooser(Kernel &kernel) : kernel(kernel) {}

  void run() {
    uses = countUses(kernel.body);
    visit(kernel.body);
  }

private:
  /// The choice that `branch` makes for `store`; null where it is none.
  const Expr *choiceOf(const Stmt &branch, const Stmt &store) const;
  void visit(Block &block);

  Kernel &kernel;
  Uses uses;
};
} // namespace

const Expr *Chooser::choiceOf(const Stmt &branch, const Stmt &store) const {
  if (branch.kind != Stmt::If || store.kind != Stmt::Assign)
    return nullptr;
  Stmt *first = onlyAssignment(branch.body);
  Stmt *second = onlyAssignment(branch.orElse);
  // Set twice and read once.
  if (!first || !second || first->target != second->target ||
      store.value != first->target || uses.lookup(first->target->variable) != 3)
    return nullptr;
  Expr choice{Expr::Select, first->value->type};
  choice.operands = {branch.value, first->value, second->value};
  return kernel.make(std::move(choice));
}

void Chooser::visit(Block &block) {
  for (size_t i = 0; i < block.size(); ++i) {
    visit(block[i]->body);
    visit(block[i]->orElse);
    if (i + 1 == block.size())
      continue;
    if (const Expr *choice = choiceOf(*block[i], *block[i + 1])) {
      block[i + 1]->value = choice;
      block.erase(block.begin() + i);
    }
  }
}

void gpuopt::source::chooseValues(Kernel &kernel) { Chooser(kernel).run(); }
