//===- LoopDependences.h - loops that are declared parallel, and are not
//-*-===//
//
// Two iterations i < i' of a loop that access the same element, one of them
// writing, are a solution of linear inequalities: bounds of loops, for each
// iteration its own inner ones, and subscripts that are equal.
//
//   for (i = 0; i < n; ++i)                 i < i', j' = j, i = i' - 1, …:
//     for (j = 0; j < m; ++j)               there are such iterations, for
//       a[i][j] = a[i + 1][j];              n > 1 and m > 0
//
// Upstream's Presburger library says whether there are solutions, for any
// values of variables that the loop does not change. What is not linear, or
// done under a condition, is not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_LOOPDEPENDENCES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_LOOPDEPENDENCES_H

#include "conversion/ImportSource/OpenACC/LoopForm.h"

namespace gpuopt {

/// Two accesses of an array by which an iteration depends on another one.
struct LoopDependence {
  const clang::Expr *write = nullptr;
  const clang::Expr *other = nullptr;
};

/// A dependence between iterations of `loop`, which stands in the loops
/// `around`, for some values of variables; nothing where none is found. Each
/// iteration has arrays in `own` to itself.
std::optional<LoopDependence>
findDependence(const CountedLoop &loop, llvm::ArrayRef<CountedLoop> around,
               llvm::ArrayRef<const clang::VarDecl *> own,
               const clang::ASTContext &context);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_LOOPDEPENDENCES_H
