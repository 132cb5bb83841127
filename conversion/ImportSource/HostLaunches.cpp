//===- HostLaunches.cpp - the blocks that host code launches --------------===//
//
// Collects launches, calls and what variables are set to; then evaluates the
// blocks of the launches.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/HostLaunches.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace gpuopt;

using Block = std::array<int64_t, 3>;

/// Steps from an expression to those that its value follows from, one behind
/// the other, and all of them: a function that calls itself has many callers.
static constexpr unsigned kMostDepth = 24;
static constexpr unsigned kMostSteps = 4096;

namespace {
/// What a variable, or a member of it, is set to; null for what is not known.
struct Assignment {
  SourceLocation location;
  const Expr *value;
};

/// What the values of host code follow from.
class HostCodeFacts : public DynamicRecursiveASTVisitor {
public:
  HostCodeFacts() { ShouldVisitTemplateInstantiations = true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) override {
    launches.push_back(launch);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (const FunctionDecl *callee = call->getDirectCallee())
      calls[callee->getCanonicalDecl()].push_back(call);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      addAssignment(op->getLHS(), op->getExprLoc(),
                    op->isCompoundAssignmentOp() ? nullptr : op->getRHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *op) override {
    if (op->getOperator() == OO_Equal && op->getNumArgs() == 2)
      addAssignment(op->getArg(0), op->getExprLoc(), op->getArg(1));
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp())
      addAssignment(op->getSubExpr(), op->getExprLoc(), nullptr);
    return true;
  }

  /// A variable, or with a field that member of it.
  using Place = std::pair<const VarDecl *, const FieldDecl *>;

  std::vector<const CUDAKernelCallExpr *> launches;
  llvm::DenseMap<const FunctionDecl *, std::vector<const CallExpr *>> calls;
  llvm::DenseMap<Place, std::vector<Assignment>> assignments;

private:
  void addAssignment(const Expr *target, SourceLocation location,
                     const Expr *value) {
    target = target->IgnoreParenImpCasts();
    const FieldDecl *field = nullptr;
    if (const auto *member = dyn_cast<MemberExpr>(target)) {
      field = dyn_cast<FieldDecl>(member->getMemberDecl());
      target = member->getBase()->IgnoreParenImpCasts();
      if (!field)
        return;
    }
    if (const auto *reference = dyn_cast<DeclRefExpr>(target))
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
        assignments[{variable->getCanonicalDecl(), field}].push_back(
            {location, value});
  }
};

/// Evaluates expressions of host code.
class HostEvaluator {
public:
  HostEvaluator(ASTContext &context, const HostCodeFacts &facts)
      : context(context), facts(facts) {}

  /// The block of `launch`.
  std::optional<Block> getLaunchBlock(const CUDAKernelCallExpr &launch) {
    steps = 0;
    return getBlock(launch.getConfig()->getArg(1), launch.getExprLoc());
  }

private:
  /// The block that `expr` stands for at `place`.
  std::optional<Block> getBlock(const Expr *expr, SourceLocation place);
  std::optional<Block> getConstructed(const CXXConstructExpr *construction,
                                      SourceLocation place);
  std::optional<Block> getListed(ArrayRef<const Expr *> values,
                                 SourceLocation place);
  std::optional<Block> getBlockVariable(const VarDecl *variable,
                                        SourceLocation place);
  std::optional<int64_t> getNumber(const Expr *expr, SourceLocation place);
  std::optional<int64_t> getVariable(const VarDecl *variable,
                                     SourceLocation place);
  std::optional<int64_t> getParameter(const ParmVarDecl *parameter);
  std::optional<int64_t> getMember(const MemberExpr *member,
                                   SourceLocation place);
  std::optional<int64_t> getOperation(const BinaryOperator *op,
                                      SourceLocation place);
  const Assignment *findLast(HostCodeFacts::Place variable,
                             SourceLocation place) const;

  ASTContext &context;
  const HostCodeFacts &facts;
  unsigned depth = 0;
  unsigned steps = 0;
};

/// Counts the steps that are taken, and those of them that are being taken.
class StepGuard {
public:
  StepGuard(unsigned &begun, unsigned &taken) : depth(begun), steps(taken) {
    ++depth;
    ++steps;
  }
  ~StepGuard() { --depth; }
  bool isTooFar() const { return depth > kMostDepth || steps > kMostSteps; }

private:
  unsigned &depth;
  unsigned &steps;
};
} // namespace

