//===- RerollTrees.cpp - sums over trees as loops -------------------------===//
//
// The steps of a reduction, unrolled, are one expression, a complete tree of
// one operator over elements that lie evenly apart:
//
//   a[i] + a[4 * s + i] + (a[2 * s + i] + a[6 * s + i]) + ...
//
// The elements become an array, and each level of the tree a step that adds the
// upper half of what is left to the lower. Both do the same operations on the
// same values.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/Support/MathExtras.h"

using namespace gpuopt::source;
using llvm::SmallVector;

namespace {

/// Smaller trees read well as they are.
constexpr size_t fewestLeaves = 8;

class TreeReroller {
public:
  explicit TreeReroller(Kernel &kernel) : kernel(kernel) {}
  void visit(Block &block);

private:
  bool collectLeaves(const Expr *expr, const Expr *root, unsigned depth);
  std::optional<SmallVector<const Expr *>> findSteps();
  const Expr *difference(const Expr *left, const Expr *right) {
    return kernel.add(kernel.add(kernel.constant(0), left), right, -1);
  }
  const Expr *reroll(const Expr *root, mlir::Location location,
                     Block &statements);
  Stmt *loop(Variable *counter, const Expr *upper, mlir::Location location);
  const Expr *search(const Expr *expr, mlir::Location location,
                     Block &statements);

  Kernel &kernel;
  /// Of the tree at hand, left to right; `levels` deep.
  SmallVector<const Expr *> leaves;
  unsigned levels = 0;
};

} // namespace

/// Whether the tree of operators like `root` is complete.
bool TreeReroller::collectLeaves(const Expr *expr, const Expr *root,
                                 unsigned depth) {
  bool isNode = expr->kind == Expr::Binary && expr->text == root->text &&
                expr->type == root->type;
  if (isNode)
    return collectLeaves(expr->operands[0], root, depth + 1) &&
           collectLeaves(expr->operands[1], root, depth + 1);
  if (leaves.empty())
    levels = depth;
  leaves.push_back(expr);
  return depth == levels && expr->kind == Expr::Access &&
         expr->variable == leaves[0]->variable &&
         expr->type == leaves[0]->type &&
         expr->numSubscripts == leaves[0]->numSubscripts;
}

/// By how much the subscripts of element i + 1 of the array differ from those
/// of element i; nothing where the leaves do not lie evenly apart. The topmost
/// operator joins even and odd elements.
std::optional<SmallVector<const Expr *>> TreeReroller::findSteps() {
  unsigned rank = leaves[0]->numSubscripts;
  SmallVector<const Expr *> steps;
  for (unsigned at = 0; at < rank; ++at)
    steps.push_back(difference(leaves[leaves.size() / 2]->operands[at],
                               leaves[0]->operands[at]));
  for (auto [number, leaf] : llvm::enumerate(leaves)) {
    int64_t element = 0;
    for (unsigned level = 0; level < levels; ++level)
      if (number >> level & 1)
        element += int64_t(1) << (levels - 1 - level);
    for (unsigned at = 0; at < leaf->operands.size(); ++at) {
      const Expr *first = leaves[0]->operands[at];
      bool isEven = at < rank ? difference(leaf->operands[at], first) ==
                                    kernel.scale(steps[at], element)
                              : leaf->operands[at] == first;
      if (!isEven)
        return std::nullopt;
    }
  }
  return steps;
}

Stmt *TreeReroller::loop(Variable *counter, const Expr *upper,
                         mlir::Location location) {
  Stmt *stmt = kernel.createStmt(Stmt::For, location);
  stmt->counter = counter;
  stmt->lower = kernel.constant(0);
  stmt->upper = upper;
  stmt->isUnrolled = true;
  return stmt;
}

/// The statements that compute `root`, and what then holds its value; null
/// where it is no such tree.
const Expr *TreeReroller::reroll(const Expr *root, mlir::Location location,
                                 Block &statements) {
  leaves.clear();
  bool isTree = root->type.lanes == 1 && collectLeaves(root, root, 0) &&
                leaves.size() >= fewestLeaves;
  std::optional<SmallVector<const Expr *>> steps;
  if (!isTree || !(steps = findSteps()))
    return nullptr;
  int64_t count = leaves.size();
  Variable *array = kernel.createVariable(Variable::Local, "part", root->type);
  array->shape.push_back(count);
  auto counter = [&](int64_t low, int64_t high) {
    Variable *variable =
        kernel.createVariable(Variable::Counter, "", kIndexType);
    variable->range = {low, high};
    return variable;
  };
  auto assign = [&](const Expr *target, const Expr *value) {
    Stmt *stmt = kernel.createStmt(Stmt::Assign, location);
    stmt->target = target;
    stmt->value = value;
    return stmt;
  };
  Variable *i = counter(0, count - 1);
  Stmt *load = loop(i, kernel.constant(count), location);
  Expr element = *leaves[0];
  for (auto [at, step] : llvm::enumerate(*steps)) {
    const Expr *&subscript = element.operands[at];
    subscript = kernel.add(subscript, kernel.use(i), step->constant);
    for (auto [part, factor] : llvm::zip(step->operands, step->coefficients))
      subscript =
          kernel.add(subscript, kernel.multiply(kernel.use(i), part), factor);
  }
  load->body.push_back(assign(kernel.use(array, {kernel.asSum(kernel.use(i))}),
                              kernel.make(std::move(element))));
  statements.push_back(load);

  Variable *half = counter(1, count / 2), *j = counter(0, count / 2 - 1);
  half->name = "width";
  Stmt *level = loop(half, kernel.constant(0), location);
  level->lower = kernel.constant(count / 2);
  level->halves = true;
  const Expr *low = kernel.asSum(kernel.use(j));
  // A loop of fixed length: compilers unroll no other in one that they unroll,
  // and only unrolled loops keep the array in registers.
  Stmt *step = loop(j, kernel.constant(count / 2), location);
  Stmt *isLeft = kernel.createStmt(Stmt::If, location);
  Expr below{Expr::Binary, kBoolType};
  below.text = "<";
  below.operands = {low, kernel.asSum(kernel.use(half))};
  isLeft->value = kernel.make(std::move(below));
  step->body.push_back(isLeft);
  Expr sum = *root;
  const Expr *target = kernel.use(array, {low});
  sum.operands = {target,
                  kernel.use(array, {kernel.add(low, kernel.use(half))})};
  isLeft->body.push_back(assign(target, kernel.make(std::move(sum))));
  level->body.push_back(step);
  statements.push_back(level);
  return kernel.use(array, {kernel.constant(0)});
}

/// `expr` with trees in it that are computed whenever it is.
const Expr *TreeReroller::search(const Expr *expr, mlir::Location location,
                                 Block &statements) {
  if (const Expr *result = reroll(expr, location, statements))
    return result;
  bool isStrict =
      expr->kind == Expr::Binary && expr->text != "&&" && expr->text != "||";
  if (!isStrict)
    return expr;
  Expr copy = *expr;
  for (const Expr *&operand : copy.operands)
    operand = search(operand, location, statements);
  return kernel.make(std::move(copy));
}

void TreeReroller::visit(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt &stmt = *block[at];
    visit(stmt.body);
    visit(stmt.orElse);
    if (stmt.kind != Stmt::Assign || !stmt.value)
      continue;
    Block before;
    stmt.value = search(stmt.value, stmt.location, before);
    block.insert(block.begin() + at, before.begin(), before.end());
    at += before.size();
  }
}

void gpuopt::source::rerollTrees(Kernel &kernel) {
  TreeReroller(kernel).visit(kernel.body);
}
