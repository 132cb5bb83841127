//===- Constructs.cpp - what OpenACC's constructs make of code ------------===//

#include "conversion/ImportSource/OpenACC/Constructs.h"

#include "conversion/ImportSource/OpenACC/Atomics.h"
#include "conversion/ImportSource/OpenACC/Captures.h"
#include "conversion/ImportSource/OpenACC/LoopDependences.h"
#include "conversion/ImportSource/OpenACC/TeamRegions.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Which construct code is in: it says what loops without a directive are.
enum class Region { Host, Kernels, Parallel, Serial };

/// The `loop` directive before a loop, as far as it matters here.
struct LoopDirective {
  bool isPresent = false;
  bool isSequential = false;
  bool isIndependent = false;
  bool isAuto = false;
  bool isReduction = false;
  /// Loops that it is about: of `collapse` and of `tile`.
  unsigned loops = 1;
  ArrayRef<const OpenACCClause *> clauses;
};

/// How many parallel loops become the dimensions of a launch.
constexpr size_t kMostLoops = 3;

/// What becomes of a loop that is no launch.
constexpr char kInOrder[] = "; it is done in order, though declared parallel";
} // namespace

static LoopDirective readDirective(ArrayRef<const OpenACCClause *> clauses,
                                   const ASTContext &context) {
  LoopDirective directive;
  directive.isPresent = true;
  directive.clauses = clauses;
  for (const OpenACCClause *clause : clauses) {
    directive.isSequential |= isa<OpenACCSeqClause>(clause);
    directive.isIndependent |= isa<OpenACCIndependentClause>(clause);
    directive.isAuto |= isa<OpenACCAutoClause>(clause);
    directive.isReduction |= isa<OpenACCReductionClause>(clause);
    if (const auto *tile = dyn_cast<OpenACCTileClause>(clause))
      directive.loops = tile->getSizeExprs().size();
    Expr::EvalResult count;
    if (const auto *collapse = dyn_cast<OpenACCCollapseClause>(clause))
      if (collapse->getLoopCount()->EvaluateAsInt(count, context))
        directive.loops = count.Val.getInt().getZExtValue();
  }
  return directive;
}

/// `statement` without braces around it alone.
static Stmt *withoutBraces(Stmt *statement) {
  while (auto *braces = dyn_cast_or_null<CompoundStmt>(statement)) {
    if (braces->size() != 1)
      break;
    statement = braces->body_front();
  }
  return statement;
}

bool gpuopt::mentions(const Stmt *statement, const VarDecl *variable) {
  if (!statement)
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    return reference->getDecl() == variable;
  return llvm::any_of(statement->children(), [&](const Stmt *child) {
    return mentions(child, variable);
  });
}

/// What leaves an iteration for more than the next one: `break` of a loop
/// around `statement`, `return` and jumps.
static const Stmt *findExit(const Stmt *statement, bool isInLoop) {
  if (!statement)
    return nullptr;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(statement) ||
      (isa<BreakStmt>(statement) && !isInLoop))
    return statement;
  isInLoop |= isa<ForStmt, WhileStmt, DoStmt, SwitchStmt>(statement);
  for (const Stmt *child : statement->children())
    if (const Stmt *found = findExit(child, isInLoop))
      return found;
  return nullptr;
}

/// Where `statement` changes `variable`, or may.
static const Expr *findChange(const Stmt *statement, const VarDecl *variable) {
  if (!statement)
    return nullptr;
  Expr *target = assignedExpression(statement);
  if (target && namedVariable(target) == variable)
    return target;
  for (const Stmt *child : statement->children())
    if (const Expr *found = findChange(child, variable))
      return found;
  return nullptr;
}

/// What of `code` is in memory that the device may have another copy of, or
/// changes more than its variables.
static const Stmt *findMemoryUse(const Stmt *code) {
  if (!code)
    return nullptr;
  const auto *unary = dyn_cast<UnaryOperator>(code);
  const auto *member = dyn_cast<MemberExpr>(code);
  if (isa<ArraySubscriptExpr, CallExpr>(code) ||
      (member && member->isArrow()) ||
      (unary && unary->getOpcode() == UO_Deref))
    return code;
  for (const Stmt *child : code->children())
    if (const Stmt *found = findMemoryUse(child))
      return found;
  return nullptr;
}

