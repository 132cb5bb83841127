//===- PrintExpressions.cpp - expressions as text -------------------------===//
//
// Precedence is C's: 13 unary, 12 product, 11 sum, 10 shift, 9 order, 8
// equality, 7 &, 6 ^, 5 |, 4 &&, 3 ||, 2 ?:.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Printer.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;
using namespace gpuopt::source;
using llvm::StringRef;

void Printer::fail(const llvm::Twine &message) {
  if (!hasFailed && at)
    mlir::emitError(at->location) << message;
  hasFailed = true;
}

std::string Printer::wrap(const Text &text, int precedence) {
  return text.precedence < precedence ? "(" + text.text + ")" : text.text;
}

std::string Printer::widen(const Text &text) const {
  if (llvm::all_of(text.text, llvm::isDigit))
    return text.text + (wraps ? "u" : "") + (spelling.isOpenCL() ? "l" : "ll");
  CType type = wraps ? CType{CType::Unsigned, 64, 1} : kIndexType;
  return "(" + spelling.type(type) + ")" + wrap(text, kUnary);
}

/// Where sums wrap, all that they are of but sums and products is computed as
/// ever, and wide numbers are taken as unsigned ones.
Printer::Text Printer::expr(const Expr *expr) {
  if (!wraps || expr->kind == Expr::Sum || expr->kind == Expr::Product)
    return node(expr);
  CType wide{CType::Unsigned, 64, 1};
  wraps = false;
  auto restore = llvm::scope_exit([&] { wraps = true; });
  if (expr->kind == Expr::Cast && expr->type.isInteger() &&
      expr->type.bits == 64 && expr->operands[0]->type == wide)
    return node(expr->operands[0]);
  Text result = node(expr);
  if (!result.isWide)
    return result;
  return {"(" + spelling.type(wide) + ")" + wrap(result, kUnary), kUnary, true};
}

Printer::Text Printer::literal(const Expr *expr) {
  if (expr->type.kind == CType::Float || expr->type.kind == CType::BFloat)
    return {spelling.number(expr->text, expr->type),
            expr->text.front() == '-' ? kUnary : 100};
  if (expr->type.kind == CType::Unsigned)
    return {expr->text + (expr->type.bits == 64 ? "ull" : "u")};
  if (expr->type.kind == CType::Signed && expr->type.bits == 64)
    return {expr->text + "ll", expr->text.front() == '-' ? kUnary : 100};
  return {expr->text, expr->text.front() == '-' ? kUnary : 100};
}

/// The smaller or the larger of two numbers.
Printer::Text Printer::extremum(const Expr *expr) {
  bool neededSign = std::exchange(needsSign, true);
  auto restore = llvm::scope_exit([&] { needsSign = neededSign; });
  Text left = this->expr(expr->operands[0]);
  Text right = this->expr(expr->operands[1]);
  bool isMinimum = expr->kind == Expr::Minimum;
  spelling.require(isMinimum ? Headers::Minimum : Headers::Maximum);
  // Overloads take two of one type.
  if (left.isWide != right.isWide) {
    Text &narrow = left.isWide ? right : left;
    narrow.text = widen(narrow);
  }
  return {(isMinimum ? "min(" : "max(") + left.text + ", " + right.text + ")",
          100, left.isWide || right.isWide};
}

Printer::Text Printer::lane(const Expr *expr) {
  const Expr *vector = expr->operands[0];
  auto number = constantValue(expr->operands[1]);
  if (!number) // The vector has become an array.
    return {text(vector) + "[" + text(expr->operands[1]) + "]"};
  bool isArray = vector->kind == Expr::Use && vector->variable &&
                 !vector->variable->shape.empty() &&
                 vector->variable->type.lanes == 1;
  if (isArray)
    return {text(vector) + "[" + std::to_string(*number) + "]"};
  return {wrap(this->expr(vector), 50) + spelling.lane(*number)};
}

