//===- LibraryCalls.cpp - what the C library computes ---------------------===//

#include "conversion/Offload/LibraryCalls.h"

#include "clang/Basic/Builtins.h"

using namespace clang;
using namespace gpuopt;

bool offload::isMath(const FunctionDecl &function, const ASTContext &context) {
  unsigned builtin = function.getBuiltinID();
  return builtin &&
         (context.BuiltinInfo.isConst(builtin) ||
          context.BuiltinInfo.isConstWithoutErrnoAndExceptions(builtin) ||
          context.BuiltinInfo.isConstWithoutExceptions(builtin));
}

bool offload::isMathCall(const CallExpr &call, const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && isMath(*callee, context);
}
