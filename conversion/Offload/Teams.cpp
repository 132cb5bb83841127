//===- Teams.cpp - loops that a team of threads shares out ----------------===//

#include "conversion/Offload/Teams.h"

#include "conversion/Offload/AddressedFunctions.h"
#include "conversion/Offload/Effects.h"
#include "conversion/Offload/VariableUses.h"
#include "conversion/Offload/Writes.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
/// Functions with a body, parallel regions in them, and functions that somebody
/// may call by their address.
class ProgramReader : public AddressedFunctions {
public:
  explicit ProgramReader(const SourceManager &sources) : sources(sources) {}

  std::vector<const FunctionDecl *> functions;
  std::vector<const OMPExecutableDirective *> teams;

  bool VisitFunctionDecl(const FunctionDecl *function) override {
    if (function->doesThisDeclarationHaveABody() &&
        !function->isDependentContext() &&
        !sources.isInSystemHeader(function->getLocation()))
      functions.push_back(function);
    return true;
  }
  bool VisitOMPExecutableDirective(
      const OMPExecutableDirective *directive) override {
    if (isOpenMPParallelDirective(directive->getDirectiveKind()))
      teams.push_back(directive);
    return true;
  }

private:
  const SourceManager &sources;
};
} // namespace

/// The functions that `statement` calls outside of parallel regions in it.
static void addCalls(const Stmt *statement,
                     llvm::SetVector<const FunctionDecl *> &called) {
  if (!statement)
    return;
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt() &&
        !isOpenMPParallelDirective(directive->getDirectiveKind()))
      addCalls(directive->getRawStmt(), called);
    return;
  }
  if (const auto *call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (const FunctionDecl *definition = callee->getDefinition())
        called.insert(definition);
  for (const Stmt *child : statement->children())
    addCalls(child, called);
}

struct Teams::Program {
  explicit Program(const ASTContext &context);

  void addCallees(llvm::DenseSet<const FunctionDecl *> &functions) const;

  ProgramReader reader;
  /// Functions to which teams may come that are not in this file.
  llvm::DenseSet<const FunctionDecl *> exposed;
  std::unique_ptr<TeamValues> values;
};

/// Adds what `functions` call outside of parallel regions of their own.
void Teams::Program::addCallees(
    llvm::DenseSet<const FunctionDecl *> &functions) const {
  llvm::SetVector<const FunctionDecl *> all;
  all.insert_range(functions);
  for (size_t next = 0; next < all.size(); ++next)
    addCalls(all[next]->getBody(), all);
  functions.insert_range(all);
}

Teams::Program::Program(const ASTContext &context)
    : reader(context.getSourceManager()) {
  reader.TraverseDecl(context.getTranslationUnitDecl());
  for (const FunctionDecl *function : reader.functions)
    if ((function->isExternallyVisible() && !function->isMain()) ||
        reader.addressed.contains(function->getCanonicalDecl()))
      exposed.insert(function);
  addCallees(exposed);
  llvm::DenseSet<const FunctionDecl *> inTeams = exposed;
  for (const OMPExecutableDirective *team : reader.teams)
    inTeams.insert_range(readTeamCode(*team, context).functions);
  values = std::make_unique<TeamValues>(reader.functions, inTeams, context);
}

Teams::Teams(const ASTContext &inContext) : context(inContext) {}

Teams::~Teams() = default;

const Teams::Program &Teams::program() {
  if (!known)
    known = std::make_unique<Program>(context);
  return *known;
}