Printer::Text Printer::node(const Expr *expr) {
  switch (expr->kind) {
  case Expr::Literal:
    return literal(expr);
  case Expr::Use:
    return use(expr);
  case Expr::Sum:
    return sum(expr);
  case Expr::Product:
    return product(expr);
  case Expr::Quotient:
  case Expr::Remainder:
    return division(expr);
  case Expr::Minimum:
  case Expr::Maximum:
    return extremum(expr);
  case Expr::Binary:
    return binary(expr);
  case Expr::Unary:
    return {unary(expr->text, this->expr(expr->operands[0])), kUnary};
  case Expr::Call:
    return call(expr);
  case Expr::Cast:
    return cast(expr);
  case Expr::Select:
    return {wrap(this->expr(expr->operands[0]), kSelect + 1) + " ? " +
                wrap(this->expr(expr->operands[1]), kSelect + 1) + " : " +
                wrap(this->expr(expr->operands[2]), kSelect),
            kSelect};
  case Expr::Lane:
    return lane(expr);
  case Expr::Vector: {
    std::string list;
    for (const Expr *operand : expr->operands)
      list += (list.empty() ? "" : ", ") + text(operand);
    return {spelling.vector(expr->type) + "(" + list + ")"};
  }
  case Expr::Access:
    return access(expr);
  case Expr::Address: {
    std::string address = "&" + element(expr->operands[0]);
    if (expr->type != expr->operands[0]->type)
      address = "(" + spelling.space(*expr->operands[0]->variable) +
                spelling.type(expr->type) + " *)" + address;
    return {address, kUnary};
  }
  }
  return {};
}

Printer::Text Printer::use(const Expr *expr) {
  Text result{expr->variable->name};
  for (const Expr *subscript : expr->operands)
    result.text += "[" + text(subscript) + "]";
  result.isWide = isWide(*expr->variable);
  return result;
}

//===--- Exact integers ---------------------------------------------------===//

Printer::Text Printer::term(const Expr *operand, int64_t coefficient,
                            bool needsWide) {
  Text factor = expr(operand);
  // In C a sum with an unsigned number is unsigned.
  bool isUnsigned =
      operand->type.kind == CType::Unsigned && operand->type.bits >= 32;
  if (needsSign && isUnsigned && !wraps)
    factor = {"(" + spelling.type(kIndexType) + ")" + wrap(factor, kUnary),
              kUnary, true};
  if (coefficient == 1) {
    if (needsWide && !factor.isWide)
      factor = {widen(factor), kUnary, true};
    return factor;
  }
  bool isWide =
      factor.isWide || needsWide ||
      (!isNarrow &&
       !(rangeOf(operand) * Range{coefficient, coefficient}).fitsInt());
  std::string left =
      isWide && !factor.isWide ? widen(factor) : wrap(factor, kProduct);
  return {left + " * " + std::to_string(coefficient), kProduct, isWide};
}

/// `operation` in front of `operand`: twice the same would be `--`.
std::string Printer::unary(StringRef operation, const Text &operand) {
  bool isTwice = StringRef(operand.text).starts_with(operation);
  return operation.str() + wrap(operand, isTwice ? kUnary + 1 : kUnary);
}

/// The first part of a sum.
Printer::Text Printer::firstTerm(const Expr *operand, int64_t coefficient,
                                 bool needsWide) {
  bool negate = coefficient == -1;
  Text result = term(operand, negate ? 1 : coefficient,
                     needsWide && operand->kind != Expr::Product);
  if (!negate)
    return result;
  return {unary("-", result), kUnary, result.isWide};
}

/// The parts of a sum, which does not start with what is taken away, if it can
/// be helped.
static llvm::SmallVector<size_t> printedOrder(const Expr *sum) {
  llvm::SmallVector<size_t> order;
  for (bool isNegative : {false, true})
    for (size_t i = 0; i < sum->operands.size(); ++i)
      if ((sum->coefficients[i] < 0) == isNegative)
        order.push_back(i);
  return order;
}

static bool mayBeNegative(const Expr *expr) {
  return !rangeOf(expr).isNonNegative();
}

