//===- BuildArithmetic.cpp - numbers as expressions -----------------------===//
//
// Integers of a width, floating point, conversions, mathematical functions and
// vectors. Signed arithmetic that may wrap is done in the unsigned type, where
// C says what wrapping gives. See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt::source;

//===--- Integers ---------------------------------------------------------===//

static CType withSign(CType type, CType::Kind kind) {
  type.kind = kind;
  return type;
}

static bool cannotWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && bitEnumContainsAll(flags.getOverflowAttr().getValue(),
                                     arith::IntegerOverflowFlags::nsw);
}

/// C's spelling of `op` and the sign that it needs of its operands: `Void`
/// where either will do.
static std::pair<StringRef, CType::Kind> spellInteger(Operation *op) {
  using Spelling = std::pair<StringRef, CType::Kind>;
  return llvm::TypeSwitch<Operation *, Spelling>(op)
      .Case([&](arith::AddIOp) { return Spelling("+", CType::Unsigned); })
      .Case([&](arith::SubIOp) { return Spelling("-", CType::Unsigned); })
      .Case([&](arith::MulIOp) { return Spelling("*", CType::Unsigned); })
      .Case([&](arith::ShLIOp) { return Spelling("<<", CType::Unsigned); })
      .Case([&](arith::ShRUIOp) { return Spelling(">>", CType::Unsigned); })
      .Case([&](arith::ShRSIOp) { return Spelling(">>", CType::Signed); })
      .Case([&](arith::DivUIOp) { return Spelling("/", CType::Unsigned); })
      .Case([&](arith::DivSIOp) { return Spelling("/", CType::Signed); })
      .Case([&](arith::RemUIOp) { return Spelling("%", CType::Unsigned); })
      .Case([&](arith::RemSIOp) { return Spelling("%", CType::Signed); })
      .Case([&](arith::MinUIOp) { return Spelling("min", CType::Unsigned); })
      .Case([&](arith::MinSIOp) { return Spelling("min", CType::Signed); })
      .Case([&](arith::MaxUIOp) { return Spelling("max", CType::Unsigned); })
      .Case([&](arith::MaxSIOp) { return Spelling("max", CType::Signed); })
      .Case([&](arith::AndIOp) { return Spelling("&", CType::Void); })
      .Case([&](arith::OrIOp) { return Spelling("|", CType::Void); })
      .Case([&](arith::XOrIOp) { return Spelling("^", CType::Void); })
      .Default([&](Operation *) { return Spelling("", CType::Void); });
}

/// `true`, as the constant of a condition.
static bool isTrue(const Expr *expr) {
  return expr->kind == Expr::Literal && expr->text == "true";
}

/// `left` `operation` `right`, computed in 32 bits, in the fewer bits of
/// `type`.
const Expr *KernelBuilder::narrow(StringRef operation, const Expr *left,
                                  const Expr *right, CType type) {
  CType wide{type.kind, 32, 1};
  // Unsigned numbers of 16 bits become signed ones, the product of which may
  // leave `int`.
  if (operation == "*") {
    left = cast(left, wide);
    right = cast(right, wide);
  }
  Expr narrowed{Expr::Cast, type};
  narrowed.operands = {binary(operation, left, right, wide)};
  return kernel.make(std::move(narrowed));
}

