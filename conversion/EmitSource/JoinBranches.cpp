//===- JoinBranches.cpp - branches and variables as a person has them -----===//
//
// A branch that only holds another one asks for both at once. A value that
// takes the place of another one, which nothing reads any more, is assigned to
// the same variable: `most = v > most ? v : most`.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Conditions.h"
#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace gpuopt::source;

//===--- Branches in branches ---------------------------------------------===//

/// Whether `condition` may be asked for anywhere.
static bool isOfIndices(const Expr *condition) {
  bool isHarmless = true;
  forEachPart(condition, [&](const Expr *part) {
    isHarmless &= part->kind != Expr::Access && part->kind != Expr::Call &&
                  !(part->kind == Expr::Binary &&
                    (part->text == "/" || part->text == "%"));
  });
  return isHarmless;
}

/// `if (i < n) { if (i + 8 < n) A else B }` is
/// `if (i + 8 < n) A else if (i < n) B`.
static void chain(Kernel &kernel, Stmt &stmt) {
  if (stmt.kind != Stmt::If || !stmt.orElse.empty() || stmt.body.size() != 1)
    return;
  Stmt *inner = stmt.body[0];
  if (inner->kind != Stmt::If || inner->orElse.empty() ||
      !isOfIndices(inner->value))
    return;
  llvm::SmallVector<const Expr *> parts;
  takeApart(inner->value, "&&", parts);
  if (!implies(kernel, parts, stmt.value))
    return;
  std::swap(stmt.value, inner->value);
  Block first = std::move(inner->body);
  inner->body = std::move(inner->orElse);
  inner->orElse.clear();
  stmt.orElse = {inner};
  stmt.body = std::move(first);
}

static void joinIn(Kernel &kernel, Block &block) {
  for (Stmt *stmt : block) {
    joinIn(kernel, stmt->body);
    joinIn(kernel, stmt->orElse);
    chain(kernel, *stmt);
    if (stmt->kind != Stmt::If || !stmt->orElse.empty() ||
        stmt->body.size() != 1)
      continue;
    Stmt *inner = stmt->body[0];
    if (inner->kind != Stmt::If || !inner->orElse.empty())
      continue;
    Expr both{Expr::Binary, kBoolType};
    both.text = "&&";
    both.operands = {stmt->value, inner->value};
    stmt->value = kernel.make(std::move(both));
    Block body = std::move(inner->body);
    stmt->body = std::move(body);
  }
}

void gpuopt::source::joinBranches(Kernel &kernel) {
  joinIn(kernel, kernel.body);
}

void gpuopt::source::dropImplied(Kernel &kernel) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind != Stmt::If)
      return;
    llvm::SmallVector<const Expr *> parts;
    takeApart(stmt.value, "&&", parts);
    for (size_t i = 0; i < parts.size();) {
      const Expr *part = parts[i];
      parts.erase(parts.begin() + i);
      if (!implies(kernel, parts, part))
        parts.insert(parts.begin() + i++, part);
    }
    stmt.value = join(kernel, "&&", parts);
  });
}

//===--- Values that follow each other ------------------------------------===//

namespace {
/// Uses of a variable in a block and what is nested in it.
struct Life {
  /// The statements of the block that use it first and last.
  size_t first = 0, last = 0;
  unsigned uses = 0, writes = 0;
};
using Lives = llvm::MapVector<Variable *, Life>;

/// Merges variables that live in one block, one after the other.
class VariableReuser {
public:
  explicit VariableReuser(Kernel &kernel) : kernel(kernel) {
    forEachStmt(kernel.body, [&](Stmt &stmt) {
      if (stmt.kind == Stmt::Assign && stmt.value &&
          llvm::is_contained(stmt.value->operands, stmt.target))
        accumulated.insert(stmt.target->variable);
    });
  }
  using Variables = llvm::SmallSetVector<Variable *, 8>;

  /// Merges what a choice or a sum makes of a variable with it, in `block`,
  /// where none of `inherited` is read behind it.
  void mergeUpdates(Block &block, const Variables &inherited);
  /// Merges variables that have one name in the source.
  void mergeNames(Block &block);
  void apply();

private:
  llvm::SmallVector<Variable *, 2> updatedBy(const Stmt &stmt) const;
  bool livesOnlyIn(Variable *variable, const Lives &lives);
  bool startsWith(Block &block, Variable *variable, const Life &life) const;

  Kernel &kernel;
  /// Variables that something is added to.
  llvm::DenseSet<const Variable *> accumulated;
  llvm::DenseMap<Variable *, Variable *> merged;
  /// Uses in the whole kernel.
  llvm::DenseMap<Variable *, unsigned> uses;
};
} // namespace

static bool isPlain(const Expr *expr) {
  return expr->kind == Expr::Use && expr->operands.empty() &&
         expr->variable->kind == Variable::Local &&
         expr->variable->shape.empty() && !expr->variable->isIndex &&
         expr->type.lanes == 1;
}

static Lives livesIn(Block &block) {
  Lives lives;
  for (auto [number, outer] : llvm::enumerate(block)) {
    Block one = {outer};
    forEachStmt(one, [&, number = number](Stmt &stmt) {
      forEachRoot(stmt, [&](const Expr *root) {
        forEachPart(root, [&](const Expr *part) {
          if (!part->variable || part->variable->kind != Variable::Local)
            return;
          Life &life = lives[part->variable];
          life.first = life.uses++ == 0 ? number : life.first;
          life.last = number;
        });
      });
      if (stmt.kind == Stmt::Assign && stmt.target->kind == Expr::Use)
        ++lives[stmt.target->variable].writes;
    });
  }
  return lives;
}

