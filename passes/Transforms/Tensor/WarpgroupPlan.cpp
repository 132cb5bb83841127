//===- WarpgroupPlan.cpp - how warpgroups multiply tiles ------------------===//

#include "passes/Transforms/Tensor/WarpgroupPlan.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

MatrixUnitAttr gpuopt::findWarpgroupUnit(const Contraction &contraction,
                                         TargetAttr target) {
  if (!target.getMatrixUnits() || !isWidenedForUnits(contraction))
    return {};
  for (auto unit : target.getMatrixUnits().getAsRange<MatrixUnitAttr>())
    if (unit.getRows() == kWarpgroupRows &&
        unit.getOperands() == contraction.elementType &&
        unit.getSums() == contraction.sumType)
      return unit;
  return {};
}

bool gpuopt::mayBeTransposed(MatrixUnitAttr unit) {
  return unit.getOperands().getIntOrFloatBitWidth() == 16;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// Reads the subscripts of one side.
class SideReader {
public:
  SideReader(const Contraction &contraction, gpu::Dimension along)
      : contraction(contraction), along(along) {}

  /// Fills `tile` with the lines of a thread, line `scale * id + begins[i]` as
  /// its number i; false where they are others.
  bool read(const Contraction::Side &side, int64_t scale,
            ArrayRef<int64_t> begins, WarpgroupTile &tile);

private:
  std::optional<int64_t> lineOf(affine::AffineLoadOp load, int64_t scale,
                                WarpgroupTile &tile);

  const Contraction &contraction;
  gpu::Dimension along;
};
} // namespace

/// The constant part of the line that `load` is of, whose product has the
/// number of the iteration.
std::optional<int64_t> SideReader::lineOf(affine::AffineLoadOp load,
                                          int64_t scale, WarpgroupTile &tile) {
  AffineMap map = load.getAffineMap();
  SmallVector<Value> operands(load.getMapOperands());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  MLIRContext *context = load.getContext();
  AffineExpr product = getAffineDimExpr(0, context);
  AffineExpr id = getAffineDimExpr(1, context);
  affine::AffineForOp loop = contraction.loop;
  SmallVector<AffineExpr> replacements;
  for (Value operand : operands) {
    auto thread = operand.getDefiningOp<gpu::ThreadIdOp>();
    if (operand == loop.getInductionVar())
      replacements.push_back(product);
    else if (thread && thread.getDimension() == along)
      replacements.push_back(id);
    else
      return std::nullopt;
  }
  ArrayRef<AffineExpr> all = replacements;
  AffineMap plain = map.replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()), 2, 0);
  if (plain.getNumResults() != 2)
    return std::nullopt;
  for (bool isTransposed : {false, true}) {
    AffineExpr line = simplifyAffineExpr(
        plain.getResult(isTransposed ? 1 : 0) - id * scale, 2, 0);
    AffineExpr rest = simplifyAffineExpr(
        plain.getResult(isTransposed ? 0 : 1) - product, 2, 0);
    auto begin = dyn_cast<AffineConstantExpr>(line);
    if (!begin || rest != getAffineConstantExpr(0, context))
      continue;
    tile.isTransposed = isTransposed;
    return begin.getValue();
  }
  return std::nullopt;
}

bool SideReader::read(const Contraction::Side &side, int64_t scale,
                      ArrayRef<int64_t> begins, WarpgroupTile &tile) {
  SmallVector<std::pair<int64_t, unsigned>> lines;
  affine::AffineLoadOp first = side.loads.front();
  tile.array = first.getMemRef();
  bool isTransposed = false;
  for (unsigned number = 0; number < side.loads.size(); ++number) {
    affine::AffineLoadOp load = side.loads[number];
    std::optional<int64_t> line = lineOf(load, scale, tile);
    if (!line || load.getMemRef() != tile.array ||
        (number > 0 && tile.isTransposed != isTransposed))
      return false;
    isTransposed = tile.isTransposed;
    lines.push_back({*line, number});
  }
  llvm::sort(lines);
  for (auto [line, begin] : llvm::zip_equal(lines, begins)) {
    if (line.first != begin)
      return false;
    tile.order.push_back(line.second);
  }
  return true;
}