const Expr *KernelBuilder::buildInteger(Operation *op) {
  CType type = typeOf(op->getResult(0).getType());
  auto [spelled, sign] = spellInteger(op);
  StringRef text = spelled;
  if (type.kind == CType::Void || text.empty() || op->getNumOperands() != 2)
    return fail(op->getLoc(), "'" + op->getName().getStringRef() + "' of " +
                                  spell(op->getResult(0).getType()) +
                                  " has no source form");
  const Expr *left = build(op->getOperand(0));
  const Expr *right = build(op->getOperand(1));
  if (type.kind == CType::Bool) {
    if (text == "&")
      return conjunction(left, right);
    if (text == "|")
      return disjunction(left, right);
    if (text == "^" && isTrue(right))
      return opposite(left);
    if (text == "^")
      return binary("!=", left, right, type);
    return fail(op->getLoc(), "'" + op->getName().getStringRef() +
                                  "' of truth values has no source form");
  }
  bool isExact = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
                 cannotWrap(op) && type.bits >= 32;
  if (isExact && text == "+" && right->kind == Expr::Literal &&
      StringRef(right->text).starts_with("-") &&
      StringRef(right->text).drop_front() != "2147483648") {
    // x + -1 is x - 1.
    text = "-";
    right = kernel.literal(right->text.substr(1), type);
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op)) {
    std::optional<int64_t> places = getConstantIntValue(shift.getRhs());
    if (places && *places >= 0 && *places < 31 && cannotWrap(op) &&
        type.bits >= 32)
      return binary("*", left, kernel.integer(int64_t(1) << *places, type),
                    type);
  }
  CType work = type;
  if (sign != CType::Void && !isExact)
    work = withSign(type, sign);
  // Operands of less than 32 bits become `int` before anything is done to them:
  // that is the operation wanted but for the bits that are cut off.
  bool isShift = text == "<<" || text == ">>";
  const Expr *first = cast(left, work);
  const Expr *second = isShift ? right : cast(right, work);
  const Expr *result = text == "min" || text == "max"
                           ? call(text, {first, second}, work)
                           : binary(text, first, second, work);
  bool isIntInC = text == "+" || text == "-" || text == "*" || text == "<<";
  if (type.bits < 32 && isIntInC)
    result = narrow(text, first, second, work);
  return cast(result, type);
}

//===--- Floating point ---------------------------------------------------===//

/// Whether a product and a sum may become one rounding.
static bool mayContract(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::contract);
}

/// Whether the source asks for the hardware's approximation of `op`. With
/// `-ffast-math`, which has all flags, it is the compiler of the printed source
/// that is to choose.
static bool isApproximate(Operation *op, CType type) {
  auto interface = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!interface || type.bits != 32)
    return false;
  arith::FastMathFlags flags = interface.getFastMathFlagsAttr().getValue();
  return bitEnumContainsAll(flags, arith::FastMathFlags::afn) &&
         !bitEnumContainsAll(flags, arith::FastMathFlags::reassoc);
}

/// The library's function that does what `op` does; empty for operators.
static StringRef functionOf(Operation *op) {
  return isa<arith::MaxNumFOp>(op)   ? "fmax"
         : isa<arith::MinNumFOp>(op) ? "fmin"
         : isa<arith::RemFOp>(op)    ? "fmod"
                                     : "";
}

const Expr *KernelBuilder::buildFloat(Operation *op) {
  CType type = typeOf(op->getResult(0).getType());
  SmallVector<const Expr *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(build(operand));
  if (type.kind == CType::Void || type.lanes != 1)
    return fail(op->getLoc(), "'" + op->getName().getStringRef() + "' of " +
                                  spell(op->getResult(0).getType()) +
                                  " has no source form");
  if (isa<arith::NegFOp>(op)) {
    Expr negation{Expr::Unary, type};
    negation.text = "-";
    negation.operands.assign(operands.begin(), operands.end());
    return kernel.make(std::move(negation));
  }
  if (StringRef name = functionOf(op); !name.empty()) {
    // None of them takes halves; in `float` their results are exact.
    CType work = type.bits < 32 ? CType{CType::Float, 32, 1} : type;
    for (const Expr *&operand : operands)
      operand = cast(operand, work);
    return cast(call(name, operands, work), type);
  }
  StringRef text = isa<arith::AddFOp>(op)   ? "+"
                   : isa<arith::SubFOp>(op) ? "-"
                   : isa<arith::MulFOp>(op) ? "*"
                   : isa<arith::DivFOp>(op) ? "/"
                                            : "";
  if (text.empty())
    return failWithoutForm(op);
  // A compiler fuses what it sees: a product that must be rounded before it is
  // added, because of either operation, says so.
  bool isRounded = llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isa<arith::AddFOp, arith::SubFOp>(user) &&
           !(mayContract(op) && mayContract(user));
  });
  if (text == "*" && isRounded && type.bits >= 32)
    return call("mul_rn", operands, type);
  if (text == "/" && isApproximate(op, type))
    return call("fast_divide", operands, type);
  return binary(text, operands[0], operands[1], type);
}

