//===- Tree.cpp - a kernel as statements and expressions ------------------===//

#include "conversion/EmitSource/Tree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt::source;
using namespace llvm;

//===--- Ranges -----------------------------------------------------------===//

static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// Whether `end` of a range also stands for all beyond.
static bool isOpen(int64_t end) { return end == kLeast || end == kMost; }

static int64_t saturatingMultiply(int64_t left, int64_t right) {
  if (left == 0 || right == 0)
    return 0;
  int64_t product;
  if (!isOpen(left) && !isOpen(right) && !MulOverflow(left, right, product))
    return product;
  return (left < 0) == (right < 0) ? kMost : kLeast;
}

/// The end of a sum's range of which `open` stands for all beyond.
static int64_t saturatingAdd(int64_t left, int64_t right, int64_t open) {
  int64_t sum;
  return left == open || right == open || AddOverflow(left, right, sum) ? open
                                                                        : sum;
}

Range gpuopt::source::operator+(Range left, Range right) {
  return {saturatingAdd(left.low, right.low, kLeast),
          saturatingAdd(left.high, right.high, kMost)};
}

Range gpuopt::source::operator*(Range left, Range right) {
  int64_t corners[] = {saturatingMultiply(left.low, right.low),
                       saturatingMultiply(left.low, right.high),
                       saturatingMultiply(left.high, right.low),
                       saturatingMultiply(left.high, right.high)};
  return {*llvm::min_element(corners), *llvm::max_element(corners)};
}

/// Values of C's integer type `type`.
static Range rangeOfType(CType type) {
  if (type.kind == CType::Bool)
    return {0, 1};
  if (type.kind == CType::Signed && type.bits < 64)
    return {minIntN(type.bits), maxIntN(type.bits)};
  if (type.kind == CType::Unsigned && type.bits < 64)
    return {0, static_cast<int64_t>(maxUIntN(type.bits))};
  return {};
}

/// The id of a block that `operand`, times `factor`, is or rounds down: "x" for
/// blockIdx.x and for d * floor(blockIdx.x / d); empty for all else.
static StringRef blockAxis(const Expr *operand, int64_t factor,
                           StringRef what) {
  if (operand->kind == Expr::Quotient && factor == operand->constant &&
      operand->operands[0]->operands.size() == 1 &&
      operand->operands[0]->constant == 0)
    return blockAxis(operand->operands[0]->operands[0],
                     operand->operands[0]->coefficients[0], what);
  StringRef read;
  if (operand->kind == Expr::Use && factor == 1 &&
      operand->variable->kind == Variable::Builtin)
    read = operand->variable->initializer;
  return read.consume_front(what) ? read : "";
}

/// A block's id is below the number of blocks: gridDim.x - blockIdx.x > 0.
static Range narrowByGrid(const Expr *sum, Range range) {
  if (sum->operands.size() != 2)
    return range;
  for (unsigned grid : {0, 1}) {
    StringRef axis =
        blockAxis(sum->operands[grid], sum->coefficients[grid], "gridDim.");
    if (!axis.empty() &&
        axis == blockAxis(sum->operands[1 - grid], -sum->coefficients[1 - grid],
                          "blockIdx."))
      range.low = std::max(range.low, sum->constant + 1);
  }
  return range;
}

static Range rangeOfBinary(const Expr *expr) {
  // Quotients and remainders of what is not negative.
  if (expr->type.kind == CType::Signed &&
      (expr->text == "/" || expr->text == "%")) {
    Range left = rangeOf(expr->operands[0]);
    Range right = rangeOf(expr->operands[1]);
    if (left.isNonNegative() && right.low > 0)
      return {0, expr->text == "/" ? left.high / right.low
                                   : std::min(left.high, right.high - 1)};
  }
  if (expr->text == ">>" && expr->type.kind == CType::Unsigned &&
      expr->operands[1]->kind == Expr::Literal) {
    uint64_t places = 0;
    if (!StringRef(expr->operands[1]->text).getAsInteger(10, places) &&
        places > 0 && places < expr->type.bits)
      return {0, static_cast<int64_t>(maxUIntN(expr->type.bits) >> places)};
  }
  return rangeOfType(expr->type);
}

