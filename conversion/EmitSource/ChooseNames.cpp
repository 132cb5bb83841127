//===- ChooseNames.cpp - names that tell ----------------------------------===//
//
// Names from the source come first. The others say what a value is: a tile of
// an array, the sum of a loop, an element that has been loaded.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt::source;
using llvm::StringRef;

namespace {
class Namer {
public:
  explicit Namer(Kernel &kernel) : kernel(kernel) {}
  void run();

private:
  void reserveFunctions();
  llvm::DenseMap<Variable *, std::string> nameParameters();
  void nameShared();
  void nameFunction(Stmt &function, std::vector<std::string> &opened);
  void nameIn(Block &block);
  void give(Variable &variable, StringRef wish);
  std::string wishFor(const Variable &variable);
  /// The array that most of `expr` is loaded from.
  const Variable *sourceOf(const Expr *expr) const;

  Kernel &kernel;
  llvm::StringMap<unsigned> taken;
  /// First assignment of each local variable.
  llvm::DenseMap<const Variable *, const Stmt *> definitions;
  llvm::DenseMap<const Variable *, const Stmt *> updates;
  /// The parameter that a variable is stored to.
  llvm::DenseMap<const Variable *, const Variable *> storedTo;
  /// Set where a comparison with them says so.
  llvm::DenseSet<const Variable *> compared;
};
} // namespace

const Variable *Namer::sourceOf(const Expr *expr) const {
  const Variable *found = nullptr;
  forEachPart(expr, [&](const Expr *part) {
    if (found)
      return;
    if (part->kind == Expr::Access)
      found = part->variable;
    else if (part->kind == Expr::Use && part->variable->kind == Variable::Local)
      if (const Stmt *stmt = definitions.lookup(part->variable);
          stmt && stmt->value && !stmt->value->operands.empty() &&
          stmt->value->kind == Expr::Access)
        found = stmt->value->variable;
  });
  return found;
}

void Namer::give(Variable &variable, StringRef wish) {
  variable.name =
      legalName(wish, [&](StringRef name) { return taken.contains(name); });
  ++taken[variable.name];
}

void Namer::nameShared() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (!stmt.target || stmt.target->kind != Expr::Access || !stmt.value)
      return;
    Variable *array = stmt.target->variable;
    const Variable *source = sourceOf(stmt.value);
    if (array->kind == Variable::Shared && array->name.empty() && source &&
        source->kind == Variable::Parameter)
      array->name = source->name + "_tile";
  });
  for (Variable *array : kernel.shared)
    give(*array, array->name.empty() ? "tile" : array->name);
  for (Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Private)
      give(variable, variable.name.empty() ? "local" : variable.name);
}

std::string Namer::wishFor(const Variable &variable) {
  if (!variable.name.empty())
    return variable.name;
  if (compared.contains(&variable))
    return "best";
  if (const Stmt *stmt = updates.lookup(&variable)) {
    const Expr *value = stmt->value;
    if (value->kind == Expr::Binary)
      return llvm::StringSwitch<std::string>(value->text)
          .Cases({"+", "-"}, variable.type.isInteger() ? "count" : "sum")
          .Case("*", "product")
          .Default("bits");
    if (value->kind == Expr::Call && StringRef(value->text).starts_with("fm"))
      return value->text == "fmax"   ? "largest"
             : value->text == "fmin" ? "smallest"
                                     : "sum";
    if (value->kind == Expr::Select)
      return "best";
  }
  StringRef plural = variable.shape.empty() ? "_value" : "_values";
  const Stmt *stmt = definitions.lookup(&variable);
  bool isLoaded = stmt && stmt->value && stmt->value->kind == Expr::Access;
  if (const Variable *array = storedTo.lookup(&variable); array && !isLoaded)
    return array->name + plural.str();
  if (stmt && stmt->value) {
    if (const Variable *array = sourceOf(stmt->value);
        array && !array->name.empty()) {
      StringRef base = array->name;
      if (base.consume_back("_tile"))
        return base.str() + "_reg";
      return isLoaded ? base.str() + plural.str() : "value";
    }
  }
  switch (variable.type.kind) {
  case CType::Bool:
    return "is_inside";
  case CType::Index:
    return "index";
  case CType::Signed:
  case CType::Unsigned:
    return "number";
  default:
    return "value";
  }
}

/// What a sequence of statements does, in two words.
static std::string purposeOf(Block &body) {
  llvm::SetVector<const Variable *> filled, stored;
  bool isUpdate = false;
  forEachStmt(body, [&](Stmt &stmt) {
    if (!stmt.target || !stmt.value)
      return;
    const Variable *variable = stmt.target->variable;
    isUpdate |= stmt.target->kind == Expr::Use &&
                llvm::is_contained(stmt.value->operands, stmt.target);
    if (stmt.target->kind != Expr::Access)
      return;
    if (variable->kind == Variable::Shared)
      filled.insert(variable);
    if (variable->kind == Variable::Parameter)
      stored.insert(variable);
  });
  if (!stored.empty())
    return "store_" + (stored.size() == 1 ? stored[0]->name : "results");
  if (!filled.empty())
    return "fill_" + (filled.size() == 1 ? filled[0]->name : "tiles");
  return isUpdate ? "accumulate" : "load";
}