/// The last assignment to `variable` in front of `place`; null where there is
/// none.
const Assignment *HostEvaluator::findLast(HostCodeFacts::Place variable,
                                          SourceLocation place) const {
  auto found = facts.assignments.find(variable);
  if (found == facts.assignments.end())
    return nullptr;
  const SourceManager &sources = context.getSourceManager();
  const Assignment *last = nullptr;
  for (const Assignment &assignment : found->second)
    if (sources.isBeforeInTranslationUnit(assignment.location, place) &&
        (!last || sources.isBeforeInTranslationUnit(last->location,
                                                    assignment.location)))
      last = &assignment;
  return last;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<int64_t> HostEvaluator::getOperation(const BinaryOperator *op,
                                                   SourceLocation place) {
  std::optional<int64_t> left = getNumber(op->getLHS(), place);
  std::optional<int64_t> right = getNumber(op->getRHS(), place);
  if (!left || !right)
    return std::nullopt;
  int64_t result;
  switch (op->getOpcode()) {
  case BO_Add:
    return llvm::AddOverflow(*left, *right, result) ? std::nullopt
                                                    : std::optional(result);
  case BO_Sub:
    return llvm::SubOverflow(*left, *right, result) ? std::nullopt
                                                    : std::optional(result);
  case BO_Mul:
    return llvm::MulOverflow(*left, *right, result) ? std::nullopt
                                                    : std::optional(result);
  case BO_Div:
    return *right > 0 ? std::optional(*left / *right) : std::nullopt;
  case BO_Rem:
    return *right > 0 ? std::optional(*left % *right) : std::nullopt;
  case BO_LT:
    return *left < *right;
  case BO_GT:
    return *left > *right;
  case BO_LE:
    return *left <= *right;
  case BO_GE:
    return *left >= *right;
  case BO_EQ:
    return *left == *right;
  case BO_NE:
    return *left != *right;
  default:
    return std::nullopt;
  }
}

/// What a function's parameter is called with, by the first call that tells.
std::optional<int64_t>
HostEvaluator::getParameter(const ParmVarDecl *parameter) {
  const auto *function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
  if (!function)
    return std::nullopt;
  auto calls = facts.calls.find(function->getCanonicalDecl());
  unsigned index = parameter->getFunctionScopeIndex();
  if (calls != facts.calls.end())
    for (const CallExpr *call : calls->second)
      if (index < call->getNumArgs())
        if (std::optional<int64_t> value =
                getNumber(call->getArg(index), call->getExprLoc()))
          return value;
  return std::nullopt;
}

std::optional<int64_t> HostEvaluator::getVariable(const VarDecl *variable,
                                                  SourceLocation place) {
  if (const Assignment *last =
          findLast({variable->getCanonicalDecl(), nullptr}, place))
    return last->value ? getNumber(last->value, last->location) : std::nullopt;
  if (const Expr *initial = variable->getAnyInitializer();
      initial && !isa<ParmVarDecl>(variable))
    return getNumber(initial, variable->getLocation());
  if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
    return getParameter(parameter);
  return std::nullopt;
}

/// `block.x`.
std::optional<int64_t> HostEvaluator::getMember(const MemberExpr *member,
                                                SourceLocation place) {
  const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (!field || field->getFieldIndex() > 2)
    return std::nullopt;
  std::optional<Block> block = getBlock(member->getBase(), place);
  return block ? std::optional((*block)[field->getFieldIndex()]) : std::nullopt;
}

std::optional<int64_t> HostEvaluator::getNumber(const Expr *expr,
                                                SourceLocation place) {
  StepGuard guard(depth, steps);
  if (guard.isTooFar() || expr->isValueDependent() || expr->getType().isNull())
    return std::nullopt;
  if (Expr::EvalResult result; expr->getType()->isIntegralOrEnumerationType() &&
                               expr->EvaluateAsInt(result, context)) {
    const llvm::APSInt &value = result.Val.getInt();
    return value.isRepresentableByInt64() ? std::optional(value.getExtValue())
                                          : std::nullopt;
  }
  expr = expr->IgnoreParenCasts();
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(expr))
    return getNumber(argument->getExpr(), place);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expr)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable ? getVariable(variable, place) : std::nullopt;
  }
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return getOperation(op, place);
  if (const auto *member = dyn_cast<MemberExpr>(expr))
    return getMember(member, place);
  if (const auto *choice = dyn_cast<ConditionalOperator>(expr)) {
    std::optional<int64_t> condition = getNumber(choice->getCond(), place);
    if (condition)
      return getNumber(
          *condition ? choice->getTrueExpr() : choice->getFalseExpr(), place);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

std::optional<Block> HostEvaluator::getListed(ArrayRef<const Expr *> values,
                                              SourceLocation place) {
  Block block = {1, 1, 1};
  if (values.size() > block.size())
    return std::nullopt;
  for (auto [extent, value] : llvm::zip(block, values)) {
    std::optional<int64_t> number = getNumber(value, place);
    if (!number)
      return std::nullopt;
    extent = *number;
  }
  return block;
}

/// `dim3(16, 16)`, or a copy of one.
std::optional<Block>
HostEvaluator::getConstructed(const CXXConstructExpr *construction,
                              SourceLocation place) {
  if (construction->getNumArgs() != 0 &&
      construction->getArg(0)->getType()->isRecordType())
    return getBlock(construction->getArg(0), place);
  return getListed({construction->getArgs(), construction->getNumArgs()},
                   place);
}

/// What a variable was made or set to as a whole, and its members after that.
std::optional<Block> HostEvaluator::getBlockVariable(const VarDecl *variable,
                                                     SourceLocation place) {
  const VarDecl *name = variable->getCanonicalDecl();
  std::optional<Block> block;
  SourceLocation since = variable->getLocation();
  if (const Assignment *whole = findLast({name, nullptr}, place)) {
    block = getBlock(whole->value, whole->location);
    since = whole->location;
  } else if (const Expr *initial = variable->getAnyInitializer()) {
    block = getBlock(initial, since);
  }
  const RecordDecl *record = variable->getType()->getAsRecordDecl();
  if (!block || !record)
    return block;
  for (const FieldDecl *field : record->fields()) {
    const Assignment *last = findLast({name, field}, place);
    if (!last || field->getFieldIndex() > 2 ||
        context.getSourceManager().isBeforeInTranslationUnit(last->location,
                                                             since))
      continue;
    std::optional<int64_t> value =
        last->value ? getNumber(last->value, last->location) : std::nullopt;
    if (!value)
      return std::nullopt;
    (*block)[field->getFieldIndex()] = *value;
  }
  return block;
}

std::optional<Block> HostEvaluator::getBlock(const Expr *expr,
                                             SourceLocation place) {
  StepGuard guard(depth, steps);
  if (guard.isTooFar() || !expr || expr->isValueDependent())
    return std::nullopt;
  expr = expr->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
  if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(expr))
    return getBlock(cast->getSubExpr(), place);
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expr))
    return getConstructed(construction, place);
  if (const auto *list = dyn_cast<InitListExpr>(expr))
    return getListed({list->getInits(), list->getNumInits()}, place);
  if (expr->getType()->isIntegralOrEnumerationType())
    return getListed({expr}, place);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expr))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      return getBlockVariable(variable, place);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Goes through what `scope` declares, system headers aside.
static void traverse(const DeclContext &scope, const SourceManager &sources,
                     HostCodeFacts &facts) {
  for (Decl *declaration : scope.noload_decls()) {
    if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      traverse(*cast<DeclContext>(declaration), sources, facts);
    else if (!sources.isInSystemHeader(declaration->getLocation()))
      facts.TraverseDecl(declaration);
  }
}

std::vector<HostLaunch> gpuopt::findHostLaunches(ASTContext &context) {
  HostCodeFacts facts;
  traverse(*context.getTranslationUnitDecl(), context.getSourceManager(),
           facts);
  HostEvaluator evaluator(context, facts);
  std::vector<HostLaunch> launches;
  for (const CUDAKernelCallExpr *launch : facts.launches) {
    const FunctionDecl *kernel = launch->getDirectCallee();
    const CallExpr *config = launch->getConfig();
    if (!kernel || kernel->isDependentContext() || !config ||
        config->getNumArgs() < 2)
      continue;
    if (std::optional<Block> block = evaluator.getLaunchBlock(*launch))
      launches.push_back({kernel, *block});
  }
  return launches;
}