Range gpuopt::source::rangeOf(const Expr *expr) {
  switch (expr->kind) {
  case Expr::Sum: {
    Range sum{expr->constant, expr->constant};
    for (auto [operand, factor] : zip(expr->operands, expr->coefficients))
      sum = sum + rangeOf(operand) * Range{factor, factor};
    return narrowByGrid(expr, sum);
  }
  case Expr::Product: {
    Range product{1, 1};
    for (const Expr *operand : expr->operands)
      product = product * rangeOf(operand);
    return product;
  }
  case Expr::Use:
    if (expr->variable->kind != Variable::Local || expr->variable->isIndex)
      return expr->variable->range;
    return rangeOfType(expr->type);
  case Expr::Quotient: {
    Range dividend = rangeOf(expr->operands[0]);
    return {divideFloorSigned(dividend.low, expr->constant),
            divideFloorSigned(dividend.high, expr->constant)};
  }
  case Expr::Remainder:
    return {0, expr->constant - 1};
  case Expr::Minimum:
  case Expr::Maximum: {
    Range left = rangeOf(expr->operands[0]);
    Range right = rangeOf(expr->operands[1]);
    if (expr->kind == Expr::Minimum)
      return {std::min(left.low, right.low), std::min(left.high, right.high)};
    return {std::max(left.low, right.low), std::max(left.high, right.high)};
  }
  case Expr::Cast:
    if (Range inner = rangeOf(expr->operands[0]);
        expr->type.isInteger() && expr->operands[0]->type.kind != CType::Float)
      if (Range outer = rangeOfType(expr->type);
          inner.low >= outer.low && inner.high <= outer.high)
        return inner;
    return rangeOfType(expr->type);
  case Expr::Binary:
    return rangeOfBinary(expr);
  default:
    return rangeOfType(expr->type);
  }
}

Range gpuopt::source::partialResults(const Expr *sum) {
  Range all{std::min<int64_t>(sum->constant, 0),
            std::max<int64_t>(sum->constant, 0)};
  for (auto [operand, factor] : zip(sum->operands, sum->coefficients)) {
    Range part = rangeOf(operand) * Range{factor, factor};
    all = all + Range{std::min<int64_t>(part.low, 0),
                      std::max<int64_t>(part.high, 0)};
  }
  return all;
}

bool gpuopt::source::staysWide(const Expr *sum) {
  bool isOneNumber = sum->operands.size() == 1 && sum->coefficients[0] == 1 &&
                     sum->constant == 0 &&
                     sum->operands[0]->kind != Expr::Product;
  return isOneNumber || partialResults(sum).isFinite();
}

std::optional<int64_t> gpuopt::source::constantValue(const Expr *expr) {
  if (expr->kind == Expr::Sum && expr->operands.empty())
    return expr->constant;
  return std::nullopt;
}

//===--- Creation ---------------------------------------------------------===//

Variable *Kernel::createVariable(Variable::Kind kind, std::string variableName,
                                 CType type) {
  Variable &variable = variables.emplace_back();
  variable.kind = kind;
  variable.name = std::move(variableName);
  variable.type = type;
  variable.number = variables.size() - 1;
  variable.range = rangeOfType(type);
  return &variable;
}

Stmt *Kernel::createStmt(Stmt::Kind kind, mlir::Location location) {
  return &statements.emplace_back(kind, location);
}

/// Tells an expression from all others.
static std::string keyOf(const Expr &expr) {
  std::string key;
  raw_string_ostream stream(key);
  stream << expr.kind << ' ' << expr.type.kind << ' ' << expr.type.bits << ' '
         << expr.type.lanes << ' ' << expr.constant << ' ' << expr.variable
         << ' ' << expr.numSubscripts << ' ' << expr.isTruncating << expr.isInt
         << ' ' << expr.text << ' ';
  for (const Expr *operand : expr.operands)
    stream << operand << ' ';
  for (int64_t coefficient : expr.coefficients)
    stream << coefficient << ' ';
  return key;
}

/// What unrolled copies have in common: not the constants of sums, and not
/// which of the local variables is used.
static std::string shapeOf(const Expr &expr) {
  std::string shape;
  raw_string_ostream stream(shape);
  stream << '(' << expr.kind << ' ' << expr.type.kind << expr.type.bits << 'x'
         << expr.type.lanes << ' ' << expr.text;
  if (expr.kind == Expr::Quotient || expr.kind == Expr::Remainder)
    stream << '/' << expr.constant << (expr.isTruncating ? "t" : "");
  if (expr.variable && expr.variable->kind != Variable::Local &&
      expr.variable->kind != Variable::Counter)
    stream << 'v' << expr.variable->number;
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    stream << expr.operands[i]->shape;
    if (i < expr.coefficients.size())
      stream << '*' << expr.coefficients[i];
  }
  stream << ')';
  return shape;
}

const Expr *Kernel::make(Expr expr) {
  std::unique_ptr<Expr> &slot = interned[keyOf(expr)];
  if (!slot) {
    expr.size = 1;
    for (const Expr *operand : expr.operands)
      expr.size += operand->size;
    expr.shape = shapeOf(expr);
    expr.key = interned.size();
    slot = std::make_unique<Expr>(std::move(expr));
  }
  return slot.get();
}