/// Whether `tile` has `lines` lines of `depth` products, and nothing else.
static bool hasShape(const WarpgroupTile &tile, int64_t lines, int64_t depth,
                     MatrixUnitAttr unit) {
  auto type = cast<MemRefType>(tile.array.getType());
  if (!isa<BlockArgument>(tile.array) || !type.getLayout().isIdentity() ||
      type.getRank() != 2)
    return false;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t rows = tile.isTransposed ? depth : lines;
  int64_t rowLength = tile.isTransposed ? lines : depth;
  bool isKnown = type.getShape() == ArrayRef<int64_t>{rows, rowLength};
  if (!tile.isTransposed)
    return isKnown && rowLength * bytes == kWarpgroupLineBytes;
  return isKnown && mayBeTransposed(unit) && depth % 8 == 0 &&
         rowLength * bytes % kWarpgroupLineBytes == 0;
}

/// The shape of the block and the loop.
static bool hasWarpgroups(gpu::GPUFuncOp kernel, const Contraction &found,
                          const UniformityAnalysis &uniformity) {
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  auto loop = found.loop;
  return block[0] == FragmentLayout::kLanesOfRow && block[2] == 1 &&
         block[1] % (kWarpgroupSubgroups * FragmentLayout::kRowsOfLanes) == 0 &&
         loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
         loop.getConstantLowerBound() == 0 &&
         uniformity.isUnderUniformControl(loop);
}

