//===- ViewParameters.cpp - arrays as the source declares them ------------===//
//
// A kernel is called with the types that its source declares. Where it accesses
// an array as elements of another type, another name for it has that type:
//
//   __global__ void sign(const float *a, unsigned *b, int n) {
//     const int *a_ints = (const int *)a;
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Spelling.h"
#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace gpuopt::source;

void gpuopt::source::viewParameters(Kernel &kernel, const Spelling &spelling) {
  llvm::SmallPtrSet<const Variable *, 8> used;
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) { used.insert(part->variable); });
    });
  });
  // All accesses are of the view then.
  auto view = [&](Variable *&parameter) {
    std::string accessed =
        (parameter->isConst ? "const " : "") + spelling.type(parameter->type);
    if (!parameter->isPointer || !used.contains(parameter) ||
        spelling.pointee(*parameter) == accessed)
      return;
    Variable *view = parameter;
    parameter =
        kernel.createVariable(Variable::Parameter, view->name, view->type);
    parameter->isPointer = true;
    parameter->isConst = view->isConst;
    parameter->isRestrict = view->isRestrict;
    parameter->pointee = std::exchange(view->pointee, "");
    parameter->owner = std::exchange(view->owner, nullptr);
    view->viewed = parameter;
  };
  for (Variable *&parameter : kernel.parameters)
    view(parameter);
  llvm::SmallVector<Variable *> members;
  for (Variable &variable : kernel.allVariables())
    if (variable.owner)
      members.push_back(&variable);
  for (Variable *member : members)
    view(member);
}
