//===- OutlineRepeats.cpp - what occurs several times, once ---------------===//
//
// Versions of a loop and its prologue, its steady state and its end repeat
// sequences of statements that differ in an index here and there: the stage of
// a tile, the first column. Such a sequence becomes a local function of what
// differs, declared in front of the first statement that needs it:
//
//   auto load_tiles = [&](int stage, int first) { ... };
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt::source;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The longest sequence of statements that is looked for.
constexpr size_t maxLength = 12;
/// Lines that a function has to save, and the fewest that it must have.
constexpr int minSaved = 4, minLines = 5;
/// Characters of expressions that fill a line, and those of a name.
constexpr size_t charactersPerLine = 66, nameLength = 4;

/// Finds repeats and outlines them.
class Outliner {
public:
  explicit Outliner(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  struct Candidate {
    std::vector<Sequence> occurrences;
    int saved = 0;
  };

  void collect(Block &block);
  std::optional<Candidate> findBest();
  bool canUnify(ArrayRef<Sequence> occurrences);
  void joinEnds(Block &block);
  bool joinEnds(Block &block, size_t at);
  void apply(const Candidate &candidate);

  Kernel &kernel;
  Uses total;
  llvm::MapVector<llvm::StringRef, std::vector<Sequence>> groups;
  llvm::StringMap<char> keys;
};

/// What equal sequences have in common at least; empty for what cannot be
/// moved into a function.
bool appendKey(const Stmt &stmt, llvm::raw_ostream &key) {
  if (stmt.kind == Stmt::Break || stmt.kind == Stmt::Function)
    return false;
  key << stmt.kind << ' ' << stmt.step << stmt.isUnrolled << stmt.halves
      << stmt.text << (stmt.target ? stmt.target->kind : -1)
      << (stmt.value ? stmt.value->kind : -1);
  if (stmt.target && stmt.target->kind == Expr::Access &&
      stmt.target->variable->kind != Variable::Local)
    key << 'v' << stmt.target->variable->number;
  for (const Block *block : {&stmt.body, &stmt.orElse}) {
    key << '{';
    for (const Stmt *inner : *block)
      if (!appendKey(*inner, key))
        return false;
    key << '}';
  }
  key << ';';
  return true;
}

/// About how many characters `expr` takes.
size_t widthOf(const Expr *expr) {
  size_t width = 2;
  if (expr->kind == Expr::Sum)
    width = expr->constant ? 5 : 0;
  if (expr->kind == Expr::Cast ||
      (expr->kind == Expr::Access && expr->type != expr->variable->type))
    width += 12;
  if (expr->variable)
    width += std::max(expr->variable->name.size(), nameLength);
  else if (expr->kind == Expr::Literal || expr->kind == Expr::Call)
    width += expr->text.size();
  for (auto [at, operand] : llvm::enumerate(expr->operands)) {
    bool isScaled =
        at < expr->coefficients.size() && expr->coefficients[at] > 1;
    width += widthOf(operand) + (at ? 3 : 0) + (isScaled ? 5 : 0);
  }
  return width;
}

int linesOf(const Stmt &stmt) {
  size_t width = 0;
  for (const Expr *root : {stmt.target, stmt.value, stmt.lower, stmt.upper})
    width += root ? widthOf(root) : 0;
  int lines = 1 + width / charactersPerLine + stmt.isUnrolled;
  for (const Block *block : {&stmt.body, &stmt.orElse}) {
    for (const Stmt *inner : *block)
      lines += linesOf(*inner);
    lines += block->size() > 1;
  }
  return lines;
}

int linesOf(const Sequence &sequence) {
  int lines = 0;
  for (const Stmt *stmt : sequence.statements())
    lines += linesOf(*stmt);
  return lines;
}

void Outliner::collect(Block &block) {
  for (size_t begin = 0; begin < block.size(); ++begin) {
    std::string key;
    llvm::raw_string_ostream stream(key);
    size_t most = std::min(maxLength, block.size() - begin);
    for (size_t length = 1; length <= most; ++length) {
      if (!appendKey(*block[begin + length - 1], stream))
        break;
      llvm::StringRef kept = keys.try_emplace(key).first->first();
      groups[kept].push_back({&block, begin, length});
    }
    collect(block[begin]->body);
    collect(block[begin]->orElse);
  }
}

/// Whether one of the statements of `outer` is or holds one of `inner`.
bool overlaps(const Sequence &outer, const Sequence &inner) {
  if (outer.block == inner.block)
    return outer.begin < inner.begin + inner.length &&
           inner.begin < outer.begin + outer.length;
  llvm::SmallDenseSet<const Stmt *, 16> all;
  for (Stmt *stmt : outer.statements()) {
    Block only{stmt};
    forEachStmt(only, [&](Stmt &part) { all.insert(&part); });
  }
  return llvm::any_of(inner.statements(),
                      [&](Stmt *stmt) { return all.contains(stmt); });
}

bool Outliner::canUnify(ArrayRef<Sequence> occurrences) {
  return Unifier(kernel, occurrences, total).run();
}

std::optional<Outliner::Candidate> Outliner::findBest() {
  total = countUses(kernel.body);
  groups.clear();
  collect(kernel.body);
  std::optional<Candidate> best;
  for (auto &[key, group] : groups) {
    for (size_t first = 0; first + 1 < group.size(); ++first) {
      int lines = linesOf(group[first]);
      int most = (int(group.size() - first) - 1) * (lines - 1) - 3;
      if (lines < minLines || most < minSaved || (best && most <= best->saved))
        continue;
      Candidate candidate;
      candidate.occurrences.push_back(group[first]);
      for (size_t next = first + 1; next < group.size(); ++next) {
        bool isApart =
            llvm::none_of(candidate.occurrences, [&](const Sequence &other) {
              return overlaps(other, group[next]) ||
                     overlaps(group[next], other);
            });
        candidate.occurrences.push_back(group[next]);
        if (!isApart || !canUnify(candidate.occurrences))
          candidate.occurrences.pop_back();
      }
      int count = candidate.occurrences.size();
      candidate.saved = (count - 1) * (lines - 1) - 3;
      if (count > 1 && candidate.saved >= minSaved &&
          (!best || candidate.saved > best->saved))
        best = std::move(candidate);
    }
  }
  return best;
}

/// The innermost block with all of `wanted` in it, and the first statement
/// there that is or holds one of them.
std::pair<Block *, size_t> placeFor(Block &block,
                                    llvm::SmallDenseSet<Stmt *> wanted) {
  std::optional<size_t> first;
  for (auto [at, stmt] : llvm::enumerate(block)) {
    size_t found = 0;
    Block only{stmt};
    forEachStmt(only, [&](Stmt &part) { found += wanted.contains(&part); });
    if (found > 0 && !first)
      first = at;
    if (found < wanted.size() || wanted.contains(stmt))
      continue;
    for (Block *inner : {&stmt->body, &stmt->orElse})
      if (auto place = placeFor(*inner, wanted); place.first)
        return place;
    return {&block, at};
  }
  size_t here = 0;
  forEachStmt(block, [&](Stmt &part) { here += wanted.contains(&part); });
  if (here < wanted.size() || !first)
    return {nullptr, 0};
  return {&block, *first};
}

void Outliner::apply(const Candidate &candidate) {
  Unifier unifier(kernel, candidate.occurrences, total);
  unifier.run();
  llvm::SmallDenseSet<Stmt *> starts;
  for (const Sequence &sequence : candidate.occurrences)
    starts.insert(sequence.statements()[0]);
  Stmt *function = kernel.createStmt(
      Stmt::Function, candidate.occurrences[0].statements()[0]->location);
  function->function = kernel.createVariable(Variable::Function, "", {});
  function->body = unifier.takeBody();
  for (const Argument &argument : unifier.getArguments())
    function->parameters.push_back(argument.parameter);
  // Calls take the place of first statements; positions behind move up, so
  // later sequences of a block go first.
  SmallVector<std::pair<Sequence, size_t>> order;
  for (auto [number, sequence] : llvm::enumerate(candidate.occurrences))
    order.emplace_back(sequence, number);
  llvm::sort(order, [](const auto &left, const auto &right) {
    return left.first.begin > right.first.begin;
  });
  llvm::SmallDenseSet<Stmt *> calls;
  for (const auto &[sequence, number] : order) {
    Expr call{Expr::Call, {}};
    call.variable = function->function;
    for (const Argument &argument : unifier.getArguments())
      call.operands.push_back(argument.values[number]);
    Stmt *stmt =
        kernel.createStmt(Stmt::Evaluate, sequence.statements()[0]->location);
    stmt->value = kernel.make(std::move(call));
    auto begin = sequence.block->begin() + sequence.begin;
    sequence.block->erase(begin, begin + sequence.length);
    sequence.block->insert(sequence.block->begin() + sequence.begin, stmt);
    calls.insert(stmt);
  }
  auto [block, at] = placeFor(kernel.body, calls);
  block->insert(block->begin() + at, function);
}

/// Moves what both branches of a statement end with behind it.
bool Outliner::joinEnds(Block &block, size_t at) {
  Stmt &branch = *block[at];
  size_t most = std::min(branch.body.size(), branch.orElse.size());
  total = countUses(kernel.body);
  for (size_t length = most; length > 0; --length) {
    size_t inThen = branch.body.size() - length;
    Sequence ends[] = {{&branch.body, inThen, length},
                       {&branch.orElse, branch.orElse.size() - length, length}};
    Unifier unifier(kernel, ends, total);
    // A variable of each branch may become one of both.
    unifier.widenTo({&branch.body, &branch.orElse});
    if (!unifier.run() || !unifier.getArguments().empty())
      continue;
    Block end = unifier.takeBody();
    const auto &bound = unifier.getBound(1);
    rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
      auto known = bound.find(part->variable);
      if (known == bound.end())
        return nullptr;
      Expr same = *part;
      same.variable = known->second;
      return kernel.make(std::move(same));
    });
    forEachStmt(branch.orElse, [&](Stmt &stmt) {
      if (auto known = bound.find(stmt.counter); known != bound.end())
        stmt.counter = known->second;
    });
    branch.body.resize(inThen);
    branch.orElse.resize(branch.orElse.size() - length);
    block.insert(block.begin() + at + 1, end.begin(), end.end());
    if (branch.body.empty() && branch.orElse.empty()) {
      block.erase(block.begin() + at);
    } else if (branch.body.empty()) {
      Expr negation{Expr::Unary, kBoolType};
      negation.text = "!";
      negation.operands = {branch.value};
      branch.value = kernel.make(std::move(negation));
      std::swap(branch.body, branch.orElse);
    }
    return true;
  }
  return false;
}

void Outliner::joinEnds(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    joinEnds(block[at]->body);
    joinEnds(block[at]->orElse);
    if (block[at]->kind == Stmt::If && !block[at]->orElse.empty())
      joinEnds(block, at);
  }
}

void Outliner::run() {
  joinEnds(kernel.body);
  while (std::optional<Candidate> best = findBest())
    apply(*best);
}

} // namespace

void gpuopt::source::outlineRepeats(Kernel &kernel) { Outliner(kernel).run(); }
