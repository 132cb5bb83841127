//===- MoveDeclarations.h - constants that a device declares ----*- C++ -*-===//
//
// A variable that a function gives a value of constants and never changes goes
// to the device with each section that reads it. Declared in the section, it
// does not (the data declaration optimization of 4.4.3.2):
//
//   double w[3] = {0.25, 0.5, 0.25};    #pragma omp target … // no map of w
//   #pragma omp parallel for            for (i = 1; i < n - 1; i++) {
//   for (i = 1; i < n - 1; i++) {   →     double w[3] = {0.25, 0.5, 0.25};
//     …                                   …
//
// That is legal where nothing in the function assigns the variable or takes its
// address, and its value consists of literals: each iteration's own has the
// value that all of them would read, whenever it is declared, and nobody can
// tell that it is another object. The host's loop stays as it is, and so may
// other uses. Whether it is quicker depends on the device's compiler, which has
// to find that the array never changes: so it is done where it is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_MOVEDECLARATIONS_H
#define CONVERSION_OFFLOAD_MOVEDECLARATIONS_H

#include "conversion/Offload/DataPlan.h"
#include "conversion/Offload/SourceText.h"

namespace gpuopt::offload {

/// Declarations at the begin of a parallel loop's body.
struct MovedDeclarations {
  const clang::Stmt *body = nullptr;
  std::vector<std::string> texts;
};

/// Takes what the loops of `region` can declare themselves out of `plan`, where
/// their bodies are text of the file.
std::vector<MovedDeclarations>
moveDeclarations(const Region &region, DataPlan &plan, const SourceText &text,
                 const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_MOVEDECLARATIONS_H
