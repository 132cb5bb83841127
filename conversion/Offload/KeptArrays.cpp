//===- KeptArrays.cpp - arrays that stay on a device over calls -----------===//

#include "conversion/Offload/KeptArrays.h"

#include "conversion/Offload/AddressedFunctions.h"
#include "conversion/Offload/VariableUses.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

using Arrays = llvm::SetVector<const VarDecl *>;
using Functions = llvm::SetVector<const FunctionDecl *>;

//===----------------------------------------------------------------------===//
// What a program consists of
//===----------------------------------------------------------------------===//

namespace {
/// All functions with bodies, and whose addresses are taken.
class FileReader : public AddressedFunctions {
public:
  Functions functions;
  /// What is computed before the program begins.
  std::vector<const Expr *> initializers;
  bool hasAliases = false, callsSetjmp = false, callsMain = false;

  bool VisitFunctionDecl(const FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody())
      functions.insert(function);
    return true;
  }
  bool VisitVarDecl(const VarDecl *variable) override {
    hasAliases |= variable->hasAttr<AliasAttr>();
    if (variable->hasGlobalStorage() && variable->getInit())
      initializers.push_back(variable->getInit());
    return true;
  }
  bool VisitCallExpr(const CallExpr *call) override {
    if (const FunctionDecl *callee = call->getDirectCallee()) {
      callsSetjmp |= callee->hasAttr<ReturnsTwiceAttr>();
      callsMain |= callee->isMain();
    }
    return AddressedFunctions::VisitCallExpr(call);
  }
};

/// The accesses of a statement and of what it calls.
struct Extent {
  /// Offloaded regions, by their places.
  llvm::SetVector<size_t> regions;
  /// Arrays that something else uses, or a region where it may not move them.
  Arrays spoilt;
};

/// Around a statement: no directive; a parallel region alone; others.
enum class Around { Nothing, Team, Others };

class Keeper {
public:
  Keeper(const ASTContext &context,
         llvm::MutableArrayRef<OffloadedRegion> regions,
         llvm::function_ref<bool(const Stmt &)> isWorthKeeping);
  KeptArrays run();

private:
  bool isCandidate(const VarDecl &array) const;
  void findExposed();
  void findCandidates();
  const OffloadedRegion *regionAt(const Stmt *statement, size_t &place) const;
  void walk(const Stmt *statement, Around around, Extent &extent);
  void walkSequence(const CompoundStmt &braces, Around around, Extent &extent);
  void walkDirective(const OMPExecutableDirective &directive, Around around,
                     Extent &extent);
  void addCall(const CallExpr &call, Around around);
  void addRegion(size_t place, Around around, Extent &extent) const;
  Extent extentOf(const Stmt &statement);
  Variables arraysOf(const Extent &extent) const;
  void findLoops(const FunctionDecl &function, const Stmt *statement);
  void keep(const FunctionDecl &function, const Stmt &loop);

  const ASTContext &context;
  llvm::MutableArrayRef<OffloadedRegion> regions;
  llvm::function_ref<bool(const Stmt &)> isWorthKeeping;
  FileReader program;
  /// What threads of other files may come to.
  Functions exposed;
  Arrays candidates;
  /// What the statement calls that is looked through, and where.
  llvm::SetVector<std::pair<const FunctionDecl *, int>> calls;
  KeptArrays kept;
};
} // namespace

Keeper::Keeper(const ASTContext &context,
               llvm::MutableArrayRef<OffloadedRegion> regions,
               llvm::function_ref<bool(const Stmt &)> isWorthKeeping)
    : context(context), regions(regions), isWorthKeeping(isWorthKeeping) {
  program.TraverseDecl(context.getTranslationUnitDecl());
}

