//===- ParallelLoop.h - loops whose iterations are independent --*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_PARALLELLOOP_H
#define CONVERSION_OFFLOAD_PARALLELLOOP_H

#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuopt::offload {

/// What keeps a section on the host, and where.
struct Problem {
  clang::SourceLocation location;
  std::string message;
  /// The author of the program can supply what is missing.
  bool isForAuthor = false;
};

/// Variables that clauses name.
using Variables = std::vector<const clang::VarDecl *>;

/// What a `map` clause says of a variable.
struct MappedVariable {
  const clang::VarDecl *variable = nullptr;
  bool goes = false, comes = false;
};

/// A loop of a function that runs on the host so far, or that the program
/// offloads itself.
struct ParallelLoop {
  const clang::FunctionDecl *function = nullptr;
  /// With its directives; the loop itself where it has none.
  const clang::Stmt *statement = nullptr;
  const clang::ForStmt *loop = nullptr;
  /// The parallel region that holds it and other parallel loops alone; null for
  /// none.
  const clang::OMPParallelDirective *around = nullptr;
  /// All threads of a team come to it, which share it out (Teams.h).
  bool isInTeam = false;
  /// The region of that team, where it is in this function.
  const clang::OMPExecutableDirective *team = nullptr;
  /// The directives that it stands behind, the outermost first.
  std::vector<const clang::OMPExecutableDirective *> directives;
  /// So many loops, nested perfectly, are parallel.
  unsigned collapsed = 1;
  /// Each iteration has its own.
  Variables privates;
  /// Of these, those that no clause of the source names.
  Variables unnamedPrivates;
  /// The same, with the value from before the loop.
  Variables firstPrivates;
  /// The last iteration's value remains.
  Variables lastPrivates;
  Variables reduced;
  /// Clauses that an offloaded loop keeps, as they are written.
  std::vector<const clang::OMPClause *> kept;
  /// The program offloads it, with these clauses.
  bool isTarget = false;
  std::vector<MappedVariable> maps;
  /// Why it is no candidate, if it is none.
  std::optional<Problem> problem;

  bool isPlain() const { return directives.empty(); }
  bool hasOwn(const clang::VarDecl *variable) const;
};

/// The loops of `function` that OpenMP's directives share out among threads, in
/// the order of the text.
std::vector<ParallelLoop> findParallelLoops(const clang::FunctionDecl &function,
                                            const clang::ASTContext &context);

/// Those that it offloads itself, by a directive for the loop alone.
std::vector<ParallelLoop> findTargetLoops(const clang::FunctionDecl &function,
                                          const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_PARALLELLOOP_H
