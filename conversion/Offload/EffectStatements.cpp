//===- EffectStatements.cpp - statements of a section ---------------------===//

#include "conversion/Offload/EffectFinder.h"
#include "conversion/Offload/VariableUses.h"

#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

EffectFinder::EffectFinder(const Region &of, const ASTContext &inContext)
    : region(of), context(inContext), writes(inContext), around(inContext) {
  for (const ParallelLoop &loop : region.loops)
    writes.add(loop.loop);
  for (const ForStmt *parent : region.parents) {
    writes.add(parent->getInit());
    writes.add(parent->getCond());
    writes.add(parent->getInc());
  }
  for (const Bystander &bystander : region.bystanders)
    writes.add(bystander.statement);
  around.add(region.function().getBody());
}

Effects EffectFinder::run() {
  visitRegion(/*parent=*/0);
  return std::move(effects);
}

/// Visits the region from its sequential loop number `parent` on.
void EffectFinder::visitRegion(size_t parent) {
  if (parent < region.parents.size())
    return visitLoop(*region.parents[parent], LoopRole::Parent,
                     [&] { visitRegion(parent + 1); });
  for (const Access &access : effects.accesses)
    if (!access.base->getType()->isArrayType() || !isKeptByDevice(access.base))
      return fail(region.parents.front()->getForLoc(),
                  "this loop reads memory that its iterations may change");
  // The host reads its own, which is not another one meanwhile.
  effects.accesses.clear();
  for (auto [number, loop] : llvm::enumerate(region.loops)) {
    section = nullptr;
    for (const Bystander &bystander : region.bystanders)
      if (bystander.next == number)
        visitBystander(*bystander.statement);
    section = &loop;
    effects.scalars.emplace_back();
    effects.privates.emplace_back();
    // They begin without a value.
    for (const VarDecl *variable : loop.privates)
      environment.erase(variable);
    visitParallel(*loop.loop, loop.collapsed);
  }
}

/// Whether the section changes no element of `variable`, an array or a number.
bool EffectFinder::isKeptByDevice(const VarDecl *variable) const {
  QualType type = variable->getType();
  while (const auto *array = context.getAsArrayType(type))
    type = array->getElementType();
  return !writes.assigns(variable) && !writes.mayStore(type);
}

/// Notes what the host computes between loops, from what the device does not
/// change.
void EffectFinder::visitBystander(const Stmt &bystander) {
  for (const VarDecl *variable : variablesIn(bystander))
    if (variable->hasGlobalStorage() && !isKeptByDevice(variable))
      return fail(bystander.getBeginLoc(),
                  "the host reads '" + variable->getName() +
                      "', which the device may have changed");
  const auto *assignment = dyn_cast<BinaryOperator>(&bystander);
  const VarDecl *target = assignment && assignment->getOpcode() == BO_Assign
                              ? namedVariable(assignment->getLHS())
                              : nullptr;
  Value value = target ? valueAgain(*assignment->getRHS()) : Value();
  forget(bystander);
  // In a sequential loop it may be an earlier value that is read first.
  if (target && region.parents.empty() && !isOwn(target))
    environment[target] = value;
}

void EffectFinder::fail(SourceLocation location, const llvm::Twine &message,
                        bool isForAuthor) {
  if (!effects.problem)
    effects.problem = {location, message.str(), isForAuthor};
}

void EffectFinder::count(int64_t operations, int64_t memoryOperations) {
  Work &work = effects.work;
  work.operations = work.operations + repetitions * operations;
  work.memoryOperations =
      work.memoryOperations + repetitions * memoryOperations;
}

/// Drops what is known of variables that `statement` may change.
void EffectFinder::forget(const Stmt &statement) {
  Writes inside(context);
  inside.add(&statement);
  llvm::SmallVector<const VarDecl *> changed;
  for (const auto &[variable, value] : environment)
    if (inside.assigns(variable))
      changed.push_back(variable);
  for (const VarDecl *variable : changed)
    environment.erase(variable);
}

