//===- PlaceDeclarations.cpp - where variables are declared ---------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace gpuopt::source;

namespace {
using Variables = llvm::SetVector<Variable *>;

/// The local variables that `stmt` itself names.
void collectOwn(Stmt &stmt, Variables &found) {
  forEachRoot(stmt, [&](const Expr *root) {
    forEachPart(root, [&](const Expr *part) {
      if (part->variable && part->variable->kind == Variable::Local)
        found.insert(part->variable);
    });
  });
}

class Placer {
public:
  void place(Block &block, const Variables &candidates);
  const Variables &variablesOf(Stmt &stmt);

private:
  llvm::DenseMap<Stmt *, Variables> all;
};
} // namespace

const Variables &Placer::variablesOf(Stmt &stmt) {
  auto known = all.find(&stmt);
  if (known != all.end())
    return known->second;
  Variables found;
  collectOwn(stmt, found);
  for (Block *block : {&stmt.body, &stmt.orElse})
    for (Stmt *inner : *block) {
      const Variables &nested = variablesOf(*inner);
      found.insert(nested.begin(), nested.end());
    }
  return all[&stmt] = std::move(found);
}

static bool readsVariable(const Expr *expr, const Variable *variable) {
  bool found = false;
  forEachPart(expr,
              [&](const Expr *part) { found |= part->variable == variable; });
  return found;
}

/// Whether `stmt` writes zero to every element of `array`, and nothing else.
static const Expr *clears(const Stmt &stmt, const Variable *array) {
  llvm::SmallVector<const Variable *> counters;
  const Stmt *inner = &stmt;
  for (; inner->kind == Stmt::For && inner->body.size() == 1;
       inner = inner->body[0]) {
    size_t depth = counters.size();
    if (depth >= array->shape.size() || constantValue(inner->lower) != 0 ||
        constantValue(inner->upper) != array->shape[depth])
      return nullptr;
    counters.push_back(inner->counter);
  }
  if (inner->kind != Stmt::Assign || !inner->value ||
      counters.size() != array->shape.size() || counters.empty() ||
      inner->target->kind != Expr::Use || inner->target->variable != array ||
      inner->value->kind != Expr::Literal ||
      (inner->value->text != "0.0" && inner->value->text != "0"))
    return nullptr;
  for (auto [counter, at] : llvm::zip(counters, inner->target->operands))
    if (at->operands.size() != 1 || at->constant ||
        at->operands[0]->variable != counter)
      return nullptr;
  return inner->target;
}

/// Declares at `stmt`, the first that names it, `variable`.
static void declareAt(Stmt &stmt, Variable *variable) {
  bool isPlain = stmt.kind == Stmt::Assign && stmt.value &&
                 stmt.target->kind == Expr::Use &&
                 stmt.target->variable == variable &&
                 stmt.target->operands.empty() && variable->shape.empty() &&
                 !readsVariable(stmt.value, variable);
  stmt.declares.push_back(variable);
  if (const Expr *target = clears(stmt, variable)) {
    variable->isZeroed = true;
    stmt.kind = Stmt::Assign;
    stmt.target = target;
    stmt.counter = nullptr;
    stmt.value = nullptr;
    stmt.body.clear();
  }
  stmt.isDeclaration |= isPlain;
}

/// Declares in `block` those of `candidates` that more than one statement of it
/// names, or one in its own expressions; hands the others on.
void Placer::place(Block &block, const Variables &candidates) {
  llvm::DenseMap<Stmt *, Variables> handedOn;
  for (Variable *variable : candidates) {
    llvm::SmallVector<Stmt *> users;
    for (Stmt *stmt : block)
      if (variablesOf(*stmt).contains(variable))
        users.push_back(stmt);
    if (users.empty())
      continue;
    Variables own;
    collectOwn(*users[0], own);
    auto isIn = [&](Block &inner) {
      return llvm::any_of(inner, [&](Stmt *stmt) {
        return variablesOf(*stmt).contains(variable);
      });
    };
    bool isInside = users.size() == 1 && !own.contains(variable) &&
                    isIn(users[0]->body) != isIn(users[0]->orElse);
    // The condition behind a loop does not see what is declared in it.
    if (isInside && users[0]->kind != Stmt::DoWhile)
      handedOn[users[0]].insert(variable);
    else
      declareAt(*users[0], variable);
  }
  for (Stmt *stmt : block) {
    auto inner = handedOn.find(stmt);
    if (inner == handedOn.end())
      continue;
    Variables passed = inner->second;
    place(stmt->body, passed);
    place(stmt->orElse, passed);
  }
}

