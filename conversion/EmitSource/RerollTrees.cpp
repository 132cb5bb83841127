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

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt::source;
using llvm::SmallVector;

namespace {

/// Smaller trees read well as they are.
constexpr unsigned fewestLevels = 3;

class TreeReroller {
public:
  explicit TreeReroller(Kernel &kernel) : kernel(kernel) {}
  void visit(Block &block);

private:
  bool collectLeaves(const Expr *expr, const Expr *root, unsigned levels);
  const Expr *generalise(llvm::ArrayRef<const Expr *> elements, Variable *i);
  const Expr *generaliseLoads(llvm::ArrayRef<const Expr *> uses, Variable *i);
  const Expr *element(const Expr *root, Variable *i);
  const Expr *reroll(const Expr *root, mlir::Location location,
                     Block &statements);
  Stmt *loop(Variable *counter, const Expr *upper, mlir::Location location);
  const Expr *search(const Expr *expr, mlir::Location location,
                     Block &statements);
  void findLoads(Block &block, size_t end);

  Kernel &kernel;
  /// Of the tree at hand, left to right.
  SmallVector<const Expr *> leaves;
  /// Values that have been loaded right before the statement at hand, and those
  /// of them that the tree reads, by that of its first element.
  llvm::DenseMap<const Variable *, Stmt *> loads;
  llvm::MapVector<Variable *, SmallVector<Stmt *>> own;
  /// What a loop over the elements loads.
  Block perElement;
  llvm::SmallPtrSet<Stmt *, 8> dropped;
};

unsigned countUses(Block &block, const Variable *variable) {
  unsigned uses = 0;
  forEachStmt(block, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(
          root, [&](const Expr *part) { uses += part->variable == variable; });
    });
  });
  return uses;
}

unsigned countUses(const Expr *expr, const Variable *variable) {
  unsigned uses = 0;
  forEachPart(expr,
              [&](const Expr *part) { uses += part->variable == variable; });
  return uses;
}

} // namespace

/// The parts of the tree of operators like `root`, `levels` below it.
bool TreeReroller::collectLeaves(const Expr *expr, const Expr *root,
                                 unsigned levels) {
  if (levels == 0) {
    leaves.push_back(expr);
    return true;
  }
  return expr->kind == Expr::Binary && expr->text == root->text &&
         expr->type == root->type &&
         collectLeaves(expr->operands[0], root, levels - 1) &&
         collectLeaves(expr->operands[1], root, levels - 1);
}

/// A load that each element has of its own, in the loop over all.
const Expr *TreeReroller::generaliseLoads(llvm::ArrayRef<const Expr *> uses,
                                          Variable *i) {
  SmallVector<Stmt *> definitions;
  SmallVector<const Expr *> values;
  for (const Expr *use : uses) {
    Stmt *load = loads.lookup(use->variable);
    if (!load || !use->operands.empty() || !(use->type == uses[0]->type))
      return nullptr;
    definitions.push_back(load);
    values.push_back(load->value);
  }
  auto [known, isNew] = own.insert({uses[0]->variable, definitions});
  if (!isNew)
    return known->second == definitions ? uses[0] : nullptr;
  const Expr *value = generalise(values, i);
  if (!value)
    return nullptr;
  Stmt *load = kernel.createStmt(Stmt::Assign, definitions[0]->location);
  load->target = uses[0];
  load->value = value;
  perElement.push_back(load);
  return uses[0];
}

