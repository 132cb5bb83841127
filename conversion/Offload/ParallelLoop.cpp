//===- ParallelLoop.cpp - loops whose iterations are independent ----------===//

#include "conversion/Offload/ParallelLoop.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/OpenMPClause.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

bool ParallelLoop::hasOwn(const VarDecl *variable) const {
  return llvm::is_contained(privates, variable) ||
         llvm::is_contained(firstPrivates, variable) ||
         llvm::is_contained(lastPrivates, variable) ||
         llvm::is_contained(reduced, variable);
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// Adds the variables of `clause`; false where one is none.
template <class Clause>
static bool addVariables(const Clause &clause, Variables &variables) {
  for (const Expr *operand : clause.varlist()) {
    const VarDecl *variable = namedVariable(const_cast<Expr *>(operand));
    if (!variable)
      return false;
    variables.push_back(variable);
  }
  return true;
}

/// Whether the clause is about threads of the host, or says of variables what
/// data clauses say better.
static bool isForHost(const OMPClause &clause) {
  switch (clause.getClauseKind()) {
  case llvm::omp::OMPC_default:
  case llvm::omp::OMPC_if:
  case llvm::omp::OMPC_nowait:
  case llvm::omp::OMPC_num_threads:
  case llvm::omp::OMPC_order:
  case llvm::omp::OMPC_proc_bind:
  case llvm::omp::OMPC_safelen:
  case llvm::omp::OMPC_schedule:
  case llvm::omp::OMPC_shared:
  case llvm::omp::OMPC_simdlen:
    return true;
  default:
    return false;
  }
}

/// Whether the program declares itself what `reduction` does.
static bool isDeclared(const OMPReductionClause &reduction) {
  DeclarationName name = reduction.getNameInfo().getName();
  return name.isIdentifier() && !name.getAsIdentifierInfo()->isStr("min") &&
         !name.getAsIdentifierInfo()->isStr("max");
}

/// Whether an offloaded loop keeps the clause, which says how it is shared out.
static bool isForTeams(const OMPClause &clause) {
  switch (clause.getClauseKind()) {
  case llvm::omp::OMPC_dist_schedule:
  case llvm::omp::OMPC_num_teams:
  case llvm::omp::OMPC_num_threads:
  case llvm::omp::OMPC_safelen:
  case llvm::omp::OMPC_schedule:
  case llvm::omp::OMPC_simdlen:
  case llvm::omp::OMPC_thread_limit:
    return true;
  default:
    return false;
  }
}

/// The variable of which `operand` of a map is the whole, an element or a
/// section; null for others.
static const VarDecl *mappedVariable(const Expr *operand) {
  while (true) {
    operand = operand->IgnoreParenImpCasts();
    if (const auto *section = dyn_cast<ArraySectionExpr>(operand))
      operand = section->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(operand))
      operand = element->getBase();
    else
      return namedVariable(const_cast<Expr *>(operand));
  }
}

/// Notes what `map` says; false where that is not all.
static bool addMap(const OMPMapClause &map, ParallelLoop &loop) {
  for (OpenMPMapModifierKind modifier : map.getMapTypeModifiers())
    if (modifier != OMPC_MAP_MODIFIER_unknown)
      return false;
  OpenMPMapClauseKind kind = map.getMapType();
  if (kind != OMPC_MAP_to && kind != OMPC_MAP_from && kind != OMPC_MAP_tofrom &&
      kind != OMPC_MAP_alloc)
    return false;
  for (const Expr *operand : map.varlist()) {
    MappedVariable mapped;
    mapped.variable = mappedVariable(operand);
    mapped.goes = kind == OMPC_MAP_to || kind == OMPC_MAP_tofrom;
    mapped.comes = kind == OMPC_MAP_from || kind == OMPC_MAP_tofrom;
    bool isKnown = llvm::any_of(loop.maps, [&](const MappedVariable &other) {
      return other.variable == mapped.variable;
    });
    if (!mapped.variable || isKnown)
      return false;
    loop.maps.push_back(mapped);
  }
  return true;
}

