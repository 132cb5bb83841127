//===- WarpgroupLayout.cpp - tiles of warpgroup products ------------------===//

#include "passes/Transforms/Banks/WarpgroupLayout.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Transforms/Banks/LayoutRewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

static SmallVector<MatrixDescriptorOp> matricesOf(BlockArgument array) {
  SmallVector<MatrixDescriptorOp> matrices;
  for (Operation *user : array.getUsers())
    if (auto matrix = dyn_cast<MatrixDescriptorOp>(user))
      matrices.push_back(matrix);
  return matrices;
}

bool gpuopt::hasMatricesOfWarpgroups(BlockArgument array) {
  return !matricesOf(array).empty();
}

bool gpuopt::awaitsWarpgroupLayout(BlockArgument array) {
  return llvm::any_of(matricesOf(array), [](MatrixDescriptorOp matrix) {
    return !matrix.getPanelBytes();
  });
}

namespace {
/// Finds the place of one element.
class ElementPlace {
public:
  ElementPlace(OpBuilder &opBuilder, Location location)
      : builder(opBuilder), loc(location) {}

  /// See WarpgroupLayout.h.
  Value line(Value line, std::optional<int64_t> interleave);
  /// `column` xor (`line` mod 8) * `chunk`.
  Value swizzle(Value column, Value line, int64_t chunk);
  Value divide(Value value, int64_t divisor) {
    return arith::DivUIOp::create(builder, loc, value, constant(divisor));
  }
  Value remainder(Value value, int64_t divisor) {
    return arith::RemUIOp::create(builder, loc, value, constant(divisor));
  }
  Value scale(Value value, int64_t factor) {
    return arith::MulIOp::create(builder, loc, value, constant(factor));
  }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, loc, left, right);
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

/// Lines of a pattern.
static constexpr int64_t kLines = 8, kLineBytes = 128, kChunkBytes = 16;

Value ElementPlace::line(Value line, std::optional<int64_t> interleave) {
  if (!interleave)
    return line;
  int64_t n = *interleave;
  Value half = remainder(divide(line, n), 2);
  Value eight = divide(remainder(line, n), kLines);
  Value inPair = add(remainder(line, kLines),
                     add(scale(half, kLines), scale(eight, 2 * kLines)));
  return add(inPair, scale(divide(line, 2 * n), 2 * n));
}

Value ElementPlace::swizzle(Value column, Value line, int64_t chunk) {
  return arith::XOrIOp::create(builder, loc, column,
                               scale(remainder(line, kLines), chunk));
}

std::optional<Refusal> gpuopt::applyWarpgroupLayout(BlockArgument array) {
  SmallVector<MatrixDescriptorOp> matrices = matricesOf(array);
  MatrixDescriptorOp first = matrices.front();
  std::optional<int64_t> interleave = first.getInterleave();
  bool isTransposed = first.getTransposed();
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t &rows = shape[shape.size() - 2], &columns = shape.back();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t width = kLineBytes / bytes, chunk = kChunkBytes / bytes;
  int64_t depth = isTransposed ? rows : columns;
  int64_t lines = isTransposed ? columns : rows;
  bool isKnown = (isTransposed ? depth % kLines == 0 && lines % width == 0
                               : depth == width && lines % kLines == 0) &&
                 (!interleave || lines % (2 * *interleave) == 0) &&
                 llvm::all_of(matrices, [&](MatrixDescriptorOp matrix) {
                   return matrix.getInterleave() == interleave &&
                          matrix.getTransposed() == isTransposed &&
                          !matrix.getPanelBytes();
                 });
  if (!isKnown)
    return Refusal{first.getLoc(),
                   "the tile has no lines of 128 bytes, or different ones"};
  if (isTransposed) {
    rows = lines / width * depth;
    columns = width;
  }
  moveElements(
      array, shape,
      [&](OpBuilder &builder, Location loc, MutableArrayRef<Value> indices) {
        ElementPlace place(builder, loc);
        Value &row = indices[indices.size() - 2];
        Value &column = indices.back();
        if (!isTransposed) {
          row = place.line(row, interleave);
          column = place.swizzle(column, row, chunk);
          return;
        }
        Value line = place.line(column, interleave);
        column = place.swizzle(place.remainder(line, width), row, chunk);
        row = place.add(place.scale(place.divide(line, width), depth), row);
      });
  int64_t panelBytes = isTransposed ? depth * kLineBytes : 0;
  for (MatrixDescriptorOp matrix : matrices)
    matrix.setPanelBytes(panelBytes);
  return std::nullopt;
}
