//===- JoinArrays.cpp - arrays of workgroup memory that are one -----------===//
//
// Unrolled copies of a load have a tile each: a_tile, a_tile_2, a_tile_3. Where
// these are alike, filled from the same array and used at the same places, they
// are the rows of one array, so that the copies become loops over them.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace gpuopt::source;

namespace {

/// Fewer arrays than this stay as they are.
constexpr size_t minArrays = 3;

/// What vectors are aligned to, in bytes.
constexpr int64_t vectorBytes = 16;

/// How an array is used.
struct Usage {
  /// What it is filled from; null for what has been computed.
  const Variable *source = nullptr;
  /// The blocks with statements that use it.
  llvm::SetVector<const Block *> places;
  /// Number of accesses.
  unsigned accesses = 0;
  bool isWhole = true;

  bool operator==(const Usage &other) const {
    return source == other.source && accesses == other.accesses && isWhole &&
           other.isWhole && places == other.places;
  }
};

class ArrayJoiner {
public:
  explicit ArrayJoiner(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void collect(Block &block, const Block &place);
  const Variable *sourceOf(const Expr *value) const;
  void join(llvm::ArrayRef<Variable *> arrays);

  Kernel &kernel;
  /// In the order in which they are first used.
  llvm::MapVector<Variable *, Usage> usages;
  /// What variables are loaded from.
  llvm::DenseMap<const Variable *, const Variable *> loaded;
};

} // namespace

/// The parameter that `value` is loaded from, at once or by a variable.
const Variable *ArrayJoiner::sourceOf(const Expr *value) const {
  if (value->kind == Expr::Access &&
      value->variable->kind == Variable::Parameter)
    return value->variable;
  return value->kind == Expr::Use ? loaded.lookup(value->variable) : nullptr;
}

/// `place` is `block` or, for a branch on a condition, what is around it.
void ArrayJoiner::collect(Block &block, const Block &place) {
  for (Stmt *stmt : block) {
    if (stmt->kind == Stmt::Assign && stmt->value &&
        stmt->target->kind == Expr::Use)
      if (const Variable *source = sourceOf(stmt->value))
        loaded.try_emplace(stmt->target->variable, source);
    forEachRoot(*stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        if (!part->variable || part->variable->kind != Variable::Shared)
          return;
        Usage &usage = usages[part->variable];
        ++usage.accesses;
        usage.places.insert(&place);
        usage.isWhole &= part->kind == Expr::Access &&
                         part->numSubscripts == part->variable->shape.size();
      });
    });
    if (stmt->target && stmt->value && stmt->target->kind == Expr::Access)
      if (auto found = usages.find(stmt->target->variable);
          found != usages.end() && !found->second.source)
        found->second.source = sourceOf(stmt->value);
    bool isGuard = stmt->kind == Stmt::If && stmt->orElse.empty();
    collect(stmt->body, isGuard ? place : stmt->body);
    collect(stmt->orElse, stmt->orElse);
  }
}

void ArrayJoiner::join(llvm::ArrayRef<Variable *> arrays) {
  Variable *all =
      kernel.createVariable(Variable::Shared, arrays[0]->name, arrays[0]->type);
  all->shape.push_back(arrays.size());
  llvm::append_range(all->shape, arrays[0]->shape);
  llvm::DenseMap<const Variable *, int64_t> positions;
  for (auto [position, array] : llvm::enumerate(arrays))
    positions[array] = position;
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    auto position = positions.find(part->variable);
    if (part->kind != Expr::Access || position == positions.end())
      return nullptr;
    Expr moved = *part;
    moved.variable = all;
    moved.operands.insert(moved.operands.begin(),
                          kernel.constant(position->second));
    ++moved.numSubscripts;
    return kernel.make(std::move(moved));
  });
  *llvm::find(kernel.shared, arrays[0]) = all;
  llvm::erase_if(kernel.shared, [&](const Variable *array) {
    return positions.contains(array);
  });
}

void ArrayJoiner::run() {
  collect(kernel.body, kernel.body);
  auto all = usages.takeVector();
  for (size_t first = 0; first < all.size(); ++first) {
    auto [array, usage] = all[first];
    llvm::SmallVector<Variable *> same;
    llvm::erase_if(all, [&](const auto &entry) {
      bool isSame = entry.second == usage && entry.first->type == array->type &&
                    entry.first->shape == array->shape;
      if (isSame)
        same.push_back(entry.first);
      return isSame && entry.first != array;
    });
    int64_t bytes = array->type.bits / 8;
    for (int64_t extent : array->shape)
      bytes *= extent;
    if (same.size() >= minArrays && bytes % vectorBytes == 0)
      join(same);
  }
}

void gpuopt::source::joinArrays(Kernel &kernel) { ArrayJoiner(kernel).run(); }
