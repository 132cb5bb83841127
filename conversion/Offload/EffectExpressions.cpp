//===- EffectExpressions.cpp - expressions of a section -------------------===//

#include "conversion/Offload/EffectFinder.h"
#include "conversion/Offload/LibraryCalls.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// What operations cost beside an addition, on hosts and devices alike.
static constexpr int64_t kDivisionCost = 8, kMathCost = 20;

Value Value::ofNumber(Polynomial number) {
  Value value;
  value.kind = number.isValid() ? Kind::Integer : Kind::Unknown;
  value.number = std::move(number);
  return value;
}

/// Whether sums and products of `type` are those of integers without end: other
/// results are undefined, or addresses modulo 2^64. Narrower types than `int`
/// wrap when the result is stored.
static bool isExact(QualType type, const ASTContext &context) {
  uint64_t bits = type->isIntegerType() ? context.getTypeSize(type) : 0;
  return (type->isSignedIntegerType() && bits >= 32) ||
         (type->isUnsignedIntegerType() && bits >= 64);
}

/// Whether `assignment` computes in the type of what it changes.
static bool computesInPlace(const BinaryOperator &assignment,
                            const ASTContext &context) {
  const auto *compound = dyn_cast<CompoundAssignOperator>(&assignment);
  QualType type = assignment.getLHS()->getType();
  return compound &&
         context.hasSameUnqualifiedType(compound->getComputationLHSType(),
                                        type) &&
         context.hasSameUnqualifiedType(compound->getComputationResultType(),
                                        type);
}

/// Whether devices know numbers of `type`: those of hosts with more than 64
/// bits and complex ones are different there, or there are none.
static bool isOfDevices(QualType type, const ASTContext &context) {
  return !type->isAnyComplexType() &&
         !(type->isArithmeticType() && context.getTypeSize(type) > 64);
}

Value EffectFinder::valueOf(const Expr *expression) {
  if (!expression || effects.problem)
    return {};
  if (!isOfDevices(expression->getType(), context)) {
    fail(expression->getExprLoc(), "computes with '" +
                                       expression->getType().getAsString() +
                                       "', which devices do not know");
    return {};
  }
  Expr::EvalResult result;
  if (expression->getType()->isIntegerType() &&
      !expression->isValueDependent() &&
      expression->EvaluateAsInt(result, context))
    if (auto number = result.Val.getInt().tryExtValue())
      return Value::ofNumber(*number);
  Value value = valueWithoutName(expression);
  if (value.kind == Value::Kind::Unknown &&
      expression->getType()->isIntegerType())
    return nameOf(*expression);
  return value;
}

Value EffectFinder::valueWithoutName(const Expr *expression) {
  if (const auto *inner = dyn_cast<ParenExpr>(expression))
    return valueOf(inner->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(expression))
    return valueOfCast(*cast);
  if (const auto *unary = dyn_cast<UnaryOperator>(expression))
    return valueOfUnary(*unary);
  if (const auto *binary = dyn_cast<BinaryOperator>(expression))
    return valueOfBinary(*binary);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expression))
    return valueOfChoice(*choice);
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return valueOfCall(*call);
  if (isa<DeclRefExpr, ArraySubscriptExpr, MemberExpr>(expression)) {
    // Named without being read: its address is, or nothing.
    (void)placeOf(expression);
    return {};
  }
  bool isList = isa<InitListExpr, ExprWithCleanups, ConstantExpr,
                    MaterializeTemporaryExpr>(expression);
  bool isConstant =
      isa<CharacterLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr,
          FloatingLiteral, GNUNullExpr, ImplicitValueInitExpr, IntegerLiteral,
          OffsetOfExpr, UnaryExprOrTypeTraitExpr>(expression);
  if (!isList && !isConstant) {
    fail(expression->getExprLoc(), "a device cannot compute this expression");
    return {};
  }
  Value last;
  for (const Stmt *child : expression->children())
    if (isList)
      last = valueOf(cast<Expr>(child));
  return isa<InitListExpr>(expression) ? Value() : last;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool keepsValue(const CastExpr &cast, const ASTContext &context) {
  QualType from = cast.getSubExpr()->getType(), to = cast.getType();
  uint64_t bits = context.getTypeSize(from), wider = context.getTypeSize(to);
  if (wider < bits || to->isBooleanType())
    return false;
  return wider >= 64 ||
         from->isSignedIntegerType() == to->isSignedIntegerType() ||
         (from->isUnsignedIntegerType() && wider > bits);
}