const Expr *KernelBuilder::buildCompare(arith::CmpFOp op) {
  const Expr *left = build(op.getLhs()), *right = build(op.getRhs());
  auto negate = [&](const Expr *expr) {
    Expr negation{Expr::Unary, kBoolType};
    negation.text = "!";
    negation.operands = {expr};
    return kernel.make(std::move(negation));
  };
  auto compare = [&](StringRef text) {
    return binary(text, left, right, kBoolType);
  };
  auto isNumber = [&](const Expr *expr) {
    return binary("==", expr, expr, kBoolType);
  };
  const Expr *ordered =
      binary("&&", isNumber(left), isNumber(right), kBoolType);
  switch (op.getPredicate()) {
  case arith::CmpFPredicate::OEQ:
    return compare("==");
  case arith::CmpFPredicate::OGT:
    return compare(">");
  case arith::CmpFPredicate::OGE:
    return compare(">=");
  case arith::CmpFPredicate::OLT:
    return compare("<");
  case arith::CmpFPredicate::OLE:
    return compare("<=");
  case arith::CmpFPredicate::UNE:
    return compare("!=");
  case arith::CmpFPredicate::UGT:
    return negate(compare("<="));
  case arith::CmpFPredicate::UGE:
    return negate(compare("<"));
  case arith::CmpFPredicate::ULT:
    return negate(compare(">="));
  case arith::CmpFPredicate::ULE:
    return negate(compare(">"));
  case arith::CmpFPredicate::ONE:
    return binary("||", compare("<"), compare(">"), kBoolType);
  case arith::CmpFPredicate::UEQ:
    return negate(binary("||", compare("<"), compare(">"), kBoolType));
  case arith::CmpFPredicate::ORD:
    return ordered;
  case arith::CmpFPredicate::UNO:
    return negate(ordered);
  case arith::CmpFPredicate::AlwaysTrue:
    return kernel.literal("true", kBoolType);
  case arith::CmpFPredicate::AlwaysFalse:
    return kernel.literal("false", kBoolType);
  }
  return fail(op.getLoc(), "an unknown comparison has no source form");
}

//===--- Conversions ------------------------------------------------------===//

const Expr *KernelBuilder::buildBits(const Expr *number, CType type) {
  CType from = number->type;
  if (from.bits != type.bits || from.isInteger() == type.isInteger())
    return nullptr;
  if (from.bits == 32 || from.bits == 64)
    return call(type.isInteger() ? "bits_of" : "from_bits", {number}, type);
  if (from.bits != 16)
    return nullptr;
  // The functions have unsigned numbers.
  if (from.isInteger())
    return call("from_bits", {cast(number, withSign(from, CType::Unsigned))},
                type);
  return cast(call(from.kind == CType::BFloat ? "bits_of_bfloat" : "bits_of",
                   {number}, withSign(type, CType::Unsigned)),
              type);
}

