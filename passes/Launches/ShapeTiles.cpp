//===- ShapeTiles.cpp - give flat workgroup arrays their rows -------------===//
//
// find a length of rows that splits each subscript → split the array's type and
// the subscripts.
//
//===----------------------------------------------------------------------===//

#include "passes/Launches/ShapeTiles.h"

#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Remarks.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <set>

using namespace mlir;
using namespace gpuopt;

namespace {
/// A flat subscript as a sum.
struct FlatSubscript {
  /// What each dimension or symbol of the access's map is multiplied with.
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
};

/// The subscripts of an access in rows of some length.
struct RowAndColumn {
  AffineExpr row, column;
};
} // namespace

/// The map of a load or store of one element of a flat array, and its operands.
static std::optional<std::pair<AffineMap, ValueRange>> flatAccess(Operation *op,
                                                                  Value array) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return std::pair(load.getAffineMap(), ValueRange(load.getMapOperands()));
  auto store = dyn_cast<affine::AffineStoreOp>(op);
  if (!store || store.getValueToStore() == array)
    return std::nullopt;
  return std::pair(store.getAffineMap(), ValueRange(store.getMapOperands()));
}

/// The length of the rows of `op`, a view of the whole flat array of `size`
/// elements that is only loaded from and stored to; nothing where it is not.
static std::optional<int64_t> rowsOfView(Operation *op, int64_t size) {
  auto view = dyn_cast<memref::ReinterpretCastOp>(op);
  if (!view || !view.getType().hasStaticShape() ||
      view.getType().getRank() != 2 ||
      view.getStaticOffsets() != ArrayRef<int64_t>{0})
    return std::nullopt;
  int64_t width = view.getType().getDimSize(1);
  bool isWhole = view.getType().getNumElements() == size &&
                 view.getStaticStrides() == ArrayRef<int64_t>{width, 1};
  bool isAccessed = llvm::all_of(view->getUsers(), [](Operation *user) {
    return isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
               memref::StoreOp>(user);
  });
  return isWhole && isAccessed ? std::optional(width) : std::nullopt;
}

/// Reads a subscript that is a sum of multiples of its operands.
static std::optional<FlatSubscript> readSubscript(AffineMap map) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(map.getResult(0), map.getNumDims(),
                                    map.getNumSymbols(), &flat)) ||
      flat.size() != map.getNumInputs() + 1)
    return std::nullopt;
  FlatSubscript subscript;
  subscript.constant = flat.pop_back_val();
  subscript.coefficients = std::move(flat);
  return subscript;
}

/// `subscript` in rows of `width`: multiples of that are rows. The column is
/// proven to stay in the row.
static std::optional<RowAndColumn>
splitSubscript(const FlatSubscript &subscript, int64_t width, AffineMap map,
               ValueRange operands, IntegerValues &values) {
  MLIRContext *context = map.getContext();
  AffineExpr row = getAffineConstantExpr(0, context), column = row;
  for (auto [input, coefficient] : llvm::enumerate(subscript.coefficients)) {
    AffineExpr variable =
        input < map.getNumDims()
            ? getAffineDimExpr(input, context)
            : getAffineSymbolExpr(input - map.getNumDims(), context);
    if (coefficient % width == 0)
      row = row + variable * (coefficient / width);
    else
      column = column + variable * coefficient;
  }
  int64_t rows = llvm::divideFloorSigned(subscript.constant, width);
  // `tx - 1` in row `ty + 1` is `16 * ty + tx + 15`.
  for (int64_t ofRow : {rows, rows + 1}) {
    AffineExpr shifted = column + (subscript.constant - ofRow * width);
    AffineMap columns =
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), shifted);
    Interval range = values.getRange(values.get(columns, operands).front());
    if (range.low >= 0 && range.high < width)
      return RowAndColumn{row + ofRow, shifted};
  }
  return std::nullopt;
}