Value EffectFinder::valueOfCast(const CastExpr &cast) {
  const Expr *inner = cast.getSubExpr();
  switch (cast.getCastKind()) {
  case CK_LValueToRValue:
    if (std::optional<Value> pointer = fixedPointer(*inner))
      return *pointer;
    return load(placeOf(inner), *inner);
  case CK_ArrayToPointerDecay:
    return isa<clang::StringLiteral>(inner->IgnoreParens())
               ? Value()
               : addressOf(placeOf(inner), *inner, /*isDecay=*/true);
  case CK_IntegralCast: {
    Value value = valueOf(inner);
    return keepsValue(cast, context) ? value : Value();
  }
  case CK_BitCast: {
    Value value = valueOf(inner);
    bool isSame = context.hasSameUnqualifiedType(
        inner->getType()->getPointeeType(), cast.getType()->getPointeeType());
    return isSame || value.kind == Value::Kind::OwnPointer ? value : Value();
  }
  case CK_NoOp:
    return valueOf(inner);
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr:
    return {};
  default:
    (void)valueOf(inner);
    return {};
  }
}

Value EffectFinder::valueOfUnary(const UnaryOperator &unary) {
  const Expr *inner = unary.getSubExpr();
  if (unary.getOpcode() == UO_AddrOf)
    return addressOf(placeOf(inner), *inner, /*isDecay=*/false);
  if (unary.getOpcode() == UO_Deref) {
    (void)placeOf(&unary);
    return {};
  }
  if (unary.isIncrementDecrementOp()) {
    Place place = placeOf(inner);
    Value before = load(place, *inner);
    count(1, 0);
    Value after =
        isExact(inner->getType(), context) || inner->getType()->isPointerType()
            ? sum(before, Value::ofNumber(1), unary.isIncrementOp() ? 1 : -1)
            : Value();
    store(place, *inner, after);
    return unary.isPrefix() ? after : before;
  }
  Value value = valueOf(inner);
  count(1, 0);
  if (unary.getOpcode() == UO_Minus && value.isInteger() &&
      isExact(unary.getType(), context))
    return Value::ofNumber(Polynomial() - value.number);
  return unary.getOpcode() == UO_Plus ? value : Value();
}

/// `left` + `right`, or `left` - `right`: numbers, or a pointer and a number.
Value EffectFinder::sum(const Value &left, const Value &right, int sign) {
  using Kind = Value::Kind;
  if (left.isInteger() && right.isInteger())
    return Value::ofNumber(left.number + right.number * Polynomial(sign));
  bool isReverse = left.kind == Kind::Integer && sign > 0;
  const Value &pointer = isReverse ? right : left;
  const Value &number = isReverse ? left : right;
  if (pointer.kind == Kind::OwnPointer || pointer.isInElement)
    return pointer;
  // Behind a whole array no other one is known.
  if (pointer.kind != Kind::Pointer || number.kind == Kind::Pointer ||
      pointer.subscripts.empty())
    return {};
  Value result = pointer;
  result.isRow = false;
  std::optional<Polynomial> &last = result.subscripts.back();
  bool isKnown = last && number.isInteger();
  // Away from the row where it began it may be in any other one.
  if (!isKnown && result.subscripts.size() > 1 && !pointer.isRow)
    return {};
  if (!isKnown)
    last.reset();
  else
    last = *last + number.number * Polynomial(sign);
  return result;
}

Value EffectFinder::valueOfBinary(const BinaryOperator &binary) {
  if (binary.isAssignmentOp())
    return valueOfAssignment(binary);
  Value left = valueOf(binary.getLHS());
  if (binary.isLogicalOp()) {
    visitMaybe(binary.getRHS());
    return {};
  }
  Value right = valueOf(binary.getRHS());
  BinaryOperatorKind operation = binary.getOpcode();
  bool isDivision = operation == BO_Div || operation == BO_Rem;
  count(isDivision ? kDivisionCost : 1, 0);
  QualType type = binary.getType();
  bool isSum = operation == BO_Add || operation == BO_Sub;
  if (operation == BO_Comma)
    return right;
  if (isSum && (type->isPointerType() || isExact(type, context)))
    return sum(left, right, operation == BO_Add ? 1 : -1);
  if (operation == BO_Mul && left.isInteger() && right.isInteger() &&
      isExact(type, context))
    return Value::ofNumber(left.number * right.number);
  return {};
}