/// Whether `statement` only declares variables, with constants at most.
static bool isPlainDeclaration(const Stmt *statement,
                               const ASTContext &context) {
  const auto *declarations = dyn_cast<DeclStmt>(statement);
  return declarations &&
         llvm::all_of(declarations->decls(), [&](const Decl *declaration) {
           const auto *variable = dyn_cast<VarDecl>(declaration);
           return variable && variable->hasLocalStorage() &&
                  variable->getType()->isScalarType() &&
                  (!variable->getInit() ||
                   variable->getInit()->isEvaluatable(context));
         });
}

namespace {
class PartFinder {
public:
  PartFinder(FunctionDecl &function, DiagnosticsEngine &diagnostics,
             WarnFunction warn, std::vector<Refusal> *refusals)
      : function(function), context(function.getASTContext()),
        diagnostics(diagnostics), warn(warn), refusals(refusals) {}

  std::vector<KernelPart> find() {
    visit(function.getBody());
    llvm::erase_if(parts, [&](const KernelPart &part) {
      return refusals && llvm::any_of(*refusals, [&](const Refusal &refusal) {
               return refusal.construct == part.construct.getBegin();
             });
    });
    return std::move(parts);
  }

private:
  void visit(Stmt *statement);
  void visitChildren(Stmt *statement);
  void visitLoop(Stmt *statement, const LoopDirective &directive);
  void visitSequentialLoop(ForStmt *loop, const LoopDirective &directive);
  void visitCondition(IfStmt &choice);
  bool checkHostCode(const Stmt *code);
  void addLoops(ForStmt *loop, const LoopDirective &directive);
  KernelPart *addPart(Stmt *statement);
  void addTeamRegion(Stmt *region);
  void addReductions(Stmt *statement, const LoopDirective &directive,
                     KernelPart &part);
  void enter(ForStmt *loop);
  bool isDeclared(const LoopDirective &directive) const;
  bool isParallel(ForStmt *loop, const LoopDirective &directive);
  KernelPart partOf(const CountedLoop &loop,
                    ArrayRef<const OpenACCClause *> clauses) const;
  std::optional<CountedLoop> readMappable(ForStmt &loop, LoopProblem &problem);
  void contradict(const LoopDirective &directive,
                  const LoopDependence &dependence);
  bool depends(const CountedLoop &loop, const LoopDirective &directive);
  bool holdsParallelLoop(Stmt *statement, const LoopDirective &directive);
  void refuse(SourceLocation location, StringRef message);
  void report(SourceLocation location, StringRef message);

  /// Visits `statement` behind a construct with `clauses`.
  void visitBehind(Stmt *statement, ArrayRef<const OpenACCClause *> clauses) {
    size_t before = stack.size();
    llvm::append_range(stack, clauses);
    visit(statement);
    stack.resize(before);
  }

  FunctionDecl &function;
  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  WarnFunction warn;
  std::vector<Refusal> *refusals;
  Region region = Region::Host;
  /// The compute construct around.
  SourceRange enclosing;
  /// The loops around, as far as they can be counted.
  SmallVector<CountedLoop> around;
  /// Of loops that have been judged: whether they are work items.
  llvm::DenseMap<const ForStmt *, bool> judged;
  /// The clauses of the constructs around.
  std::vector<const OpenACCClause *> stack;
  std::vector<KernelPart> parts;
};
} // namespace

void PartFinder::report(SourceLocation location, StringRef message) {
  unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  diagnostics.Report(location, id) << message;
}

/// Says why the construct around has no kernels.
void PartFinder::refuse(SourceLocation location, StringRef message) {
  if (!refusals)
    return report(location, message);
  // One reason is enough.
  bool isKnown =
      !refusals->empty() && refusals->back().construct == enclosing.getBegin();
  if (!isKnown)
    refusals->push_back(
        {location, message.str(), enclosing.getBegin(), &function});
}

static Region regionOf(OpenACCDirectiveKind kind) {
  switch (kind) {
  case OpenACCDirectiveKind::Kernels:
  case OpenACCDirectiveKind::KernelsLoop:
    return Region::Kernels;
  case OpenACCDirectiveKind::Serial:
  case OpenACCDirectiveKind::SerialLoop:
    return Region::Serial;
  default:
    return Region::Parallel;
  }
}

void PartFinder::visitChildren(Stmt *statement) {
  for (Stmt *child : statement->children())
    visit(child);
}