const TeamCode &Teams::codeOf(const OMPExecutableDirective &team) {
  auto [place, isNew] = codes.try_emplace(&team);
  if (isNew)
    place->second = readTeamCode(team, context);
  return place->second;
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

std::optional<Problem> Teams::checkTeam(const OMPExecutableDirective &team) {
  for (const auto *clause : team.getClausesOfKind<OMPDefaultClause>())
    if (clause->getDefaultKind() == llvm::omp::OMP_DEFAULT_private ||
        clause->getDefaultKind() == llvm::omp::OMP_DEFAULT_firstprivate)
      return Problem{clause->getBeginLoc(),
                     "each thread has its own of everything by this clause"};
  return codeOf(team).wait;
}

/// Whether the teams that may come to `loop` leave it to one of their threads.
std::optional<Problem> Teams::checkTeams(const ParallelLoop &loop) {
  if (loop.team)
    return checkTeam(*loop.team);
  const FunctionDecl &function = *loop.function;
  auto refuse = [&](const char *why) {
    return Problem{loop.statement->getBeginLoc(),
                   "shared out by teams that come from elsewhere: '" +
                       function.getNameAsString() + "' " + why};
  };
  if (context.getLangOpts().CPlusPlus)
    return refuse("is a function of C++");
  if (function.isExternallyVisible() && !function.isMain())
    return refuse("is one that other files can call");
  const ProgramReader &reader = program().reader;
  if (reader.addressed.contains(function.getCanonicalDecl()))
    return refuse("is called by its address");
  if (program().exposed.contains(&function))
    return refuse("is called by a function that other files can call");
  for (const OMPExecutableDirective *team : reader.teams)
    if (codeOf(*team).functions.contains(&function))
      if (std::optional<Problem> problem = checkTeam(*team))
        return problem;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Variables of threads
//===----------------------------------------------------------------------===//

/// The statement in which variables of the threads live that come to `loop`.
static const Stmt &bodyOf(const ParallelLoop &loop) {
  return loop.team ? *loop.team->getRawStmt() : *loop.function->getBody();
}

/// Whether threads share out `loop` in pieces of a size that it names.
static bool hasChunks(const ParallelLoop &loop) {
  return llvm::any_of(
      loop.directives, [](const OMPExecutableDirective *directive) {
        return llvm::any_of(directive->getClausesOfKind<OMPScheduleClause>(),
                            [](const OMPScheduleClause *schedule) {
                              return schedule->getChunkSize() != nullptr;
                            });
      });
}

/// Whether `variable` has no value in front of `loop`, and no use outside.
static bool isOfLoopAlone(const VarDecl &variable, const ParallelLoop &loop) {
  if (isa<ParmVarDecl>(variable) || variable.hasInit() || hasChunks(loop))
    return false;
  if (loop.team)
    for (const auto *clause :
         loop.team->getClausesOfKind<OMPFirstprivateClause>())
      for (const Expr *operand : clause->varlist())
        if (namedVariable(const_cast<Expr *>(operand)) == &variable)
          return false;
  bool isUsed = false;
  forEachUse(
      variable, bodyOf(loop),
      [&](const Stmt &statement) { return &statement == loop.statement; },
      [&](const DeclRefExpr &, bool) { isUsed = true; });
  return !isUsed;
}

/// Whether nobody looks behind `loop` at the value that it leaves.
bool Teams::isDeadBehind(const VarDecl &variable, const ForStmt &loop,
                         const FunctionDecl &function) {
  LiveBehind &behind = live.try_emplace(&function, function).first->second;
  return isUsedByValue(variable, *function.getBody()) &&
         !behind.isLive(variable, loop);
}

static bool isReduced(const VarDecl &variable,
                      const OMPExecutableDirective *team) {
  return team &&
         llvm::any_of(
             team->getClausesOfKind<OMPReductionClause>(),
             [&](const OMPReductionClause *clause) {
               return llvm::any_of(clause->varlist(), [&](const Expr *operand) {
                 return namedVariable(const_cast<Expr *>(operand)) == &variable;
               });
             });
}

/// Gives each iteration of `loop` its own `variable`, of which threads have
/// their own, where it needs that.
std::optional<Problem> Teams::addPrivate(const VarDecl &variable,
                                         ParallelLoop &loop) {
  auto refuse = [&](const char *why) {
    return Problem{loop.statement->getBeginLoc(),
                   "each thread has its own '" + variable.getNameAsString() +
                       "', " + why};
  };
  if (isReduced(variable, loop.team))
    return refuse("of which the region makes one");
  if (variable.getType()->isVariablyModifiedType())
    return refuse("whose size is a variable");
  Writes writes(context);
  writes.add(loop.loop);
  bool isScalar = variable.getType()->isScalarType();
  bool isPrivate = isOfLoopAlone(variable, loop);
  if (!isPrivate && !isScalar)
    return refuse("which is used outside of the loop, too");
  if (!isPrivate && !writes.assigns(&variable))
    return program().values->isSameAt(&variable, loop.statement)
               ? std::nullopt
               : std::optional(refuse("with values that may differ"));
  if (!isPrivate && !isDeadBehind(variable, *loop.loop, *loop.function))
    return refuse("which is used behind the loop");
  loop.privates.push_back(&variable);
  loop.unnamedPrivates.push_back(&variable);
  return std::nullopt;
}

std::optional<Problem> Teams::addPrivates(ParallelLoop &loop) {
  Writes writes(context);
  writes.add(loop.loop);
  Variables counters;
  for (const OMPExecutableDirective *directive : loop.directives)
    if (const auto *shared = dyn_cast<OMPLoopDirective>(directive))
      for (const Expr *counter : shared->counters())
        counters.push_back(namedVariable(const_cast<Expr *>(counter)));
  auto isOwn = [&](const VarDecl *variable) {
    return variable->hasLocalStorage() && isOfThread(*variable, loop.team);
  };
  auto isOther = [&](const VarDecl *variable) {
    return isOwn(variable) &&
           !program().values->isSameAt(variable, loop.statement);
  };
  if (llvm::any_of(loop.lastPrivates, isOwn) ||
      llvm::any_of(loop.reduced, isOwn) ||
      llvm::any_of(loop.firstPrivates, isOther))
    return Problem{
        loop.statement->getBeginLoc(),
        "a clause names a variable of which each thread has its own"};
  for (const VarDecl *variable : variablesIn(*loop.loop)) {
    if (writes.declares(variable) || loop.hasOwn(variable) ||
        llvm::is_contained(counters, variable) || !isOwn(variable))
      continue;
    if (std::optional<Problem> problem = addPrivate(*variable, loop))
      return problem;
  }
  return std::nullopt;
}

void Teams::prepare(ParallelLoop &loop) {
  if (!loop.problem)
    loop.problem = checkTeams(loop);
  if (!loop.problem)
    loop.problem = addPrivates(loop);
  if (loop.problem)
    return;
  Effects effects = findEffects(regionOf(loop), context);
  for (const Scalars &scalars : effects.privates)
    for (const auto &[variable, use] : scalars)
      if (use.isReadFirst &&
          llvm::is_contained(loop.unnamedPrivates, variable) &&
          !isOfLoopAlone(*variable, loop))
        loop.problem = {use.first->getExprLoc(),
                        "each thread has its own '" +
                            variable->getNameAsString() +
                            "', and changes what it was"};
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

std::optional<Problem> Teams::checkParents(const Region &region) {
  for (const ForStmt *parent : region.parents) {
    LoopProblem problem;
    auto form = readLoopForm(const_cast<ForStmt &>(*parent), context, problem);
    if (!form)
      return Problem{problem.location, problem.message};
    bool isOwn = form->variable->hasLocalStorage() &&
                 isOfThread(*form->variable, region.loops.front().team);
    bool isDeclaredInside = isa_and_nonnull<DeclStmt>(parent->getInit());
    if (!isOwn || (!isDeclaredInside &&
                   !isDeadBehind(*form->variable, *parent, region.function())))
      return Problem{parent->getForLoc(),
                     "'" + form->variable->getNameAsString() +
                         "' is used behind this loop"};
  }
  return std::nullopt;
}

std::optional<Problem> Teams::checkBystanders(const Region &region) {
  for (const Bystander &bystander : region.bystanders) {
    const auto *assignment = dyn_cast<BinaryOperator>(bystander.statement);
    const VarDecl *target = assignment && assignment->isAssignmentOp()
                                ? namedVariable(assignment->getLHS())
                                : nullptr;
    const ParallelLoop &next = region.loops[bystander.next];
    if (!target || !isOfThread(*target, next.team) ||
        !program().values->isSameAt(target, next.statement))
      return Problem{bystander.statement->getBeginLoc(),
                     "threads may do this differently"};
  }
  return std::nullopt;
}

/// Whether `value` is computed from numbers of one thread alone.
static bool isOfOneThread(const Expr &value, const OMPExecutableDirective *team,
                          const ASTContext &context) {
  return !value.HasSideEffects(context) &&
         llvm::all_of(variablesIn(value), [&](const VarDecl *variable) {
           return variable->getType()->isArithmeticType() &&
                  variable->hasLocalStorage() && isOfThread(*variable, team);
         });
}

/// Whether all that `statement` reads and writes is numbers of one thread.
static bool isOfOneThread(const Stmt &statement,
                          const OMPExecutableDirective *team,
                          const ASTContext &context) {
  if (const auto *declarations = dyn_cast<DeclStmt>(&statement))
    return llvm::all_of(declarations->decls(), [&](const Decl *declaration) {
      const auto *variable = dyn_cast<VarDecl>(declaration);
      return !variable || !variable->hasInit() ||
             isOfOneThread(*variable->getInit(), team, context);
    });
  const auto *assignment = dyn_cast<BinaryOperator>(&statement);
  if (!assignment || !assignment->isAssignmentOp())
    return isa<NullStmt>(statement);
  const VarDecl *target = namedVariable(assignment->getLHS());
  return target && target->hasLocalStorage() && isOfThread(*target, team) &&
         isOfOneThread(*assignment->getRHS(), team, context);
}

static bool endsWithBarrier(const Stmt &statement) {
  const auto *directive = dyn_cast<OMPExecutableDirective>(&statement);
  return directive &&
         (isa<OMPBarrierDirective, OMPForDirective, OMPForSimdDirective,
              OMPSingleDirective, OMPSectionsDirective>(directive)) &&
         !directive->hasClausesOfKind<OMPNowaitClause>();
}

bool Teams::isBehindBarrier(const Region &region) const {
  const ParallelLoop &loop = region.loops.front();
  const auto *braces = dyn_cast<CompoundStmt>(&bodyOf(loop));
  if (!braces)
    return loop.team && &bodyOf(loop) == region.first;
  auto here = llvm::find(braces->body(), region.first);
  if (here == braces->body_end())
    return false;
  for (auto before = here; before != braces->body_begin();) {
    --before;
    if (endsWithBarrier(**before))
      return true;
    if (!isOfOneThread(**before, loop.team, context))
      return false;
  }
  // A region begins with nothing to wait for.
  return loop.team != nullptr;
}
