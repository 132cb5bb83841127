//===- FlatIdDigits.cpp - a flat id as digits of several widths -----------===//

#include "passes/Launches/FlatIdDigits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

std::optional<Polynomial> gpuopt::divideExactly(const Polynomial &product,
                                                const Polynomial &factor) {
  Polynomial::Division parts = product.divide(factor);
  if (!parts.remainder.isZero() || parts.quotient * factor != product)
    return std::nullopt;
  return parts.quotient;
}

FlatIdDigits::FlatIdDigits(IntegerValues &values)
    : values(values), id(*values.getId(Atom::Kind::GlobalId, 0).getVariable()) {
}

/// The digits of `run` from `factor` on; nothing where a digit would have to be
/// taken apart.
static std::optional<DigitRun> divideRun(const DigitRun &run,
                                         const Polynomial &factor) {
  DigitRun quotient{run.low * factor, run.high};
  if (run.high && !divideExactly(*run.high, quotient.low))
    return std::nullopt;
  return quotient;
}

std::optional<DigitRun> FlatIdDigits::readAtom(unsigned variable) const {
  if (variable == id)
    return DigitRun();
  if (auto entry = known.find(variable); entry != known.end())
    return entry->second;
  const Atom &atom = values.getAtom(variable);
  if (atom.kind != Atom::Kind::FloorDiv)
    return std::nullopt;
  std::optional<DigitRun> numerator = read(atom.numerator);
  return numerator ? divideRun(*numerator, atom.divisor) : std::nullopt;
}

/// Adds `factor` * t / `product` to `sum`.
static void addQuotient(std::map<Polynomial, Polynomial> &sum,
                        const Polynomial &product, const Polynomial &factor) {
  Polynomial &all = sum[product];
  all += factor;
  if (all.isZero())
    sum.erase(product);
}

std::optional<DigitRun> FlatIdDigits::read(const Polynomial &polynomial) const {
  if (polynomial.isUnknown())
    return std::nullopt;
  // A sum of quotients of t.
  std::map<Polynomial, Polynomial> sum;
  Polynomial read;
  for (unsigned variable : polynomial.getVariables()) {
    if (values.getAtom(variable).isParameter)
      continue;
    std::optional<DigitRun> run = readAtom(variable);
    Polynomial factor = polynomial.getCofactor(variable);
    if (!run || !values.isParameter(factor))
      return std::nullopt;
    read += factor * Polynomial::variable(variable);
    addQuotient(sum, run->low, factor);
    if (run->high)
      addQuotient(sum, *run->high,
                  -factor * *divideExactly(*run->high, run->low));
  }
  if (read != polynomial || sum.empty() || sum.size() > 2)
    return std::nullopt;
  // q(low) - high/low * q(high).
  for (const auto &[low, factor] : sum) {
    if (factor != Polynomial(1))
      continue;
    if (sum.size() == 1)
      return DigitRun{low, std::nullopt};
    for (const auto &[high, other] : sum)
      if (high != low && -other * low == high)
        return DigitRun{low, high};
  }
  return std::nullopt;
}

Polynomial FlatIdDigits::strideOf(const Polynomial &polynomial,
                                  const Polynomial &low) const {
  Polynomial stride;
  // t / product moves by low / product with each step.
  auto add = [&](const Polynomial &product, const Polynomial &factor) {
    if (std::optional<Polynomial> step = divideExactly(low, product))
      stride += factor * *step;
  };
  for (unsigned variable : polynomial.getVariables()) {
    std::optional<DigitRun> run = readAtom(variable);
    if (!run)
      continue;
    Polynomial factor = polynomial.getCofactor(variable);
    add(run->low, factor);
    if (run->high)
      add(*run->high, -factor * *divideExactly(*run->high, run->low));
  }
  return stride;
}

/// Both readings of an integer are its polynomial, if that is a run of digits:
/// below 2^31. Quotients by constants are polynomials already.
std::optional<DigitRun> FlatIdDigits::readOp(Operation *op) const {
  bool isQuotient =
      isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op);
  bool isRemainder = isa<arith::RemUIOp, arith::RemSIOp>(op);
  bool isBits = isa<arith::ShRUIOp, arith::ShRSIOp, arith::AndIOp>(op);
  if ((!isQuotient && !isRemainder && !isBits) ||
      getBits(op->getResult(0).getType()) < 32)
    return std::nullopt;
  Polynomial divisor = values.get(op->getOperand(1)).value;
  if (isBits || divisor.getConstant())
    return read(values.get(op->getResult(0)).value);
  std::optional<DigitRun> dividend = read(values.get(op->getOperand(0)).value);
  if (!dividend || divisor.isUnknown() || !values.isParameter(divisor))
    return std::nullopt;
  std::optional<DigitRun> quotient = divideRun(*dividend, divisor);
  if (!quotient || isQuotient)
    return quotient;
  return DigitRun{dividend->low, quotient->low};
}

void FlatIdDigits::visit(Operation *op) {
  std::optional<DigitRun> run = readOp(op);
  if (!run || run->isWhole())
    return;
  found.push_back({op, *run});
  Value result = op->getResult(0);
  for (const Polynomial &value :
       {values.get(result).value, values.getExact(result, false).value,
        values.getExact(result, true).value})
    if (std::optional<unsigned> variable = value.getVariable())
      if (values.getAtom(*variable).value == result)
        known[*variable] = *run;
}

/// The one of `products` that divides all others; null where there is none.
static const Polynomial *findLeast(ArrayRef<Polynomial> products) {
  for (const Polynomial &least : products)
    if (llvm::all_of(products, [&](const Polynomial &product) {
          return divideExactly(product, least).has_value();
        }))
      return &least;
  return nullptr;
}

std::optional<SmallVector<Polynomial>>
FlatIdDigits::chain(int64_t least) const {
  SmallVector<Polynomial> products;
  auto add = [&](const Polynomial &product) {
    // What is less than a row stays a quotient of the row's position.
    std::optional<int64_t> constant = product.getConstant();
    bool isTooSmall = constant && *constant < least;
    if (!isTooSmall && !llvm::is_contained(products, product))
      products.push_back(product);
  };
  for (const auto &[op, run] : found) {
    add(run.low);
    if (run.high)
      add(*run.high);
  }
  SmallVector<Polynomial> chain = {Polynomial(1)};
  while (!products.empty()) {
    const Polynomial *next = findLeast(products);
    if (!next)
      return std::nullopt;
    chain.push_back(*next);
    products.erase(products.begin() + (next - products.begin()));
  }
  return chain;
}