std::optional<WarpgroupPlan>
gpuopt::planWarpgroups(gpu::GPUFuncOp kernel, const Contraction &contraction,
                       TargetAttr target,
                       const UniformityAnalysis &uniformity) {
  WarpgroupPlan plan;
  plan.contraction = contraction;
  plan.unit = findWarpgroupUnit(contraction, target);
  if (!plan.unit || !contraction.mayReorder ||
      !hasWarpgroups(kernel, contraction, uniformity))
    return std::nullopt;
  auto loop = plan.contraction.loop;
  plan.depth = loop.getConstantUpperBound();
  plan.distance = geometryOf(kernel).getBlock()[1];
  int64_t rows = contraction.rows.loads.size();
  int64_t columns = contraction.columns.loads.size();
  if (plan.depth % plan.unit.getDepth() || rows % 2 || columns % 2 ||
      columns * FragmentLayout::kLanesOfRow > kMostWarpgroupColumns)
    return std::nullopt;
  SmallVector<int64_t> rowBegins, columnBegins;
  for (int64_t row = 0; row < rows; ++row)
    rowBegins.push_back(row * plan.distance);
  for (int64_t column = 0; column < columns; ++column)
    columnBegins.push_back(column / 2 * FragmentLayout::kRowsOfLanes +
                           column % 2);
  SideReader alongY(contraction, gpu::Dimension::y);
  SideReader alongX(contraction, gpu::Dimension::x);
  bool isKnown =
      alongY.read(contraction.rows, 1, rowBegins, plan.rows) &&
      alongX.read(contraction.columns, FragmentLayout::kColumns, columnBegins,
                  plan.columns) &&
      plan.rows.array != plan.columns.array &&
      hasShape(plan.rows, rows * plan.distance, plan.depth, plan.unit) &&
      hasShape(plan.columns, plan.columnsOfProduct(), plan.depth, plan.unit);
  return isKnown ? std::optional(std::move(plan)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Writes the products of one loop.
class WarpgroupWriter {
public:
  WarpgroupWriter(const WarpgroupPlan &matrixPlan,
                  const SubgroupIds &subgroupIds)
      : plan(matrixPlan), ids(subgroupIds), builder(plan.contraction.loop),
        loc(builder.getInsertionPoint()->getLoc()) {}

  void run();

private:
  Value describe(const WarpgroupTile &tile, Value line, bool isInterleaved);
  void multiply(int64_t product, Value columns, SmallVectorImpl<Value> &sums);
  int64_t stepOf(const WarpgroupTile &tile) const;

  const WarpgroupPlan &plan;
  const SubgroupIds &ids;
  OpBuilder builder;
  Location loc;
};
} // namespace

/// The matrix whose first line is `line`.
Value WarpgroupWriter::describe(const WarpgroupTile &tile, Value line,
                                bool isInterleaved) {
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> indices = {line, first};
  if (tile.isTransposed)
    std::swap(indices[0], indices[1]);
  return MatrixDescriptorOp::create(
      builder, loc, builder.getI64Type(), tile.array, indices,
      isInterleaved ? builder.getI64IntegerAttr(plan.distance) : IntegerAttr(),
      tile.isTransposed, /*panel_bytes=*/IntegerAttr());
}

/// Bytes from the products of one instruction to those of the next.
int64_t WarpgroupWriter::stepOf(const WarpgroupTile &tile) const {
  int64_t bytes = plan.unit.getOperands().getIntOrFloatBitWidth() / 8;
  return plan.unit.getDepth() *
         (tile.isTransposed ? kWarpgroupLineBytes : bytes);
}

void WarpgroupWriter::multiply(int64_t product, Value columns,
                               SmallVectorImpl<Value> &sums) {
  constexpr int64_t rowsOfWarpgroup =
      kWarpgroupSubgroups * FragmentLayout::kRowsOfLanes;
  AffineExpr number = builder.getAffineSymbolExpr(0);
  Value line = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(0, 1,
                     number.floorDiv(kWarpgroupSubgroups) * rowsOfWarpgroup +
                         2 * plan.distance * product),
      ids.subgroup);
  Value rows = describe(plan.rows, line, /*isInterleaved=*/true);
  SmallVector<unsigned> numbers;
  for (int64_t sum = 0; sum < plan.columnsOfProduct() / 2; ++sum) {
    unsigned row = plan.rows.order[2 * product + sum / 2 % 2];
    unsigned column = plan.columns.order[2 * (sum / 4) + sum % 2];
    numbers.push_back(plan.contraction.sumOf(row, column));
  }
  SmallVector<Value> old;
  for (unsigned sum : numbers)
    old.push_back(sums[sum]);
  auto result = WarpgroupProductOp::create(
      builder, loc, SmallVector<Type>(old.size(), plan.contraction.sumType),
      rows, columns, old,
      builder.getDenseI64ArrayAttr(
          {kWarpgroupRows, plan.columnsOfProduct(), plan.unit.getDepth()}),
      TypeAttr::get(plan.unit.getOperands()),
      builder.getI64IntegerAttr(plan.depth / plan.unit.getDepth()),
      builder.getI64IntegerAttr(stepOf(plan.rows)),
      builder.getI64IntegerAttr(stepOf(plan.columns)),
      plan.rows.isTransposed ? builder.getUnitAttr() : UnitAttr(),
      plan.columns.isTransposed ? builder.getUnitAttr() : UnitAttr(),
      builder.getI64IntegerAttr(0));
  for (auto [sum, value] : llvm::zip_equal(numbers, result.getResults()))
    sums[sum] = value;
}

void WarpgroupWriter::run() {
  auto loop = plan.contraction.loop;
  SmallVector<Value> sums(loop.getInits());
  Value columns =
      describe(plan.columns, arith::ConstantIndexOp::create(builder, loc, 0),
               /*isInterleaved=*/false);
  for (int64_t product = 0; product < plan.productsOfIteration(); ++product)
    multiply(product, columns, sums);
  loop->replaceAllUsesWith(sums);
  loop->erase();
}

void gpuopt::multiplyByWarpgroups(const WarpgroupPlan &plan,
                                  const SubgroupIds &ids) {
  WarpgroupWriter(plan, ids).run();
}
