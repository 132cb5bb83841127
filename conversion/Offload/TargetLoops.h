//===- TargetLoops.h - loops that a program offloads itself -----*- C++ -*-===//
//
// What a program maps for its target regions can be more than they need:
//
//   for (t = 0; t < steps; t++) {               #pragma omp target data \
//     #pragma omp target … map(tofrom: a, b)        map(to: a[1:n - 2])
//     map(from: b[1:n - 2]) for (i = 1; i < n - 1; i++)            →  for (t =
//     0; t < steps; t++) {
//       b[i] = a[i];                              #pragma omp target …
//       map(alloc: …)
//   }                                             …
//
// The program's clauses say more than what the loops do: what does not come
// back is no result, whatever is written there. And somebody may have brought
// the data before, so that they bring nothing at all. By OpenMP 5.2 (5.8)
// others are as good where these hold:
//
// 1. A region alone: nothing goes, or comes back, that did not before. What is
//    left out is what no iteration reads before it is written for sure, and
//    what none writes. The section is smaller at most: its first element and
//    its last are accessed, so that the program's has both. Where the data is
//    there before, the program's section is a part of that, and so is this one;
//    nothing is copied then, with these clauses or with those.
// 2. Several, or the iterations of a sequential loop, with one region of data:
//    what a loop reads goes by the program's clauses, and what it writes comes
//    back, so that host and device have the same between them, where the host
//    does nothing. Its section is that of one of the loops, so that the program
//    maps that as a whole, too.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_TARGETLOOPS_H
#define CONVERSION_OFFLOAD_TARGETLOOPS_H

#include "conversion/Offload/Spelling.h"

namespace gpuopt::offload {

/// Makes of `plan`, what `region` needs, what it can have instead of the
/// program's clauses, or says why it should keep these.
std::optional<Problem> narrowMaps(const Region &region, DataPlan &plan,
                                  const Effects &effects,
                                  const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_TARGETLOOPS_H
