//===- TeamWaits.cpp - what threads of a team wait for --------------------===//
//
// Without constructs that order threads, a thread learns what another one has
// done from memory, between two barriers, by a data race alone. So it can wait
// by these: a flush, volatile or atomic memory, what the C library does not
// have, tasks; and by a critical section or an atomic read that it repeats
// until it likes what it finds, for which there must be a loop whose iterations
// are not counted before it, or recursion.
//
//===----------------------------------------------------------------------===//

#include "conversion/Offload/TeamWaits.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
class WaitFinder {
public:
  explicit WaitFinder(const ASTContext &context) : context(context) {}
  TeamCode read(const OMPExecutableDirective &team);

private:
  void visit(const Stmt *statement);
  void visitDirective(const OMPExecutableDirective &directive);
  void visitCall(const CallExpr &call);
  void enter(const FunctionDecl &function);
  void look(const OMPExecutableDirective &directive);
  bool isRepeating(const Stmt &statement) const;
  void fail(SourceLocation location, const Twine &message) {
    if (!code.wait)
      code.wait = {location, message.str()};
  }

  const ASTContext &context;
  TeamCode code;
  std::vector<const FunctionDecl *> callers;
  /// Functions that have been visited while something was repeated.
  llvm::DenseSet<const FunctionDecl *> repeated;
  /// What is visited may be done until memory says otherwise.
  bool isRepeated = false;
  bool isRecursive = false;
  /// The first that looks at memory in an order with other threads.
  const Stmt *firstLook = nullptr;
};
} // namespace

static bool changesAsAnother(QualType type) {
  return type.isVolatileQualified() || type->isAtomicType();
}

bool WaitFinder::isRepeating(const Stmt &statement) const {
  LoopProblem problem;
  const auto *loop = dyn_cast<ForStmt>(&statement);
  return isa<WhileStmt, DoStmt, CXXForRangeStmt>(statement) ||
         (loop &&
          !readLoopForm(const_cast<ForStmt &>(*loop), context, problem));
}

/// Notes that `directive` shows a thread what others have done.
void WaitFinder::look(const OMPExecutableDirective &directive) {
  firstLook = firstLook ? firstLook : &directive;
  if (isRepeated)
    fail(directive.getBeginLoc(),
         "threads that share this loop may wait for each other by what they "
         "find here, again and again");
}

static bool hasLabel(const Stmt *statement) {
  return statement && (isa<LabelStmt>(statement) ||
                       llvm::any_of(statement->children(), hasLabel));
}

void WaitFinder::visitDirective(const OMPExecutableDirective &directive) {
  switch (directive.getDirectiveKind()) {
  case llvm::omp::OMPD_barrier:
  case llvm::omp::OMPD_for:
  case llvm::omp::OMPD_for_simd:
  case llvm::omp::OMPD_masked:
  case llvm::omp::OMPD_master:
  case llvm::omp::OMPD_parallel:
  case llvm::omp::OMPD_parallel_for:
  case llvm::omp::OMPD_parallel_for_simd:
  case llvm::omp::OMPD_section:
  case llvm::omp::OMPD_sections:
  case llvm::omp::OMPD_simd:
  case llvm::omp::OMPD_single:
    break;
  case llvm::omp::OMPD_atomic:
    if (directive.hasClausesOfKind<OMPReadClause>() ||
        directive.hasClausesOfKind<OMPCaptureClause>() ||
        directive.hasClausesOfKind<OMPCompareClause>())
      look(directive);
    break;
  case llvm::omp::OMPD_critical:
    look(directive);
    break;
  default:
    fail(directive.getBeginLoc(),
         "threads that share this loop may wait for each other by '" +
             llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind(),
                                               context.getLangOpts().OpenMP) +
             "'");
  }
  for (const OMPClause *clause : directive.clauses())
    for (const Stmt *child : clause->children())
      visit(child);
  if (directive.hasAssociatedStmt())
    visit(directive.getRawStmt());
}

/// Whether the library of C or OpenMP has it, and lets no thread wait.
static bool isKnown(const FunctionDecl &function, const ASTContext &context) {
  const IdentifierInfo *identifier = function.getIdentifier();
  StringRef name = identifier ? identifier->getName() : "";
  if (name.starts_with("omp_get_") || name == "omp_in_parallel")
    return true;
  return function.getBuiltinID() && !name.starts_with("__sync_") &&
         !name.starts_with("__c11_") && !name.starts_with("__atomic_");
}

void WaitFinder::enter(const FunctionDecl &function) {
  isRecursive |= llvm::is_contained(callers, &function);
  bool isNew = code.functions.insert(&function).second;
  bool outer = isRepeated;
  isRepeated |= hasLabel(function.getBody());
  if (isRepeated && !repeated.insert(&function).second)
    isNew = false;
  else if (isRepeated)
    isNew = true;
  callers.push_back(&function);
  if (isNew)
    visit(function.getBody());
  callers.pop_back();
  isRepeated = outer;
}

void WaitFinder::visitCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (definition && !(method && method->isVirtual()))
    return enter(*definition);
  if (callee && !method && isKnown(*callee, context))
    return;
  fail(call.getExprLoc(),
       callee ? "threads that share this loop may wait for each other in '" +
                    callee->getNameAsString() + "'"
              : "threads that share this loop call a function that is not "
                "known");
}

void WaitFinder::visit(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *directive = dyn_cast<OMPExecutableDirective>(statement))
    return visitDirective(*directive);
  bool outer = isRepeated;
  isRepeated |= isRepeating(*statement);
  if (isa<AsmStmt>(statement))
    fail(statement->getBeginLoc(), "threads that share this loop may wait for "
                                   "each other by instructions");
  const auto *expression = dyn_cast<Expr>(statement);
  if (expression &&
      (changesAsAnother(expression->getType()) || isa<AtomicExpr>(expression)))
    fail(expression->getExprLoc(), "threads that share this loop may wait for "
                                   "each other by this memory");
  if (const auto *call = dyn_cast<CallExpr>(statement))
    visitCall(*call);
  if (const auto *object = dyn_cast<CXXConstructExpr>(statement);
      object && !object->getConstructor()->isTrivial())
    fail(object->getExprLoc(),
         "threads that share this loop call constructors");
  for (const Stmt *child : statement->children())
    visit(child);
  isRepeated = outer;
}

TeamCode WaitFinder::read(const OMPExecutableDirective &team) {
  isRepeated = hasLabel(team.getRawStmt());
  visit(team.getRawStmt());
  isRepeated = isRecursive;
  if (firstLook)
    look(*cast<OMPExecutableDirective>(firstLook));
  return std::move(code);
}

TeamCode offload::readTeamCode(const OMPExecutableDirective &team,
                               const ASTContext &context) {
  return WaitFinder(context).read(team);
}
