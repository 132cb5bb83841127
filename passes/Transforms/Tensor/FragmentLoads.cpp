//===- FragmentLoads.cpp - operands of matrix units from tiles ------------===//

#include "passes/Transforms/Tensor/FragmentLoads.h"

#include "passes/Analysis/MatrixRows.h"
#include "passes/Transforms/Utils/BlockSlice.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

AffineExpr SubgroupIds::firstX() const {
  AffineExpr number = getAffineSymbolExpr(1, lane.getContext());
  return (number % subgroupsAlongX) * FragmentLayout::kLanesOfRow;
}

AffineExpr SubgroupIds::firstY() const {
  AffineExpr number = getAffineSymbolExpr(1, lane.getContext());
  return number.floorDiv(subgroupsAlongX) * FragmentLayout::kRowsOfLanes;
}

AffineExpr SubgroupIds::x() const {
  return getAffineSymbolExpr(0, lane.getContext()) %
             FragmentLayout::kLanesOfRow +
         firstX();
}

AffineExpr SubgroupIds::y() const {
  return getAffineSymbolExpr(0, lane.getContext())
             .floorDiv(FragmentLayout::kLanesOfRow) +
         firstY();
}

AffineExpr FragmentLoader::lane() const {
  return builder.getAffineSymbolExpr(0);
}

AffineExpr FragmentLoader::matrixRow() const {
  return builder.getAffineSymbolExpr(2);
}

AffineExpr FragmentLoader::iterator(int64_t offset) const {
  return builder.getAffineDimExpr(0) + offset;
}

/// Which product element `element` of part `part` of an operand belongs to.
AffineExpr FragmentLoader::product(int64_t part, int64_t element) const {
  return iterator(part * FragmentLayout::kLanesOfRow * layout.packed +
                  element) +
         (lane() % FragmentLayout::kLanesOfRow) * layout.packed;
}

int64_t FragmentLoader::elementsOfRow() const {
  return elementsOfMatrixRow(plan.contraction.elementType);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

AffineMap FragmentLoader::Subscripts::map(MLIRContext *context) const {
  return AffineMap::get(dims.size(), symbols.size(), expressions, context);
}

SmallVector<Value> FragmentLoader::Subscripts::operands() const {
  SmallVector<Value> all(dims);
  llvm::append_range(all, symbols);
  return all;
}

FragmentLoader::Subscripts
FragmentLoader::subscriptsAt(const TileSubscripts &element,
                             const Place &place) {
  affine::AffineForOp oldLoop = plan.contraction.loop;
  Value old = oldLoop.getInductionVar();
  Subscripts result;
  result.dims = {loop.getInductionVar()};
  result.symbols = {ids.lane, ids.subgroup, ids.matrixRow, ids.matrixBits[0],
                    ids.matrixBits[1]};
  SmallVector<AffineExpr> dims, symbols;
  for (auto [position, operand] : llvm::enumerate(element.operands)) {
    bool isDim = position < element.map.getNumDims();
    AffineExpr replacement;
    auto id = operand.getDefiningOp<gpu::ThreadIdOp>();
    if (operand == old) {
      replacement = place.iterator;
    } else if (id && id.getDimension() != gpu::Dimension::z) {
      replacement = id.getDimension() == gpu::Dimension::x ? place.x : place.y;
    } else if (isDim) {
      replacement = builder.getAffineDimExpr(result.dims.size());
      result.dims.push_back(operand);
    } else {
      replacement = builder.getAffineSymbolExpr(result.symbols.size());
      result.symbols.push_back(operand);
    }
    (isDim ? dims : symbols).push_back(replacement);
  }
  for (auto [number, expression] : llvm::enumerate(element.map.getResults())) {
    AffineExpr subscript = expression.replaceDimsAndSymbols(dims, symbols);
    if (!place.shift.empty())
      subscript = subscript + place.shift[number];
    result.expressions.push_back(simplifyAffineExpr(
        subscript, result.dims.size(), result.symbols.size()));
  }
  return result;
}

Value FragmentLoader::loadElement(const TileSubscripts &element,
                                  const Place &place) {
  Subscripts subscripts = subscriptsAt(element, place);
  AffineMap map = subscripts.map(builder.getContext());
  SmallVector<Value> operands = subscripts.operands();
  affine::canonicalizeMapAndOperands(&map, &operands);
  auto load = element.load;
  return affine::AffineLoadOp::create(builder, load->getLoc(), load.getMemRef(),
                                      map, operands);
}

Value FragmentLoader::join(ArrayRef<Value> values, int64_t parts) {
  auto type =
      VectorType::get({parts, static_cast<int64_t>(values.size()) / parts},
                      values.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, values);
}

/// By how much the subscripts of `element` grow with the operands that are
/// `wanted`; nothing where that is no constant.
static std::optional<SmallVector<int64_t>>
stepsAlong(const TileSubscripts &element,
           llvm::function_ref<bool(Value)> isWanted) {
  SmallVector<AffineExpr> dims, symbols;
  MLIRContext *context = element.map.getContext();
  unsigned numDims = element.map.getNumDims();
  for (auto [position, value] : llvm::enumerate(element.operands)) {
    bool isDim = position < numDims;
    AffineExpr same = isDim ? getAffineDimExpr(position, context)
                            : getAffineSymbolExpr(position - numDims, context);
    (isDim ? dims : symbols).push_back(isWanted(value) ? same + 1 : same);
  }
  SmallVector<int64_t> steps;
  for (AffineExpr result : element.map.getResults()) {
    auto step = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(result.replaceDimsAndSymbols(dims, symbols) - result,
                           numDims, element.map.getNumSymbols()));
    if (!step)
      return std::nullopt;
    steps.push_back(step.getValue());
  }
  return steps;
}