Printer::Text Printer::sum(const Expr *expr) {
  bool wasNarrow = std::exchange(isNarrow, isNarrow || expr->isInt);
  bool takesAway = expr->constant < 0 ||
                   llvm::any_of(
                       expr->coefficients, [](int64_t by) { return by < 0; }) ||
                   llvm::any_of(expr->operands, mayBeNegative);
  bool neededSign = std::exchange(needsSign, needsSign || takesAway);
  auto restore = llvm::scope_exit([&] {
    isNarrow = wasNarrow;
    needsSign = neededSign;
  });
  if (expr->operands.empty()) {
    Range range{expr->constant, expr->constant};
    return {std::to_string(expr->constant) + (range.fitsInt() ? "" : "ll"),
            expr->constant < 0 ? kUnary : 100, !range.fitsInt()};
  }
  // An unsigned number alone is what it is.
  const Expr *first = expr->operands[0];
  if (expr->operands.size() == 1 && expr->coefficients[0] == 1 &&
      expr->constant == 0 && !needsSign &&
      first->type == CType{CType::Unsigned, 32, 1})
    return this->expr(first);
  llvm::SmallVector<size_t> order = printedOrder(expr);
  bool leadsWithConstant =
      expr->coefficients[order[0]] < 0 && expr->constant > 0;
  // In 64 bits from the first part that leaves `int` on.
  Text result;
  Range so_far{0, 0};
  if (leadsWithConstant) {
    result.text = std::to_string(expr->constant);
    so_far = {expr->constant, expr->constant};
  }
  for (size_t i : order) {
    int64_t coefficient = expr->coefficients[i];
    Range part = rangeOf(expr->operands[i]) * Range{coefficient, coefficient};
    so_far = so_far + part;
    bool needsWide = !isNarrow && !so_far.fitsInt() && !result.isWide;
    if (result.text.empty()) {
      result = firstTerm(expr->operands[i], coefficient,
                         needsWide && !part.fitsInt());
      continue;
    }
    Text next = term(expr->operands[i], std::abs(coefficient), false);
    if (needsWide && !next.isWide)
      next = term(expr->operands[i], std::abs(coefficient), true);
    // What is computed in a type of its own, and may wrap there, stays apart.
    result.text = wrap(result, kSum) + (coefficient < 0 ? " - " : " + ") +
                  wrap(next, kSum + 1);
    result.precedence = kSum;
    result.isWide |= next.isWide;
  }
  if (expr->constant == 0 || leadsWithConstant)
    return result;
  so_far = so_far + Range{expr->constant, expr->constant};
  bool needsWide = !isNarrow && !so_far.fitsInt() && !result.isWide;
  std::string suffix = needsWide ? (spelling.isOpenCL() ? "l" : "ll") : "";
  return {wrap(result, kSum) + (expr->constant < 0 ? " - " : " + ") +
              std::to_string(std::abs(expr->constant)) + suffix,
          kSum, result.isWide || needsWide};
}

Printer::Text Printer::product(const Expr *expr) {
  bool isSigned = llvm::any_of(expr->operands, mayBeNegative);
  bool neededSign = std::exchange(needsSign, needsSign || isSigned);
  auto restore = llvm::scope_exit([&] { needsSign = neededSign; });
  Text result = this->expr(expr->operands[0]);
  Range so_far = rangeOf(expr->operands[0]);
  for (const Expr *operand : llvm::drop_begin(expr->operands)) {
    Text next = this->expr(operand);
    so_far = so_far * rangeOf(operand);
    bool needsWide =
        !isNarrow && !so_far.fitsInt() && !result.isWide && !next.isWide;
    result = {(needsWide ? widen(result) : wrap(result, kProduct)) + " * " +
                  wrap(next, kProduct + 1),
              kProduct, result.isWide || next.isWide || needsWide};
  }
  return result;
}

Printer::Text Printer::division(const Expr *expr) {
  Text dividend = this->expr(expr->operands[0]);
  int64_t divisor = expr->constant;
  bool isQuotient = expr->kind == Expr::Quotient;
  if (expr->isTruncating)
    return {wrap(dividend, kProduct) + (isQuotient ? " / " : " % ") +
                std::to_string(divisor),
            kProduct, dividend.isWide};
  if (!llvm::isPowerOf2_64(divisor)) {
    // C rounds to zero: step down where that was up.
    std::string value = wrap(dividend, kProduct), by = std::to_string(divisor);
    std::string rest = wrap(dividend, kProduct) + " % " + by;
    if (isQuotient)
      return {value + " / " + by + " - (" + rest + " < 0)", kSum,
              dividend.isWide};
    return {"(" + rest + " + " + by + ") % " + by, kProduct, dividend.isWide};
  }
  // Shifts and masks round down for negative numbers too.
  if (isQuotient)
    return {wrap(dividend, kUnary) + " >> " +
                std::to_string(llvm::Log2_64(divisor)),
            kShift, dividend.isWide};
  return {wrap(dividend, 8) + " & " + std::to_string(divisor - 1), 7,
          dividend.isWide};
}

//===--- Operators and functions ------------------------------------------===//