/// Whether computing `expr` does nothing but give a value.
static bool isPlain(const Expr *expr) {
  bool plain = true;
  forEachPart(expr,
              [&](const Expr *part) { plain &= part->kind != Expr::Call; });
  return plain;
}

/// Of arrays, has what says that elements exist say it once, without a loop.
static void joinExistence(Kernel &kernel, Block &block) {
  auto isExistence = [](const Stmt *stmt) {
    return stmt->kind == Stmt::Assign && !stmt->value &&
           stmt->target->kind == Expr::Use;
  };
  Block joined;
  for (Stmt *stmt : block) {
    joinExistence(kernel, stmt->body);
    joinExistence(kernel, stmt->orElse);
    if (stmt->kind == Stmt::For && llvm::all_of(stmt->body, isExistence))
      llvm::append_range(joined, stmt->body);
    else
      joined.push_back(stmt);
  }
  for (Stmt *stmt : joined)
    if (isExistence(stmt))
      stmt->target = kernel.use(stmt->target->variable);
  block = std::move(joined);
}

/// Takes out assignments to variables that nothing reads; true where there were
/// some.
static bool
dropUnread(Block &block,
           const llvm::DenseMap<const Variable *, unsigned> &reads) {
  bool isChanged = false;
  for (Stmt *stmt : block) {
    isChanged |= dropUnread(stmt->body, reads);
    isChanged |= dropUnread(stmt->orElse, reads);
  }
  size_t before = block.size();
  llvm::erase_if(block, [&](Stmt *stmt) {
    return stmt->kind == Stmt::Assign && stmt->target->kind == Expr::Use &&
           stmt->target->variable->kind == Variable::Local &&
           !reads.contains(stmt->target->variable) &&
           (!stmt->value || isPlain(stmt->value));
  });
  return isChanged || block.size() != before;
}

static bool dropUnread(Kernel &kernel) {
  llvm::DenseMap<const Variable *, unsigned> reads;
  auto count = [&](const Expr *expr) {
    forEachPart(expr, [&](const Expr *part) {
      if (part->variable)
        ++reads[part->variable];
    });
  };
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    for (const Expr *root : {stmt.value, stmt.lower, stmt.upper, stmt.stepBy})
      if (root)
        count(root);
    if (stmt.target)
      for (const Expr *part : stmt.target->operands)
        count(part);
  });
  return dropUnread(kernel.body, reads);
}

void gpuopt::source::placeDeclarations(Kernel &kernel) {
  joinExistence(kernel, kernel.body);
  // What only such an assignment has read is not read either.
  while (dropUnread(kernel)) {
  }
  Placer placer;
  Variables locals;
  for (Stmt *stmt : kernel.body) {
    const Variables &found = placer.variablesOf(*stmt);
    locals.insert(found.begin(), found.end());
  }
  placer.place(kernel.body, locals);
  // What only its declaration writes is constant.
  llvm::DenseMap<Variable *, unsigned> writes;
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind == Stmt::Assign && stmt.target->kind == Expr::Use)
      ++writes[stmt.target->variable];
  });
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (!stmt.isDeclaration)
      return;
    CType::Kind kind = stmt.target->type.kind;
    stmt.isConstant = writes[stmt.target->variable] == 1 &&
                      (kind == CType::Index || kind == CType::Bool);
  });
}