/// Adds what `statement` calls and is defined here.
static void addCallees(const Stmt *statement, Functions &found) {
  if (!statement)
    return;
  if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (const FunctionDecl *definition = callee->getDefinition())
        found.insert(definition);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    for (const OMPClause *clause : directive->clauses())
      for (const Stmt *child : clause->children())
        addCallees(child, found);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt())
      addCallees(directive->getRawStmt(), found);
    return;
  }
  for (const Stmt *child : statement->children())
    addCallees(child, found);
}

void Keeper::findExposed() {
  for (const FunctionDecl *function : program.functions) {
    bool isVisible = function->isExternallyVisible() && !function->isMain();
    bool isCalledAgain = function->isMain() && program.callsMain;
    if (isVisible || isCalledAgain ||
        program.addressed.contains(function->getCanonicalDecl()))
      exposed.insert(function);
  }
  for (size_t next = 0; next < exposed.size(); ++next)
    addCallees(exposed[next]->getBody(), exposed);
}

//===----------------------------------------------------------------------===//
// Arrays that nobody has the address of
//===----------------------------------------------------------------------===//

bool Keeper::isCandidate(const VarDecl &array) const {
  bool isStatic = array.isFileVarDecl() && !array.isExternallyVisible() &&
                  !array.getTLSKind() &&
                  !array.hasAttr<OMPThreadPrivateDeclAttr>();
  const IdentifierInfo *name = array.getIdentifier();
  if (!isStatic || !array.getType()->isConstantArrayType() || !name ||
      name->hadMacroDefinition())
    return false;
  return !context.getBaseElementType(array.getType()).isVolatileQualified();
}

/// Hands each variable that `statement` names to `note`, those of clauses, too.
static void forEachName(const Stmt *statement,
                        llvm::function_ref<void(const VarDecl *)> note) {
  if (!statement)
    return;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      note(variable->getCanonicalDecl());
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    for (const OMPClause *clause : directive->clauses())
      for (const Stmt *child : clause->children())
        forEachName(child, note);
    if (directive->hasAssociatedStmt())
      forEachName(directive->getRawStmt(), note);
    return;
  }
  for (const Stmt *child : statement->children())
    forEachName(child, note);
}

static bool isLoopOf(const Stmt &statement, const Region &region) {
  return llvm::any_of(region.loops, [&](const ParallelLoop &loop) {
    return &statement == loop.statement;
  });
}

/// Whether all uses of `array` but those in offloaded loops are by value: what
/// is in these may point to it, and is the loop's alone (Effects.h).
static bool isUsedByValueBesides(const VarDecl &array, const Stmt &body,
                                 llvm::ArrayRef<OffloadedRegion> regions) {
  bool isByValue = true;
  for (const VarDecl *declaration : array.redecls())
    forEachUse(
        *declaration, body,
        [&](const Stmt &statement) {
          return llvm::any_of(regions, [&](const OffloadedRegion &each) {
            return isLoopOf(statement, each.region);
          });
        },
        [&](const DeclRefExpr &, bool isValue) { isByValue &= isValue; });
  return isByValue;
}

void Keeper::findCandidates() {
  for (const OffloadedRegion &each : regions)
    for (const DataItem &item : each.plan.arrays)
      if (isCandidate(*item.variable))
        candidates.insert(item.variable->getCanonicalDecl());
  for (const Expr *initializer : program.initializers)
    forEachName(initializer,
                [&](const VarDecl *variable) { candidates.remove(variable); });
  for (const FunctionDecl *function : exposed)
    forEachName(function->getBody(),
                [&](const VarDecl *variable) { candidates.remove(variable); });
  candidates.remove_if([&](const VarDecl *array) {
    return !llvm::all_of(program.functions, [&](const FunctionDecl *function) {
      return isUsedByValueBesides(*array, *function->getBody(), regions);
    });
  });
}

//===----------------------------------------------------------------------===//
// What a loop does
//===----------------------------------------------------------------------===//

const OffloadedRegion *Keeper::regionAt(const Stmt *statement,
                                        size_t &place) const {
  for (auto [number, each] : llvm::enumerate(regions))
    if (each.region.first == statement) {
      place = number;
      return &each;
    }
  return nullptr;
}