Value EffectFinder::valueOfAssignment(const BinaryOperator &assignment) {
  const Expr *target = assignment.getLHS();
  if (assignment.getOpcode() == BO_Assign) {
    Value value = valueOf(assignment.getRHS());
    store(placeOf(target), *target, value);
    return value;
  }
  Place place = placeOf(target);
  Value before = load(place, *target);
  Value change = valueOf(assignment.getRHS());
  BinaryOperatorKind operation = assignment.getOpcode();
  count(operation == BO_DivAssign ? kDivisionCost : 1, 0);
  bool isSum = operation == BO_AddAssign || operation == BO_SubAssign;
  QualType type = target->getType();
  Value after;
  if (isSum &&
      (type->isPointerType() ||
       (isExact(type, context) && computesInPlace(assignment, context))))
    after = sum(before, change, operation == BO_AddAssign ? 1 : -1);
  store(place, *target, after);
  return after;
}

Value EffectFinder::valueOfChoice(const AbstractConditionalOperator &choice) {
  if (!isa<ConditionalOperator>(choice)) {
    fail(choice.getExprLoc(), "a device cannot compute this expression");
    return {};
  }
  (void)valueOf(choice.getCond());
  ++conditions;
  Environment before = environment;
  auto assignedBefore = assigned;
  Value first = valueOf(choice.getTrueExpr());
  environment = before;
  assigned = assignedBefore;
  Value second = valueOf(choice.getFalseExpr());
  environment = std::move(before);
  assigned = std::move(assignedBefore);
  forget(choice);
  --conditions;
  return first == second ? first : Value();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value EffectFinder::valueOfCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee) {
    fail(call.getExprLoc(), "calls a function that is not known");
    return {};
  }
  const FunctionDecl *definition = callee->getDefinition();
  if (isMath(*callee, context)) {
    for (const Expr *argument : call.arguments())
      (void)valueOf(argument);
    count(kMathCost, 0);
    return {};
  }
  bool isMethod = isa<CXXMethodDecl>(callee);
  if (!definition || isMethod || llvm::is_contained(callers, definition)) {
    fail(call.getExprLoc(),
         "calls '" + callee->getNameAsString() + "', " +
             (isMethod      ? "a member function"
              : !definition ? "whose body is not in this file"
                            : "which calls itself"));
    return {};
  }
  return valueOfBody(call, *definition);
}

Value EffectFinder::valueOfBody(const CallExpr &call,
                                const FunctionDecl &callee) {
  if (call.getNumArgs() != callee.getNumParams()) {
    fail(call.getExprLoc(), "calls '" + callee.getNameAsString() +
                                "' with other arguments than it has");
    return {};
  }
  // Without a prototype no argument becomes what the parameter is.
  if (call.getNumArgs() != 0 &&
      !call.getCallee()->getType()->getPointeeType()->isFunctionProtoType()) {
    fail(call.getExprLoc(),
         "calls '" + callee.getNameAsString() + "', which has no prototype");
    return {};
  }
  std::vector<Value> arguments;
  for (const Expr *argument : call.arguments())
    arguments.push_back(valueOf(argument));
  for (auto [parameter, value] :
       llvm::zip_equal(callee.parameters(), arguments)) {
    environment.erase(parameter);
    if (!writes.takesAddressOf(parameter))
      environment[parameter] = value;
  }
  auto outerReturned = std::exchange(returned, std::nullopt);
  auto outerConditions = std::exchange(conditionsOfCall, conditions);
  auto outerLoops = std::exchange(loopsOfCall, loops.size());
  callers.push_back(&callee);
  visit(callee.getBody());
  callers.pop_back();
  conditionsOfCall = outerConditions;
  loopsOfCall = outerLoops;
  return std::exchange(returned, outerReturned).value_or(Value());
}
