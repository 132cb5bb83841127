//===- LoopForm.h - loops whose iterations can be counted -------*- C++ -*-===//
//
//   for (int i = lower; i < bound; i += step)
//
// with any comparison but `!=`, a constant step, and the variable declared
// here or before. The number of iterations is an expression of a pragma's
// (Pragma.h) where lower and bound are ones.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_LOOPFORM_H
#define CONVERSION_IMPORTSOURCE_OPENACC_LOOPFORM_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace gpuopt {

struct CountedLoop {
  clang::ForStmt *statement = nullptr;
  clang::VarDecl *variable = nullptr;
  clang::Expr *lower = nullptr;
  clang::Expr *bound = nullptr;
  /// With the variable on the left: `<`, `<=`, `>` or `>=`.
  clang::BinaryOperatorKind comparison = clang::BO_LT;
  int64_t step = 1;
};

/// What keeps a loop from having that form, and where.
struct LoopProblem {
  clang::SourceLocation location;
  std::string message;
};

/// The form of `loop`, with a variable of any width and a bound of any type, or
/// nothing and the `problem`.
std::optional<CountedLoop> readLoopForm(clang::ForStmt &loop,
                                        const clang::ASTContext &context,
                                        LoopProblem &problem);

/// The same where 64-bit arithmetic counts the iterations.
std::optional<CountedLoop> readLoop(clang::ForStmt &loop,
                                    const clang::ASTContext &context,
                                    LoopProblem &problem);

/// `expression` as an integer expression of a pragma over variables that
/// `isKnown`; nothing where it is none.
std::optional<std::string>
extentText(const clang::Expr &expression, const clang::ASTContext &context,
           llvm::function_ref<bool(const clang::VarDecl &)> isKnown);

/// The number of iterations in the same way.
std::optional<std::string>
iterationsText(const CountedLoop &loop, const clang::ASTContext &context,
               llvm::function_ref<bool(const clang::VarDecl &)> isKnown);

/// What `statement` itself changes, or may: the left side of an assignment, or
/// the operand of `++`, `--` and `&`; null where it is none of these.
clang::Expr *assignedExpression(const clang::Stmt *statement);

/// The variable that `expression` names, through parentheses and conversions.
clang::VarDecl *namedVariable(clang::Expr *expression);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_LOOPFORM_H
