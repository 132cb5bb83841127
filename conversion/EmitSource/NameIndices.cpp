//===- NameIndices.cpp - names for index expressions ----------------------===//
//
// What several subscripts have in common, the part of them that depends on
// nothing but ids and parameters, is computed once, under a name that says what
// it is: the row or the column that a thread works on, the row of a tile that
// it fills.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace gpuopt::source;

namespace {

/// A part of sums that occurs more than once.
struct Candidate {
  unsigned count = 0;
  /// The subscript at which it was first seen: array, how many follow it.
  const Variable *array = nullptr;
  unsigned following = 0;
  unsigned subscripts = 0;
  /// Another tile has it as a subscript as well.
  bool isOfSeveral = false;
};

enum class Dependence { Ids, Parameters, Other };

class IndexNamer {
public:
  explicit IndexNamer(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void collect(const Expr *expr, const Variable *array, unsigned following,
               unsigned subscripts);
  void findTops();
  Dependence dependenceOf(const Expr *expr) const;
  bool readsBlock(const Expr *expr) const;
  const Expr *invariantPart(const Expr *sum);
  void collectAll();
  std::vector<std::pair<const Expr *, Candidate>> chooseCandidates();
  const Expr *useName(const Expr *expr);
  void define(const Expr *part, const Candidate &candidate);
  size_t placeFor(const Stmt &definition) const;
  void placeDefinitions();
  void useNames();
  void dropSingleUses();
  std::string nameFor(const Expr *part, const Candidate &candidate) const;

  Kernel &kernel;
  /// Parameters that the kernel writes to.
  llvm::DenseSet<const Variable *> written;
  llvm::MapVector<const Expr *, Candidate> candidates;
  /// Constants that the body starts with: positions of blocks and the like.
  llvm::MapVector<const Variable *, Stmt *> tops;
  /// Each part that got a name, with the use of it, and what defines the names.
  std::vector<std::pair<const Expr *, const Expr *>> named;
  Block definitions;
};

} // namespace

void IndexNamer::findTops() {
  llvm::DenseMap<const Variable *, unsigned> writes;
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind == Stmt::Assign)
      ++writes[stmt.target->variable];
  });
  for (Stmt *stmt : kernel.body)
    if (stmt->kind == Stmt::Assign && stmt->value &&
        stmt->target->kind == Expr::Use && stmt->target->variable->isIndex &&
        writes[stmt->target->variable] == 1 &&
        dependenceOf(stmt->value) == Dependence::Ids)
      tops[stmt->target->variable] = stmt;
}

Dependence IndexNamer::dependenceOf(const Expr *expr) const {
  bool hasIds = false, hasOther = false;
  forEachPart(expr, [&](const Expr *part) {
    if (part->kind == Expr::Access || part->kind == Expr::Call)
      hasOther = true;
    if (!part->variable)
      return;
    if (part->variable->kind == Variable::Builtin ||
        tops.contains(part->variable))
      hasIds = true;
    else if (part->variable->kind != Variable::Parameter)
      hasOther = true;
  });
  if (hasOther)
    return Dependence::Other;
  return hasIds ? Dependence::Ids : Dependence::Parameters;
}

bool IndexNamer::readsBlock(const Expr *expr) const {
  bool found = false;
  forEachPart(expr, [&](const Expr *part) {
    if (auto top = tops.find(part->variable); top != tops.end())
      found |= readsBlock(top->second->value);
    found |=
        part->variable && part->variable->kind == Variable::Builtin &&
        llvm::StringRef(part->variable->initializer).starts_with("blockIdx");
  });
  return found;
}

/// Whether `part` tells which of several tiles is the next: (k / 16 + 2) % 3.
static bool isStage(const Expr *part) {
  return part->operands.size() == 1 && part->constant == 0 &&
         part->coefficients[0] == 1 &&
         part->operands[0]->kind == Expr::Remainder &&
         llvm::any_of(part->operands[0]->operands[0]->operands,
                      [](const Expr *operand) {
                        return operand->kind == Expr::Quotient;
                      });
}

/// The summands of `sum` over ids alone, or where there is none those over
/// parameters alone; null where that is nothing worth a name.
const Expr *IndexNamer::invariantPart(const Expr *sum) {
  const Expr *part = kernel.constant(0);
  Dependence wanted = Dependence::Parameters;
  for (const Expr *operand : sum->operands)
    if (dependenceOf(operand) == Dependence::Ids)
      wanted = Dependence::Ids;
  for (auto [operand, coefficient] :
       llvm::zip(sum->operands, sum->coefficients))
    if (dependenceOf(operand) == wanted)
      part = kernel.add(part, operand, coefficient);
  if (part->operands.empty())
    return nullptr;
  bool isPlain =
      part->operands.size() == 1 && part->operands[0]->kind == Expr::Use;
  if (wanted == Dependence::Ids)
    return isPlain && part->coefficients[0] == 1 ? nullptr : part;
  // Of parameters only what takes a division; sums of sizes explain themselves.
  bool isRounded = part->operands.size() == 1 &&
                   part->operands[0]->kind == Expr::Quotient &&
                   part->coefficients[0] == part->operands[0]->constant;
  return isRounded || isStage(part) ? part : nullptr;
}