/// Whether all that is accessed through `view` is proven to stay in its rows.
/// Views promise no more than addresses.
static bool staysInRows(Operation *view, int64_t width, IntegerValues &values) {
  auto columnOf = [&](Operation *user) {
    if (auto load = dyn_cast<memref::LoadOp>(user))
      return values.getExact(load.getIndices()[1], false).value;
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return values.getExact(store.getIndices()[1], false).value;
    if (auto load = dyn_cast<affine::AffineLoadOp>(user))
      return values.get(load.getAffineMap(), load.getMapOperands())[1];
    auto store = cast<affine::AffineStoreOp>(user);
    return values.get(store.getAffineMap(), store.getMapOperands())[1];
  };
  return llvm::all_of(view->getUsers(), [&](Operation *user) {
    Interval range = values.getRange(columnOf(user));
    return range.low >= 0 && range.high < width;
  });
}

/// The accesses of a flat array with their subscripts in rows of `width`;
/// nothing where one is not split by it.
static std::optional<SmallVector<std::pair<Operation *, RowAndColumn>>>
splitAll(Value array, int64_t width, IntegerValues &values) {
  SmallVector<std::pair<Operation *, RowAndColumn>> all;
  int64_t size = cast<MemRefType>(array.getType()).getDimSize(0);
  for (Operation *user : array.getUsers()) {
    if (std::optional<int64_t> rows = rowsOfView(user, size)) {
      if (*rows != width || !staysInRows(user, width, values))
        return std::nullopt;
      continue;
    }
    auto [map, operands] = *flatAccess(user, array);
    std::optional<RowAndColumn> split =
        splitSubscript(*readSubscript(map), width, map, operands, values);
    if (!split)
      return std::nullopt;
    all.emplace_back(user, *split);
  }
  return all;
}

template <typename Access>
static void setSubscripts(Access access, const RowAndColumn &subscripts) {
  AffineMap map = access.getAffineMap();
  access.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                               {subscripts.row, subscripts.column},
                               map.getContext()));
}

/// Returns why the array stays flat; nothing where it does not, or never was.
static std::optional<std::string> shape(gpu::GPUFuncOp kernel,
                                        BlockArgument array) {
  auto type = cast<MemRefType>(array.getType());
  if (type.getRank() != 1 || !type.hasStaticShape() ||
      !type.getLayout().isIdentity())
    return std::nullopt;
  int64_t size = type.getDimSize(0);
  std::set<int64_t, std::greater<>> widths;
  for (Operation *user : array.getUsers()) {
    if (std::optional<int64_t> rows = rowsOfView(user, size)) {
      widths.insert(*rows);
      continue;
    }
    auto access = flatAccess(user, array);
    if (!access)
      return "it is used by more than affine loads and stores";
    std::optional<FlatSubscript> subscript = readSubscript(access->first);
    if (!subscript)
      return "a subscript is no sum of multiples of ids and iterators";
    for (int64_t coefficient : subscript->coefficients)
      if (coefficient > 1 && coefficient < size && size % coefficient == 0)
        widths.insert(coefficient);
  }
  // An array of one row.
  if (widths.empty())
    return std::nullopt;
  IntegerValues values(kernel);
  for (int64_t width : widths) {
    auto accesses = splitAll(array, width, values);
    if (!accesses)
      continue;
    array.setType(MemRefType::get({size / width, width}, type.getElementType(),
                                  MemRefLayoutAttrInterface(),
                                  type.getMemorySpace()));
    for (Operation *user : llvm::to_vector(array.getUsers()))
      if (auto view = dyn_cast<memref::ReinterpretCastOp>(user)) {
        view.getResult().replaceAllUsesWith(array);
        view.erase();
      }
    for (auto &[op, subscripts] : *accesses) {
      if (auto load = dyn_cast<affine::AffineLoadOp>(op))
        setSubscripts(load, subscripts);
      else
        setSubscripts(cast<affine::AffineStoreOp>(op), subscripts);
    }
    sayPassed(RemarkCode::TileShaped, kernel, array.getLoc(),
              {{"rows", size / width}, {"width", width}});
    return std::nullopt;
  }
  return "no length of rows keeps every subscript in its row";
}

unsigned gpuopt::shapeTiles(gpu::GPUFuncOp kernel) {
  unsigned numShaped = 0;
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    Type before = array.getType();
    if (std::optional<std::string> reason = shape(kernel, array))
      sayMissed(RemarkCode::TileNotShaped, kernel,
                Refusal{array.getLoc(), *reason});
    numShaped += array.getType() != before;
  }
  return numShaped;
}
