//===- LaterUses.cpp - whether a function uses an array again -------------===//

#include "conversion/Offload/LaterUses.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
/// Looks for uses of an array outside of a section, and for what lets the
/// section begin again.
class UseFinder : public ConstDynamicRecursiveASTVisitor {
public:
  UseFinder(const VarDecl &array, const Region &region,
            const SourceManager &sources)
      : array(array), region(region), sources(sources) {}

  /// Of uses other than those of elements, and those behind the section.
  bool isKept = false;
  bool isUsedBefore = false;
  bool mayRepeat = false;

  bool TraverseStmt(const Stmt *statement) override {
    bool isOfRegion = statement == region.first ||
                      llvm::any_of(region.loops, [&](const ParallelLoop &loop) {
                        return statement == loop.statement;
                      });
    return isOfRegion ||
           ConstDynamicRecursiveASTVisitor::TraverseStmt(statement);
  }
  bool TraverseArraySubscriptExpr(const ArraySubscriptExpr *element) override {
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    if (namedVariable(const_cast<Expr *>(base)) != &array ||
        element->getType()->isArrayType())
      return ConstDynamicRecursiveASTVisitor::TraverseArraySubscriptExpr(
          element);
    noteUse(base->getBeginLoc());
    return TraverseStmt(element->getIdx());
  }
  bool VisitUnaryOperator(const UnaryOperator *unary) override {
    isKept |= unary->getOpcode() == UO_AddrOf && mentionsArray(unary);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *reference) override {
    isKept |= reference->getDecl() == &array;
    return true;
  }
  bool VisitForStmt(const ForStmt *loop) override { return noteLoop(loop); }
  bool VisitWhileStmt(const WhileStmt *loop) override { return noteLoop(loop); }
  bool VisitDoStmt(const DoStmt *loop) override { return noteLoop(loop); }
  bool VisitLabelStmt(const LabelStmt *) override {
    mayRepeat = true;
    return true;
  }

private:
  bool mentionsArray(const Stmt *statement) const {
    const auto *reference = dyn_cast<DeclRefExpr>(statement);
    if (reference && reference->getDecl() == &array)
      return true;
    return llvm::any_of(statement->children(), [&](const Stmt *child) {
      return child && mentionsArray(child);
    });
  }
  void noteUse(SourceLocation location) {
    bool isBehind =
        sources.isBeforeInTranslationUnit(region.last->getEndLoc(), location);
    (isBehind ? isKept : isUsedBefore) = true;
  }
  bool noteLoop(const Stmt *loop) {
    SourceLocation place = region.first->getBeginLoc();
    mayRepeat |=
        sources.isBeforeInTranslationUnit(loop->getBeginLoc(), place) &&
        sources.isBeforeInTranslationUnit(place, loop->getEndLoc());
    return true;
  }

  const VarDecl &array;
  const Region &region;
  const SourceManager &sources;
};
} // namespace

bool offload::isUnusedBehind(const VarDecl &array, const Region &region,
                             bool isReadFirst, const ASTContext &context) {
  if (!array.hasLocalStorage() || !array.getType()->isConstantArrayType())
    return false;
  UseFinder finder(array, region, context.getSourceManager());
  finder.TraverseStmt(region.function().getBody());
  if (finder.isKept)
    return false;
  return !finder.mayRepeat || (!finder.isUsedBefore && !isReadFirst);
}
