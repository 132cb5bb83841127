//===- Contraction.cpp - loops that multiply matrices ---------------------===//

#include "passes/Analysis/Contraction.h"

#include "passes/Analysis/FastMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpuopt;

void Contraction::transpose() {
  SmallVector<unsigned> transposed;
  for (unsigned column = 0; column < columns.loads.size(); ++column)
    for (unsigned row = 0; row < rows.loads.size(); ++row)
      transposed.push_back(sumOf(row, column));
  std::swap(rows, columns);
  sums = std::move(transposed);
}

namespace {
/// One of the factors of a product.
struct Factor {
  affine::AffineLoadOp load;
  Contraction::Widening widening = Contraction::Widening::None;
};

/// What is added to one sum.
struct Product {
  Factor first, second;
  unsigned sum;
};

/// Reads a loop.
class Reader {
public:
  explicit Reader(affine::AffineForOp loop) { result.loop = loop; }
  std::optional<Contraction> run();

private:
  bool readTerm(Value sum, BlockArgument carried);
  bool readProduct(Value first, Value second, unsigned sum);
  bool addOperation(Operation *op);
  bool chooseSides();
  bool place(const Factor &factor, bool isRow);
  bool fillSums();
  bool isOnlyWork();

  Contraction result;
  SmallVector<Product> products;
  /// What the loop has to do for its sums.
  llvm::SmallPtrSet<Operation *, 32> work;
  llvm::MapVector<Operation *, unsigned> rows, columns;
};
} // namespace

static std::optional<Factor> factorOf(Value value) {
  Factor factor;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp>(op))
    factor.widening = Contraction::Widening::Float;
  else if (isa_and_nonnull<arith::ExtSIOp>(op))
    factor.widening = Contraction::Widening::Signed;
  else if (isa_and_nonnull<arith::ExtUIOp>(op))
    factor.widening = Contraction::Widening::Unsigned;
  if (factor.widening != Contraction::Widening::None)
    op = op->getOperand(0).getDefiningOp();
  factor.load = dyn_cast_or_null<affine::AffineLoadOp>(op);
  return factor.load ? std::optional(factor) : std::nullopt;
}

/// Notes what belongs to the sums, and stands in the loop's own block.
bool Reader::addOperation(Operation *op) {
  if (!op || op->getBlock() != result.loop.getBody())
    return false;
  work.insert(op);
  return true;
}

bool Reader::readProduct(Value first, Value second, unsigned sum) {
  std::optional<Factor> left = factorOf(first), right = factorOf(second);
  if (!left || !right)
    return false;
  for (auto [value, factor] : {std::pair(first, *left), {second, *right}})
    if (!addOperation(value.getDefiningOp()) || !addOperation(factor.load))
      return false;
  products.push_back({*left, *right, sum});
  return true;
}

/// Reads `sum` as `carried` and one product.
bool Reader::readTerm(Value sum, BlockArgument carried) {
  unsigned number = products.size();
  Operation *op = sum.getDefiningOp();
  if (!addOperation(op) || !carried.hasOneUse())
    return false;
  result.mayReorder &= mayReorder(op);
  if (auto fused = dyn_cast<math::FmaOp>(op))
    return fused.getC() == carried &&
           readProduct(fused.getA(), fused.getB(), number);
  if (!isa<arith::AddFOp, arith::AddIOp>(op))
    return false;
  Value term = op->getOperand(op->getOperand(0) == carried ? 1 : 0);
  Operation *product = term.getDefiningOp();
  if (!llvm::is_contained(op->getOperands(), carried) ||
      !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      !addOperation(product))
    return false;
  return readProduct(product->getOperand(0), product->getOperand(1), number);
}

/// Makes `factor` a row or a column; fails where it is the other one.
bool Reader::place(const Factor &factor, bool isRow) {
  auto &own = isRow ? rows : columns;
  auto &other = isRow ? columns : rows;
  Contraction::Side &side = isRow ? result.rows : result.columns;
  if (other.contains(factor.load))
    return false;
  if (!own.insert({factor.load, own.size()}).second)
    return side.widening == factor.widening;
  if (own.size() == 1)
    side.widening = factor.widening;
  side.loads.push_back(factor.load);
  return side.widening == factor.widening &&
         factor.load->getResult(0).getType() == result.elementType;
}

/// The first factor of the first product is a row. What it is multiplied with
/// are columns, what these are multiplied with rows, until none is left.
bool Reader::chooseSides() {
  result.elementType = products.front().first.load->getResult(0).getType();
  SmallVector<bool> isPlaced(products.size(), false);
  auto tryPlace = [&](unsigned number) {
    const auto &[first, second, sum] = products[number];
    bool isFirstRow =
        rows.contains(first.load) || columns.contains(second.load);
    bool isFirstColumn =
        columns.contains(first.load) || rows.contains(second.load);
    if (number != 0 && !isFirstRow && !isFirstColumn)
      return true;
    isPlaced[number] = true;
    bool isRow = number == 0 || isFirstRow;
    return place(first, isRow) && place(second, !isRow);
  };
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (unsigned number = 0; number < products.size(); ++number) {
      if (isPlaced[number])
        continue;
      if (!tryPlace(number))
        return false;
      hasChanged |= isPlaced[number];
    }
  }
  return llvm::all_of(isPlaced, [](bool placed) { return placed; });
}

/// Every row has to meet every column once.
bool Reader::fillSums() {
  constexpr unsigned none = ~0u;
  result.sums.assign(rows.size() * columns.size(), none);
  if (products.size() != result.sums.size())
    return false;
  for (const auto &[first, second, sum] : products) {
    bool isRow = rows.contains(first.load);
    Operation *row = isRow ? first.load : second.load;
    Operation *column = isRow ? second.load : first.load;
    unsigned &entry =
        result.sums[rows.lookup(row) * columns.size() + columns.lookup(column)];
    if (entry != none)
      return false;
    entry = sum;
  }
  return true;
}

/// Whether the loop does nothing that the sums do not need, and nobody else
/// uses what it computes for them.
bool Reader::isOnlyWork() {
  return llvm::all_of(
      result.loop.getBody()->without_terminator(), [&](Operation &op) {
        return work.contains(&op) || isa<affine::AffineApplyOp>(op);
      });
}

std::optional<Contraction> Reader::run() {
  affine::AffineForOp loop = result.loop;
  if (loop.getNumIterOperands() == 0)
    return std::nullopt;
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  result.sumType = yield.getOperand(0).getType();
  for (auto [sum, carried] :
       llvm::zip_equal(yield.getOperands(), loop.getRegionIterArgs()))
    if (sum.getType() != result.sumType || !sum.hasOneUse() ||
        !readTerm(sum, carried))
      return std::nullopt;
  if (!chooseSides() || !fillSums() || !isOnlyWork())
    return std::nullopt;
  return std::move(result);
}

std::optional<Contraction>
gpuopt::recogniseContraction(affine::AffineForOp loop) {
  return Reader(loop).run();
}