static std::optional<SmallVector<int64_t>>
stepsAlong(const TileSubscripts &element, gpu::Dimension dimension) {
  return stepsAlong(element, [&](Value value) {
    auto id = value.getDefiningOp<gpu::ThreadIdOp>();
    return id && id.getDimension() == dimension;
  });
}

/// Whether subscripts go along a row of their array, one by one.
static bool isAlongRow(std::optional<SmallVector<int64_t>> steps) {
  return steps && steps->back() == 1 &&
         llvm::all_of(ArrayRef(*steps).drop_back(),
                      [](int64_t step) { return step == 0; });
}

/// Whether columns of neighbouring threads follow each other as those of one
/// do: 2 x and 2 x + 1.
bool FragmentLoader::hasNeighbouringColumns(const ColumnPair &pair) {
  auto steps = stepsAlong(plan.columns[pair.first], gpu::Dimension::x);
  if (!steps)
    return false;
  for (auto [step, distance] : llvm::zip_equal(*steps, pair.distance))
    if (step != FragmentLayout::kColumns * distance)
      return false;
  return true;
}

/// Column g of a fragment is one of the pair that the lanes g / 2 of a row own:
/// `x = first + g / 2`, shifted by the pair's distance where g is odd. With
/// subscripts 2 x and 2 x + 1, that is 2 first + g.
FragmentLoader::Place FragmentLoader::columnPlace(const ColumnPair &pair,
                                                  AffineExpr label,
                                                  AffineExpr iterator) {
  bool isLinear = hasNeighbouringColumns(pair);
  Place place{ids.firstX(), builder.getAffineConstantExpr(0), iterator};
  if (!isLinear)
    place.x = place.x + label.floorDiv(FragmentLayout::kColumns);
  for (int64_t distance : pair.distance)
    place.shift.push_back(
        (isLinear ? label : label % FragmentLayout::kColumns) * distance);
  return place;
}

Value FragmentLoader::loadRows(ArrayRef<unsigned> rows) {
  if (Value matrices = loadRowMatrices(rows))
    return matrices;
  SmallVector<Value> elements;
  for (int64_t part = 0; part < layout.depthParts; ++part)
    for (unsigned row : rows)
      for (int64_t element = 0; element < layout.packed; ++element)
        elements.push_back(loadElement(
            plan.rows[row], {ids.x(), ids.y(), product(part, element)}));
  return join(elements, layout.depthParts * layout.rowParts);
}

Value FragmentLoader::loadColumnPair(const ColumnPair &pair) {
  if (Value matrices = loadColumnMatrices(pair))
    return matrices;
  AffineExpr column = lane().floorDiv(FragmentLayout::kLanesOfRow);
  SmallVector<Value> elements;
  for (int64_t part = 0; part < layout.depthParts; ++part)
    for (int64_t element = 0; element < layout.packed; ++element)
      elements.push_back(
          loadElement(plan.columns[pair.first],
                      columnPlace(pair, column, product(part, element))));
  return join(elements, layout.depthParts);
}

