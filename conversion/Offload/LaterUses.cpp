//===- LaterUses.cpp - whether a function uses an array again -------------===//

#include "conversion/Offload/LaterUses.h"

#include "conversion/Offload/VariableUses.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

static bool isOfRegion(const Stmt &statement, const Region &region) {
  return &statement == region.first ||
         llvm::any_of(region.loops, [&](const ParallelLoop &loop) {
           return &statement == loop.statement;
         });
}

/// Whether a label is in `statement`, to which something may jump back.
static bool hasLabel(const Stmt &statement) {
  return isa<LabelStmt>(statement) ||
         llvm::any_of(statement.children(), [](const Stmt *child) {
           return child && hasLabel(*child);
         });
}

/// Whether `region` is in `statement`, and all around it is done once at most
/// whenever that is: nothing that is not known to be so.
static bool isDoneOnce(const Stmt &statement, const Region &region) {
  if (&statement == region.first)
    return true;
  return isa<CompoundStmt, IfStmt, SwitchStmt, SwitchCase, AttributedStmt>(
             statement) &&
         llvm::any_of(statement.children(), [&](const Stmt *child) {
           return child && isDoneOnce(*child, region);
         });
}

bool offload::isUnusedBehind(const VarDecl &array, const Region &region,
                             bool isReadFirst, const ASTContext &context) {
  if (!array.hasLocalStorage() || !array.getType()->isConstantArrayType())
    return false;
  const SourceManager &sources = context.getSourceManager();
  const Stmt &body = *region.function().getBody();
  bool isKept = false, isUsedBefore = false;
  forEachUse(
      array, body,
      [&](const Stmt &statement) { return isOfRegion(statement, region); },
      [&](const DeclRefExpr &use, bool isValue) {
        bool isBehind = sources.isBeforeInTranslationUnit(
            region.last->getEndLoc(), use.getLocation());
        (isBehind || !isValue ? isKept : isUsedBefore) = true;
      });
  if (isKept)
    return false;
  bool mayRepeat = hasLabel(body) || !isDoneOnce(body, region);
  return !mayRepeat || (!isUsedBefore && !isReadFirst);
}
