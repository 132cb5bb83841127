//===- ExpandShuffles.cpp - shuffles that the conversions get wrong -------===//
//
// A shuffle of `width` lanes works in segments: they begin at the multiples of
// the least power of two that `width` lanes fit into. A lane whose source lies
// outside of its segment keeps its own value, and nobody answers it.
//
//   width   segments of a subgroup of 64
//      64   0..63
//      32   0..31, 32..63
//       5   0..4, 8..12, 16..20, …
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDSHUFFLES
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {

/// Writes one shuffle, or what stands for one, as a read of a lane by number.
class ShuffleExpander {
public:
  ShuffleExpander(Operation *op, int64_t subgroupSize, bool isNVIDIA)
      : builder(op), loc(op->getLoc()), subgroupSize(subgroupSize),
        isNVIDIA(isNVIDIA) {}

  void expand(gpu::ShuffleOp op);
  void expand(gpu::RotateOp op);
  /// Has `op`, of less than 32 bits, move a number of 32.
  void widen(gpu::ShuffleOp op);

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        value);
  }
  template <typename OpTy>
  Value make(Value left, Value right) {
    return OpTy::create(builder, loc, left, right).getResult();
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }
  Value laneId();
  /// The first lane of the segment of `lane`.
  Value segmentStart(Value lane, Value width);
  /// Reads `value` of lane `source` of the subgroup.
  gpu::ShuffleOp read(Value value, Value source, Value width);

  OpBuilder builder;
  Location loc;
  int64_t subgroupSize;
  bool isNVIDIA;
};

struct ExpandShuffles : impl::ExpandShufflesBase<ExpandShuffles> {
  using ExpandShufflesBase::ExpandShufflesBase;

  void runOnOperation() override;
  bool isRight(gpu::ShuffleOp op);
};

} // namespace

Value ShuffleExpander::laneId() {
  Value lane = gpu::LaneIdOp::create(builder, loc, builder.getIndexType(),
                                     /*upper_bound=*/nullptr);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), lane);
}

Value ShuffleExpander::segmentStart(Value lane, Value width) {
  if (std::optional<int64_t> known = getConstantIntValue(width)) {
    int64_t length = llvm::PowerOf2Ceil(std::max<int64_t>(*known, 1));
    return make<arith::AndIOp>(lane, constant(-length));
  }
  // 1 << 32 is no number: a segment of one lane is one of two where only one
  // has a source.
  Value last =
      make<arith::OrIOp>(make<arith::SubIOp>(width, constant(1)), constant(1));
  Value leading = math::CountLeadingZerosOp::create(builder, loc, last);
  Value bits = make<arith::SubIOp>(constant(32), leading);
  return make<arith::ShLIOp>(make<arith::ShRUIOp>(lane, bits), bits);
}

/// On AMD every lane can be read; NVIDIA's lanes must be named by a mask, which
/// the conversion makes of the width.
gpu::ShuffleOp ShuffleExpander::read(Value value, Value source, Value width) {
  return gpu::ShuffleOp::create(builder, loc, value, source,
                                isNVIDIA ? width : constant(subgroupSize),
                                gpu::ShuffleMode::IDX);
}

void ShuffleExpander::expand(gpu::ShuffleOp op) {
  Value lane = laneId(), offset = op.getOffset(), width = op.getWidth();
  Value first = segmentStart(lane, width), source;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    source = make<arith::XOrIOp>(lane, offset);
    break;
  case gpu::ShuffleMode::UP:
    source = make<arith::SubIOp>(lane, offset);
    break;
  case gpu::ShuffleMode::DOWN:
    source = make<arith::AddIOp>(lane, offset);
    break;
  case gpu::ShuffleMode::IDX:
    source = make<arith::AddIOp>(first, offset);
    break;
  }
  // A source before the segment is far behind it as an unsigned number.
  Value isInside = compare(arith::CmpIPredicate::ult,
                           make<arith::SubIOp>(source, first), width);
  source = arith::SelectOp::create(builder, loc, isInside, source, lane);
  gpu::ShuffleOp read = this->read(op.getValue(), source, width);
  op.getShuffleResult().replaceAllUsesWith(read.getShuffleResult());
  op.getValid().replaceAllUsesWith(
      make<arith::AndIOp>(isInside, read.getValid()));
  op.erase();
}

void ShuffleExpander::expand(gpu::RotateOp op) {
  Value lane = laneId(), width = constant(op.getWidth());
  Value first = segmentStart(lane, width);
  Value next = make<arith::AddIOp>(lane, constant(op.getOffset()));
  Value source = make<arith::OrIOp>(
      first, make<arith::AndIOp>(next, constant(op.getWidth() - 1)));
  gpu::ShuffleOp read = this->read(op.getValue(), source, width);
  op.getRotateResult().replaceAllUsesWith(read.getShuffleResult());
  op.getValid().replaceAllUsesWith(
      compare(arith::CmpIPredicate::ult, lane, width));
  op.erase();
}

void ShuffleExpander::widen(gpu::ShuffleOp op) {
  Type type = op.getValue().getType();
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  Value value = op.getValue();
  if (type != bits)
    value = arith::BitcastOp::create(builder, loc, bits, value);
  value = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), value);
  auto wide = gpu::ShuffleOp::create(builder, loc, value, op.getOffset(),
                                     op.getWidth(), op.getMode());
  Value moved =
      arith::TruncIOp::create(builder, loc, bits, wide.getShuffleResult());
  if (type != bits)
    moved = arith::BitcastOp::create(builder, loc, type, moved);
  op.getShuffleResult().replaceAllUsesWith(moved);
  op.getValid().replaceAllUsesWith(wide.getValid());
  op.erase();
}

/// What upstream's conversion does as the operation is defined: on AMD it
/// looks at the upper end of a segment only and takes any width for a power of
/// two, on NVIDIA it reads up within the last lanes of the subgroup.
bool ExpandShuffles::isRight(gpu::ShuffleOp op) {
  std::optional<int64_t> width = getConstantIntValue(op.getWidth());
  bool isWhole = width == subgroupSize;
  if (vendor == "nvidia")
    return isWhole || op.getMode() != gpu::ShuffleMode::UP;
  std::optional<int64_t> offset = getConstantIntValue(op.getOffset());
  switch (op.getMode()) {
  case gpu::ShuffleMode::UP:
    return false;
  case gpu::ShuffleMode::IDX:
    return isWhole;
  case gpu::ShuffleMode::XOR:
  case gpu::ShuffleMode::DOWN:
    return isWhole || (width && *width > 0 && llvm::isPowerOf2_64(*width) &&
                       offset && *offset >= 0 && *offset < *width);
  }
  llvm_unreachable("unknown mode of a shuffle");
}

void ExpandShuffles::runOnOperation() {
  SmallVector<Operation *> found;
  getOperation().walk([&](Operation *op) {
    auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
    if (isa<gpu::RotateOp>(op) || (shuffle && !isRight(shuffle)))
      found.push_back(op);
  });
  for (Operation *op : found) {
    ShuffleExpander expander(op, subgroupSize, vendor == "nvidia");
    if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
      expander.expand(shuffle);
    else
      expander.expand(cast<gpu::RotateOp>(op));
  }
  expandedShuffles += found.size();
  if (vendor != "nvidia")
    return;
  // AMD's conversion takes values of every width.
  getOperation().walk([&](gpu::ShuffleOp op) {
    Type type = op.getValue().getType();
    if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 32)
      ShuffleExpander(op, subgroupSize, /*isNVIDIA=*/true).widen(op);
  });
}

} // namespace gpuopt
