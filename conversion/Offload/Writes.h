//===- Writes.h - what a section may change ---------------------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_WRITES_H
#define CONVERSION_OFFLOAD_WRITES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace gpuopt::offload {

/// What statements, with the functions that they call, may change.
class Writes {
public:
  explicit Writes(const clang::ASTContext &context) : context(context) {}

  void add(const clang::Stmt *statement);

  /// Variables that they assign, as a whole or in part, or take the address of.
  bool assigns(const clang::VarDecl *variable) const {
    return assigned.contains(variable);
  }
  bool takesAddressOf(const clang::VarDecl *variable) const {
    return addressed.contains(variable);
  }
  /// Whether they declare it.
  bool declares(const clang::VarDecl *variable) const {
    return declared.contains(variable);
  }
  /// Whether a store through a pointer may change an object of `type`: one of
  /// another type does not, by the rules of C (6.5, paragraph 7).
  bool mayStore(clang::QualType type) const;

private:
  void addTarget(const clang::Expr *target, bool isAddress);

  const clang::ASTContext &context;
  llvm::DenseSet<const clang::VarDecl *> assigned, addressed, declared;
  llvm::DenseSet<const clang::FunctionDecl *> called;
  std::vector<clang::QualType> stored;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_WRITES_H
