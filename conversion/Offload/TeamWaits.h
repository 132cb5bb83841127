//===- TeamWaits.h - what threads of a team wait for ------------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_TEAMWAITS_H
#define CONVERSION_OFFLOAD_TEAMWAITS_H

#include "conversion/Offload/ParallelLoop.h"

#include "llvm/ADT/DenseSet.h"

namespace gpuopt::offload {

/// What threads do in a parallel region, with the functions that they call.
struct TeamCode {
  llvm::DenseSet<const clang::FunctionDecl *> functions;
  /// How a thread may wait for what another one does, other than at a barrier
  /// or a construct that has one: where there is such a thing, another barrier
  /// could keep both waiting for ever. Nothing where none can.
  std::optional<Problem> wait;
};

TeamCode readTeamCode(const clang::OMPExecutableDirective &team,
                      const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_TEAMWAITS_H
