//===- ShareHint.h - what a block works on, as the source says --*- C++ -*-===//
//
// One array of a `share` clause: `A[TBY][*]:coalesce`. Each dimension has the
// number of elements of the part that one block works on, over the block's own
// threads in x, y and z, or `*` where the compiler shall choose. `coalesce`:
// the array goes through workgroup memory since its accesses are not coalesced,
// whether it is reused or not. Source: Li et al., "Pragma Directed Shared
// Memory Centric Optimizations on GPUs", JCST 2016, section 2.1 and figure 1,
// which has no parentheses in expressions; they do no harm.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_SHAREHINT_H
#define DIALECTS_GPUOPT_SHAREHINT_H

#include "dialects/GPUOpt/ExtentExpression.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// The names of a block's threads along x, y and z in lengths.
inline constexpr llvm::StringLiteral kBlockSizeNames[] = {"TBX", "TBY", "TBZ"};

struct ShareHint {
  std::string array;
  /// Expressions over `kBlockSizeNames` (ExtentExpression.h), slowest dimension
  /// first; empty for `*`.
  std::vector<std::string> lengths;
  bool isCoalesced = false;

  /// As it is written.
  std::string toString() const;
};

/// Reads a hint from `text` at `offset`, which moves behind it. Returns what is
/// wrong, if anything is.
std::optional<TextError> parseShareHint(llvm::StringRef text, size_t &offset,
                                        ShareHint &hint);

struct HintInText {
  ShareHint hint;
  size_t offset = 0;
};

/// The same for a list, `(A[TBY][*], B[*][TBX])`, that names no array twice.
std::optional<TextError> parseShareHints(llvm::StringRef text, size_t &offset,
                                         std::vector<HintInText> &hints);

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_SHAREHINT_H
