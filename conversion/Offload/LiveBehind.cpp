//===- LiveBehind.cpp - variables that are read behind a loop -------------===//

#include "conversion/Offload/LiveBehind.h"

#include "clang/Analysis/Analyses/LiveVariables.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;
using namespace gpuopt::offload;

LiveBehind::LiveBehind(const FunctionDecl &function)
    : manager(function.getASTContext()),
      analysis(manager.getContext(&function)) {
  analysis->getCFGBuildOptions().setAllAlwaysAdd();
}

/// Whether `variable` is live where `block` begins.
bool LiveBehind::isLiveAt(const CFGBlock *block, const VarDecl &variable) {
  auto *live = analysis->getAnalysis<LiveVariables>();
  llvm::SmallPtrSet<const CFGBlock *, 8> seen;
  llvm::SmallVector<const CFGBlock *> left = {block};
  while (!left.empty()) {
    const CFGBlock *next = left.pop_back_val();
    if (!next || !seen.insert(next).second)
      continue;
    const Stmt *first = nullptr;
    for (const CFGElement &element : *next)
      if (auto statement = element.getAs<CFGStmt>(); statement && !first)
        first = statement->getStmt();
    if (first && live->isLive(first, &variable))
      return true;
    // What begins without a statement is as live as what follows.
    if (!first)
      left.append(next->succ_begin(), next->succ_end());
  }
  return false;
}

bool LiveBehind::isLive(const VarDecl &variable, const ForStmt &loop) {
  CFG *graph = analysis->getCFG();
  if (!graph || !analysis->getAnalysis<LiveVariables>())
    return true;
  for (const CFGBlock *block : *graph) {
    if (block->getTerminatorStmt() != &loop)
      continue;
    // The body, and what is behind it.
    if (block->succ_size() != 2)
      return true;
    return isLiveAt(*std::next(block->succ_begin()), variable);
  }
  return true;
}
