//===- TeamDirectives.h - directives of teams as calls ----------*- C++ -*-===//
//
// In a region of teams whose threads run the same code (TeamRegions.h):
//
//   #pragma omp parallel num_threads(64)      if (__gpuopt_threads(64))
//   { …                                       { …
//   #pragma omp barrier                    →  __gpuopt_barrier();
//   #pragma omp master                        if (__gpuopt_thread_id_x() == 0)
//     …                                         …
//   }                                         }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_TEAMDIRECTIVES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_TEAMDIRECTIVES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gpuopt {

/// Whether the `directive`, what is behind `omp`, makes `region`, the statement
/// behind it, one of teams with code that all of their threads run.
bool isTeamDirective(llvm::StringRef directive, llvm::StringRef region);

/// Whether it is `barrier`. One in a function of its own is of the threads that
/// call it.
bool isBarrier(llvm::StringRef directive);

/// The threads that the directive of a team asks for, as an expression; empty
/// where it does not.
llvm::StringRef threadLimit(llvm::StringRef directive);

/// A directive in such a region, whose teams have `limit` threads where it says
/// nothing else, as code; nothing with `unsupported` set where there is none
/// for it.
std::optional<std::string> translateInTeam(llvm::StringRef directive,
                                           llvm::StringRef limit,
                                           llvm::StringRef &unsupported);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_TEAMDIRECTIVES_H