bool VariableReuser::livesOnlyIn(Variable *variable, const Lives &lives) {
  if (uses.empty())
    for (const auto &[any, life] : livesIn(kernel.body))
      uses[any] = life.uses;
  return lives.lookup(variable).uses == uses.lookup(variable);
}

/// Whether `variable` is written first, and whenever the block runs.
bool VariableReuser::startsWith(Block &block, Variable *variable,
                                const Life &life) const {
  Stmt &stmt = *block[life.first];
  if (stmt.kind == Stmt::If) {
    auto isSetIn = [&](Block &branch) {
      Lives lives = livesIn(branch);
      auto found = lives.find(variable);
      return found != lives.end() &&
             startsWith(branch, variable, found->second);
    };
    return isSetIn(stmt.body) && isSetIn(stmt.orElse);
  }
  if (stmt.kind != Stmt::Assign || !stmt.value || !isPlain(stmt.target) ||
      stmt.target->variable != variable)
    return false;
  bool readsItself = false;
  forEachPart(stmt.value, [&](const Expr *part) {
    readsItself |= part->variable == variable;
  });
  return !readsItself;
}

/// The variables that `stmt` makes a new value from, as the value that is
/// updated; the likeliest first.
llvm::SmallVector<Variable *, 2>
VariableReuser::updatedBy(const Stmt &stmt) const {
  llvm::SmallVector<Variable *, 2> found;
  const Expr *value = stmt.value;
  const Variable *later = stmt.target->variable;
  auto add = [&](const Expr *expr) {
    if (isPlain(expr) && expr->type == stmt.target->type &&
        expr->variable != later)
      found.push_back(expr->variable);
  };
  if (value->kind == Expr::Select) {
    add(value->operands[2]);
    add(value->operands[1]);
    // Rather the variable that has the name in the source.
    if (found.size() == 2 && found[0]->name != later->name &&
        found[1]->name == later->name)
      std::swap(found[0], found[1]);
    return found;
  }
  // What starts with a variable that has been added to before.
  const Expr *first = value;
  while (first->kind == Expr::Binary)
    first = first->operands[0];
  unsigned reads = 0;
  forEachPart(value, [&](const Expr *part) { reads += part == first; });
  if (first != value && reads == 1 && isPlain(first) &&
      accumulated.contains(first->variable))
    add(first);
  llvm::erase_if(found, [&](const Variable *variable) {
    return !later->name.empty() && later->name != variable->name;
  });
  return found;
}

void VariableReuser::mergeUpdates(Block &block, const Variables &inherited) {
  Lives lives = livesIn(block);
  Variables own = inherited;
  for (const auto &[variable, life] : lives)
    if (livesOnlyIn(variable, lives) && startsWith(block, variable, life))
      own.insert(variable);
  for (auto [number, stmt] : llvm::enumerate(block)) {
    bool isPlainAssign =
        stmt->kind == Stmt::Assign && stmt->value && isPlain(stmt->target);
    if (isPlainAssign) {
      Variable *later = stmt->target->variable;
      const Life &next = lives[later];
      bool isNew =
          livesOnlyIn(later, lives) && next.first == number && next.writes == 1;
      for (Variable *earlier : updatedBy(*stmt))
        if (isNew && own.contains(earlier) &&
            lives.lookup(earlier).last == number) {
          merged[later] = earlier;
          break;
        }
    }
    // What is not read behind a branch may change in it.
    Variables ending;
    if (stmt->kind == Stmt::If)
      for (Variable *variable : own)
        if (lives.lookup(variable).last == number)
          ending.insert(variable);
    mergeUpdates(stmt->body, ending);
    mergeUpdates(stmt->orElse, ending);
  }
}

void VariableReuser::mergeNames(Block &block) {
  Lives lives = livesIn(block);
  llvm::StringMap<Variable *> latest;
  for (auto [number, stmt] : llvm::enumerate(block)) {
    mergeNames(stmt->body);
    mergeNames(stmt->orElse);
    if (stmt->kind != Stmt::Assign || !isPlain(stmt->target) ||
        stmt->target->variable->name.empty())
      continue;
    Variable *variable = stmt->target->variable;
    const Life &life = lives[variable];
    if (life.first != number || !livesOnlyIn(variable, lives) ||
        !startsWith(block, variable, life))
      continue;
    Variable *&earlier = latest[variable->name];
    if (earlier && lives[earlier].last < number &&
        earlier->type == variable->type)
      merged[variable] = earlier;
    earlier = variable;
  }
}

void VariableReuser::apply() {
  rewriteAll(kernel, [&](const Expr *part) -> const Expr * {
    if (part->kind != Expr::Use || !part->operands.empty())
      return nullptr;
    Variable *variable = part->variable;
    while (Variable *earlier = merged.lookup(variable))
      variable = earlier;
    return variable == part->variable ? nullptr : kernel.use(variable);
  });
}

void gpuopt::source::reuseUpdated(Kernel &kernel) {
  VariableReuser reuser(kernel);
  reuser.mergeUpdates(kernel.body, {});
  reuser.apply();
}

void gpuopt::source::reuseNamed(Kernel &kernel) {
  VariableReuser reuser(kernel);
  reuser.mergeNames(kernel.body);
  reuser.apply();
}
