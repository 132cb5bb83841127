//===- FragmentLayout.h - which lane holds what of a matrix -----*- C++ -*-===//
//
// The operands of a matrix unit are spread over the lanes of a subgroup. With
// g = lane / 4 and c = lane % 4, lane g * 4 + c of `mma.sync` holds (PTX ISA,
// "Matrix Fragments for mma"):
//
//   rows       element e of part (h, d): row g + 8 h, product (4 d + c) * p + e
//   columns    element e of part d:      column g,    product (4 d + c) * p + e
//   sums       element e of part h:      row g + 8 h, column 2 c + e
//
// with p elements in a part: as many as 32 bits hold, or one of 64 bits.
//
//   unit         p   h         d
//   m16n8k16 f16 2   0, 1      0, 1
//   m16n8k32 s8  4   0, 1      0, 1
//   m16n8k16 s8  4   0, 1      0
//   m8n8k4 f64   1   0         0
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TENSOR_FRAGMENTLAYOUT_H
#define PASSES_TRANSFORMS_TENSOR_FRAGMENTLAYOUT_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include <optional>

namespace gpuopt {

struct FragmentLayout {
  /// Lanes that share a row of sums, and rows that lanes have at a time.
  static constexpr int64_t kLanesOfRow = 4, kRowsOfLanes = 8;
  /// Neighbouring columns of sums that a lane holds.
  static constexpr int64_t kColumns = 2;

  int64_t packed = 1;     ///< elements of a part: p
  int64_t rowParts = 1;   ///< h
  int64_t depthParts = 1; ///< d

  int64_t depth() const { return kLanesOfRow * packed * depthParts; }
  int64_t rows() const { return kRowsOfLanes * rowParts; }
  int64_t columns() const { return kLanesOfRow * kColumns; }
};

/// The layout of `unit`; nothing where it is none of the above.
inline std::optional<FragmentLayout> layoutOf(MatrixUnitAttr unit) {
  FragmentLayout layout;
  layout.packed =
      std::max<int64_t>(32 / unit.getOperands().getIntOrFloatBitWidth(), 1);
  layout.rowParts = unit.getRows() / FragmentLayout::kRowsOfLanes;
  layout.depthParts =
      unit.getDepth() / (FragmentLayout::kLanesOfRow * layout.packed);
  bool isKnown = layout.rows() == unit.getRows() &&
                 layout.columns() == unit.getColumns() &&
                 layout.depth() == unit.getDepth();
  return isKnown ? std::optional(layout) : std::nullopt;
}

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_FRAGMENTLAYOUT_H