/// What a parameter of a local function is used for.
static std::string roleOf(Block &body, const Variable *parameter) {
  auto reads = [&](const Expr *expr) {
    bool found = false;
    forEachPart(
        expr, [&](const Expr *part) { found |= part->variable == parameter; });
    return found;
  };
  std::string role;
  forEachStmt(body, [&](Stmt &stmt) {
    if (stmt.upper && reads(stmt.upper))
      role = "count";
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        // Few tiles of one kind are stages.
        if (part->kind != Expr::Access ||
            part->variable->kind != Variable::Shared || !role.empty())
          return;
        for (unsigned i = 0; i + 1 < part->numSubscripts; ++i)
          if (part->variable->shape[i] <= 4 && reads(part->operands[i]))
            role = "stage";
      });
    });
  });
  return role.empty() ? "first" : role;
}

/// Names a local function, and its parameters in it.
void Namer::nameFunction(Stmt &function, std::vector<std::string> &opened) {
  give(*function.function, purposeOf(function.body));
  opened.push_back(function.function->name);
  std::vector<std::string> own;
  for (Variable *parameter : function.parameters) {
    give(*parameter, roleOf(function.body, parameter));
    own.push_back(parameter->name);
  }
  nameIn(function.body);
  for (const std::string &name : own)
    taken.erase(name);
}

void Namer::nameIn(Block &block) {
  std::vector<std::string> opened;
  auto open = [&](Variable &variable, StringRef wish) {
    give(variable, wish);
    opened.push_back(variable.name);
  };
  for (Stmt *stmt : block) {
    for (Variable *variable : stmt->declares)
      open(*variable, wishFor(*variable));
    if (stmt->kind == Stmt::Function) {
      nameFunction(*stmt, opened);
      continue;
    }
    bool hasCounter = stmt->counter != nullptr;
    if (hasCounter) {
      StringRef wish = stmt->counter->name;
      static constexpr StringRef counters[] = {"i", "j", "k", "l", "p",
                                               "q", "r", "s", "t", "u"};
      for (StringRef candidate : counters)
        if (wish.empty() && !taken.contains(candidate))
          wish = candidate;
      give(*stmt->counter, wish.empty() ? "i" : wish);
    }
    nameIn(stmt->body);
    nameIn(stmt->orElse);
    if (hasCounter)
      taken.erase(stmt->counter->name);
  }
  for (const std::string &name : opened)
    taken.erase(name);
}

/// What is called must not be hidden by a variable. Functions of `float` end in
/// `f`.
void Namer::reserveFunctions() {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        if (part->kind != Expr::Call)
          return;
        ++taken[part->text];
        ++taken[part->text + "f"];
      });
    });
  });
}

/// "floats": what an array is viewed as.
static StringRef wordFor(CType element) {
  if (element.kind == CType::BFloat)
    return "bfloats";
  bool isFloat = element.kind == CType::Float;
  return element.bits == 64   ? (isFloat ? "doubles" : "longs")
         : element.bits == 32 ? (isFloat ? "floats" : "ints")
         : element.bits == 16 ? (isFloat ? "halves" : "shorts")
                              : "bytes";
}

/// Names parameters and views of them. What is read of a view is called after
/// the parameter: it keeps that one's name, and its own is to be given at last.
llvm::DenseMap<Variable *, std::string> Namer::nameParameters() {
  llvm::DenseMap<Variable *, std::string> views;
  for (const Variable &variable : kernel.allVariables())
    if (variable.isOfModule)
      ++taken[variable.name];
  for (Variable *parameter : kernel.parameters)
    give(*parameter, parameter->name);
  for (Variable &variable : kernel.allVariables())
    if (variable.owner)
      variable.name = variable.owner->name + variable.name;
  for (Variable &view : kernel.allVariables())
    if (Variable *parameter = view.viewed) {
      // Of a member, `s.data`, the last part.
      std::string name =
          llvm::StringRef(parameter->name).rsplit('.').second.str();
      if (name.empty())
        name = parameter->name;
      give(view, name + "_" + wordFor(view.type).str());
      views[&view] = std::exchange(view.name, name);
    }
  return views;
}

void Namer::run() {
  reserveFunctions();
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind != Stmt::If || stmt.value->kind != Expr::Binary)
      return;
    for (Stmt *inner : stmt.body)
      if (inner->kind == Stmt::Assign && inner->target->kind == Expr::Use &&
          llvm::is_contained(stmt.value->operands, inner->target))
        compared.insert(inner->target->variable);
  });
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind != Stmt::Assign || !stmt.value ||
        stmt.target->variable->kind != Variable::Local)
      return;
    const Variable *variable = stmt.target->variable;
    definitions.try_emplace(variable, &stmt);
    bool isUpdate = llvm::is_contained(stmt.value->operands, stmt.target);
    if (isUpdate)
      updates.try_emplace(variable, &stmt);
  });
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    if (stmt.kind == Stmt::Assign && stmt.value &&
        stmt.target->kind == Expr::Access &&
        stmt.target->variable->kind == Variable::Parameter &&
        stmt.value->kind == Expr::Use)
      storedTo.try_emplace(stmt.value->variable, stmt.target->variable);
  });
  llvm::DenseMap<Variable *, std::string> views = nameParameters();
  for (Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Builtin)
      give(variable, variable.name);
  nameShared();
  nameIn(kernel.body);
  for (auto &[view, name] : views)
    view->name = name;
}

void gpuopt::source::chooseNames(Kernel &kernel) { Namer(kernel).run(); }
