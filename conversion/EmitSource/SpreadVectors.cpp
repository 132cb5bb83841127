//===- SpreadVectors.cpp - vectors that are arrays ------------------------===//
//
// A vector of which a loop takes one lane after the other, or that the language
// has no type for, is a small array that is filled at once:
//
//   __half x[8];
//   *(uint4 *)x = *(uint4 *)&tile[row][0];
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseSet.h"

using namespace gpuopt::source;

namespace {
class Spreader {
public:
  explicit Spreader(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void find();
  const Expr *replace(const Expr *part);
  const Expr *wholeOf(Variable *variable, llvm::ArrayRef<const Expr *> at);

  Kernel &kernel;
  llvm::DenseSet<Variable *> spread;
};
} // namespace

void Spreader::find() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        if (part->kind == Expr::Lane && !constantValue(part->operands[1]) &&
            part->operands[0]->kind == Expr::Use)
          spread.insert(part->operands[0]->variable);
        if (part->kind == Expr::Use && !part->type.isNative())
          spread.insert(part->variable);
      });
    });
  });
}

/// The vector at `at` of an array of vectors that has become one of elements.
const Expr *Spreader::wholeOf(Variable *variable,
                              llvm::ArrayRef<const Expr *> at) {
  Expr whole{Expr::Access, variable->type};
  whole.variable = variable;
  whole.operands.append(at.begin(), at.end());
  whole.operands.push_back(kernel.constant(0));
  whole.numSubscripts = whole.operands.size();
  return kernel.make(std::move(whole));
}

const Expr *Spreader::replace(const Expr *part) {
  if (part->kind == Expr::Lane && part->operands[0]->kind == Expr::Access) {
    const Expr *vector = part->operands[0];
    if (spread.contains(vector->variable)) {
      // The vector, already read as a whole from its array: take the element.
      Expr element{Expr::Use, part->type};
      element.variable = vector->variable;
      element.operands = vector->operands;
      element.operands.back() = part->operands[1];
      return kernel.make(std::move(element));
    }
    if (vector->type.isNative())
      return nullptr;
    // One lane of a vector in memory.
    Expr element = *vector;
    element.type = part->type;
    const Expr *&last = element.operands[vector->numSubscripts - 1];
    last = kernel.add(last, part->operands[1]);
    return kernel.make(std::move(element));
  }
  if (part->kind != Expr::Use || !spread.contains(part->variable) ||
      part->type.lanes == 1)
    return nullptr;
  return wholeOf(part->variable, part->operands);
}

/// Collects in an array what is stored as a vector that has no type.
static void storeByElements(Kernel &kernel, Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt &stmt = *block[at];
    storeByElements(kernel, stmt.body);
    storeByElements(kernel, stmt.orElse);
    if (stmt.kind != Stmt::Assign || !stmt.value ||
        stmt.value->kind != Expr::Vector || stmt.value->type.isNative())
      continue;
    Variable *array =
        kernel.createVariable(Variable::Local, "", stmt.value->type.element());
    array->shape.push_back(stmt.value->type.lanes);
    array->isAligned = true;
    Block elements;
    for (auto [lane, value] : llvm::enumerate(stmt.value->operands)) {
      Stmt *element = kernel.createStmt(Stmt::Assign, stmt.location);
      element->target = kernel.use(array, {kernel.constant(lane)});
      element->value = value;
      elements.push_back(element);
    }
    Expr whole{Expr::Access, stmt.value->type};
    whole.variable = array;
    whole.operands.push_back(kernel.constant(0));
    whole.numSubscripts = 1;
    stmt.value = kernel.make(std::move(whole));
    block.insert(block.begin() + at, elements.begin(), elements.end());
    at += elements.size();
  }
}

void Spreader::run() {
  find();
  rewriteAll(kernel, [&](const Expr *part) { return replace(part); });
  for (Variable *variable : spread) {
    variable->shape.push_back(variable->type.lanes);
    variable->isAligned = true;
    variable->type = variable->type.element();
  }
}

void gpuopt::source::spreadVectors(Kernel &kernel) { Spreader(kernel).run(); }

void gpuopt::source::storeByElements(Kernel &kernel) {
  ::storeByElements(kernel, kernel.body);
}