static std::optional<std::string> addClause(const OMPClause &clause,
                                            ParallelLoop &loop,
                                            const ASTContext &context) {
  if (clause.isImplicit())
    return std::nullopt;
  if (loop.isTarget && isForTeams(clause)) {
    loop.kept.push_back(&clause);
    return std::nullopt;
  }
  bool isCondition = clause.getClauseKind() == llvm::omp::OMPC_if ||
                     clause.getClauseKind() == llvm::omp::OMPC_nowait;
  if (isForHost(clause) && !(loop.isTarget && isCondition)) {
    bool isPure = llvm::all_of(clause.children(), [&](const Stmt *child) {
      const auto *operand = dyn_cast_or_null<Expr>(child);
      return !operand || !operand->HasSideEffects(context);
    });
    return isPure ? std::nullopt
                  : std::optional<std::string>(
                        "a device does not evaluate this clause");
  }
  if (const auto *map = dyn_cast<OMPMapClause>(&clause);
      map && loop.isTarget && addMap(*map, loop))
    return std::nullopt;
  loop.kept.push_back(&clause);
  bool isKnown = false;
  if (const auto *own = dyn_cast<OMPPrivateClause>(&clause))
    isKnown = addVariables(*own, loop.privates);
  else if (const auto *first = dyn_cast<OMPFirstprivateClause>(&clause))
    isKnown = addVariables(*first, loop.firstPrivates);
  else if (const auto *last = dyn_cast<OMPLastprivateClause>(&clause))
    isKnown = addVariables(*last, loop.lastPrivates);
  else if (const auto *reduction = dyn_cast<OMPReductionClause>(&clause))
    isKnown = addVariables(*reduction, loop.reduced) && !isDeclared(*reduction);
  else if (const auto *collapse = dyn_cast<OMPCollapseClause>(&clause))
    if (auto value =
            collapse->getNumForLoops()->getIntegerConstantExpr(context)) {
      loop.collapsed = value->getZExtValue();
      isKnown = true;
    }
  if (isKnown)
    return std::nullopt;
  return "an offloaded loop cannot have this clause '" +
         llvm::omp::getOpenMPClauseName(clause.getClauseKind()).str() + "'";
}