const Expr *Kernel::literal(std::string text, CType type) {
  Expr expr{Expr::Literal, type};
  expr.text = std::move(text);
  return make(std::move(expr));
}

const Expr *Kernel::integer(int64_t value, CType type) {
  if (type.kind == CType::Index)
    return constant(value);
  std::string text =
      type.kind == CType::Unsigned
          ? std::to_string(static_cast<uint64_t>(value) & maxUIntN(type.bits))
          : std::to_string(value);
  return literal(std::move(text), type);
}

const Expr *Kernel::use(Variable *variable, ArrayRef<const Expr *> at) {
  Expr expr{Expr::Use, variable->type};
  expr.variable = variable;
  expr.operands.append(at.begin(), at.end());
  return make(std::move(expr));
}

//===--- Sums -------------------------------------------------------------===//

const Expr *Kernel::constant(int64_t value) {
  Expr expr{Expr::Sum, kIndexType};
  expr.constant = value;
  return make(std::move(expr));
}

/// Where a summand stands: blocks, then loops, then threads, then the rest.
static unsigned rankOf(const Expr *expr) {
  switch (expr->kind) {
  case Expr::Use:
    switch (expr->variable->kind) {
    case Variable::Builtin:
      return StringRef(expr->variable->initializer).starts_with("block") ? 0
                                                                         : 2;
    case Variable::Counter:
      return 1;
    case Variable::Parameter:
      return 4;
    default:
      // A named index stands where ids do.
      return expr->variable->isIndex ? 0 : 3;
    }
  default: {
    unsigned rank = 0;
    for (const Expr *operand : expr->operands)
      rank = std::max(rank, rankOf(operand));
    return rank;
  }
  }
}

const Expr *Kernel::asSum(const Expr *expr) {
  if (expr->kind == Expr::Sum)
    return expr;
  Expr sum{Expr::Sum, kIndexType};
  sum.operands.push_back(expr);
  sum.coefficients.push_back(1);
  return make(std::move(sum));
}

void Kernel::setDivisible(const Expr *sum, int64_t divisor, bool isKnown) {
  if (isKnown)
    divisible.emplace_back(sum, divisor);
  else
    divisible.pop_back();
}

bool Kernel::isDivisible(const Expr *sum, int64_t divisor) const {
  return any_of(divisible, [&](const auto &fact) {
    return fact.first == sum && fact.second % divisor == 0;
  });
}

using Terms = SmallVectorImpl<std::pair<const Expr *, int64_t>>;

static int64_t coefficientOf(const Terms &terms, const Expr *operand) {
  for (const auto &[term, coefficient] : terms)
    if (term == operand)
      return coefficient;
  return 0;
}

/// k * E - k * d * floor(E / d) is k * (E mod d): finds such a quotient among
/// `terms` and takes both parts out. Returns E, d and k.
static std::optional<std::tuple<const Expr *, int64_t, int64_t>>
takeRemainder(Terms &terms, int64_t &constant) {
  for (size_t i = 0; i < terms.size(); ++i) {
    auto [quotient, factor] = terms[i];
    if (quotient->kind != Expr::Quotient || factor % quotient->constant != 0)
      continue;
    int64_t k = -factor / quotient->constant;
    const Expr *dividend = quotient->operands[0];
    bool matches = k != 0 && !dividend->operands.empty();
    for (auto [operand, coefficient] :
         zip(dividend->operands, dividend->coefficients))
      matches &= coefficientOf(terms, operand) == k * coefficient;
    if (!matches)
      continue;
    constant -= k * dividend->constant;
    int64_t divisor = quotient->constant;
    erase_if(terms, [&](const auto &term) {
      return term.first == quotient ||
             is_contained(dividend->operands, term.first);
    });
    return std::tuple(dividend, divisor, k);
  }
  return std::nullopt;
}