/// Whether `text` of C has that name in it.
static bool mentions(llvm::StringRef text, llvm::StringRef name) {
  auto isPart = [](char character) {
    return llvm::isAlnum(character) || character == '_';
  };
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

/// Whether the host reads elements of `array` for that region: for the bounds
/// of its parallel loops, what is between them, or a figure that has a name.
static bool isReadByHost(const VarDecl &array, const OffloadedRegion &each) {
  for (SymbolID symbol = 0; symbol < each.symbols.size(); ++symbol)
    if (mentions(each.symbols[symbol].text, array.getName()))
      return true;
  bool isRead = false;
  auto note = [&](const VarDecl *variable) {
    isRead |= variable == array.getCanonicalDecl();
  };
  auto noteHead = [&](const ForStmt &loop) {
    for (const Stmt *part :
         {loop.getInit(), static_cast<const Stmt *>(loop.getCond())})
      forEachName(part, note);
    forEachName(loop.getInc(), note);
  };
  for (const ForStmt *parent : each.region.parents)
    noteHead(*parent);
  for (const Bystander &bystander : each.region.bystanders)
    forEachName(bystander.statement, note);
  for (const ParallelLoop &loop : each.region.loops) {
    for (const OMPExecutableDirective *directive : loop.directives)
      for (const OMPClause *clause : directive->clauses())
        for (const Stmt *child : clause->children())
          forEachName(child, note);
    const Stmt *inner = loop.loop;
    for (unsigned left = loop.collapsed; left > 0 && inner;) {
      if (const auto *head = dyn_cast<ForStmt>(inner)) {
        noteHead(*head);
        inner = head->getBody();
        --left;
      } else {
        const auto *braces = dyn_cast<CompoundStmt>(inner);
        inner =
            braces && !braces->body_empty() ? braces->body_front() : nullptr;
      }
    }
  }
  return isRead;
}

void Keeper::addRegion(size_t place, Around around, Extent &extent) const {
  const OffloadedRegion &each = regions[place];
  extent.regions.insert(place);
  bool mayMove = each.region.isInTeam() ? around != Around::Others
                                        : around == Around::Nothing;
  for (const ParallelLoop &loop : each.region.loops)
    forEachName(loop.statement, [&](const VarDecl *variable) {
      bool isPlanned =
          llvm::any_of(each.plan.arrays, [&](const DataItem &item) {
            return item.variable->getCanonicalDecl() == variable;
          });
      if (!mayMove || !isPlanned)
        extent.spoilt.insert(variable);
    });
}

void Keeper::addCall(const CallExpr &call, Around around) {
  if (const FunctionDecl *callee = call.getDirectCallee())
    if (const FunctionDecl *definition = callee->getDefinition())
      calls.insert({definition, int(around)});
}

void Keeper::walkSequence(const CompoundStmt &braces, Around around,
                          Extent &extent) {
  for (auto next = braces.body_begin(); next != braces.body_end(); ++next) {
    size_t place = 0;
    const OffloadedRegion *region = regionAt(*next, place);
    walk(*next, around, extent);
    // What is between its loops is nothing to arrays that regions change.
    while (region && *next != region->region.last)
      ++next;
  }
}

void Keeper::walkDirective(const OMPExecutableDirective &directive,
                           Around around, Extent &extent) {
  for (const OMPClause *clause : directive.clauses())
    for (const Stmt *child : clause->children())
      walk(child, Around::Others, extent);
  bool isTeam =
      around == Around::Nothing && isa<OMPParallelDirective>(directive);
  if (directive.hasAssociatedStmt())
    walk(directive.getRawStmt(), isTeam ? Around::Team : Around::Others,
         extent);
}

void Keeper::walk(const Stmt *statement, Around around, Extent &extent) {
  if (!statement)
    return;
  size_t place = 0;
  if (regionAt(statement, place))
    return addRegion(place, around, extent);
  if (const auto *braces = dyn_cast<CompoundStmt>(statement))
    return walkSequence(*braces, around, extent);
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return walkDirective(*directive, around, extent);
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      extent.spoilt.insert(variable->getCanonicalDecl());
  if (const auto *call = dyn_cast<CallExpr>(statement))
    addCall(*call, around);
  for (const Stmt *child : statement->children())
    walk(child, around, extent);
}

Extent Keeper::extentOf(const Stmt &statement) {
  Extent extent;
  calls.clear();
  walk(&statement, Around::Nothing, extent);
  for (size_t next = 0; next < calls.size(); ++next) {
    auto [function, around] = calls[next];
    walk(function->getBody(), Around(around), extent);
  }
  return extent;
}

/// The arrays that can stay for all of `extent`.
Variables Keeper::arraysOf(const Extent &extent) const {
  Arrays used, changed;
  for (size_t place : extent.regions)
    for (const DataItem &item : regions[place].plan.arrays) {
      used.insert(item.variable->getCanonicalDecl());
      if (item.direction != Direction::In)
        changed.insert(item.variable->getCanonicalDecl());
    }
  used.remove_if([&](const VarDecl *array) {
    return !candidates.contains(array) || extent.spoilt.contains(array) ||
           (changed.contains(array) &&
            llvm::any_of(extent.regions, [&](size_t place) {
              return isReadByHost(*array, regions[place]);
            }));
  });
  return {used.begin(), used.end()};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether control may leave `statement` otherwise than at its end, or enter it
/// otherwise than at its begin.
static bool mayJump(const Stmt &statement) {
  return isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt, SwitchCase,
             GCCAsmStmt>(statement) ||
         llvm::any_of(statement.children(), [](const Stmt *child) {
           return child && mayJump(*child);
         });
}

void Keeper::keep(const FunctionDecl &function, const Stmt &loop) {
  Extent extent = extentOf(loop);
  KeepingLoop keeping{&function, &loop, arraysOf(extent)};
  if (keeping.arrays.empty() || !isWorthKeeping(loop))
    return;
  for (size_t place : extent.regions)
    for (const DataItem &item : regions[place].plan.arrays) {
      const VarDecl *array = item.variable->getCanonicalDecl();
      if (!llvm::is_contained(keeping.arrays, array))
        continue;
      if (!llvm::is_contained(regions[place].kept, array))
        regions[place].kept.push_back(array);
      kept.arrays[array] |= item.direction != Direction::In;
    }
  kept.loops.push_back(std::move(keeping));
}

void Keeper::findLoops(const FunctionDecl &function, const Stmt *statement) {
  size_t place = 0;
  if (!statement || regionAt(statement, place) ||
      isa<OMPExecutableDirective>(statement))
    return;
  if (isa<ForStmt, WhileStmt, DoStmt>(statement) && !mayJump(*statement)) {
    size_t before = kept.loops.size();
    keep(function, *statement);
    if (kept.loops.size() != before)
      return;
  }
  for (const Stmt *child : statement->children())
    findLoops(function, child);
}

KeptArrays Keeper::run() {
  if (context.getLangOpts().CPlusPlus || program.hasAliases ||
      program.callsSetjmp)
    return {};
  findExposed();
  findCandidates();
  if (candidates.empty())
    return {};
  for (const FunctionDecl *function : program.functions)
    if (context.getSourceManager().isInMainFile(function->getLocation()) &&
        !exposed.contains(function))
      findLoops(*function, function->getBody());
  return std::move(kept);
}

KeptArrays
offload::findKeptArrays(const ASTContext &context,
                        llvm::MutableArrayRef<OffloadedRegion> regions,
                        llvm::function_ref<bool(const Stmt &)> isWorthKeeping) {
  return Keeper(context, regions, isWorthKeeping).run();
}