static int precedenceOf(StringRef text) {
  return llvm::StringSwitch<int>(text)
      .Cases({"*", "/", "%"}, Printer::kProduct)
      .Cases({"+", "-"}, Printer::kSum)
      .Cases({"<<", ">>"}, Printer::kShift)
      .Cases({"<", "<=", ">", ">="}, 9)
      .Cases({"==", "!="}, 8)
      .Case("&", 7)
      .Case("^", 6)
      .Case("|", 5)
      .Case("&&", 4)
      .Default(3);
}

Printer::Text Printer::binary(const Expr *expr) {
  int precedence = precedenceOf(expr->text);
  bool takesAway = llvm::any_of(expr->operands, [](const Expr *operand) {
    return operand->kind == Expr::Sum && mayBeNegative(operand);
  });
  // Compilers of C warn where one of two numbers has a sign.
  bool isComparison = precedence == 8 || precedence == 9;
  bool isMixed = spelling.isC() && isComparison &&
                 expr->operands[0]->type.kind == CType::Index;
  bool neededSign = std::exchange(needsSign, needsSign || takesAway || isMixed);
  auto restore = llvm::scope_exit([&] { needsSign = neededSign; });
  Text left = this->expr(expr->operands[0]);
  Text right = this->expr(expr->operands[1]);
  // Where both are not exact the type of the operation is that of its operands;
  // an exact operand may have to be widened to it.
  bool isWide = left.isWide || right.isWide;
  bool isBitwise = precedence >= 5 && precedence <= 7;
  // Compilers warn of these mixtures for good reason: parenthesise.
  int leftNeeds = precedence, rightNeeds = precedence + 1;
  if (isBitwise || precedence == kShift)
    leftNeeds = rightNeeds = kUnary;
  // clang-format takes `a < b >> c` for the arguments of a template.
  if (isComparison)
    leftNeeds = rightNeeds = kSum;
  if (precedence == 3)
    leftNeeds = rightNeeds = 5;
  // a + b + c keeps its order, a * b + c needs nothing.
  bool isAssociative = expr->text == "&&" || expr->text == "||";
  if (isAssociative && expr->operands[1]->kind == Expr::Binary &&
      expr->operands[1]->text == expr->text)
    rightNeeds = precedence;
  if (isAssociative && expr->operands[0]->kind == Expr::Binary &&
      expr->operands[0]->text == expr->text)
    leftNeeds = precedence;
  return {wrap(left, leftNeeds) + " " + expr->text + " " +
              wrap(right, rightNeeds),
          precedence, expr->type.kind == CType::Bool ? false : isWide};
}

/// The conversion of `from` to a number of 16 bits where one by way of `float`
/// would round twice.
std::optional<std::string> Printer::roundOnce(CType type, const Expr &operand,
                                              const Text &from) const {
  bool isHalf = type == CType{CType::Float, 16, 1};
  bool isBFloat = type == CType{CType::BFloat, 16, 1};
  if (spelling.isOpenCL() || !(isHalf || isBFloat))
    return std::nullopt;
  spelling.require(isHalf ? Headers::Half : Headers::BFloat16);
  if (operand.type == CType{CType::Float, 64, 1})
    return (isHalf ? "__double2half(" : "__double2bfloat16(") + from.text + ")";
  // What `float` rounds is beyond the numbers that `half` has.
  if (!isBFloat || !operand.type.isInteger() || operand.type.bits < 32)
    return std::nullopt;
  if (operand.type.bits == 32)
    return "__double2bfloat16((double)" + wrap(from, kUnary) + ")";
  return (operand.type.kind == CType::Unsigned ? "__ull2bfloat16_rn("
                                               : "__ll2bfloat16_rn(") +
         from.text + ")";
}

