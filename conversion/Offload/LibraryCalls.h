//===- LibraryCalls.h - what the C library computes -------------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_LIBRARYCALLS_H
#define CONVERSION_OFFLOAD_LIBRARYCALLS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace gpuopt::offload {

/// Whether a call of the C library's `function` reads and writes its arguments
/// alone.
bool isMath(const clang::FunctionDecl &function,
            const clang::ASTContext &context);
bool isMathCall(const clang::CallExpr &call, const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_LIBRARYCALLS_H
