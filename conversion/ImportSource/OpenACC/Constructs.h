//===- Constructs.h - what OpenACC's constructs make of code ----*- C++ -*-===//
//
// Cuts the code of compute constructs into parts that become kernels: the
// outermost parallel loops, with parallel loops that are perfectly nested in
// them, and other loops and expressions, which one work item does. Sequential
// loops and conditions around parallel ones stay the host's, which must not
// have to read the device's memory for them:
//
//   #pragma acc parallel
//   for (t = 0; t < steps; t++) {
//     #pragma acc loop
//     for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];   // a kernel
//     #pragma acc loop
//     for (i = 1; i < n - 1; i++) a[i] = b[i];                  // another
//   }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_CONSTRUCTS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_CONSTRUCTS_H

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/OpenACCClause.h"
#include "clang/AST/StmtOpenACC.h"

#include <vector>

namespace gpuopt {

/// A part of a construct that becomes one kernel.
struct KernelPart {
  clang::FunctionDecl *function = nullptr;
  clang::Stmt *statement = nullptr;
  /// The compute construct around it, from its directive on.
  clang::SourceRange construct;
  /// The loops that become work items, the outermost first; none where one work
  /// item does everything.
  std::vector<CountedLoop> loops;
  /// Of the directives that it stands behind, the innermost last.
  std::vector<const clang::OpenACCClause *> clauses;
  /// Loops whose sums may be reordered, as they are declared reductions.
  std::vector<clang::ForStmt *> reductions;
  /// Each thread of a team runs it (TeamRegions.h).
  bool isOfTeam = false;
};

/// Why a construct has no kernels.
struct Refusal {
  clang::SourceLocation location;
  std::string message;
  /// Where the construct begins, and the function that it is in.
  clang::SourceLocation construct;
  const clang::FunctionDecl *function = nullptr;
};

using WarnFunction =
    llvm::function_ref<void(clang::SourceLocation, const llvm::Twine &)>;

/// All such parts of `function`, in the order of the text. Constructs that
/// cannot be taken are left out and added to `refusals`, or are an error where
/// that is null. Loops that are declared parallel and are found
/// not to be (LoopDependences.h) stay sequential, and `warn` says so; where
/// they are declared `independent` that is an error.
std::vector<KernelPart> findKernelParts(clang::FunctionDecl &function,
                                        clang::DiagnosticsEngine &diagnostics,
                                        WarnFunction warn,
                                        std::vector<Refusal> *refusals);

/// Whether `statement` mentions `variable`.
bool mentions(const clang::Stmt *statement, const clang::VarDecl *variable);

/// What of `statement` no kernel does as the source means it, if anything:
/// assembly, variables that outlive a call, some atomic operations. Functions
/// that kernels call have none at all.
const clang::Stmt *findUnsupported(const clang::Stmt *statement,
                                   const clang::ASTContext &context,
                                   bool isOfKernel);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_CONSTRUCTS_H
