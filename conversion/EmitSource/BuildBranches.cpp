//===- BuildBranches.cpp - branches as statements -------------------------===//
//
// See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Conditions.h"
#include "conversion/EmitSource/KernelBuilder.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// The only branch in `region`, if nothing else in it has a place of its own.
static scf::IfOp onlyBranch(Region &region, const ValuePlan &plan) {
  scf::IfOp only;
  if (region.empty())
    return only;
  for (Operation &op : region.front().without_terminator()) {
    if (plan.isInline(&op))
      continue;
    if (only || !isa<scf::IfOp>(op))
      return {};
    only = cast<scf::IfOp>(op);
  }
  return only;
}

bool KernelBuilder::buildSameBranches(scf::IfOp op) {
  scf::IfOp inner = onlyBranch(op.getElseRegion(), plan);
  if (op.getNumResults() != 0 || !inner || inner.getNumResults() != 0 ||
      !inner.getElseRegion().empty() ||
      !OperationEquivalence::isRegionEquivalentTo(
          &op.getThenRegion(), &inner.getThenRegion(),
          OperationEquivalence::IgnoreLocations))
    return false;
  const Expr *first = condition(op.getCondition());
  const Expr *second = condition(inner.getCondition());
  Stmt *branch = kernel.createStmt(Stmt::If, op.getLoc());
  branch->value =
      implies(kernel, first, second) ? second : disjunction(first, second);
  size_t mark = learn(branch->value);
  branch->body = buildBlock(inner.getThenRegion().front());
  forget(mark);
  if (!branch->body.empty())
    current->push_back(branch);
  return true;
}

void KernelBuilder::buildSwitch(scf::IndexSwitchOp op) {
  const Expr *value = index(op.getArg());
  source::Block *outer = current;
  source::Block *place = outer;
  auto fill = [&](source::Block &block, mlir::Block &from) {
    block = buildBlock(from);
    current = &block;
    if (!hasFailed)
      assignAll(op.getLoc(), op.getResults(),
                from.getTerminator()->getOperands());
    current = outer;
  };
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Stmt *branch = kernel.createStmt(Stmt::If, op.getLoc());
    branch->value = compareIndices(arith::CmpIPredicate::eq, value,
                                   kernel.constant(number));
    fill(branch->body, region.front());
    place->push_back(branch);
    place = &branch->orElse;
  }
  source::Block otherwise;
  fill(otherwise, op.getDefaultBlock());
  llvm::append_range(*place, otherwise);
}

void KernelBuilder::buildIf(scf::IfOp op) {
  if (buildSameBranches(op))
    return;
  Stmt *branch = kernel.createStmt(Stmt::If, op.getLoc());
  branch->value = condition(op.getCondition());
  source::Block *outer = current;
  auto fill = [&](source::Block &block, Region &region) {
    if (region.empty())
      return;
    block = buildBlock(region.front());
    current = &block;
    if (!hasFailed)
      assignAll(op.getLoc(), op.getResults(),
                region.front().getTerminator()->getOperands());
    current = outer;
  };
  size_t mark = learn(branch->value);
  fill(branch->body, op.getThenRegion());
  forget(mark);
  fill(branch->orElse, op.getElseRegion());
  if (branch->body.empty() && branch->orElse.empty())
    return;
  if (branch->value->kind == Expr::Literal) {
    // What is known needs no question.
    source::Block &taken =
        branch->value->text == "true" ? branch->body : branch->orElse;
    llvm::append_range(*current, taken);
    return;
  }
  if (branch->body.empty()) {
    branch->value = opposite(branch->value);
    std::swap(branch->body, branch->orElse);
  }
  current->push_back(branch);
}