void PartFinder::visit(Stmt *statement) {
  if (!statement)
    return;
  if (auto *data = dyn_cast<OpenACCDataConstruct>(statement))
    return visitBehind(data->getStructuredBlock(), data->clauses());
  if (auto *compute = dyn_cast<OpenACCComputeConstruct>(statement)) {
    llvm::SaveAndRestore inside(region, regionOf(compute->getDirectiveKind()));
    llvm::SaveAndRestore in(enclosing, compute->getSourceRange());
    if (isTeamRegion(compute->getStructuredBlock()))
      return addTeamRegion(compute->getStructuredBlock());
    return visitBehind(compute->getStructuredBlock(), compute->clauses());
  }
  if (auto *combined = dyn_cast<OpenACCCombinedConstruct>(statement)) {
    llvm::SaveAndRestore inside(region, regionOf(combined->getDirectiveKind()));
    llvm::SaveAndRestore in(enclosing, combined->getSourceRange());
    return visitLoop(combined->getLoop(),
                     readDirective(combined->clauses(), context));
  }
  if (region == Region::Host)
    return visitChildren(statement);
  if (auto *loop = dyn_cast<OpenACCLoopConstruct>(statement))
    return visitLoop(loop->getLoop(), readDirective(loop->clauses(), context));
  if (isa<ForStmt>(statement))
    return visitLoop(statement, LoopDirective());
  if (isa<CompoundStmt>(statement))
    return visitChildren(statement);
  if (auto *choice = dyn_cast<IfStmt>(statement))
    return visitCondition(*choice);
  if (isPlainDeclaration(statement, context))
    return;
  if (isa<Expr>(statement)) {
    addPart(statement);
    return;
  }
  // What is beside loops would be left out of all kernels.
  if (!isa<NullStmt>(statement))
    refuse(statement->getBeginLoc(),
           "only loops, expressions and conditions are supported in a compute "
           "construct");
}

bool PartFinder::isDeclared(const LoopDirective &directive) const {
  return !directive.isSequential && region != Region::Serial &&
         (directive.isIndependent ||
          (directive.isPresent && region == Region::Parallel &&
           !directive.isAuto));
}

/// What would be a kernel of `loop` alone.
KernelPart PartFinder::partOf(const CountedLoop &loop,
                              ArrayRef<const OpenACCClause *> clauses) const {
  KernelPart part;
  part.function = &function;
  part.statement = loop.statement;
  part.loops = {loop};
  part.clauses = stack;
  llvm::append_range(part.clauses, clauses);
  return part;
}

/// Says that a loop is not what `directive` declares.
void PartFinder::contradict(const LoopDirective &directive,
                            const LoopDependence &dependence) {
  constexpr char message[] =
      "an iteration of this loop may write what another one accesses";
  SourceLocation write = dependence.write->getExprLoc();
  SourceLocation other = dependence.other->getExprLoc();
  if (!directive.isIndependent) {
    PresumedLoc at = context.getSourceManager().getPresumedLoc(other);
    return warn(write, Twine(message) + ", at " + Twine(at.getLine()) + ":" +
                           Twine(at.getColumn()) + kInOrder);
  }
  report(write, message);
  diagnostics.Report(other,
                     diagnostics.getCustomDiagID(DiagnosticsEngine::Note,
                                                 "the other access is here"));
}

/// Whether iterations of `loop` depend on each other, whatever is declared;
/// says so.
bool PartFinder::depends(const CountedLoop &loop,
                         const LoopDirective &directive) {
  SmallVector<const VarDecl *> own;
  Captures captures = findCaptures(partOf(loop, directive.clauses));
  for (const auto &[variable, capture] : captures.variables) {
    if (capture.isPrivate)
      own.push_back(variable);
    else if (capture.isReduced)
      return true;
    else if (capture.isAssigned && variable->getType()->isScalarType()) {
      // Compilers take sums and the like for reductions, named or not.
      warn(capture.uses.front()->getLocation(),
           "'" + variable->getName() +
               "' goes from one iteration of this loop to the next" + kInOrder);
      return true;
    }
  }
  std::optional<LoopDependence> dependence =
      findDependence(loop, around, own, context);
  if (dependence)
    contradict(directive, *dependence);
  return dependence.has_value();
}