/// What `elements` are in terms of their number; null where they do not lie
/// evenly apart.
const Expr *TreeReroller::generalise(llvm::ArrayRef<const Expr *> elements,
                                     Variable *i) {
  const Expr *first = elements[0];
  if (llvm::all_equal(elements))
    return first;
  auto areAll = [&](auto isLike) { return llvm::all_of(elements, isLike); };
  if (areAll([](const Expr *other) { return other->kind == Expr::Sum; })) {
    auto difference = [&](const Expr *sum) {
      return kernel.add(kernel.add(kernel.constant(0), sum), first, -1);
    };
    const Expr *step = difference(elements[1]);
    for (auto [number, other] : llvm::enumerate(elements))
      if (difference(other) != kernel.scale(step, number))
        return nullptr;
    const Expr *sum = kernel.add(first, kernel.use(i), step->constant);
    for (auto [part, factor] : llvm::zip(step->operands, step->coefficients))
      sum = kernel.add(sum, kernel.multiply(kernel.use(i), part), factor);
    return first->isInt ? kernel.markInt(sum) : sum;
  }
  if (areAll([](const Expr *other) { return other->kind == Expr::Use; }))
    return generaliseLoads(elements, i);
  bool areAlike = areAll([&](const Expr *other) {
    return other->kind == first->kind && other->type == first->type &&
           other->text == first->text && other->constant == first->constant &&
           other->variable == first->variable &&
           other->operands.size() == first->operands.size() &&
           other->numSubscripts == first->numSubscripts &&
           other->isTruncating == first->isTruncating;
  });
  if (!areAlike || first->operands.empty())
    return nullptr;
  Expr general = *first;
  for (auto [at, operand] : llvm::enumerate(general.operands)) {
    SmallVector<const Expr *> operands;
    for (const Expr *other : elements)
      operands.push_back(other->operands[at]);
    operand = generalise(operands, i);
    if (!operand)
      return nullptr;
  }
  return kernel.make(std::move(general));
}

/// Element `i` of the longest even tree that `root` is; null for all else. The
/// topmost operator joins even and odd elements.
const Expr *TreeReroller::element(const Expr *root, Variable *i) {
  unsigned most = 0;
  for (const Expr *expr = root;
       expr->kind == Expr::Binary && expr->text == root->text;
       expr = expr->operands[0])
    ++most;
  for (unsigned levels = std::min(most, 10u); levels >= fewestLevels;
       --levels) {
    leaves.clear();
    own.clear();
    perElement.clear();
    if (!collectLeaves(root, root, levels))
      continue;
    SmallVector<const Expr *> elements(leaves.size());
    for (auto [number, leaf] : llvm::enumerate(leaves))
      elements[llvm::reverseBits(uint32_t(number)) >> (32 - levels)] = leaf;
    i->range = {0, int64_t(leaves.size()) - 1};
    const Expr *result = generalise(elements, i);
    // What is loaded for the tree is read by nothing else.
    for (const auto &[variable, definitions] : own)
      for (Stmt *load : definitions)
        if (result && countUses(kernel.body, load->target->variable) !=
                          countUses(root, load->target->variable) + 1)
          result = nullptr;
    if (result)
      return result;
  }
  return nullptr;
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
  if (root->kind != Expr::Binary || root->type.lanes != 1)
    return nullptr;
  Variable *i = kernel.createVariable(Variable::Counter, "", kIndexType);
  const Expr *value = element(root, i);
  if (!value)
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
  Stmt *load = loop(i, kernel.constant(count), location);
  load->body = perElement;
  load->body.push_back(
      assign(kernel.use(array, {kernel.asSum(kernel.use(i))}), value));
  for (const auto &[variable, definitions] : own)
    dropped.insert(definitions.begin(), definitions.end());
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

/// Collects the loads right before statement `end`.
void TreeReroller::findLoads(Block &block, size_t end) {
  loads.clear();
  for (size_t at = end; at-- > 0;) {
    Stmt *stmt = block[at];
    bool isLoad = stmt->kind == Stmt::Assign && stmt->value &&
                  stmt->value->kind == Expr::Access &&
                  stmt->target->kind == Expr::Use &&
                  stmt->target->operands.empty();
    if (!isLoad)
      return;
    loads[stmt->target->variable] = stmt;
  }
}

void TreeReroller::visit(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt &stmt = *block[at];
    visit(stmt.body);
    visit(stmt.orElse);
    if (stmt.kind != Stmt::Assign || !stmt.value)
      continue;
    Block before;
    dropped.clear();
    findLoads(block, at);
    stmt.value = search(stmt.value, stmt.location, before);
    block.insert(block.begin() + at, before.begin(), before.end());
    llvm::erase_if(block, [&](Stmt *other) { return dropped.contains(other); });
    at += before.size() - dropped.size();
  }
}

void gpuopt::source::rerollTrees(Kernel &kernel) {
  TreeReroller(kernel).visit(kernel.body);
}
