//===- TreePasses.h - what makes a tree readable ----------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_TREEPASSES_H
#define CONVERSION_EMITSOURCE_TREEPASSES_H

#include "conversion/EmitSource/Tree.h"

namespace gpuopt::source {

/// Turns `best = x > best ? x : best` into branches.
void branchOnSelects(Kernel &kernel);

/// Turns unrolled copies, statements that differ by constants that grow evenly,
/// into loops. Variables of which each copy has one become arrays.
void rerollCopies(Kernel &kernel);

/// Makes one loop of two nested loops over unrolled copies whose body only
/// needs their joint number.
void collapseLoops(Kernel &kernel);

/// Gives index expressions that occur several times a name.
void nameIndices(Kernel &kernel);

/// Places the declaration of each local variable where it is first needed, in
/// the innermost block around all its uses.
void placeDeclarations(Kernel &kernel);

/// Gives all variables names that are valid, telling and different.
void chooseNames(Kernel &kernel);

/// Replaces the elements of arrays for the variables that have become them.
const Expr *resolve(Kernel &kernel, const Expr *expr);

/// Calls `visit` on `expr` and all its parts.
template <typename Visit>
void forEachPart(const Expr *expr, Visit visit) {
  visit(expr);
  for (const Expr *operand : expr->operands)
    forEachPart(operand, visit);
}

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_TREEPASSES_H
