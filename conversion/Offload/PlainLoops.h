//===- PlainLoops.h - loops that are parallel without saying so -*- C++ -*-===//
//
// Where a program has no directives, the loops are taken whose iterations are
// proven to be independent: no two of them access the same element, one of them
// writing it, and scalars that they assign are each iteration's own:
//
//   for (i = 0; i < n; i++) {       t is written before it is read, and not
//     t = b[i];                     read behind the loop; a[m·i + j] is another
//     for (j = 0; j < m; j++)       element for each i
//       a[i * m + j] *= t;
//   }
//
// Upstream's Presburger library says whether elements meet where subscripts are
// linear.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_PLAINLOOPS_H
#define CONVERSION_OFFLOAD_PLAINLOOPS_H

#include "conversion/Offload/ParallelLoop.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuopt::offload {

/// The outermost loops of `function` that are parallel. Each other one, and
/// what stands in the way, goes to `decline`.
std::vector<ParallelLoop>
findPlainLoops(const clang::FunctionDecl &function,
               const clang::ASTContext &context,
               llvm::function_ref<void(const Problem &)> decline);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_PLAINLOOPS_H