void EffectFinder::visit(const Stmt *statement) {
  if (!statement || effects.problem)
    return;
  if (const auto *expression = dyn_cast<Expr>(statement))
    return (void)valueOf(expression);
  if (const auto *braces = dyn_cast<CompoundStmt>(statement))
    return visitAll(braces->body());
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    return visitDeclarations(*declarations);
  if (const auto *choice = dyn_cast<IfStmt>(statement))
    return visitChoice(*choice);
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return visitLoop(*loop, LoopRole::Inner, [&] {
      ++breakable;
      visit(loop->getBody());
      --breakable;
    });
  if (isa<WhileStmt, DoStmt>(statement))
    return visitUncounted(*statement);
  // What one case leaves behind is not what the next one begins with.
  if (isa<SwitchStmt>(statement))
    return fail(statement->getBeginLoc(), "chooses its statements by 'switch'");
  if (isa<AttributedStmt>(statement))
    return visitAll(statement->children());
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return visitDirective(*directive);
  if (const auto *exit = dyn_cast<ReturnStmt>(statement))
    return visitReturn(*exit);
  if (isa<BreakStmt>(statement) && breakable == 0)
    return fail(statement->getBeginLoc(), "the loop is left by 'break'");
  if (isa<BreakStmt, ContinueStmt>(statement)) {
    effects.mayLeave = true;
    return;
  }
  if (!isa<NullStmt>(statement))
    fail(statement->getBeginLoc(), "a device cannot do this statement");
}

void EffectFinder::visitReturn(const ReturnStmt &statement) {
  if (callers.empty())
    return fail(statement.getReturnLoc(), "the loop is left by 'return'");
  Value value;
  if (const Expr *result = statement.getRetValue())
    value = valueOf(result);
  bool isOnlyOne = !returned && conditions == conditionsOfCall &&
                   loops.size() == loopsOfCall;
  effects.mayLeave |= !isOnlyOne;
  returned = isOnlyOne ? value : Value();
}

void EffectFinder::visitDeclarations(const DeclStmt &declarations) {
  for (const Decl *declaration : declarations.decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable)
      continue;
    if (variable->isStaticLocal())
      return fail(variable->getLocation(),
                  "'" + variable->getName() +
                      "' is static: iterations share it");
    if (variable->getType()->isVariableArrayType())
      return fail(variable->getLocation(), "the array '" + variable->getName() +
                                               "' has a variable length");
    // It calls a function where its scope ends.
    if (variable->hasAttr<CleanupAttr>() ||
        variable->needsDestruction(context) != QualType::DK_none)
      return fail(variable->getLocation(),
                  "'" + variable->getName() + "' is cleaned up by a function");
    environment.erase(variable);
    const Expr *start = variable->getInit();
    if (!start)
      continue;
    Value value = valueOf(start);
    if (!writes.takesAddressOf(variable))
      environment[variable] = value;
  }
}

/// Visits what may be done or not: what it changes is not known behind it.
void EffectFinder::visitMaybe(const Stmt *statement) {
  if (!statement)
    return;
  ++conditions;
  Environment before = environment;
  auto assignedBefore = assigned;
  visit(statement);
  assigned = std::move(assignedBefore);
  environment = std::move(before);
  forget(*statement);
  --conditions;
}

void EffectFinder::visitChoice(const IfStmt &choice) {
  visit(choice.getInit());
  visit(choice.getConditionVariableDeclStmt());
  visit(choice.getCond());
  // Neither sees what the other does.
  Environment before = environment;
  Branches branches;
  size_t depth = loops.size();
  branches.firstOfThen = effects.accesses.size();
  bool isUnderstood = narrow(*choice.getCond());
  branches.loopsOfThen = loops;
  branches.conditionsOfThen = conditions + !isUnderstood;
  conditions -= isUnderstood;
  visitMaybe(choice.getThen());
  conditions += isUnderstood;
  loops.resize(depth);
  environment = std::move(before);
  branches.firstOfElse = effects.accesses.size();
  visitMaybe(choice.getElse());
  forget(*choice.getThen());
  addCommon(branches);
}

/// What both branches of a condition access, it does in each case.
void EffectFinder::addCommon(const Branches &branches) {
  size_t end = effects.accesses.size();
  auto isInThen = [&](const Access &other, const Access &access) {
    return other.base == access.base && other.isWrite == access.isWrite &&
           other.conditions == branches.conditionsOfThen &&
           other.loops == branches.loopsOfThen &&
           withoutConditions(other) == withoutConditions(access);
  };
  for (size_t place = branches.firstOfElse; place < end; ++place) {
    Access access = effects.accesses[place];
    auto then = llvm::ArrayRef(effects.accesses)
                    .slice(branches.firstOfThen,
                           branches.firstOfElse - branches.firstOfThen);
    if (access.conditions != conditions + 1 || access.loops != loops ||
        llvm::none_of(
            then, [&](const Access &other) { return isInThen(other, access); }))
      continue;
    access.conditions = conditions;
    effects.accesses.push_back(std::move(access));
  }
}

