//===- ArrangeKernel.cpp - what a person would write ----------------------===//

#include "conversion/EmitSource/ArrangeKernel.h"

#include "conversion/EmitSource/Spelling.h"
#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"

#include "clang/Format/Format.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace gpuopt::source;
using llvm::StringRef;

/// Marks what the head of the file and the arrays depend on.
static void noteProperties(Kernel &kernel) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        kernel.alignsShared |= part->kind == Expr::Access &&
                               part->variable->kind == Variable::Shared &&
                               part->type.lanes > part->variable->type.lanes;
      });
    });
  });
}

/// Forgets ids that nothing reads any more.
static void dropUnreadIds(Kernel &kernel) {
  llvm::SmallPtrSet<const Variable *, 16> read;
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) { read.insert(part->variable); });
    });
  });
  for (Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Builtin && !read.contains(&variable))
      variable.initializer.clear();
}

/// Has numbers of blocks that are read once no variable of their own.
static void inlineGridSizes(Kernel &kernel, const Spelling &spelling) {
  Uses reads = countUses(kernel.body);
  for (Variable &variable : kernel.allVariables()) {
    StringRef source = variable.initializer;
    if (variable.kind != Variable::Builtin || reads.lookup(&variable) != 1 ||
        !source.starts_with("gridDim"))
      continue;
    variable.name = "(int)" + spelling.builtin(source);
  }
}

void gpuopt::source::arrangeKernel(Kernel &kernel, Spelling &spelling) {
  leaveLoops(kernel);
  reuseUpdated(kernel);
  branchOnSelects(kernel);
  chooseValues(kernel);
  joinBranches(kernel);
  joinArrays(kernel);
  rollFills(kernel);
  storeByElements(kernel);
  rerollTrees(kernel);
  rerollCopies(kernel);
  spreadVectors(kernel);
  collapseLoops(kernel);
  arrangeArrays(kernel);
  // In another order of dimensions more copies differ evenly.
  rerollCopies(kernel);
  collapseLoops(kernel);
  joinFills(kernel);
  joinLanes(kernel);
  hoistCleared(kernel);
  dropImplied(kernel);
  nameIndices(kernel);
  noteProperties(kernel);
  // Their parameters may choose lanes.
  if (spelling.hasLocalFunctions()) {
    outlineRepeats(kernel);
    spreadVectors(kernel);
  }
  nameStages(kernel);
  reuseNamed(kernel);
  placeDeclarations(kernel);
  dropUnreadIds(kernel);
  viewParameters(kernel, spelling);
  chooseNames(kernel);
  inlineGridSizes(kernel, spelling);
  pairDeclarations(kernel);
}

std::string gpuopt::source::formatSource(StringRef text) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  clang::tooling::Range all(0, text.size());
  clang::tooling::Replacements changes =
      clang::format::reformat(style, text, {all}, "kernel.cu");
  llvm::Expected<std::string> formatted =
      clang::tooling::applyAllReplacements(text, changes);
  if (formatted)
    return *formatted;
  llvm::consumeError(formatted.takeError());
  return text.str();
}
