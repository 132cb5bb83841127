//===- TeamRegions.cpp - teams whose threads run the same code ------------===//

#include "conversion/ImportSource/OpenACC/TeamRegions.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/OpenACCClause.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;

static constexpr llvm::StringLiteral kThreads = "__gpuopt_threads";
static constexpr llvm::StringLiteral kBarrier = "__gpuopt_barrier";

void gpuopt::declareTeamFunctions(Preprocessor &preprocessor) {
  preprocessor.setPredefines(preprocessor.getPredefines() + R"(
#ifdef __cplusplus
extern "C" {
#endif
int __gpuopt_threads(int) __attribute__((nothrow));
int __gpuopt_thread_id_x(void) __attribute__((nothrow, const));
void __gpuopt_barrier(void) __attribute__((nothrow, convergent));
#ifdef __cplusplus
}
#endif
)");
}

/// The name of the function that `statement` calls; empty for others.
static llvm::StringRef calledName(const Stmt *statement) {
  const auto *call = dyn_cast_or_null<CallExpr>(statement);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
  return name ? name->getName() : "";
}

/// The call of `if (__gpuopt_threads(n)) …`.
static const CallExpr *threadsCall(const Stmt *statement) {
  const auto *choice = dyn_cast_or_null<IfStmt>(statement);
  if (!choice || choice->getElse())
    return nullptr;
  const Expr *condition = choice->getCond()->IgnoreParenImpCasts();
  return calledName(condition) == kThreads ? cast<CallExpr>(condition)
                                           : nullptr;
}

bool gpuopt::isTeamRegion(const Stmt *region) {
  return region && (threadsCall(region) ||
                    llvm::any_of(region->children(), isTeamRegion));
}

const CallExpr *gpuopt::findTeamCall(const Stmt *statement) {
  if (!statement)
    return nullptr;
  if (llvm::is_contained({"omp_get_thread_num", "omp_get_team_num",
                          "omp_get_num_threads", "omp_get_num_teams",
                          kThreads.data(), kBarrier.data(),
                          "__gpuopt_thread_id_x"},
                         calledName(statement)))
    return cast<CallExpr>(statement);
  for (const Stmt *child : statement->children())
    if (const CallExpr *found = findTeamCall(child))
      return found;
  return nullptr;
}

/// Whether `expression` is `variable`, or a member of it.
static bool isOf(const Expr *expression, const VarDecl &variable) {
  expression = expression->IgnoreParens();
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    return !member->isArrow() && isOf(member->getBase(), variable);
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  return reference && reference->getDecl() == &variable;
}

/// Whether `statement` does more with `variable` than to read it.
static bool mayChange(const Stmt *statement, const VarDecl &variable) {
  if (!statement)
    return false;
  const auto *cast = dyn_cast<ImplicitCastExpr>(statement);
  if (cast && cast->getCastKind() == CK_LValueToRValue &&
      isOf(cast->getSubExpr(), variable))
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    return reference->getDecl() == &variable;
  return llvm::any_of(statement->children(), [&](const Stmt *child) {
    return mayChange(child, variable);
  });
}

/// Whether `value` is the same for all threads of a team, whenever they compute
/// it: of plain variables and the team's number.
static bool isOfTeam(const Stmt *value) {
  if (!value)
    return true;
  const auto *unary = dyn_cast<UnaryOperator>(value);
  const auto *member = dyn_cast<MemberExpr>(value);
  bool isKnownCall = calledName(value) == "omp_get_team_num" ||
                     calledName(value) == "omp_get_num_teams";
  if ((isa<CallExpr>(value) && !isKnownCall) ||
      isa<ArraySubscriptExpr, LambdaExpr, CXXConstructExpr>(value) ||
      (unary && unary->getOpcode() == UO_Deref) ||
      (member && member->isArrow()) || assignedExpression(value))
    return false;
  return llvm::all_of(value->children(), isOfTeam);
}

/// Whether each thread may compute `variable` for itself.
static bool isOwn(const VarDecl &variable, const Stmt &region) {
  return variable.getInit() && !variable.getType()->isArrayType() &&
         isOfTeam(variable.getInit()) && !mayChange(&region, variable);
}

