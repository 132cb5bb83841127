//===- TeamValues.h - values that all threads of a team have ----*- C++ -*-===//
//
// Each thread of a team has variables of its own. Some have the same value in
// all of them where the team comes to a loop:
//
//   #pragma omp parallel private(i, m)
//   {
//     double t = 2 * scale;             t: all compute it from the same values
//     int me = omp_get_thread_num();    me: they do not
//     i = 1;
//   #pragma omp for                     i and t have one value here, me and m
//     for (j = 0; j < n; j++)           have not
//       for (m = 0; m < 5; m++)
//         a[i][j][m] += t;
//
// A variable has one value behind an assignment that all threads make, of an
// expression over constants, variables with one value, and memory that they
// share. All of them read the same there: a thread of the team that wrote it in
// the meantime would race with the others' reads, but for constructs that order
// threads, and what is inside these is not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_TEAMVALUES_H
#define CONVERSION_OFFLOAD_TEAMVALUES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gpuopt::offload {

/// Whether a thread of `team` has its own `variable`; without a team, of the
/// one that calls the function of the variable.
bool isOfThread(const clang::VarDecl &variable,
                const clang::OMPExecutableDirective *team);

class TeamValues {
public:
  /// Looks at `functions`, which are all with a body of a program in C. Those
  /// that are not `inTeams` are called by one thread alone.
  TeamValues(llvm::ArrayRef<const clang::FunctionDecl *> functions,
             const llvm::DenseSet<const clang::FunctionDecl *> &inTeams,
             const clang::ASTContext &context);

  /// Whether `variable`, of which each thread has its own, has one value where
  /// threads come to `loop`, a directive that shares out a loop.
  bool isSameAt(const clang::VarDecl *variable, const clang::Stmt *loop) const;

private:
  using Variables = llvm::DenseSet<const clang::VarDecl *>;

  llvm::DenseMap<const clang::Stmt *, Variables> same;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_TEAMVALUES_H
