//===- VectorWidth.h - how wide a target likes accesses ---------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H
#define PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

namespace gpuopt {

/// Bytes of the access of one thread that `target` prefers: its
/// `vector_elements` words, at most what an instruction moves.
inline int64_t preferredAccessBytes(TargetAttr target) {
  constexpr int64_t wordBytes = 4, widestBytes = 16;
  return std::min(widestBytes, target.getVectorElements() * wordBytes);
}

/// Whether it is worth unrolling loops or merging threads for wide accesses.
/// On NVIDIA devices that prefer pairs of words these are less than 3 % faster
/// than words (Yang et al. 2012, section 3.1 and figure 4): there only accesses
/// that the source has side by side become one.
inline bool gainsFromWideAccesses(TargetAttr target) {
  return target.getVendor() != Vendor::NVIDIA || target.getVectorElements() > 2;
}

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_VECTORWIDTH_H