/// `loop` where a launch can have a work item for each iteration; or nothing
/// and the `problem`.
std::optional<CountedLoop> PartFinder::readMappable(ForStmt &loop,
                                                    LoopProblem &problem) {
  std::optional<CountedLoop> form = readLoop(loop, context, problem);
  if (!form)
    return std::nullopt;
  auto fail = [&](SourceLocation location, const char *message) {
    problem = {location, message};
    return std::nullopt;
  };
  if (const Stmt *exit = findExit(loop.getBody(), /*isInLoop=*/false))
    return fail(exit->getBeginLoc(), "a parallel loop cannot be left early");
  if (const Expr *change = findChange(loop.getBody(), form->variable))
    return fail(change->getExprLoc(),
                "the variable of a parallel loop cannot be changed in it");
  Captures captures = findCaptures(partOf(*form, /*clauses=*/{}));
  auto isKnown = [&](const VarDecl &variable) {
    auto found = captures.variables.find(const_cast<VarDecl *>(&variable));
    return found != captures.variables.end() && found->second.isUnchanged();
  };
  if (!iterationsText(*form, context, isKnown))
    return fail(form->bound->getExprLoc(),
                "the number of iterations of this loop is no expression of "
                "constants and integer variables that it does not change");
  return form;
}

/// Whether iterations of `loop` become work items.
bool PartFinder::isParallel(ForStmt *loop, const LoopDirective &directive) {
  if (!isDeclared(directive) || directive.isReduction)
    return false;
  auto [known, isNew] = judged.try_emplace(loop, false);
  if (!isNew)
    return known->second;
  LoopProblem problem;
  std::optional<CountedLoop> form = readMappable(*loop, problem);
  if (!form)
    warn(problem.location, problem.message + kInOrder);
  return judged[loop] = form && !depends(*form, directive);
}

bool PartFinder::holdsParallelLoop(Stmt *statement,
                                   const LoopDirective &directive) {
  if (!statement)
    return false;
  if (auto *construct = dyn_cast<OpenACCLoopConstruct>(statement))
    return holdsParallelLoop(construct->getLoop(),
                             readDirective(construct->clauses(), context));
  llvm::SaveAndRestore restoreAround(around);
  if (auto *loop = dyn_cast<ForStmt>(statement)) {
    if (isParallel(loop, directive))
      return true;
    enter(loop);
  }
  return llvm::any_of(statement->children(), [&](Stmt *child) {
    return holdsParallelLoop(child, LoopDirective());
  });
}

/// Notes that what follows is in `loop`.
void PartFinder::enter(ForStmt *loop) {
  LoopProblem problem;
  if (std::optional<CountedLoop> form = readLoop(*loop, context, problem))
    around.push_back(*form);
}

void PartFinder::visitLoop(Stmt *statement, const LoopDirective &directive) {
  auto *loop = dyn_cast<ForStmt>(statement);
  if (!loop)
    return refuse(statement->getBeginLoc(), "expected a 'for' loop here");
  if (!isParallel(loop, directive))
    return visitSequentialLoop(loop, directive);
  size_t before = stack.size();
  llvm::append_range(stack, directive.clauses);
  addLoops(loop, directive);
  stack.resize(before);
}

/// The host does what is around kernels.
bool PartFinder::checkHostCode(const Stmt *code) {
  const Stmt *use = findMemoryUse(code);
  for (const OpenACCClause *clause : stack) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (!list || isa<OpenACCPrivateClause, OpenACCFirstPrivateClause>(clause))
      continue;
    for (Expr *operand : list->getVarList())
      if (const VarDecl *variable = variableOfClause(operand);
          variable && mentions(code, variable))
        use = code;
  }
  if (use)
    refuse(use->getBeginLoc(),
           "what loops and conditions around parallel loops "
           "depend on must be plain variables");
  return !use;
}

void PartFinder::visitCondition(IfStmt &choice) {
  if (choice.getInit() || choice.getConditionVariable())
    return refuse(
        choice.getBeginLoc(),
        "a condition in a compute construct cannot declare variables");
  if (!checkHostCode(choice.getCond()))
    return;
  visit(choice.getThen());
  visit(choice.getElse());
}

void PartFinder::visitSequentialLoop(ForStmt *loop,
                                     const LoopDirective &directive) {
  llvm::SaveAndRestore restoreAround(around);
  enter(loop);
  if (holdsParallelLoop(loop->getBody(), LoopDirective())) {
    if (checkHostCode(loop->getInit()) && checkHostCode(loop->getCond()) &&
        checkHostCode(loop->getInc()))
      visitBehind(loop->getBody(), directive.clauses);
    return;
  }
  size_t before = stack.size();
  llvm::append_range(stack, directive.clauses);
  if (KernelPart *part = addPart(loop))
    addReductions(loop, directive, *part);
  stack.resize(before);
}