/// Its subscripts over variables of loops, whatever conditions say of them.
std::vector<std::optional<Polynomial>>
EffectFinder::withoutConditions(const Access &access) const {
  auto subscripts = access.subscripts;
  for (size_t place : access.loops) {
    const LoopRange &range = effects.loops[place];
    if (!range.of)
      continue;
    Polynomial original = Polynomial::ofSymbol(effects.loops[*range.of].symbol);
    for (std::optional<Polynomial> &subscript : subscripts) {
      auto split = subscript ? subscript->split(range.symbol) : std::nullopt;
      subscript = split ? std::optional(split->factor * original + split->rest)
                        : std::nullopt;
    }
  }
  return subscripts;
}

void EffectFinder::visitUncounted(const Stmt &loop) {
  forget(loop);
  ++conditions;
  ++breakable;
  auto assignedBefore = assigned;
  // `continue` leads there from anywhere in the body.
  auto beginTail = [&] {
    assigned = assignedBefore;
    forget(loop);
  };
  if (const auto *counted = dyn_cast<ForStmt>(&loop)) {
    // What it begins with is done once, and what follows may undo it.
    visit(counted->getInit());
    assignedBefore = assigned;
    forget(loop);
    visit(counted->getCond());
    visit(counted->getBody());
    beginTail();
    visit(counted->getInc());
  } else if (const auto *tested = dyn_cast<DoStmt>(&loop)) {
    visit(tested->getBody());
    beginTail();
    visit(tested->getCond());
  } else {
    visitAll(loop.children());
  }
  assigned = std::move(assignedBefore);
  --breakable;
  --conditions;
  forget(loop);
}

void EffectFinder::visitDirective(const OMPExecutableDirective &directive) {
  if (isa<OMPSimdDirective>(directive))
    return visit(directive.getRawStmt());
  if (!isa<OMPAtomicDirective>(directive))
    return fail(
        directive.getBeginLoc(),
        "a device does not know the order of threads that '" +
            llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind(),
                                              context.getLangOpts().OpenMP) +
            "' asks for");
  isAtomic = true;
  visit(directive.getRawStmt());
  isAtomic = false;
}

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

/// Whether `polynomial` is a sum of unsigned values, and so not negative: a
/// difference of them may have become a large one.
static bool isUnsignedSum(const Polynomial &polynomial,
                          const SymbolTable &symbols) {
  return llvm::all_of(polynomial.terms(), [&](const auto &term) {
    return term.second >= 0 && llvm::all_of(term.first, [&](SymbolID symbol) {
             return symbols[symbol].isUnsigned;
           });
  });
}

/// Whether values of the loop's variable and its bound compare as integers do
/// that have no end.
static bool comparesExactly(const CountedLoop &form, const Polynomial &lower,
                            const Polynomial &bound, const SymbolTable &symbols,
                            const ASTContext &context) {
  QualType type = form.variable->getType(), other = form.bound->getType();
  if (!other->isIntegerType() || context.getTypeSize(type) < 32)
    return false;
  bool isUp = form.step > 0;
  if (type->isUnsignedIntegerType())
    // A bound that is too large lets a loop upwards run for ever.
    return isUnsignedSum(lower, symbols) &&
           (isUp ||
            (form.comparison == BO_GT && isUnsignedSum(bound, symbols)));
  // A negative value would become a large one.
  if (other->isUnsignedIntegerType() &&
      context.getTypeSize(other) >= context.getTypeSize(type))
    return isUp && lower.constant().value_or(-1) >= 0;
  return true;
}

