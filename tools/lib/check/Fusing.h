//===- Fusing.h - which products and sums may be fused ----------*- C++ -*-===//
//
// PTX says of each operation how it is rounded, but for products and sums
// without a rounding mode, which may be fused, and for those that the ISA gives
// a bound for only. Two kernels that have none of them give the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_FUSING_H
#define TOOLS_LIB_CHECK_FUSING_H

#include "llvm/IR/Module.h"

namespace gpuopt {

/// What a kernel, or what it calls, has.
struct RoundingFacts {
  bool fuses = false;
  /// A product and a sum that the compiler may fuse.
  bool mayFuse = false;
  /// Approximations, products of matrices and the like.
  bool isOpen = false;
};

RoundingFacts roundingFactsOf(const llvm::Module &module,
                              llvm::StringRef symbol);

/// Whether one of two may have fused what the other has not.
bool mayDifferByFusing(const RoundingFacts &one, const RoundingFacts &other);

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_FUSING_H
