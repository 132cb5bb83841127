//===- TreePasses.h - what makes a tree readable ----------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_TREEPASSES_H
#define CONVERSION_EMITSOURCE_TREEPASSES_H

#include "conversion/EmitSource/Tree.h"

namespace gpuopt::source {

class Spelling;

/// Turns `best = x > best ? x : best` into branches.
void branchOnSelects(Kernel &kernel);

/// Turns `if (x < n) v = a[x]; else v = 0; tile[i] = v` into one statement.
void chooseValues(Kernel &kernel);

/// Asks for both at once where a branch only holds another one.
void joinBranches(Kernel &kernel);

/// Drops what follows from the rest of a branch's condition.
void dropImplied(Kernel &kernel);

/// Assigns what is made of a variable that is not read any more to it.
void reuseUpdated(Kernel &kernel);

/// Makes one of variables that have one name in the source and hold values one
/// after the other.
void reuseNamed(Kernel &kernel);

/// Makes one array of arrays of workgroup memory that are alike and used at the
/// same places.
void joinArrays(Kernel &kernel);

/// Makes loops of statements that fill a tile whose rows are no multiple of the
/// threads of a block.
void rollFills(Kernel &kernel);

/// Makes one loop of loops that fill different tiles in the same iterations.
void joinFills(Kernel &kernel);

/// Leaves loops where that is decided, instead of setting a flag.
void leaveLoops(Kernel &kernel);

/// Turns unrolled copies, statements that differ by constants that grow evenly,
/// into loops. Variables of which each copy has one become arrays.
void rerollCopies(Kernel &kernel);

/// Makes loops of the unrolled steps of a reduction, which are one expression.
void rerollTrees(Kernel &kernel);

/// Makes arrays of vectors of which a loop takes one lane after the other, and
/// of those that languages have no type for.
void spreadVectors(Kernel &kernel);

/// Stores vectors that languages have no type for from arrays.
void storeByElements(Kernel &kernel);

/// Orders the dimensions of arrays of registers, and the loops over them, so
/// that loops collapse and lanes of vectors lie side by side.
void arrangeArrays(Kernel &kernel);

/// Makes one access of a vector of neighbouring elements of an array.
void joinLanes(Kernel &kernel);

/// Clears an array that both branches start with in front of them.
void hoistCleared(Kernel &kernel);

/// Makes one loop of two nested loops over unrolled copies whose body only
/// needs their joint number.
void collapseLoops(Kernel &kernel);

/// Gives index expressions that occur several times a name.
void nameIndices(Kernel &kernel);

/// Gives the stages of tiles a name.
void nameStages(Kernel &kernel);

/// Makes local functions of sequences that occur several times.
void outlineRepeats(Kernel &kernel);

/// Places the declaration of each local variable where it is first needed, in
/// the innermost block around all its uses.
void placeDeclarations(Kernel &kernel);

/// Gives arrays that are not accessed as the source declares them a second
/// name, with the type that they are accessed as.
void viewParameters(Kernel &kernel, const Spelling &spelling);

/// Gives all variables names that are valid, telling and different.
void chooseNames(Kernel &kernel);

/// Declares rows and columns that belong together in one statement.
void pairDeclarations(Kernel &kernel);

/// Replaces the elements of arrays for the variables that have become them.
const Expr *resolve(Kernel &kernel, const Expr *expr);

/// Calls `visit` on `expr` and all its parts.
template <typename Visit>
void forEachPart(const Expr *expr, Visit visit) {
  visit(expr);
  for (const Expr *operand : expr->operands)
    forEachPart(operand, visit);
}

/// Calls `rewrite` on all expressions of `kernel`.
template <typename Replace>
void rewriteAll(Kernel &kernel, const Replace &replace) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    for (const Expr **root :
         {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
      if (*root)
        *root = rewrite(kernel, *root, replace);
  });
}

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_TREEPASSES_H