const Expr *KernelBuilder::buildCast(Operation *op) {
  CType type = typeOf(op->getResult(0).getType());
  if (type.kind == CType::Void || op->getNumOperands() != 1 ||
      typeOf(op->getOperand(0).getType()).kind == CType::Void)
    return failWithoutForm(op);
  const Expr *operand = build(op->getOperand(0));
  CType from = operand->type;
  auto asUnsigned = [](CType plain) {
    return withSign(plain, CType::Unsigned);
  };
  if (isa<arith::IndexCastOp>(op)) {
    if (type.kind != CType::Index)
      return cast(operand, type);
    return kernel.asSum(operand);
  }
  if (isa<arith::IndexCastUIOp>(op)) {
    if (type.kind != CType::Index)
      return cast(operand, type);
    return kernel.asSum(from.isInteger() ? cast(operand, asUnsigned(from))
                                         : operand);
  }
  if (isa<arith::ExtSIOp>(op) && from.kind == CType::Bool) {
    Expr negation{Expr::Unary, kIntType};
    negation.text = "-";
    negation.operands = {cast(operand, kIntType)};
    return cast(kernel.make(std::move(negation)), type);
  }
  if (isa<arith::ExtSIOp, arith::SIToFPOp, arith::ExtFOp, arith::TruncFOp>(op))
    return cast(operand, type);
  if (isa<arith::ExtUIOp>(op))
    return cast(from.kind == CType::Bool ? operand
                                         : cast(operand, asUnsigned(from)),
                type);
  if (isa<arith::UIToFPOp>(op))
    return cast(from.kind == CType::Bool ? operand
                                         : cast(operand, asUnsigned(from)),
                type);
  if (isa<arith::TruncIOp>(op)) {
    if (type.kind != CType::Bool)
      return cast(operand, type);
    CType plain = asUnsigned(from);
    return binary(
        "!=",
        binary("&", cast(operand, plain), kernel.integer(1, plain), plain),
        kernel.integer(0, plain), kBoolType);
  }
  if (isa<arith::FPToSIOp>(op))
    return cast(operand, type);
  if (isa<arith::FPToUIOp>(op))
    return cast(cast(operand, asUnsigned(type)), type);
  if (isa<arith::BitcastOp>(op))
    if (const Expr *bits = buildBits(operand, type))
      return bits;
  return fail(op->getLoc(), "'" + op->getName().getStringRef() + "' from " +
                                spell(op->getOperand(0).getType()) + " to " +
                                spell(op->getResult(0).getType()) +
                                " has no source form");
}

//===--- Functions --------------------------------------------------------===//

/// The function that `op` of the math dialect is, which gives a `type`; empty
/// where there is none.
static std::string functionOfMath(Operation *op, CType type) {
  static const llvm::StringMap<StringRef> names = {
      {"math.absf", "fabs"},         {"math.acos", "acos"},
      {"math.acosh", "acosh"},       {"math.asin", "asin"},
      {"math.asinh", "asinh"},       {"math.atan", "atan"},
      {"math.atan2", "atan2"},       {"math.atanh", "atanh"},
      {"math.cbrt", "cbrt"},         {"math.ceil", "ceil"},
      {"math.copysign", "copysign"}, {"math.cos", "cos"},
      {"math.cosh", "cosh"},         {"math.erf", "erf"},
      {"math.erfc", "erfc"},         {"math.exp", "exp"},
      {"math.exp2", "exp2"},         {"math.expm1", "expm1"},
      {"math.floor", "floor"},       {"math.fma", "fma"},
      {"math.log", "log"},           {"math.log10", "log10"},
      {"math.log1p", "log1p"},       {"math.log2", "log2"},
      {"math.powf", "pow"},          {"math.round", "round"},
      {"math.roundeven", "rint"},    {"math.rsqrt", "rsqrt"},
      {"math.sin", "sin"},           {"math.sinh", "sinh"},
      {"math.sqrt", "sqrt"},         {"math.tan", "tan"},
      {"math.tanh", "tanh"},         {"math.trunc", "trunc"}};
  static constexpr StringLiteral approximated[] = {
      "sin", "cos", "tan", "exp", "log", "log2", "log10", "pow"};
  StringRef name = names.lookup(op->getName().getStringRef());
  bool isFast =
      isApproximate(op, type) && llvm::is_contained(approximated, name);
  return (isFast ? "fast_" : "") + name.str();
}

