//===- LoopForm.cpp - loops whose iterations can be counted ---------------===//

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/Decl.h"

using namespace clang;
using namespace gpuopt;

VarDecl *gpuopt::namedVariable(Expr *expression) {
  auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

Expr *gpuopt::assignedExpression(const Stmt *statement) {
  if (const auto *binary = dyn_cast_or_null<BinaryOperator>(statement))
    return binary->isAssignmentOp() ? binary->getLHS() : nullptr;
  const auto *unary = dyn_cast_or_null<UnaryOperator>(statement);
  bool isChange = unary && (unary->isIncrementDecrementOp() ||
                            unary->getOpcode() == UO_AddrOf);
  return isChange ? unary->getSubExpr() : nullptr;
}

static std::optional<int64_t> constantOf(const Expr &expression,
                                         const ASTContext &context) {
  Expr::EvalResult result;
  if (expression.isValueDependent() ||
      !expression.EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().tryExtValue();
}

/// `i = lower` or `int i = lower`.
static bool readStart(CountedLoop &loop) {
  Stmt *start = loop.statement->getInit();
  if (auto *declaration = dyn_cast_or_null<DeclStmt>(start)) {
    if (!declaration->isSingleDecl())
      return false;
    loop.variable = dyn_cast<VarDecl>(declaration->getSingleDecl());
    loop.lower = loop.variable ? loop.variable->getInit() : nullptr;
    return loop.lower != nullptr;
  }
  auto *assignment = dyn_cast_or_null<BinaryOperator>(start);
  if (!assignment || assignment->getOpcode() != BO_Assign)
    return false;
  loop.variable = namedVariable(assignment->getLHS());
  loop.lower = assignment->getRHS();
  return loop.variable != nullptr;
}

static bool readComparison(CountedLoop &loop) {
  auto *comparison = dyn_cast_or_null<BinaryOperator>(
      loop.statement->getCond()
          ? loop.statement->getCond()->IgnoreParenImpCasts()
          : nullptr);
  if (!comparison || !comparison->isRelationalOp())
    return false;
  loop.comparison = comparison->getOpcode();
  loop.bound = comparison->getRHS();
  if (namedVariable(comparison->getLHS()) == loop.variable)
    return true;
  if (namedVariable(comparison->getRHS()) != loop.variable)
    return false;
  loop.comparison = BinaryOperator::reverseComparisonOp(loop.comparison);
  loop.bound = comparison->getLHS();
  return true;
}

/// By how much `i += 2` and the like change `variable`; 0 where that is not
/// constant.
static int64_t stepOf(Expr *increment, const VarDecl *variable,
                      const ASTContext &context) {
  if (auto *unary = dyn_cast<UnaryOperator>(increment->IgnoreParens())) {
    if (!unary->isIncrementDecrementOp() ||
        namedVariable(unary->getSubExpr()) != variable)
      return 0;
    return unary->isIncrementOp() ? 1 : -1;
  }
  auto *binary = dyn_cast<BinaryOperator>(increment->IgnoreParens());
  if (!binary || namedVariable(binary->getLHS()) != variable)
    return 0;
  Expr *change = binary->getRHS();
  BinaryOperatorKind operation = binary->getOpcode();
  if (operation == BO_Assign) {
    auto *sum = dyn_cast<BinaryOperator>(change->IgnoreParenImpCasts());
    if (!sum)
      return 0;
    operation = sum->getOpcode() == BO_Add   ? BO_AddAssign
                : sum->getOpcode() == BO_Sub ? BO_SubAssign
                                             : BO_Assign;
    change = sum->getRHS();
    if (operation == BO_AddAssign && namedVariable(change) == variable)
      change = sum->getLHS();
    else if (namedVariable(sum->getLHS()) != variable)
      return 0;
  }
  std::optional<int64_t> value = constantOf(*change, context);
  if (!value || *value == INT64_MIN)
    return 0;
  return operation == BO_AddAssign   ? *value
         : operation == BO_SubAssign ? -*value
                                     : 0;
}

/// Whether 64-bit arithmetic counts the iterations as the source's types do:
/// values do not wrap within the loop, and comparisons keep signs.
static bool isExact(const CountedLoop &loop, const ASTContext &context) {
  QualType type = loop.variable->getType();
  QualType compared = loop.bound->getType();
  bool isSigned = type->isSignedIntegerType();
  uint64_t bits = context.getTypeSize(type);
  if (type->isBooleanType() || bits > 32 || loop.step > INT32_MAX ||
      loop.step < -INT32_MAX || !compared->isIntegerType())
    return false;
  bool mayWrap = !isSigned || bits < 32;
  if (mayWrap && loop.step != 1 && loop.step != -1)
    return false;
  return compared->isSignedIntegerType() || !isSigned;
}

std::optional<CountedLoop> gpuopt::readLoopForm(ForStmt &statement,
                                                const ASTContext &context,
                                                LoopProblem &problem) {
  auto fail = [&](SourceLocation location, const char *message) {
    problem = {location, message};
    return std::nullopt;
  };
  CountedLoop loop;
  loop.statement = &statement;
  if (!readStart(loop))
    return fail(statement.getForLoc(),
                "expected one variable that the loop starts with");
  if (!loop.variable->getType()->isIntegerType())
    return fail(loop.variable->getLocation(),
                "the variable of a parallel loop must be an integer");
  if (!readComparison(loop))
    return fail(statement.getForLoc(),
                "expected '<', '<=', '>' or '>=' between the loop's variable "
                "and its bound");
  if (!statement.getInc())
    return fail(statement.getForLoc(), "expected a step of this loop");
  loop.step = stepOf(statement.getInc(), loop.variable, context);
  bool goesUp = loop.comparison == BO_LT || loop.comparison == BO_LE;
  if (loop.step == 0)
    return fail(statement.getInc()->getExprLoc(),
                "the step of a parallel loop must be constant");
  if (goesUp != (loop.step > 0))
    return fail(statement.getInc()->getExprLoc(),
                "this step leads away from the loop's bound");
  return loop;
}

std::optional<CountedLoop> gpuopt::readLoop(ForStmt &statement,
                                            const ASTContext &context,
                                            LoopProblem &problem) {
  std::optional<CountedLoop> loop = readLoopForm(statement, context, problem);
  if (!loop || isExact(*loop, context))
    return loop;
  problem = {statement.getForLoc(),
             "cannot count this loop's iterations: its variable must have "
             "at most 32 bits and the signedness of its bound, and a step of "
             "one unless it is an 'int'"};
  return std::nullopt;
}

/// The operator of a pragma's expressions; empty for others.
static StringRef extentOperator(BinaryOperatorKind operation) {
  switch (operation) {
  case BO_Add:
  case BO_Sub:
  case BO_Mul:
    return BinaryOperator::getOpcodeStr(operation);
  default:
    return "";
  }
}

/// `expression` without conversions that keep each value.
static const Expr *withoutWidening(const Expr *expression,
                                   const ASTContext &context) {
  while (true) {
    expression = expression->IgnoreParens();
    const auto *cast = dyn_cast<CastExpr>(expression);
    if (!cast)
      return expression;
    const Expr *from = cast->getSubExpr();
    QualType type = from->getType();
    if (cast->getCastKind() == CK_IntegralCast) {
      uint64_t bits = context.getTypeSize(type);
      uint64_t wider = context.getTypeSize(cast->getType());
      bool isSigned = type->isSignedIntegerType();
      bool becomesSigned = cast->getType()->isSignedIntegerType();
      if (isSigned == becomesSigned ? wider < bits : isSigned || wider <= bits)
        return expression;
    } else if (cast->getCastKind() != CK_LValueToRValue &&
               cast->getCastKind() != CK_NoOp) {
      return expression;
    }
    expression = from;
  }
}

std::optional<std::string>
gpuopt::extentText(const Expr &expression, const ASTContext &context,
                   llvm::function_ref<bool(const VarDecl &)> isKnown) {
  const Expr *inner = withoutWidening(&expression, context);
  if (!inner->getType()->isIntegerType())
    return std::nullopt;
  if (std::optional<int64_t> value = constantOf(*inner, context))
    return *value < 0 ? "(" + std::to_string(*value) + ")"
                      : std::to_string(*value);
  if (const auto *reference = dyn_cast<DeclRefExpr>(inner)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable || !isKnown(*variable))
      return std::nullopt;
    return variable->getNameAsString();
  }
  const auto *binary = dyn_cast<BinaryOperator>(inner);
  if (!binary || extentOperator(binary->getOpcode()).empty() ||
      !binary->getType()->isSignedIntegerType())
    return std::nullopt;
  auto left = extentText(*binary->getLHS(), context, isKnown);
  auto right = extentText(*binary->getRHS(), context, isKnown);
  if (!left || !right)
    return std::nullopt;
  return "(" + *left + " " + extentOperator(binary->getOpcode()).str() + " " +
         *right + ")";
}

std::optional<std::string>
gpuopt::iterationsText(const CountedLoop &loop, const ASTContext &context,
                       llvm::function_ref<bool(const VarDecl &)> isKnown) {
  bool goesUp = loop.step > 0;
  auto first = extentText(goesUp ? *loop.bound : *loop.lower, context, isKnown);
  auto second =
      extentText(goesUp ? *loop.lower : *loop.bound, context, isKnown);
  if (!first || !second)
    return std::nullopt;
  uint64_t step = goesUp ? loop.step : -loop.step;
  uint64_t more = loop.comparison == BO_LE || loop.comparison == BO_GE;
  std::string text = *first;
  if (*second != "0")
    text += " - " + *second;
  if (more + step - 1 != 0)
    text += " + " + std::to_string(more + step - 1);
  if (StringRef(text).starts_with("(") && text == *first)
    text = text.substr(1, text.size() - 2);
  return step == 1 ? text : "(" + text + ") / " + std::to_string(step);
}