void IndexNamer::collect(const Expr *expr, const Variable *array,
                         unsigned following, unsigned subscripts) {
  if (expr->kind == Expr::Sum) {
    if (const Expr *part = invariantPart(expr)) {
      Candidate &candidate = candidates[part];
      ++candidate.count;
      bool isTile = array && array->kind == Variable::Shared;
      bool knewTile =
          candidate.array && candidate.array->kind == Variable::Shared;
      // What is written names it before what is read.
      bool isBetter = isTile ? !knewTile
                             : written.contains(array) &&
                                   !written.contains(candidate.array);
      candidate.isOfSeveral |= isTile && knewTile && array != candidate.array;
      if (array && (!candidate.array || isBetter)) {
        candidate.array = array;
        candidate.following = following;
        candidate.subscripts = subscripts;
      }
    }
  }
  bool isPartOfSubscript = expr->kind == Expr::Sum ||
                           expr->kind == Expr::Binary ||
                           expr->kind == Expr::Cast;
  for (auto [number, operand] : llvm::enumerate(expr->operands)) {
    bool isSubscript =
        expr->kind == Expr::Access && number < expr->numSubscripts;
    if (isSubscript)
      collect(operand, expr->variable, expr->numSubscripts - 1 - number,
              expr->numSubscripts);
    else
      collect(operand, isPartOfSubscript ? array : nullptr, following,
              subscripts);
  }
}

/// Whether `part` numbers the threads of a block: tx + ty * 32.
static bool isThreadNumber(const Expr *part) {
  return part->operands.size() > 1 &&
         llvm::all_of(part->operands, [](const Expr *operand) {
           return operand->kind == Expr::Use &&
                  operand->variable->kind == Variable::Builtin;
         });
}

/// Whether `part` is even or odd: tx % 2.
static bool isParity(const Expr *part) {
  return part->operands.size() == 1 && part->constant == 0 &&
         part->coefficients[0] == 1 &&
         part->operands[0]->kind == Expr::Remainder &&
         part->operands[0]->constant == 2;
}

std::string IndexNamer::nameFor(const Expr *part,
                                const Candidate &candidate) const {
  if (isStage(part))
    return "last_stage";
  if (dependenceOf(part) == Dependence::Parameters) {
    std::string name = "whole";
    forEachPart(part, [&](const Expr *inner) {
      if (inner->variable)
        name += "_" + inner->variable->name;
    });
    return name;
  }
  bool isExtent = true;
  forEachPart(part, [&](const Expr *inner) {
    if (inner->variable && inner->variable->kind == Variable::Builtin)
      isExtent &= llvm::StringRef(inner->variable->initializer).contains("Dim");
  });
  if (isExtent)
    return "stride";
  bool isPosition = readsBlock(part);
  llvm::StringRef place = candidate.following == 0 ? "col" : "row";
  if (candidate.isOfSeveral && !isPosition)
    return ("tile_" + place).str();
  if (!candidate.array || candidate.subscripts == 1)
    return isPosition             ? "idx"
           : isThreadNumber(part) ? "thread"
           : isParity(part)       ? "parity"
                                  : "lane";
  if (isPosition && written.contains(candidate.array))
    return place.str();
  llvm::StringRef array = candidate.array->name;
  return array.empty() ? ("tile_" + place).str() : (array + "_" + place).str();
}

/// Whether the summands of `part` are all among those of `sum`.
static bool contains(const Expr *sum, const Expr *part) {
  if (part->constant != 0 || part->operands.size() >= sum->operands.size())
    return false;
  for (auto [operand, coefficient] :
       llvm::zip(part->operands, part->coefficients)) {
    bool found = false;
    for (auto [other, factor] : llvm::zip(sum->operands, sum->coefficients))
      found |= other == operand && factor == coefficient;
    if (!found)
      return false;
  }
  return true;
}

/// Names the arrays of workgroup memory that are filled from one parameter
/// after it, so that their rows can be.
static void nameTiles(Kernel &kernel) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (!stmt.target || stmt.target->kind != Expr::Access || !stmt.value ||
        stmt.target->variable->kind != Variable::Shared ||
        stmt.value->kind != Expr::Access ||
        stmt.value->variable->kind != Variable::Parameter ||
        !stmt.target->variable->name.empty())
      return;
    stmt.target->variable->name = stmt.value->variable->name + "_tile";
  });
}

/// Behind all that `definition` reads.
size_t IndexNamer::placeFor(const Stmt &definition) const {
  size_t place = 0;
  forEachPart(definition.value, [&](const Expr *part) {
    auto found = llvm::find_if(kernel.body, [&](const Stmt *stmt) {
      return stmt->kind == Stmt::Assign && part->variable &&
             stmt->target->variable == part->variable;
    });
    if (found != kernel.body.end())
      place = std::max<size_t>(place, found - kernel.body.begin() + 1);
  });
  return place;
}

