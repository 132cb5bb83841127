//===- AlignedAllocations.cpp - memory that a device gets -----------------===//

#include "conversion/Offload/AlignedAllocations.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class AllocationFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit AllocationFinder(const llvm::DenseSet<const VarDecl *> &mapped)
      : mapped(mapped) {}

  std::vector<const DeclRefExpr *> found;

  bool VisitBinaryOperator(const BinaryOperator *binary) override {
    if (binary->getOpcode() == BO_Assign)
      add(namedVariable(binary->getLHS()), binary->getRHS());
    return true;
  }
  bool VisitVarDecl(const VarDecl *variable) override {
    add(variable, variable->getInit());
    return true;
  }

private:
  void add(const VarDecl *variable, const Expr *value);

  const llvm::DenseSet<const VarDecl *> &mapped;
};
} // namespace

void AllocationFinder::add(const VarDecl *variable, const Expr *value) {
  if (!variable || !value || !mapped.contains(variable))
    return;
  const auto *call = dyn_cast<CallExpr>(value->IgnoreParenCasts());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || callee->getBuiltinID() != Builtin::BImalloc ||
      callee->getDefinition())
    return;
  const auto *name =
      dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (name && name->getLocation().isFileID())
    found.push_back(name);
}

std::vector<const DeclRefExpr *>
offload::findAllocations(const FunctionDecl &function,
                         const llvm::DenseSet<const VarDecl *> &mapped) {
  AllocationFinder finder(mapped);
  finder.TraverseStmt(function.getBody());
  return std::move(finder.found);
}