/// The loop that `body` is, with its directive.
static ForStmt *loopIn(Stmt *body, LoopDirective &directive,
                       const ASTContext &context) {
  body = withoutBraces(body);
  directive = LoopDirective();
  if (auto *construct = dyn_cast_or_null<OpenACCLoopConstruct>(body)) {
    directive = readDirective(construct->clauses(), context);
    body = withoutBraces(construct->getLoop());
  }
  return dyn_cast_or_null<ForStmt>(body);
}

/// The loops from `loop`, which is parallel, inwards that are work items.
void PartFinder::addLoops(ForStmt *loop, const LoopDirective &directive) {
  KernelPart *part = addPart(loop);
  if (!part)
    return;
  addReductions(loop, directive, *part);
  llvm::SaveAndRestore restoreAround(around);
  unsigned collapsed = directive.loops;
  while (true) {
    LoopProblem ignored;
    CountedLoop form = *readLoop(*loop, context, ignored);
    for (const CountedLoop &outer : part->loops)
      if (mentions(form.lower, outer.variable) ||
          mentions(form.bound, outer.variable))
        return;
    part->loops.push_back(form);
    around.push_back(form);
    LoopDirective own;
    loop = loopIn(loop->getBody(), own, context);
    --collapsed;
    if (!loop || part->loops.size() == kMostLoops ||
        !isParallel(loop, collapsed > 0 ? directive : own))
      return;
    if (collapsed == 0)
      collapsed = own.loops;
  }
}

const Stmt *gpuopt::findUnsupported(const Stmt *statement,
                                    const ASTContext &context,
                                    bool isOfKernel) {
  if (!statement || isa<AsmStmt>(statement))
    return statement;
  if (const auto *atomic = dyn_cast<OpenACCAtomicConstruct>(statement);
      atomic && !(isOfKernel && isSupportedAtomic(*atomic, context)))
    return statement;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration);
          variable && variable->hasGlobalStorage())
        return statement;
  for (const Stmt *child : statement->children())
    if (const Stmt *found = findUnsupported(child, context, isOfKernel))
      return found;
  return nullptr;
}

KernelPart *PartFinder::addPart(Stmt *statement) {
  if (const Stmt *unsupported =
          findUnsupported(statement, context, /*isOfKernel=*/true)) {
    refuse(unsupported->getBeginLoc(),
           "this is not supported in a compute construct");
    return nullptr;
  }
  KernelPart part;
  part.function = &function;
  part.statement = statement;
  part.construct = enclosing;
  part.clauses = stack;
  parts.push_back(std::move(part));
  return &parts.back();
}

void PartFinder::addTeamRegion(Stmt *code) {
  if (std::optional<TeamProblem> problem = findTeamProblem(*code, context))
    return refuse(problem->location, problem->message);
  if (KernelPart *part = addPart(code))
    part->isOfTeam = true;
}

/// The loops in `statement` that are declared reductions, and the clauses of
/// all.
void PartFinder::addReductions(Stmt *statement, const LoopDirective &directive,
                               KernelPart &part) {
  if (!statement)
    return;
  if (auto *construct = dyn_cast<OpenACCLoopConstruct>(statement)) {
    llvm::append_range(part.clauses, construct->clauses());
    return addReductions(construct->getLoop(),
                         readDirective(construct->clauses(), context), part);
  }
  LoopDirective inner;
  if (auto *loop = dyn_cast<ForStmt>(statement)) {
    if (directive.isReduction)
      part.reductions.push_back(loop);
    if (directive.loops > 1) {
      inner = directive;
      --inner.loops;
      inner.clauses = {};
    }
    return addReductions(withoutBraces(loop->getBody()), inner, part);
  }
  for (Stmt *child : statement->children())
    addReductions(child, inner, part);
}

std::vector<KernelPart>
gpuopt::findKernelParts(FunctionDecl &function, DiagnosticsEngine &diagnostics,
                        WarnFunction warn, std::vector<Refusal> *refusals) {
  return PartFinder(function, diagnostics, warn, refusals).find();
}