Printer::Text Printer::cast(const Expr *expr) {
  const Expr *operand = expr->operands[0];
  CType type = expr->type;
  // What may leave the signed numbers is computed in the unsigned ones.
  bool mayWrap = type == CType{CType::Unsigned, 64, 1} &&
                 operand->kind == Expr::Sum && !staysWide(operand);
  bool wrapped = std::exchange(wraps, wraps || mayWrap);
  Text from = this->expr(operand);
  wraps = wrapped;
  if (operand->kind == Expr::Sum) {
    CType has{CType::Signed, from.isWide ? 64u : 32u, 1};
    if (has == type)
      return from;
  }
  // Conversions that C does by itself.
  if (type == kIntType && operand->type.isInteger() &&
      operand->type.bits < 32 && operand->kind != Expr::Cast)
    return from;
  if (type.kind == CType::Float && type.bits == 64 &&
      operand->type.kind == CType::Float && operand->type.bits == 32)
    return {spelling.convert(type, wrap(from, kUnary)), kUnary};
  if (std::optional<std::string> rounded = roundOnce(type, *operand, from))
    return {*rounded};
  if (operand->type.kind == CType::Float && operand->type.bits == 16 &&
      !spelling.isOpenCL()) {
    spelling.require(Headers::Half);
    std::string single = "__half2float(" + from.text + ")";
    if (type.kind == CType::Float && type.bits == 32)
      return {single};
    return {spelling.convert(type, single), kUnary};
  }
  if (operand->type.kind == CType::BFloat) {
    spelling.require(Headers::BFloat16);
    std::string single = "__bfloat162float(" + from.text + ")";
    if (type.kind == CType::Float && type.bits == 32)
      return {single};
    return {spelling.convert(type, single), kUnary};
  }
  return {spelling.convert(type, wrap(from, kUnary)), kUnary,
          type.isInteger() && type.bits == 64};
}

/// Whether the first argument of `name` is a mask of threads.
static bool takesMask(StringRef name) {
  return (name.starts_with("__shfl") && name.ends_with("_sync")) ||
         name == "__ballot_sync" || name == "__syncwarp";
}

/// A mask of threads, of which HIP's subgroups have 64.
std::string Printer::mask(const Expr *expr) {
  bool isWide = spelling.getLanguage() == OutputLanguage::HIP;
  if (expr->kind == Expr::Literal && expr->text == "0xffffffff")
    return isWide ? "~0ull" : "0xffffffff";
  CType type{CType::Unsigned, isWide ? 64u : 32u, 1};
  return expr->type == type
             ? text(expr)
             : "(" + spelling.type(type) + ")" + wrap(this->expr(expr), kUnary);
}

Printer::Text Printer::call(const Expr *expr) {
  if (StringRef name(expr->text); name.consume_front("<<<")) {
    // A launch: grid, block, bytes and stream, then what the kernel is given.
    std::string configuration, arguments;
    for (auto [number, operand] : llvm::enumerate(expr->operands)) {
      std::string &list = number < 4 ? configuration : arguments;
      list += (list.empty() ? "" : ", ") + text(operand);
    }
    return {(name + "<<<" + configuration + ">>>(" + arguments + ")").str()};
  }
  if (expr->text == "address_of") {
    spelling.require(Headers::Size);
    return {"(size_t)" + expr->operands[0]->variable->name, kUnary, true};
  }
  std::optional<std::string> name =
      expr->variable ? expr->variable->name
                     : spelling.function(expr->text, expr->type);
  if (!name && expr->text == "mul_rn")
    return {wrap(this->expr(expr->operands[0]), kProduct) + " * " +
                wrap(this->expr(expr->operands[1]), kProduct + 1),
            kProduct};
  if (!name) {
    fail("'" + expr->text + "' has no form in " +
         (spelling.isOpenCL() ? "OpenCL C"
          : spelling.isC()    ? "C"
                              : "CUDA and HIP"));
    name = expr->text;
  }
  llvm::ArrayRef<const Expr *> operands = expr->operands;
  bool isShuffle = StringRef(expr->text).starts_with("__shfl");
  if (isShuffle && spelling.isOpenCL()) {
    std::string width =
        operands.size() == 4 ? text(operands[3]) : "get_max_sub_group_size()";
    return {"sub_group_shuffle(" + text(operands[1]) + ", " + *name + "(" +
            text(operands[2]) + ", " + width + "))"};
  }
  bool isHIP = spelling.getLanguage() == OutputLanguage::HIP;
  // What CUDA takes it for.
  if (isShuffle && !isHIP && operands.size() == 4 && text(operands[3]) == "32")
    operands = operands.drop_back();
  // HIP's masks are of 64 threads; shuffles of all threads need none.
  if (isShuffle && isHIP && operands[0]->text == "0xffffffff") {
    name->resize(name->size() - StringRef("_sync").size());
    operands = operands.drop_front();
  }
  std::string list;
  for (const Expr *operand : operands)
    list += (list.empty() ? "" : ", ") +
            (list.empty() && takesMask(*name) ? mask(operand) : text(operand));
  if (*name == "mem_fence" || *name == "sub_group_barrier")
    list = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
  return {*name + "(" + list + ")"};
}
