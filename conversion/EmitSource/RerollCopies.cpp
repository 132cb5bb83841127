//===- RerollCopies.cpp - unrolled copies to loops ------------------------===//
//
// Copies are statements of one shape whose *holes* change evenly: a constant
// grows by the same number from copy to copy, and a variable is either the same
// in all copies, or each copy has one of its own. Variables of the second kind
// that only their copy uses become one variable; the others become the elements
// of an array, in the order of the copies. Innermost blocks go first, short
// periods before long ones, so that nested loops come out of flat code and the
// arrays get the dimensions of the loops that use them.
//
// The loop runs the same statements in the same order: nothing is to be proved.
// Only statements that fill different tiles from global memory change places.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Fills.h"
#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt::source;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The longest sequence of statements that is tried as one copy.
constexpr size_t maxPeriod = 20;

/// How often blocks are gone through again.
constexpr unsigned maxRounds = 3;

/// Lines of a loop for itself and its pragma; a brace takes one more.
constexpr unsigned loopLines = 2;

/// Nodes of expressions that fill a line.
constexpr unsigned nodesPerLine = 18;

/// A place at which copies may differ.
struct Hole {
  /// A local variable or a counter; null for a constant.
  Variable *variable = nullptr;
  int64_t value = 0;
  /// A lane of a vector that is no variable: it cannot become an element.
  bool isFixed = false;
};

/// A statement without its holes, as a number, and the holes.
struct Shape {
  unsigned id = 0;
  SmallVector<Hole> holes;
  unsigned lines = 1;
};

/// `count` copies, each of `period` statements from `begin` on.
struct Run {
  size_t begin = 0, period = 1, count = 0;
  /// By what each constant grows; 0 for variables.
  SmallVector<int64_t> growth;
  /// The variables of the copies that become an array, by the first copy's.
  llvm::MapVector<Variable *, SmallVector<Variable *>> packed;
};

class Reroller {
public:
  explicit Reroller(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void rerollBlock(Block &block);
  bool rerollOnce(Block &block);
  bool rerollFills(Block &block);
  bool rerollFills(Block &block, size_t begin, size_t end);
  std::optional<Run> findRun(size_t begin, size_t period) const;
  bool classify(Run &run) const;
  bool isLocalTo(ArrayRef<Variable *> sequence, const Run &run) const;
  void apply(Block &block, const Run &run);

  void resolveStmt(Stmt &stmt);
  Shape shapeOf(Stmt &stmt);
  void collect(Stmt &stmt, llvm::raw_ostream &text, Shape &shape);
  void collect(const Expr *expr, Shape &shape);
  void rebuild(Stmt &stmt);
  const Expr *rebuild(const Expr *expr);
  void countUses();

  Kernel &kernel;
  llvm::StringMap<unsigned> ids;
  /// Of the block at hand.
  std::vector<Shape> shapes;
  llvm::DenseMap<Variable *, unsigned> uses;
  /// `uses` are those of the kernel as it is: counting walks all of it, and
  /// most blocks become no loop.
  bool isCounted = false;
  size_t numLoops = 0;
  // Of the loop being made.
  const Run *current = nullptr;
  size_t nextHole = 0;
  Variable *counter = nullptr;
  llvm::DenseMap<Variable *, Variable *> arrays;
};

bool isHole(const Variable *variable) {
  return variable->kind == Variable::Local ||
         variable->kind == Variable::Counter;
}

} // namespace

//===--- Shapes -----------------------------------------------------------===//

/// What `part` is, an element or a vector at one, in `array` at `at`.
static const Expr *moveTo(Kernel &kernel, const Expr *part, Variable *array,
                          ArrayRef<const Expr *> at) {
  if (part->kind == Expr::Use)
    return kernel.use(array, at);
  Expr whole = *part;
  whole.variable = array;
  whole.operands.assign(at.begin(), at.end());
  whole.numSubscripts = at.size();
  return kernel.make(std::move(whole));
}

