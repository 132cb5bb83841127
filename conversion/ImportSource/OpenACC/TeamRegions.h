//===- TeamRegions.h - teams whose threads run the same code ----*- C++ -*-===//
//
// OpenMP's way of writing what is a kernel in CUDA: variables of a team, and
// code that each of its threads runs, with barriers.
//
//   #pragma omp target teams num_teams(g) thread_limit(64)   a kernel
//   {
//     float sums[64];                                        __shared__
//     #pragma omp parallel
//     {
//       int t = omp_get_thread_num();                        threadIdx.x
//       sums[t] = a[omp_get_team_num() * 64 + t];            blockIdx.x
//       #pragma omp barrier                                  __syncthreads()
//       …
//     }
//   }
//
// The text of such a region has calls of `__gpuopt_threads` and
// `__gpuopt_barrier` in the place of the inner directives (OpenMPDirectives.h):
// `if (__gpuopt_threads(n)) { … }` is what the threads run.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_TEAMREGIONS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_TEAMREGIONS_H

#include "clang/Sema/Sema.h"

#include <optional>
#include <string>

namespace gpuopt {

/// The section that stands for workgroup memory until a module is one for a
/// device.
inline constexpr llvm::StringLiteral kWorkgroupSection = "gpuopt_workgroup";

/// Declares what the text of regions calls.
void declareTeamFunctions(clang::Preprocessor &preprocessor);

/// Whether `region`, the code of a compute construct, is one of teams whose
/// threads run the same code.
bool isTeamRegion(const clang::Stmt *region);

struct TeamProblem {
  clang::SourceLocation location;
  std::string message;
};

/// Why a kernel would not do what `region` does; nothing where it would. It has
/// to consist of declarations and of code for all threads.
std::optional<TeamProblem> findTeamProblem(const clang::Stmt &region,
                                           const clang::ASTContext &context);

/// The threads that `region` asks for, where that is a constant.
std::optional<int64_t> threadsOfTeam(const clang::Stmt &region,
                                     const clang::ASTContext &context);

/// `region` as code of each thread of `kernel`: what it declares is in
/// workgroup memory, unless each thread may have it for itself, and all wait
/// for each other between the parts.
clang::Stmt *lowerTeamRegion(clang::Stmt &region, clang::FunctionDecl *kernel,
                             clang::Sema &sema);

/// A call in `statement` of what only threads of a team may ask: their ids, or
/// to wait for each other.
const clang::CallExpr *findTeamCall(const clang::Stmt *statement);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_TEAMREGIONS_H
