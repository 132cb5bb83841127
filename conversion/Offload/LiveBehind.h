//===- LiveBehind.h - variables that are read behind a loop -----*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_LIVEBEHIND_H
#define CONVERSION_OFFLOAD_LIVEBEHIND_H

#include "clang/AST/Stmt.h"
#include "clang/Analysis/AnalysisDeclContext.h"

namespace gpuopt::offload {

/// Upstream's liveness, of one function.
class LiveBehind {
public:
  explicit LiveBehind(const clang::FunctionDecl &function);

  /// Whether the value that `variable`, which is local, has at the end of
  /// `loop` may be read.
  bool isLive(const clang::VarDecl &variable, const clang::ForStmt &loop);

private:
  bool isLiveAt(const clang::CFGBlock *block, const clang::VarDecl &variable);

  clang::AnalysisDeclContextManager manager;
  clang::AnalysisDeclContext *analysis;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_LIVEBEHIND_H