const Expr *gpuopt::source::resolve(Kernel &kernel, const Expr *expr) {
  return rewrite(kernel, expr, [&](const Expr *part) -> const Expr * {
    if (!part->variable || !part->variable->array)
      return nullptr;
    Variable *variable = part->variable;
    SmallVector<const Expr *> at(part->operands.begin(), part->operands.end());
    while (variable->array) {
      at.insert(at.begin(), kernel.constant(variable->position));
      variable = variable->array;
    }
    return moveTo(kernel, part, variable, at);
  });
}

void Reroller::resolveStmt(Stmt &stmt) {
  for (const Expr **root :
       {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
    if (*root)
      *root = resolve(kernel, *root);
}

void Reroller::collect(const Expr *expr, Shape &shape) {
  if (expr->kind == Expr::Sum)
    shape.holes.push_back({nullptr, expr->constant, false});
  if (expr->variable && isHole(expr->variable))
    shape.holes.push_back({expr->variable, 0, false});
  for (const Expr *operand : expr->operands)
    collect(operand, shape);
  bool isOfVariable =
      expr->kind == Expr::Lane && expr->operands[0]->kind == Expr::Use;
  if (expr->kind == Expr::Lane && !isOfVariable)
    shape.holes.back().isFixed = true;
}

void Reroller::collect(Stmt &stmt, llvm::raw_ostream &text, Shape &shape) {
  text << '<' << stmt.kind << ' ' << stmt.step << ' ' << stmt.isUnrolled
       << stmt.halves << ' ' << stmt.text;
  if (stmt.counter)
    shape.holes.push_back({stmt.counter, 0, false});
  unsigned nodes = 0;
  for (const Expr *root :
       {stmt.target, stmt.value, stmt.lower, stmt.upper, stmt.stepBy}) {
    text << '|';
    if (!root)
      continue;
    text << root->shape;
    collect(root, shape);
    nodes += root->size;
  }
  shape.lines += nodes / nodesPerLine;
  for (Block *block : {&stmt.body, &stmt.orElse}) {
    text << '{';
    for (Stmt *inner : *block) {
      collect(*inner, text, shape);
      shape.lines += 1;
    }
    text << '}';
  }
  shape.lines += stmt.isUnrolled;
  text << '>';
}

Shape Reroller::shapeOf(Stmt &stmt) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  Shape shape;
  collect(stmt, stream, shape);
  shape.id = ids.try_emplace(text, ids.size()).first->second;
  return shape;
}

//===--- Runs -------------------------------------------------------------===//

static bool areSameKind(const Variable *left, const Variable *right) {
  return left->kind == right->kind && left->type == right->type &&
         left->shape == right->shape;
}

std::optional<Run> Reroller::findRun(size_t begin, size_t period) const {
  Run run;
  run.begin = begin;
  run.period = period;
  run.count = 1;
  size_t total = 0;
  for (size_t t = 0; t < period; ++t)
    total += shapes[begin + t].holes.size();
  run.growth.assign(total, 0);
  SmallVector<llvm::SmallDenseSet<Variable *, 8>> seen(total);

  auto accepts = [&](const Hole &first, const Hole &hole, const Hole &last,
                     size_t number) {
    if (!first.variable) {
      int64_t growth = hole.value - last.value;
      if (run.count == 1)
        run.growth[number] = growth;
      return growth == run.growth[number] && !(growth != 0 && first.isFixed);
    }
    // The second copy tells whether each has a variable of its own.
    bool varies = run.count == 1 ? hole.variable != first.variable
                                 : !seen[number].empty();
    if (!varies)
      return hole.variable == first.variable;
    seen[number].insert(first.variable);
    return areSameKind(first.variable, hole.variable) &&
           seen[number].insert(hole.variable).second;
  };
  for (size_t next = begin + period; next + period <= shapes.size();
       next += period) {
    bool matches = true;
    size_t number = 0;
    for (size_t t = 0; t < period && matches; ++t) {
      const Shape &first = shapes[begin + t], &copy = shapes[next + t];
      const Shape &last = shapes[next - period + t];
      matches = first.id == copy.id;
      for (size_t h = 0; matches && h < first.holes.size(); ++h)
        matches =
            accepts(first.holes[h], copy.holes[h], last.holes[h], number++);
    }
    if (!matches)
      break;
    ++run.count;
  }
  if (run.count < 2)
    return std::nullopt;
  // Any two numbers make a line: of two copies nothing says that they are one.
  if (run.count == 2 &&
      llvm::any_of(run.growth, [](int64_t by) { return by > 0; }) &&
      llvm::any_of(run.growth, [](int64_t by) { return by < 0; }))
    return std::nullopt;
  unsigned lines = 0;
  for (size_t t = 0; t < period; ++t)
    lines += shapes[begin + t].lines;
  if ((run.count - 1) * lines <= loopLines + (period > 1))
    return std::nullopt;
  return classify(run) ? std::optional(std::move(run)) : std::nullopt;
}

/// Whether copy j is the only place that uses the variable `sequence[j]`.
bool Reroller::isLocalTo(ArrayRef<Variable *> sequence, const Run &run) const {
  for (size_t copy = 0; copy < run.count; ++copy) {
    unsigned inside = 0;
    for (size_t t = 0; t < run.period; ++t)
      for (const Hole &hole : shapes[run.begin + copy * run.period + t].holes)
        inside += hole.variable == sequence[copy];
    if (inside != uses.lookup(sequence[copy]))
      return false;
  }
  return true;
}

/// Finds out what becomes of the variables that differ from copy to copy.
bool Reroller::classify(Run &run) const {
  llvm::MapVector<Variable *, SmallVector<Variable *>> sequences;
  llvm::DenseMap<Variable *, Variable *> owners;
  for (size_t t = 0; t < run.period; ++t) {
    const Shape &first = shapes[run.begin + t];
    for (size_t h = 0; h < first.holes.size(); ++h) {
      Variable *variable = first.holes[h].variable;
      if (!variable)
        continue;
      SmallVector<Variable *> sequence;
      for (size_t copy = 0; copy < run.count; ++copy)
        sequence.push_back(
            shapes[run.begin + copy * run.period + t].holes[h].variable);
      auto [known, isNew] = sequences.insert({variable, sequence});
      if (!isNew && known->second != sequence)
        return false;
      // A variable has one place in one sequence.
      if (sequence[0] != sequence[1])
        for (Variable *member : sequence)
          if (owners.try_emplace(member, variable).first->second != variable)
            return false;
    }
  }
  for (auto &[variable, sequence] : sequences) {
    if (sequence[0] == sequence[1]) {
      if (owners.contains(variable))
        return false;
      continue;
    }
    if (isLocalTo(sequence, run))
      continue;
    if (variable->kind != Variable::Local)
      return false;
    run.packed.insert({variable, sequence});
  }
  return true;
}

//===--- The loop ---------------------------------------------------------===//

const Expr *Reroller::rebuild(const Expr *expr) {
  bool hasConstant = expr->kind == Expr::Sum;
  int64_t growth = 0;
  if (hasConstant)
    growth = current->growth[nextHole++];
  Variable *array = nullptr;
  if (expr->variable && isHole(expr->variable)) {
    ++nextHole;
    array = arrays.lookup(expr->variable);
  }
  SmallVector<const Expr *> operands;
  for (const Expr *operand : expr->operands)
    operands.push_back(rebuild(operand));
  if (hasConstant) {
    const Expr *sum = kernel.constant(expr->constant);
    for (auto [operand, coefficient] : llvm::zip(operands, expr->coefficients))
      sum = kernel.add(sum, operand, coefficient);
    return kernel.add(sum, kernel.use(counter), growth);
  }
  if (array) {
    operands.insert(operands.begin(), kernel.asSum(kernel.use(counter)));
    return moveTo(kernel, expr, array, operands);
  }
  Expr copy = *expr;
  copy.operands.assign(operands.begin(), operands.end());
  return kernel.make(std::move(copy));
}

void Reroller::rebuild(Stmt &stmt) {
  if (stmt.counter)
    ++nextHole;
  for (const Expr **root :
       {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
    if (*root)
      *root = rebuild(*root);
  for (Block *block : {&stmt.body, &stmt.orElse})
    for (Stmt *inner : *block)
      rebuild(*inner);
}

void Reroller::apply(Block &block, const Run &run) {
  Stmt *loop = kernel.createStmt(Stmt::For, block[run.begin]->location);
  counter = kernel.createVariable(Variable::Counter, "", kIndexType);
  int64_t count = run.count;
  counter->range = {0, count - 1};
  loop->counter = counter;
  loop->lower = kernel.constant(0);
  loop->upper = kernel.constant(count);
  loop->isUnrolled = true;
  arrays.clear();
  for (const auto &[first, sequence] : run.packed) {
    Variable *array =
        kernel.createVariable(Variable::Local, first->name, first->type);
    array->shape.push_back(count);
    llvm::append_range(array->shape, first->shape);
    array->isAligned = first->isAligned;
    for (auto [position, variable] : llvm::enumerate(sequence)) {
      variable->array = array;
      variable->position = position;
    }
    arrays[first] = array;
  }
  ++numLoops;
  isCounted = false;
  auto begin = block.begin() + run.begin;
  loop->body.assign(begin, begin + run.period);
  current = &run;
  nextHole = 0;
  for (Stmt *stmt : loop->body)
    rebuild(*stmt);
  block.erase(begin, begin + run.period * run.count);
  block.insert(block.begin() + run.begin, loop);
}

void Reroller::countUses() {
  if (isCounted)
    return;
  isCounted = true;
  uses.clear();
  auto count = [&](const Expr *root) {
    forEachPart(root, [&](const Expr *part) {
      if (part->variable && isHole(part->variable))
        ++uses[part->variable];
    });
  };
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    resolveStmt(stmt);
    forEachRoot(stmt, count);
    if (stmt.counter)
      ++uses[stmt.counter];
  });
}

/// Makes the first loop that saves lines; short copies before long ones.
bool Reroller::rerollOnce(Block &block) {
  shapes.clear();
  for (Stmt *stmt : block)
    shapes.push_back(shapeOf(*stmt));
  for (size_t period = 1; period <= std::min(maxPeriod, block.size() / 2);
       ++period)
    for (size_t begin = 0; begin + 2 * period <= block.size(); ++begin) {
      if (shapes[begin].id != shapes[begin + period].id)
        continue;
      if (std::optional<Run> run = findRun(begin, period)) {
        apply(block, *run);
        if (!run->packed.empty())
          countUses();
        return true;
      }
    }
  return false;
}

/// Makes a loop of the fills from `begin` up to `end`: as many of each tile, of
/// which each iteration takes one.
bool Reroller::rerollFills(Block &block, size_t begin, size_t end) {
  llvm::MapVector<unsigned, SmallVector<size_t>> groups;
  for (size_t i = begin; i < end; ++i)
    groups[shapes[i].id].push_back(i);
  size_t count = (end - begin) / groups.size();
  Tiles all;
  // Both addresses of a copy are longer in a loop, and take a line more.
  unsigned lines = 0, longer = 0;
  for (const auto &[id, members] : groups) {
    Tiles tiles;
    isFill(*block[members[0]], tiles);
    lines += shapes[members[0]].lines;
    longer += block[members[0]]->kind == Stmt::AsyncCopy;
    if (members.size() != count ||
        llvm::any_of(tiles, [&](const Variable *tile) {
          return !all.insert(tile).second;
        }))
      return false;
  }
  Block stmts(block.begin() + begin, block.begin() + end);
  std::vector<Shape> before(shapes.begin() + begin, shapes.begin() + end);
  size_t next = begin;
  for (size_t copy = 0; copy < count; ++copy)
    for (const auto &[id, members] : groups) {
      block[next] = stmts[members[copy] - begin];
      shapes[next++] = before[members[copy] - begin];
    }
  std::optional<Run> run = findRun(begin, groups.size());
  if (run && run->count == count && run->packed.empty() &&
      (count - 1) * lines > loopLines + 1 + longer) {
    apply(block, *run);
    return true;
  }
  std::copy(stmts.begin(), stmts.end(), block.begin() + begin);
  std::copy(before.begin(), before.end(), shapes.begin() + begin);
  return false;
}

/// Makes a loop of fills of several tiles, those of each tile together, which
/// are too few for a loop of their own.
bool Reroller::rerollFills(Block &block) {
  for (size_t begin = 0, end = 0; begin < block.size(); begin = end + 1) {
    Tiles tiles;
    for (end = begin; end < block.size() && isFill(*block[end], tiles);)
      ++end;
    if (end - begin > 1 && rerollFills(block, begin, end))
      return true;
  }
  return false;
}

void Reroller::rerollBlock(Block &block) {
  for (Stmt *stmt : block) {
    rerollBlock(stmt->body);
    rerollBlock(stmt->orElse);
  }
  countUses();
  while (block.size() > 1 && (rerollOnce(block) || rerollFills(block)))
    countUses();
}

//===--- Swizzled copies --------------------------------------------------===//

/// The exclusive or that `subscript` is, with a constant; null for all else.
static const Expr *exclusiveOr(const Expr *subscript) {
  if (subscript->kind != Expr::Sum || subscript->operands.size() != 1 ||
      subscript->constant != 0 || subscript->coefficients[0] != 1)
    return nullptr;
  const Expr *operation = subscript->operands[0];
  bool isXor = operation->kind == Expr::Binary && operation->text == "^" &&
               constantValue(operation->operands[1]);
  return isXor ? operation : nullptr;
}

/// The left side of `operation` as a subscript of its own.
static const Expr *baseOf(Kernel &kernel, const Expr *operation) {
  const Expr *base = operation->operands[0];
  return kernel.asSum(base->kind == Expr::Cast ? base->operands[0] : base);
}

/// Among accesses at x ^ 4, x ^ 8 and so on, one at x is one at x ^ 0.
static void addZeros(Kernel &kernel) {
  llvm::DenseMap<std::pair<const Variable *, const Expr *>, const Expr *> known;
  auto forSubscripts = [](const Expr *access, auto visit) {
    if (access->kind == Expr::Access)
      for (unsigned i = 0; i < access->numSubscripts; ++i)
        visit(access->operands[i], i);
  };
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        forSubscripts(part, [&](const Expr *subscript, unsigned) {
          if (const Expr *operation = exclusiveOr(subscript)) {
            known[{part->variable, baseOf(kernel, operation)}] = operation;
          }
        });
      });
    });
  });
  if (known.empty())
    return;
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    Expr copy = *part;
    bool isChanged = false;
    forSubscripts(part, [&](const Expr *subscript, unsigned i) {
      const Expr *operation = known.lookup({part->variable, subscript});
      if (!operation)
        return;
      Expr zero = *operation;
      zero.operands[1] = kernel.constant(0);
      copy.operands[i] = kernel.asSum(kernel.make(std::move(zero)));
      isChanged = true;
    });
    return isChanged ? kernel.make(std::move(copy)) : nullptr;
  });
}

/// Takes out the x ^ 0 that are left.
static void dropZeros(Kernel &kernel) {
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    const Expr *operation = exclusiveOr(part);
    if (!operation || constantValue(operation->operands[1]) != 0)
      return nullptr;
    return baseOf(kernel, operation);
  });
}

void Reroller::run() {
  // Loops make arrays, and elements of arrays may be copies in turn.
  for (unsigned round = 0; round < maxRounds; ++round) {
    size_t before = numLoops;
    rerollBlock(kernel.body);
    if (numLoops == before)
      break;
  }
  countUses();
}

void gpuopt::source::rerollCopies(Kernel &kernel) {
  addZeros(kernel);
  Reroller(kernel).run();
  dropZeros(kernel);
}
