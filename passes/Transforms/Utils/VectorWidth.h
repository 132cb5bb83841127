//===- VectorWidth.h - how wide a target likes accesses ---------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H
#define PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

namespace gpuopt {

/// Bytes of the widest access of one thread: `width` where a pass option gives
/// it (not 0), else what `target` prefers: its `vector_elements` words, at most
/// what an instruction moves.
inline int64_t preferredAccessBytes(TargetAttr target, int64_t width = 0) {
  constexpr int64_t wordBytes = 4, widestBytes = 16;
  if (width != 0)
    return width;
  return std::min(widestBytes, target.getVectorElements() * wordBytes);
}

/// Checks the pass option `width` at `op`: 0, 2, 4, 8 or 16.
inline mlir::LogicalResult checkAccessBytes(mlir::Operation *op,
                                            int64_t width) {
  if (width == 0 || (width >= 2 && width <= 16 && llvm::isPowerOf2_64(width)))
    return mlir::success();
  return op->emitError("expected a width of 2, 4, 8 or 16 bytes, got ")
         << width;
}

/// Whether it is worth unrolling loops or merging threads for wide accesses.
/// On NVIDIA devices that prefer pairs of words these are less than 3 % faster
/// than words (Yang et al. 2012, section 3.1 and figure 4): there only accesses
/// that the source has side by side become one, unless a pass option asks for a
/// `width`.
inline bool gainsFromWideAccesses(TargetAttr target, int64_t width = 0) {
  constexpr int64_t wordBytes = 4;
  if (width != 0)
    return width > wordBytes;
  return target.getVendor() != Vendor::NVIDIA || target.getVectorElements() > 2;
}

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H
