//===- BranchOnSelects.cpp - `if (x > best) best = x` ---------------------===//
//
// A variable that keeps its value unless a condition holds is set in a branch,
// and variables under the same condition in one.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"

using namespace gpuopt::source;

/// Makes a branch of `v = condition ? x : v`; null for all else.
static Stmt *asBranch(Kernel &kernel, Stmt &stmt) {
  if (stmt.kind != Stmt::Assign || !stmt.value ||
      stmt.value->kind != Expr::Select || stmt.target->kind != Expr::Use)
    return nullptr;
  llvm::ArrayRef<const Expr *> parts = stmt.value->operands;
  bool keepsElse = parts[2] == stmt.target;
  if (!keepsElse && parts[1] != stmt.target)
    return nullptr;
  Stmt *branch = kernel.createStmt(Stmt::If, stmt.location);
  branch->value = parts[0];
  if (!keepsElse) {
    Expr negation{Expr::Unary, kBoolType};
    negation.text = "!";
    negation.operands = {parts[0]};
    branch->value = kernel.make(std::move(negation));
  }
  Stmt *assignment = kernel.createStmt(Stmt::Assign, stmt.location);
  assignment->target = stmt.target;
  assignment->value = parts[keepsElse ? 1 : 2];
  branch->body.push_back(assignment);
  return branch;
}

namespace {
class Brancher {
public:
  explicit Brancher(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void visit(Block &block);
  void join(Block &block);

  Kernel &kernel;
  Uses uses;
};
} // namespace

/// Puts the branches on a truth value that nothing else reads under its
/// condition.
void Brancher::join(Block &block) {
  for (size_t i = 0; i + 1 < block.size(); ++i) {
    Stmt &test = *block[i];
    if (test.kind != Stmt::Assign || !test.value ||
        test.target->kind != Expr::Use || !(test.target->type == kBoolType) ||
        test.target->variable->kind != Variable::Local)
      continue;
    size_t end = i + 1;
    while (end < block.size() && block[end]->kind == Stmt::If &&
           block[end]->value == test.target && block[end]->orElse.empty())
      ++end;
    if (end == i + 1 || uses.lookup(test.target->variable) != end - i)
      continue;
    Stmt *branch = block[i + 1];
    branch->value = test.value;
    for (size_t next = i + 2; next < end; ++next)
      branch->body.insert(branch->body.end(), block[next]->body.begin(),
                          block[next]->body.end());
    block.erase(block.begin() + i + 2, block.begin() + end);
    block.erase(block.begin() + i);
  }
}

void Brancher::visit(Block &block) {
  for (Stmt *&stmt : block) {
    visit(stmt->body);
    visit(stmt->orElse);
    if (Stmt *branch = asBranch(kernel, *stmt))
      stmt = branch;
  }
  join(block);
}

void Brancher::run() {
  uses = countUses(kernel.body);
  visit(kernel.body);
}

void gpuopt::source::branchOnSelects(Kernel &kernel) { Brancher(kernel).run(); }