static std::optional<TeamProblem> findProblem(const VarDecl &variable,
                                              const Stmt &region,
                                              const ASTContext &context) {
  auto fail = [&](const char *message) {
    return TeamProblem{variable.getLocation(), message};
  };
  QualType type = variable.getType();
  if (isOwn(variable, region))
    return std::nullopt;
  if (type->isVariablyModifiedType())
    return fail("an array of a team needs a constant size");
  if (type->isReferenceType())
    return fail("a team cannot share a reference");
  if (const auto *record =
          context.getBaseElementType(type)->getAsCXXRecordDecl();
      record && !record->hasTrivialDefaultConstructor())
    return fail("a variable of a team cannot have a constructor");
  // One of a class has a constructor though nothing is written.
  const auto *constructor =
      dyn_cast_or_null<CXXConstructExpr>(variable.getInit());
  bool isDefault = constructor && constructor->getNumArgs() == 0;
  if (variable.getInit() && !isDefault)
    return fail("a variable that threads of a team share cannot have a value "
                "in front of their code");
  return std::nullopt;
}

std::optional<TeamProblem> gpuopt::findTeamProblem(const Stmt &region,
                                                   const ASTContext &context) {
  llvm::SmallVector<const Stmt *> statements = {&region};
  if (const auto *body = dyn_cast<CompoundStmt>(&region))
    statements.assign(body->body_begin(), body->body_end());
  for (const Stmt *statement : statements) {
    if (threadsCall(statement) || isa<NullStmt>(statement))
      continue;
    const auto *declarations = dyn_cast<DeclStmt>(statement);
    if (!declarations)
      return TeamProblem{statement->getBeginLoc(),
                         "only declarations may stand beside what the threads "
                         "of a team run"};
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        if (auto problem = findProblem(*variable, region, context))
          return problem;
  }
  return std::nullopt;
}

std::optional<int64_t> gpuopt::threadsOfTeam(const Stmt &region,
                                             const ASTContext &context) {
  Expr::EvalResult value;
  if (const CallExpr *call = threadsCall(&region))
    if (!call->getArg(0)->isValueDependent() &&
        call->getArg(0)->EvaluateAsInt(value, context) &&
        value.Val.getInt() > 0)
      return value.Val.getInt().getSExtValue();
  for (const Stmt *child : region.children())
    if (child)
      if (std::optional<int64_t> threads = threadsOfTeam(*child, context))
        return threads;
  return std::nullopt;
}

static Stmt *callBarrier(SourceLocation location, Sema &sema) {
  ASTContext &context = sema.Context;
  DeclarationName name(&context.Idents.get(kBarrier));
  auto *function = cast<FunctionDecl>(
      context.getTranslationUnitDecl()->lookup(name).front());
  Expr *callee =
      sema.BuildDeclRefExpr(function, function->getType(), VK_LValue, location);
  return sema.BuildCallExpr(nullptr, callee, location, {}, location).get();
}

Stmt *gpuopt::lowerTeamRegion(Stmt &region, FunctionDecl *kernel, Sema &sema) {
  ASTContext &context = sema.Context;
  std::vector<Stmt *> statements;
  auto *body = dyn_cast<CompoundStmt>(&region);
  bool hasCode = false;
  for (Stmt *statement :
       body ? llvm::to_vector(body->body()) : llvm::SmallVector{&region}) {
    if (threadsCall(statement)) {
      if (hasCode)
        statements.push_back(callBarrier(statement->getBeginLoc(), sema));
      statements.push_back(cast<IfStmt>(statement)->getThen());
      hasCode = true;
      continue;
    }
    if (auto *declarations = dyn_cast<DeclStmt>(statement))
      for (Decl *declaration : declarations->decls())
        if (auto *variable = dyn_cast<VarDecl>(declaration);
            variable && !isOwn(*variable, region)) {
          variable->setInit(nullptr);
          variable->setStorageClass(SC_Static);
          variable->setDeclContext(kernel);
          variable->addAttr(
              SectionAttr::CreateImplicit(context, kWorkgroupSection));
        }
    statements.push_back(statement);
  }
  return CompoundStmt::Create(context, statements, FPOptionsOverride(),
                              region.getBeginLoc(), region.getEndLoc());
}