/// Notes what the kernel writes, and all parts of indices.
void IndexNamer::collectAll() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.target && stmt.target->kind == Expr::Access &&
        stmt.target->variable->kind == Variable::Parameter)
      written.insert(stmt.target->variable);
  });
  findTops();
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) { collect(root, nullptr, 0, 0); });
  });
}

/// What is worth a name; small parts first: they occur in the others.
std::vector<std::pair<const Expr *, Candidate>> IndexNamer::chooseCandidates() {
  std::vector<std::pair<const Expr *, Candidate>> chosen;
  for (const auto &[part, candidate] : candidates.takeVector()) {
    // What is as short as its name stays.
    bool isShort = part->size <= 2 || (part->size <= 4 && candidate.count < 4);
    if (candidate.count >= 2 && !isShort)
      chosen.emplace_back(part, candidate);
  }
  llvm::sort(chosen, [](const auto &left, const auto &right) {
    return std::pair(left.first->size, left.first->key) <
           std::pair(right.first->size, right.first->key);
  });
  return chosen;
}

/// The sum `expr` with the name of its part; null where that has none.
const Expr *IndexNamer::useName(const Expr *expr) {
  if (expr->kind != Expr::Sum)
    return nullptr;
  const Expr *part = invariantPart(expr);
  for (const auto &[from, to] : named)
    if (part == from) {
      const Expr *shorter = kernel.add(kernel.add(expr, part, -1), to);
      return expr->isInt ? kernel.markInt(shorter) : shorter;
    }
  return nullptr;
}

/// Gives `part` a name, defined in terms of those before.
void IndexNamer::define(const Expr *part, const Candidate &candidate) {
  Variable *variable = kernel.createVariable(
      Variable::Local, nameFor(part, candidate), kIndexType);
  variable->range = rangeOf(part);
  variable->isIndex = true;
  Stmt *stmt = kernel.createStmt(
      Stmt::Assign, kernel.body.empty() ? mlir::Location(kernel.place)
                                        : kernel.body[0]->location);
  stmt->target = kernel.use(variable);
  stmt->value = part;
  for (const auto &[from, to] : llvm::reverse(named))
    if (contains(stmt->value, from)) {
      stmt->value = kernel.add(kernel.add(stmt->value, from, -1), to);
      break;
    }
  stmt->value = rewrite(kernel, stmt->value,
                        [&](const Expr *expr) { return useName(expr); });
  definitions.push_back(stmt);
  named.emplace_back(part, kernel.asSum(kernel.use(variable)));
}

/// Inserts the definitions behind all that they read.
void IndexNamer::placeDefinitions() {
  // What constants of the body are made of comes before them.
  size_t last = 0;
  for (bool isLate : {false, true})
    for (auto [definition, name] : llvm::zip(definitions, named)) {
      bool readsTop = false;
      forEachPart(name.first, [&](const Expr *part) {
        readsTop |= tops.contains(part->variable);
      });
      if (readsTop != isLate)
        continue;
      last = std::max(last, placeFor(*definition));
      kernel.body.insert(kernel.body.begin() + last++, definition);
    }
}

void IndexNamer::useNames() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (llvm::is_contained(definitions, &stmt))
      return;
    for (const Expr **root :
         {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
      if (*root)
        *root = rewrite(kernel, *root,
                        [&](const Expr *expr) { return useName(expr); });
  });
}

void IndexNamer::run() {
  nameTiles(kernel);
  collectAll();
  for (const auto &[part, candidate] : chooseCandidates())
    define(part, candidate);
  if (named.empty())
    return;
  placeDefinitions();
  useNames();
  dropSingleUses();
}

/// Puts what turned out to be used only once back in its place.
void IndexNamer::dropSingleUses() {
  for (Stmt *definition : llvm::reverse(definitions)) {
    unsigned uses = 0;
    const Expr *name = definition->target;
    forEachStmt(kernel.body, [&](Stmt &stmt) {
      forEachRoot(stmt, [&](const Expr *root) {
        forEachPart(root, [&](const Expr *part) { uses += part == name; });
      });
    });
    if (uses > 2) // Its definition is one.
      continue;
    llvm::erase(kernel.body, definition);
    forEachStmt(kernel.body, [&](Stmt &stmt) {
      for (const Expr **root :
           {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
        if (*root)
          *root = rewrite(kernel, *root, [&](const Expr *part) -> const Expr * {
            if (part->kind != Expr::Sum)
              return nullptr;
            for (auto [operand, factor] :
                 llvm::zip(part->operands, part->coefficients))
              if (operand == name)
                return kernel.add(kernel.add(part, name, -factor),
                                  definition->value, factor);
            return nullptr;
          });
    });
  }
}

void gpuopt::source::nameIndices(Kernel &kernel) { IndexNamer(kernel).run(); }