const Expr *Kernel::makeSum(Terms &terms, int64_t constant) {
  erase_if(terms, [](const auto &term) { return term.second == 0; });
  for (auto &[term, factor] : terms)
    if (term->kind == Expr::Quotient && factor % term->constant == 0 &&
        isDivisible(term->operands[0], term->constant)) {
      // A multiple of d is d times its quotient.
      const Expr *dividend = term->operands[0];
      int64_t times = factor / term->constant;
      factor = 0;
      const Expr *rest = makeSum(terms, constant);
      return add(rest, dividend, times);
    }
  if (auto found = takeRemainder(terms, constant)) {
    auto [dividend, divisor, factor] = *found;
    const Expr *rest = makeSum(terms, constant);
    return add(rest, remainder(dividend, divisor), factor);
  }
  llvm::sort(terms, [](const auto &left, const auto &right) {
    unsigned leftRank = rankOf(left.first), rightRank = rankOf(right.first);
    if (leftRank != rightRank)
      return leftRank < rightRank;
    if (left.first->shape != right.first->shape)
      return left.first->shape < right.first->shape;
    const Variable *leftVariable = left.first->variable;
    const Variable *rightVariable = right.first->variable;
    if (leftVariable && rightVariable)
      return leftVariable->number < rightVariable->number;
    return left.first->key < right.first->key;
  });
  Expr sum{Expr::Sum, kIndexType};
  sum.constant = constant;
  for (auto [term, factor] : terms) {
    sum.operands.push_back(term);
    sum.coefficients.push_back(factor);
  }
  return make(std::move(sum));
}

const Expr *Kernel::add(const Expr *left, const Expr *right, int64_t factor) {
  left = asSum(left);
  right = asSum(right);
  SmallVector<std::pair<const Expr *, int64_t>> terms;
  for (auto [operand, coefficient] : zip(left->operands, left->coefficients))
    terms.emplace_back(operand, coefficient);
  for (auto [operand, coefficient] :
       zip(right->operands, right->coefficients)) {
    auto *found =
        find_if(terms, [&](const auto &term) { return term.first == operand; });
    if (found != terms.end())
      found->second += factor * coefficient;
    else
      terms.emplace_back(operand, factor * coefficient);
  }
  return makeSum(terms, left->constant + factor * right->constant);
}

const Expr *Kernel::scale(const Expr *sum, int64_t factor) {
  return add(constant(0), sum, factor);
}

const Expr *Kernel::multiply(const Expr *left, const Expr *right) {
  left = asSum(left);
  right = asSum(right);
  if (auto value = constantValue(left))
    return scale(right, *value);
  if (auto value = constantValue(right))
    return scale(left, *value);
  Expr product{Expr::Product, kIndexType};
  product.operands = {left, right};
  return asSum(make(std::move(product)));
}

/// Splits `sum` into what `divisor` divides, already divided, and the rest.
static std::pair<const Expr *, const Expr *>
splitMultiples(Kernel &kernel, const Expr *sum, int64_t divisor) {
  int64_t whole = divideFloorSigned(sum->constant, divisor);
  const Expr *multiples = kernel.constant(whole);
  const Expr *rest = kernel.constant(sum->constant - whole * divisor);
  for (auto [operand, coefficient] : zip(sum->operands, sum->coefficients))
    if (coefficient % divisor == 0)
      multiples = kernel.add(multiples, operand, coefficient / divisor);
    else
      rest = kernel.add(rest, operand, coefficient);
  return {multiples, rest};
}

const Expr *Kernel::markInt(const Expr *sum) {
  // A variable is what it is.
  bool isVariable = sum->operands.size() == 1 && sum->constant == 0 &&
                    sum->coefficients[0] == 1 &&
                    sum->operands[0]->kind == Expr::Use &&
                    sum->operands[0]->operands.empty();
  if (sum->kind != Expr::Sum || isVariable)
    return sum;
  Expr marked = *sum;
  marked.isInt = true;
  return make(std::move(marked));
}

const Expr *Kernel::floorDivide(const Expr *sum, int64_t divisor) {
  if (divisor == 1)
    return sum;
  auto [multiples, rest] = splitMultiples(*this, sum, divisor);
  Range range = rangeOf(rest);
  if (range.low >= 0 && range.high < divisor)
    return multiples;
  if (rest->operands.size() == 1 && rest->coefficients[0] == 1 &&
      rest->constant == 0 && rest->operands[0]->kind == Expr::Quotient) {
    const Expr *inner = rest->operands[0];
    if (int64_t both; !llvm::MulOverflow(inner->constant, divisor, both))
      return add(multiples, floorDivide(inner->operands[0], both));
  }
  Expr quotient{Expr::Quotient, kIndexType};
  quotient.operands = {rest};
  quotient.constant = divisor;
  quotient.isTruncating = range.isNonNegative();
  return add(multiples, make(std::move(quotient)));
}

const Expr *Kernel::remainder(const Expr *sum, int64_t divisor) {
  if (divisor == 1)
    return constant(0);
  const Expr *rest = splitMultiples(*this, sum, divisor).second;
  Range range = rangeOf(rest);
  if (range.low >= 0 && range.high < divisor)
    return rest;
  Expr remainder{Expr::Remainder, kIndexType};
  remainder.operands = {rest};
  remainder.constant = divisor;
  remainder.isTruncating = range.isNonNegative();
  return asSum(make(std::move(remainder)));
}
