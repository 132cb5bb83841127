//===- Captures.h - what a part of a function uses of it --------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_CAPTURES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_CAPTURES_H

#include "conversion/ImportSource/OpenACC/Constructs.h"

#include "llvm/ADT/MapVector.h"

namespace gpuopt {

/// A variable that is declared outside of a part and used in it.
struct Capture {
  clang::VarDecl *variable = nullptr;
  /// In the part; none where only types of others mention the variable.
  std::vector<clang::DeclRefExpr *> uses;
  /// A size in the type of another one.
  bool isSize = false;
  bool isAssigned = false;
  /// Each iteration has its own: the variables of loops, what `private` names,
  /// and scalars that each iteration of parallel loops assigns before it uses
  /// them.
  bool isPrivate = false;
  /// `reduction` names it.
  bool isReduced = false;

  bool isUnchanged() const { return !isAssigned && !isPrivate && !isReduced; }
};

/// The captures of a part in the order in which they are declared, and the
/// functions that it calls.
struct Captures {
  llvm::MapVector<clang::VarDecl *, Capture> variables;
  std::vector<clang::FunctionDecl *> functions;
  /// What no kernel can have: `this`, a lambda or a block.
  const clang::Expr *unsupported = nullptr;
};

Captures findCaptures(const KernelPart &part);

/// The variable that an operand of a clause is, or is a section of.
clang::VarDecl *variableOfClause(clang::Expr *operand);

/// The functions with a body that are called in `roots`, or in those.
std::vector<clang::FunctionDecl *>
reachableFunctions(std::vector<clang::FunctionDecl *> roots);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_CAPTURES_H
