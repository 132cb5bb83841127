//===- PrintAccesses.cpp - where in an array, as text ---------------------===//

#include "conversion/EmitSource/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace gpuopt;
using namespace gpuopt::source;
using llvm::StringRef;

/// What `stride` is of `next`: n for n * m and m; null where that is no factor.
static const Expr *factorOf(const Expr *stride, const Expr *next) {
  if (stride->operands.size() != 1 || stride->constant != 0 ||
      stride->coefficients[0] != 1 ||
      stride->operands[0]->kind != Expr::Product ||
      stride->operands[0]->operands.size() != 2)
    return nullptr;
  llvm::ArrayRef<const Expr *> factors = stride->operands[0]->operands;
  if (factors[1] == next)
    return factors[0];
  return factors[0] == next ? factors[1] : nullptr;
}

/// (i * rows + j) * columns + k, where every stride is a multiple of the next;
/// nothing where one is not.
std::optional<Printer::Text> Printer::nestedPosition(const Expr *access) {
  unsigned count = access->numSubscripts;
  if (count < 3 || access->operands.size() != 2 * count - 1)
    return std::nullopt;
  Text result = expr(access->operands[0]);
  Range range = rangeOf(access->operands[0]);
  for (unsigned i = 1; i < count; ++i) {
    const Expr *stride = access->operands[count + i - 1];
    const Expr *factor =
        i + 1 == count ? stride : factorOf(stride, access->operands[count + i]);
    if (!factor)
      return std::nullopt;
    auto needsWide = [&](const Text &right) {
      return !range.fitsInt() && !right.isWide && !result.isWide && !isNarrow;
    };
    if (constantValue(access->operands[0]) != 0 || i > 1) {
      Text by = expr(factor);
      bool isOne = result.text == "1";
      range = range * rangeOf(factor);
      bool isWide = needsWide(by);
      result = {isOne ? by.text
                      : (isWide ? widen(result) : wrap(result, kProduct)) +
                            " * " + wrap(by, kProduct + 1),
                isOne ? by.precedence : kProduct,
                result.isWide || by.isWide || (isWide && !isOne)};
    }
    const Expr *subscript = access->operands[i];
    if (constantValue(subscript) == 0)
      continue;
    Text part = expr(subscript);
    range = range + rangeOf(subscript);
    if (result.text == "0") {
      result = part;
      continue;
    }
    bool isWide = needsWide(part);
    result = {wrap(result, kSum) + " + " +
                  (isWide ? widen(part) : wrap(part, kSum)),
              kSum, result.isWide || part.isWide || isWide};
  }
  return result;
}

Printer::Text Printer::position(const Expr *access) {
  unsigned count = access->numSubscripts;
  Text result;
  Range so_far{0, 0};
  bool wasNarrow = std::exchange(isNarrow, kernel.hasNarrowPositions);
  auto restore = llvm::scope_exit([&] { isNarrow = wasNarrow; });
  if (std::optional<Text> nested = nestedPosition(access))
    return *nested;
  for (unsigned i = 0; i < count; ++i) {
    const Expr *subscript = access->operands[i];
    bool isLast = i + 1 == count;
    if (constantValue(subscript) == 0 && !(isLast && result.text.empty()))
      continue;
    Text part = expr(subscript);
    Range range = rangeOf(subscript);
    bool hasStride = !isLast && count + i < access->operands.size();
    if (hasStride && constantValue(subscript) == 1) {
      part = expr(access->operands[count + i]);
      range = rangeOf(access->operands[count + i]);
    } else if (hasStride) {
      const Expr *stride = access->operands[count + i];
      Text factor = expr(stride);
      range = range * rangeOf(stride);
      bool needsWide =
          !range.fitsInt() && !part.isWide && !factor.isWide && !isNarrow;
      std::string left = needsWide ? widen(part) : wrap(part, kProduct);
      part = {left + " * " + wrap(factor, kProduct + 1), kProduct,
              part.isWide || factor.isWide || needsWide};
    }
    so_far = so_far + range;
    if (result.text.empty()) {
      result = part;
      continue;
    }
    bool needsWide =
        !so_far.fitsInt() && !part.isWide && !result.isWide && !isNarrow;
    result = {wrap(result, kSum) + " + " +
                  (needsWide ? widen(part) : wrap(part, kSum)),
              kSum, part.isWide || result.isWide || needsWide};
  }
  return result;
}

std::string Printer::element(const Expr *access) {
  std::string result = access->variable->name;
  if (access->variable->isScalar)
    return result;
  if (access->variable->shape.empty())
    return result + "[" + position(access).text + "]";
  for (unsigned i = 0; i < access->numSubscripts; ++i)
    result += "[" + text(access->operands[i]) + "]";
  return result;
}

Printer::Text Printer::access(const Expr *expr) {
  std::string scalar = element(expr);
  if (expr->type.lanes == expr->variable->type.lanes)
    return {scalar};
  // The first of a row is the row.
  if (StringRef row(scalar); row.consume_back("[0]"))
    scalar = row.str();
  else
    scalar = "&" + scalar;
  return {"*(" + spelling.space(*expr->variable) + spelling.type(expr->type) +
              " *)" + scalar,
          kUnary};
}