/// Reads the clauses of all directives of `loop`.
static void readClauses(ParallelLoop &loop, const ASTContext &context) {
  for (const OMPExecutableDirective *directive : loop.directives)
    for (const OMPClause *clause : directive->clauses())
      if (std::optional<std::string> message =
              addClause(*clause, loop, context);
          message && !loop.problem)
        loop.problem = {clause->getBeginLoc(), *message};
  for (const VarDecl *variable : loop.reduced)
    if (!loop.problem && !variable->getType()->isScalarType())
      loop.problem = {loop.statement->getBeginLoc(),
                      "the reduction of '" + variable->getNameAsString() +
                          "' is one of a whole array"};
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// What `statement` is without braces around it alone.
static const Stmt *onlyStatement(const Stmt *statement) {
  while (const auto *braces = dyn_cast<CompoundStmt>(statement)) {
    if (braces->size() != 1)
      return braces;
    statement = braces->body_front();
  }
  return statement;
}

static bool isForDirective(const Stmt *statement) {
  return isa<OMPForDirective, OMPForSimdDirective>(statement);
}

namespace {
class LoopFinder : public ConstDynamicRecursiveASTVisitor {
public:
  LoopFinder(const FunctionDecl &function, const ASTContext &context)
      : function(function), context(context) {}

  std::vector<ParallelLoop> found;

  bool
  TraverseOMPParallelForDirective(const OMPParallelForDirective *d) override {
    return add(*d, {d});
  }
  bool TraverseOMPParallelForSimdDirective(
      const OMPParallelForSimdDirective *d) override {
    return add(*d, {d});
  }
  bool TraverseOMPParallelDirective(const OMPParallelDirective *d) override;
  bool TraverseOMPForDirective(const OMPForDirective *d) override {
    return addOfTeam(*d);
  }
  bool TraverseOMPForSimdDirective(const OMPForSimdDirective *d) override {
    return addOfTeam(*d);
  }

  // No team comes to it for sure.
  bool TraverseLambdaExpr(const LambdaExpr *lambda) override {
    const auto *outer = std::exchange(team, nullptr);
    ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    team = outer;
    return true;
  }

private:
  bool add(const Stmt &statement,
           std::vector<const OMPExecutableDirective *> directives);
  bool addOfTeam(const OMPExecutableDirective &directive);

  const FunctionDecl &function;
  const ASTContext &context;
  /// The parallel region around what is traversed.
  const OMPExecutableDirective *team = nullptr;
};
} // namespace

bool LoopFinder::add(const Stmt &statement,
                     std::vector<const OMPExecutableDirective *> directives) {
  ParallelLoop loop;
  loop.function = &function;
  loop.statement = &statement;
  loop.loop = dyn_cast<ForStmt>(directives.back()->getRawStmt());
  loop.directives = std::move(directives);
  if (!loop.loop)
    loop.problem = {statement.getBeginLoc(), "expected a loop of C"};
  readClauses(loop, context);
  found.push_back(std::move(loop));
  return true;
}

bool LoopFinder::TraverseOMPParallelDirective(
    const OMPParallelDirective *directive) {
  const Stmt *inner = onlyStatement(directive->getRawStmt());
  if (isForDirective(inner))
    return add(*directive, {directive, cast<OMPExecutableDirective>(inner)});
  const auto *braces = dyn_cast<CompoundStmt>(inner);
  if (!braces || !llvm::all_of(braces->body(), isForDirective)) {
    const auto *outer = std::exchange(team, directive);
    TraverseStmt(const_cast<Stmt *>(inner));
    team = outer;
    return true;
  }
  for (const Stmt *each : braces->body()) {
    add(*each, {directive, cast<OMPExecutableDirective>(each)});
    found.back().around = directive;
  }
  return true;
}

bool LoopFinder::addOfTeam(const OMPExecutableDirective &directive) {
  add(directive, {&directive});
  found.back().isInTeam = true;
  found.back().team = team;
  return true;
}

namespace {
class TargetLoopFinder : public ConstDynamicRecursiveASTVisitor {
public:
  TargetLoopFinder(const FunctionDecl &function, const ASTContext &context)
      : function(function), context(context) {}

  std::vector<ParallelLoop> found;

  bool VisitOMPExecutableDirective(
      const OMPExecutableDirective *directive) override {
    if (!isa<OMPTargetParallelForDirective, OMPTargetParallelForSimdDirective,
             OMPTargetTeamsDistributeParallelForDirective,
             OMPTargetTeamsDistributeParallelForSimdDirective>(directive))
      return true;
    ParallelLoop loop;
    loop.function = &function;
    loop.statement = directive;
    loop.loop = dyn_cast<ForStmt>(directive->getRawStmt());
    loop.directives = {directive};
    loop.isTarget = true;
    if (!loop.loop)
      loop.problem = {directive->getBeginLoc(), "expected a loop of C"};
    readClauses(loop, context);
    found.push_back(std::move(loop));
    return true;
  }

private:
  const FunctionDecl &function;
  const ASTContext &context;
};
} // namespace

std::vector<ParallelLoop> offload::findTargetLoops(const FunctionDecl &function,
                                                   const ASTContext &context) {
  TargetLoopFinder finder(function, context);
  finder.TraverseStmt(function.getBody());
  return std::move(finder.found);
}

std::vector<ParallelLoop>
offload::findParallelLoops(const FunctionDecl &function,
                           const ASTContext &context) {
  LoopFinder finder(function, context);
  finder.TraverseStmt(function.getBody());
  return std::move(finder.found);
}