const Expr *KernelBuilder::buildMath(Operation *op) {
  CType type = typeOf(op->getResult(0).getType());
  SmallVector<const Expr *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(build(operand));
  auto fallBack = [&] {
    return fail(op->getLoc(), "'" + op->getName().getStringRef() + "' of " +
                                  spell(op->getResult(0).getType()) +
                                  " has no source form");
  };
  if (type.lanes != 1)
    return fallBack();
  if (type.isInteger() && type.bits >= 32) {
    // The functions give an `int`, for 64 bits, too.
    StringRef wide = type.bits == 64 ? "_64" : "";
    if (isa<math::CtPopOp>(op))
      return cast(call(("popcount" + wide).str(), operands, kIntType), type);
    if (isa<math::CountLeadingZerosOp>(op))
      return cast(
          call(("count_leading_zeros" + wide).str(), operands, kIntType), type);
    if (isa<math::AbsIOp>(op))
      return call("abs", operands, type);
    return fallBack();
  }
  bool isSmall = type.isSmallFloat();
  if (type.kind != CType::Float && !isSmall)
    return fallBack();
  // The functions of numbers of 16 bits that there are round in ways of their
  // own. Those of `float` do not, but a sum of three would be rounded twice.
  if (isSmall && isa<math::FmaOp>(op))
    return type.kind == CType::Float ? call("fma_half", operands, type)
                                     : fallBack();
  CType work = isSmall ? CType{CType::Float, 32, 1} : type;
  for (const Expr *&operand : operands)
    operand = cast(operand, work);
  std::string name = functionOfMath(op, type);
  return name.empty() ? fallBack() : cast(call(name, operands, work), type);
}

//===--- Vectors and loads ------------------------------------------------===//

const Expr *KernelBuilder::laneOf(const Expr *vector, int64_t number) {
  if (vector->kind == Expr::Vector)
    return vector->operands[number];
  Expr lane{Expr::Lane, vector->type.element()};
  lane.operands = {vector, kernel.constant(number)};
  return kernel.make(std::move(lane));
}

const Expr *KernelBuilder::buildElement(Operation *op) {
  auto insert = dyn_cast<LLVM::InsertElementOp>(op);
  std::optional<int64_t> place = getConstantIntValue(op->getOperands().back());
  Value whole = insert ? insert.getVector() : op->getOperand(0);
  CType type = typeOf(whole.getType());
  if (type.kind == CType::Void || !place || *place < 0 || *place >= type.lanes)
    return failWithoutForm(op);
  const Expr *vector = build(whole);
  if (!insert)
    return cast(laneOf(vector, *place), typeOf(op->getResult(0).getType()));
  Expr made{Expr::Vector, type};
  for (unsigned i = 0; i < type.lanes; ++i)
    made.operands.push_back(i == *place ? build(insert.getValue())
                                        : laneOf(vector, i));
  return kernel.make(std::move(made));
}

const Expr *KernelBuilder::buildVector(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
    CType type = typeOf(load.getType());
    return cast(access(op->getLoc(), load.getMemRef(),
                       indices(load.getAffineMap(), load.getMapOperands()),
                       type),
                type);
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    CType type = typeOf(load.getType());
    return cast(access(op->getLoc(), load.getMemRef(),
                       indices(load.getIndices()), type),
                type);
  }
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return access(op->getLoc(), load.getBase(), indices(load.getIndices()),
                  typeOf(load.getType()));
  if (auto extract = dyn_cast<vector::ExtractOp>(op);
      extract && extract.getNumIndices() == 1 &&
      extract.getDynamicPosition().empty() &&
      !isa<VectorType>(extract.getResult().getType())) {
    CType type = typeOf(extract.getResult().getType());
    return cast(
        laneOf(build(extract.getSource()), extract.getStaticPosition()[0]),
        type);
  }
  if (auto elements = dyn_cast<vector::FromElementsOp>(op)) {
    Expr made{Expr::Vector, typeOf(elements.getType())};
    for (Value element : elements.getElements())
      made.operands.push_back(build(element));
    if (made.type.kind != CType::Void)
      return kernel.make(std::move(made));
  }
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    Expr made{Expr::Vector, typeOf(broadcast.getType())};
    if (made.type.kind != CType::Void &&
        !isa<VectorType>(broadcast.getSourceType())) {
      made.operands.assign(made.type.lanes, build(broadcast.getSource()));
      return kernel.make(std::move(made));
    }
  }
  return failWithoutForm(op);
}
