//===- ArrangeArrays.cpp - dimensions of register arrays in order ---------===//
//
// Rerolled copies give arrays of registers their dimensions in the order in
// which loops were found: sum[4][2][8] += a_reg[8] * b_reg[2][4]. Dimensions
// that another array has side by side, because it is filled with vectors, come
// side by side too, those that become the lanes of a vector come last, and the
// loops follow: sum[8][2][4], which `collapseLoops` makes sum[8][8].
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace gpuopt::source;
using llvm::SmallVector;

namespace {

/// What is wanted of the dimensions of an array.
struct Wishes {
  /// The first is to stand right before the second.
  std::optional<std::pair<unsigned, unsigned>> neighbours;
  /// Lanes of a vector.
  std::optional<unsigned> last;
  bool isContradictory = false;
};

class Arranger {
public:
  explicit Arranger(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void findFixed();
  void findWishes();
  void wishNeighbours(Stmt &stmt);
  void wishLanes(const Expr *vector);
  void permute(Variable *array, llvm::ArrayRef<unsigned> order);
  void orderLoops(Stmt &nest);

  bool isFlexible(const Variable *variable) const {
    return variable->kind == Variable::Local && variable->shape.size() > 1 &&
           !fixed.contains(variable);
  }

  Kernel &kernel;
  /// Arrays that are not only used element by element.
  llvm::DenseSet<const Variable *> fixed;
  llvm::MapVector<Variable *, Wishes> wishes;
};

/// The counter that `subscript` is; null for all else.
const Variable *counterOf(const Expr *subscript) {
  bool isPlain = subscript->kind == Expr::Sum &&
                 subscript->operands.size() == 1 && subscript->constant == 0 &&
                 subscript->coefficients[0] == 1 &&
                 subscript->operands[0]->kind == Expr::Use &&
                 subscript->operands[0]->variable->kind == Variable::Counter;
  return isPlain ? subscript->operands[0]->variable : nullptr;
}

template <typename Visit>
void forEachExpr(Block &block, Visit visit) {
  forEachStmt(block, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) { forEachPart(root, visit); });
  });
}

/// The loops of unrolled copies from `stmt` to the only assignment in them;
/// empty where there is more in them.
SmallVector<Stmt *> nestFrom(Stmt &stmt) {
  SmallVector<Stmt *> loops;
  Stmt *inner = &stmt;
  for (; inner->kind == Stmt::For && inner->isUnrolled &&
         inner->body.size() == 1 && constantValue(inner->lower) == 0;
       inner = inner->body[0])
    loops.push_back(inner);
  if (inner->kind != Stmt::Assign || !inner->value)
    loops.clear();
  return loops;
}

} // namespace

void Arranger::findFixed() {
  forEachExpr(kernel.body, [&](const Expr *part) {
    if (part->variable && part->variable->kind == Variable::Local &&
        (part->kind != Expr::Use || part->type.lanes != 1 ||
         part->operands.size() != part->variable->shape.size()))
      fixed.insert(part->variable);
  });
}

/// Has the dimensions of an array follow those of a fixed one in `stmt`.
void Arranger::wishNeighbours(Stmt &stmt) {
  SmallVector<std::pair<const Variable *, const Variable *>> pairs;
  SmallVector<const Expr *> flexible;
  auto collect = [&](const Expr *part) {
    if (part->kind != Expr::Use || part->operands.size() < 2)
      return;
    if (isFlexible(part->variable)) {
      flexible.push_back(part);
      return;
    }
    for (size_t i = 0; i + 1 < part->operands.size(); ++i)
      if (const Variable *first = counterOf(part->operands[i]))
        if (const Variable *second = counterOf(part->operands[i + 1]))
          pairs.emplace_back(first, second);
  };
  forEachPart(stmt.value, collect);
  forEachPart(stmt.target, collect);
  for (const Expr *use : flexible)
    for (auto [first, second] : pairs) {
      std::optional<unsigned> before, behind;
      for (auto [dimension, subscript] : llvm::enumerate(use->operands)) {
        if (counterOf(subscript) == first)
          before = dimension;
        if (counterOf(subscript) == second)
          behind = dimension;
      }
      if (!before || !behind)
        continue;
      Wishes &wish = wishes[use->variable];
      std::pair wanted(*before, *behind);
      wish.isContradictory |= wish.neighbours && *wish.neighbours != wanted;
      wish.neighbours = wanted;
    }
}

/// The dimension in which the elements of `vector` follow each other.
static std::optional<unsigned> dimensionOfLanes(const Expr *vector) {
  const Expr *first = vector->operands[0];
  if (first->kind != Expr::Use || first->operands.empty())
    return std::nullopt;
  std::optional<unsigned> found;
  for (auto [lane, element] : llvm::enumerate(vector->operands)) {
    if (element->kind != Expr::Use || element->variable != first->variable)
      return std::nullopt;
    for (auto [dimension, subscripts] :
         llvm::enumerate(llvm::zip(first->operands, element->operands))) {
      auto [start, subscript] = subscripts;
      if (start == subscript)
        continue;
      if (start->kind != Expr::Sum || subscript->kind != Expr::Sum ||
          (found && *found != dimension) ||
          start->operands != subscript->operands ||
          start->coefficients != subscript->coefficients ||
          subscript->constant - start->constant != int64_t(lane))
        return std::nullopt;
      found = dimension;
    }
  }
  return found;
}