std::optional<LoopRange> EffectFinder::rangeOf(const ForStmt &loop,
                                               const CountedLoop &form) {
  if (form.lower->HasSideEffects(context) ||
      form.bound->HasSideEffects(context))
    return std::nullopt;
  Value lower = valueOf(form.lower);
  forget(loop);
  environment.erase(form.variable);
  Value bound = valueOf(form.bound);
  Writes inBody(context);
  inBody.add(loop.getBody());
  if (!lower.isInteger() || !bound.isInteger() ||
      inBody.assigns(form.variable) ||
      !comparesExactly(form, lower.number, bound.number, effects.symbols,
                       context))
    return std::nullopt;
  Polynomial forwards = form.step > 0 ? 1 : -1;
  Polynomial last = bound.number;
  if (form.comparison == BO_LT || form.comparison == BO_GT)
    last = last - forwards;
  LoopRange range;
  range.variable = form.variable;
  range.step = form.step;
  range.distance = (last - lower.number) * forwards;
  if (!range.isDense())
    last = lower.number + forwards * lastStep(range);
  range.least = form.step > 0 ? lower.number : last;
  range.most = form.step > 0 ? last : lower.number;
  return range;
}

Polynomial LoopRange::iterations() const {
  std::optional<int64_t> constant = distance.constant();
  return constant ? Polynomial(*constant / std::abs(step) + (*constant >= 0))
                  : distance + 1;
}

/// How far from its first value a loop gets.
Polynomial EffectFinder::lastStep(LoopRange &range) {
  SymbolTable &symbols = effects.symbols;
  const Polynomial &distance = range.distance;
  int64_t step = std::abs(range.step);
  if (std::optional<int64_t> constant = distance.constant())
    return *constant < 0 ? *constant : *constant / step * step;
  if (llvm::any_of(distance.symbols(),
                   [&](SymbolID id) { return symbols.isLoop(id); })) {
    range.isExact = false;
    return distance;
  }
  std::string by = std::to_string(step);
  return Polynomial::ofSymbol(symbols.ofText("((" + symbols.textOf(distance) +
                                                 ") / " + by + " * " + by + ")",
                                             /*isLongLong=*/true));
}

void EffectFinder::visitLoop(const ForStmt &loop, LoopRole role,
                             llvm::function_ref<void()> visitInside) {
  LoopProblem problem;
  auto &statement = const_cast<ForStmt &>(loop);
  std::optional<CountedLoop> form = readLoopForm(statement, context, problem);
  std::optional<LoopRange> range;
  isAtBegin = role == LoopRole::Parallel && region.parents.empty();
  if (form)
    range = rangeOf(loop, *form);
  isAtBegin = false;
  bool isInner = role == LoopRole::Inner;
  if (!isInner && !form)
    return fail(problem.location, problem.message);
  if (!isInner && !range)
    return fail(loop.getForLoc(),
                "the iterations of this loop cannot be counted before it");
  if (!range)
    return visitUncounted(loop);
  if (isInner && isOwn(form->variable))
    noteOwn(form->variable, *form->lower, /*isWrite=*/true);
  else if (isInner)
    note({Place::Kind::Variable, form->variable, {}, false}, *form->lower,
         /*isWrite=*/true);
  range->isParallel = role == LoopRole::Parallel;
  SymbolTable::Symbol symbol;
  symbol.isUnsigned = form->variable->getType()->isUnsignedIntegerType();
  range->symbol = effects.symbols.add(symbol);
  environment[form->variable] =
      Value::ofNumber(Polynomial::ofSymbol(range->symbol));
  Polynomial before = repetitions;
  repetitions = repetitions * range->iterations();
  loops.push_back(effects.loops.size());
  effects.loops.push_back(std::move(*range));
  auto assignedBefore = assigned;
  visitInside();
  assigned = std::move(assignedBefore);
  loops.pop_back();
  repetitions = before;
  forget(loop);
  environment.erase(form->variable);
}

/// Visits `loop`, of which the `collapsed` outermost ones are parallel.
void EffectFinder::visitParallel(const ForStmt &loop, unsigned collapsed) {
  const Stmt *body = loop.getBody();
  if (collapsed == 1)
    return visitLoop(loop, LoopRole::Parallel, [&] { visit(body); });
  while (const auto *braces = dyn_cast<CompoundStmt>(body)) {
    if (braces->size() != 1)
      break;
    body = braces->body_front();
  }
  const auto *inner = dyn_cast<ForStmt>(body);
  if (!inner)
    return fail(body->getBeginLoc(),
                "expected the next of the loops that 'collapse' names alone");
  visitLoop(loop, LoopRole::Parallel,
            [&] { visitParallel(*inner, collapsed - 1); });
}

Effects offload::findEffects(const Region &region, const ASTContext &context) {
  return EffectFinder(region, context).run();
}