SmallVector<Value> FragmentLoader::loadColumns() {
  SmallVector<Value> fragments;
  ArrayRef<ColumnPair> pairs = plan.columnPairs;
  while (!pairs.empty()) {
    // Two pairs at once where that is one instruction.
    Value both;
    if (pairs.size() > 1 && layout.depthParts == 2)
      both = loadColumnMatrices(pairs.take_front(2));
    if (both) {
      fragments.push_back(slice(both, 0, layout.depthParts));
      fragments.push_back(slice(both, layout.depthParts, layout.depthParts));
      pairs = pairs.drop_front(2);
      continue;
    }
    fragments.push_back(loadColumnPair(pairs.front()));
    pairs = pairs.drop_front();
  }
  return fragments;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

Value FragmentLoader::slice(Value matrices, int64_t first, int64_t count) {
  return vector::ExtractStridedSliceOp::create(builder, loc, matrices, first,
                                               count, int64_t(1));
}

Value FragmentLoader::loadMatrices(const TileSubscripts &element,
                                   const Place &place, ArrayRef<Offset> offsets,
                                   bool isTransposed) {
  int64_t wide = elementsOfRow();
  auto load = element.load;
  MemRefType type = load.getMemRefType();
  if (layout.packed == 1 || !type.getLayout().isIdentity() ||
      type.getShape().back() % wide)
    return {};
  if (!llvm::isPowerOf2_64(offsets.size()))
    return {};
  // Of four matrices the last one lies where the second and the third say.
  for (size_t dim = 0; offsets.size() == 4 && dim < offsets[0].size(); ++dim)
    if (offsets[3][dim] != offsets[1][dim] + offsets[2][dim])
      return {};
  Subscripts subscripts = subscriptsAt(element, place);
  AffineExpr last = subscripts.expressions.back().replace(
      builder.getAffineDimExpr(0), builder.getAffineConstantExpr(0));
  if (!simplifyAffineExpr(last, subscripts.dims.size(),
                          subscripts.symbols.size())
           .isMultipleOf(wide))
    return {};
  for (auto [dim, expression] : llvm::enumerate(subscripts.expressions))
    for (unsigned bit : {0u, 1u})
      if (size_t number = size_t(1) << bit; number < offsets.size())
        expression = expression + builder.getAffineSymbolExpr(3 + bit) *
                                      offsets[number][dim];
  AffineMap map = subscripts.map(builder.getContext());
  SmallVector<Value> operands = subscripts.operands(), indices;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    indices.push_back(createApply(builder, loc, map.getSubMap(dim), operands));
  int64_t count = offsets.size();
  auto result =
      VectorType::get({count, layout.packed}, plan.contraction.elementType);
  return nvgpu::LdMatrixOp::create(builder, load->getLoc(), result,
                                   load.getMemRef(), indices, isTransposed,
                                   static_cast<uint32_t>(count));
}

/// How subscripts of `element` grow with the products; nothing where these are
/// not equally far apart, or iterations take no whole rows of matrices.
std::optional<FragmentLoader::Offset>
FragmentLoader::productSteps(const TileSubscripts &element) {
  affine::AffineForOp old = plan.contraction.loop;
  Value oldIterator = old.getInductionVar();
  if (loop.getConstantLowerBound() % elementsOfRow())
    return std::nullopt;
  return stepsAlong(element, [&](Value value) { return value == oldIterator; });
}

/// Adds where the matrices of each part of the products lie that begin at
/// `offset`; fails where their rows would not be aligned.
bool FragmentLoader::addParts(const Offset &offset, const Offset &steps,
                              int64_t part, SmallVectorImpl<Offset> &offsets) {
  if (offset.back() % elementsOfRow())
    return false;
  Offset shifted = offset;
  for (auto [entry, step] : llvm::zip_equal(shifted, steps))
    entry += step * part * elementsOfRow();
  offsets.push_back(shifted);
  return true;
}

Value FragmentLoader::loadRowMatrices(ArrayRef<unsigned> rows) {
  const TileSubscripts &first = plan.rows[rows.front()];
  std::optional<Offset> steps = productSteps(first);
  bool isAcross = layout.packed == 2 && steps && steps->back() == 0 &&
                  isAlongRow(stepsAlong(first, gpu::Dimension::y));
  if (!isAcross && !isAlongRow(steps))
    return {};
  SmallVector<Offset> offsets;
  for (int64_t part = 0; part < layout.depthParts; ++part)
    for (unsigned row : rows) {
      auto offset = distanceOf(first, plan.rows[row]);
      if (!offset || !addParts(*offset, *steps, part, offsets))
        return {};
    }
  AffineExpr none = builder.getAffineConstantExpr(0);
  Place place{ids.firstX(), ids.firstY() + (isAcross ? none : matrixRow()),
              iterator(0) + (isAcross ? matrixRow() : none)};
  return loadMatrices(first, place, offsets, isAcross);
}

Value FragmentLoader::loadColumnMatrices(ArrayRef<ColumnPair> pairs) {
  const ColumnPair &pair = pairs.front();
  const TileSubscripts &first = plan.columns[pair.first];
  std::optional<Offset> steps = productSteps(first);
  bool isAcross = layout.packed == 2 && steps && steps->back() == 0 &&
                  isAlongRow(pair.distance) && hasNeighbouringColumns(pair);
  if (!isAcross && !isAlongRow(steps))
    return {};
  SmallVector<Offset> offsets;
  for (const ColumnPair &other : pairs)
    for (int64_t part = 0; part < layout.depthParts; ++part) {
      auto offset = distanceOf(first, plan.columns[other.first]);
      if (!offset || other.distance != pair.distance ||
          !addParts(*offset, *steps, part, offsets))
        return {};
    }
  AffineExpr none = builder.getAffineConstantExpr(0);
  Place place = columnPlace(pair, isAcross ? none : matrixRow(),
                            iterator(0) + (isAcross ? matrixRow() : none));
  return loadMatrices(first, place, offsets, isAcross);
}