void Arranger::wishLanes(const Expr *vector) {
  std::optional<unsigned> dimension = dimensionOfLanes(vector);
  if (!dimension)
    return;
  Variable *array = vector->operands[0]->variable;
  if (!isFlexible(array))
    return;
  Wishes &wish = wishes[array];
  wish.isContradictory |= wish.last && *wish.last != *dimension;
  wish.last = dimension;
}

void Arranger::findWishes() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind == Stmt::Assign && stmt.value)
      wishNeighbours(stmt);
  });
  forEachExpr(kernel.body, [&](const Expr *part) {
    if (part->kind == Expr::Vector)
      wishLanes(part);
  });
}

/// The order of dimensions that `wish` asks for; empty where there is none.
static SmallVector<unsigned> orderFor(const Wishes &wish, unsigned rank) {
  SmallVector<unsigned> tail;
  if (wish.neighbours)
    tail = {wish.neighbours->first, wish.neighbours->second};
  if (wish.last && !llvm::is_contained(tail, *wish.last))
    tail.push_back(*wish.last);
  bool isOpen = wish.last && tail.back() != *wish.last;
  if (wish.isContradictory || tail.empty() || isOpen)
    return {};
  SmallVector<unsigned> order;
  for (unsigned dimension = 0; dimension < rank; ++dimension)
    if (!llvm::is_contained(tail, dimension))
      order.push_back(dimension);
  llvm::append_range(order, tail);
  return order;
}

void Arranger::permute(Variable *array, llvm::ArrayRef<unsigned> order) {
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    if (part->kind != Expr::Use || part->variable != array)
      return nullptr;
    Expr moved = *part;
    for (auto [to, from] : llvm::enumerate(order))
      moved.operands[to] = part->operands[from];
    return kernel.make(std::move(moved));
  });
  SmallVector<int64_t> shape;
  for (unsigned from : order)
    shape.push_back(array->shape[from]);
  array->shape = std::move(shape);
}

/// Puts loops that do something for each element of an array on its own in the
/// order of its dimensions.
void Arranger::orderLoops(Stmt &nest) {
  SmallVector<Stmt *> loops = nestFrom(nest);
  if (loops.size() < 2)
    return;
  Stmt &only = *loops.back()->body[0];
  if (only.target->kind != Expr::Use || !wishes.contains(only.target->variable))
    return;
  SmallVector<std::pair<Variable *, const Expr *>> wanted;
  for (const Expr *subscript : only.target->operands)
    for (Stmt *loop : loops)
      if (counterOf(subscript) == loop->counter)
        wanted.emplace_back(loop->counter, loop->upper);
  bool isIndependent = wanted.size() == loops.size();
  forEachPart(only.value, [&](const Expr *part) {
    bool isOther =
        part->variable == only.target->variable && part != only.target;
    isIndependent &=
        !isOther && (part->kind != Expr::Call || part->text == "fma" ||
                     part->text == "mul_rn");
  });
  if (!isIndependent)
    return;
  for (auto [loop, place] : llvm::zip(loops, wanted))
    std::tie(loop->counter, loop->upper) = place;
}

void Arranger::run() {
  findFixed();
  findWishes();
  wishes.remove_if([](const auto &entry) {
    return orderFor(entry.second, entry.first->shape.size()).empty();
  });
  for (const auto &[array, wish] : wishes)
    permute(array, orderFor(wish, array->shape.size()));
  forEachStmt(kernel.body, [&](Stmt &stmt) { orderLoops(stmt); });
}

void gpuopt::source::arrangeArrays(Kernel &kernel) { Arranger(kernel).run(); }

//===--- Vectors of neighbouring elements ---------------------------------===//

/// Whether the subscript is a multiple of `lanes`.
static bool isMultiple(const Expr *subscript, int64_t lanes) {
  return subscript->kind == Expr::Sum && subscript->constant % lanes == 0 &&
         llvm::all_of(subscript->coefficients, [&](int64_t coefficient) {
           return coefficient % lanes == 0;
         });
}

void gpuopt::source::joinLanes(Kernel &kernel) {
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    if (part->kind != Expr::Vector)
      return nullptr;
    std::optional<unsigned> dimension = dimensionOfLanes(part);
    const Expr *first = part->operands[0];
    int64_t lanes = part->type.lanes;
    if (!dimension || *dimension + 1 != first->operands.size() ||
        first->variable->kind != Variable::Local ||
        first->operands.size() != first->variable->shape.size() ||
        !(first->type == part->type.element()) ||
        first->variable->shape.back() % lanes != 0 ||
        !isMultiple(first->operands.back(), lanes))
      return nullptr;
    Expr whole{Expr::Access, part->type};
    whole.variable = first->variable;
    whole.operands.append(first->operands.begin(), first->operands.end());
    whole.numSubscripts = whole.operands.size();
    first->variable->isAligned = true;
    return kernel.make(std::move(whole));
  });
}
