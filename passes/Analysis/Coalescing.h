//===- Coalescing.h - memory requests of a subgroup as sectors --*- C++ -*-===//
//
// Whether the lanes of a subgroup touch memory in as few transactions as their
// bytes need (section 3.2 of Yang et al. 2012, for the rule that the target
// names). Pure: from an access function, a machine description and a block
// shape to a fact. For 32-byte sectors, subgroups of 32 and blocks of 32x1:
//
//   access (float)   verdict     stride  sectors/request
//   c[idx]           coalesced        4                4
//   a[0], b[i]       broadcast        0                1
//   a[2*idx]         strided          8                8
//   a[idx*w + i]     strided        4*w               32   (w large)
//   b[idx + i]       misaligned       4             39/8   (i = 0 … 15)
//
// Block ids and loop iterators are tried for their first sixteen values (the
// paper's rule: S, S + Incr, … S + 15*Incr), so `sectors / requests` is the
// mean over them; all subgroups of a block are enumerated exactly.
//
// Rules. `sectors`: a request costs the distinct sectors that its lanes touch.
// `half_warp` (compute capability 1.2 and 1.3): for each half of the subgroup,
// the 128-byte segment (64 for 2-byte, 32 for 1-byte words) of the lowest lane
// not yet served is fetched, reduced to its half or quarter where only that is
// used. Both count in units of `sector_bytes`.
//
// A parameter without a given value counts as `kAssumedSize`: large, and a
// multiple of every segment. The fact says so in `assumptions`.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_COALESCING_H
#define PASSES_ANALYSIS_COALESCING_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// What a parameter without a known value is assumed to be: a large power of
/// two, so that rows of arrays are aligned to segments.
inline constexpr int64_t kAssumedSize = 4096;

/// How many values of each loop iterator and block id are tried.
inline constexpr int64_t kTriedIterations = 16;

/// How one access uses memory transactions.
struct CoalescingFact {
  Verdict verdict = Verdict::Unresolved;
  /// Bytes from a lane to its right neighbour in x: 4 for float c[idx].
  /// 0 where lanes are not evenly spaced or unresolved.
  int64_t strideBytes = 0;
  /// `sectors` sectors in `requests` requests; in lowest terms. 39 and 8 for
  /// b[idx + i]: 4.875 sectors per request.
  int64_t sectors = 0;
  int64_t requests = 1;
  /// Lines (`line_bytes`) in the same number of requests, unreduced mean.
  double linesPerRequest = 0;
  /// Fewest sectors that hold the touched bytes, per request.
  double neededSectorsPerRequest = 0;
  /// Subgroups of a block that issue the request: 2 of 8 where it stands
  /// under `if (tid < 64)` in a block of 256. In a collective loop, the
  /// requests of all rounds that the block needs for it.
  double requestsPerBlock = 0;
  /// What had to be assumed: {"k = 4096"}.
  std::vector<std::string> assumptions;
  /// Why the verdict is `unresolved`.
  std::string reason;

  double sectorsPerRequest() const {
    return static_cast<double>(sectors) / requests;
  }
  /// True where no transaction is wasted.
  bool isCoalesced() const { return verdict == Verdict::Coalesced; }
  void print(llvm::raw_ostream &os) const;
};

/// Determines how `access` uses transactions on `target` when launched with
/// blocks of shape `block`. `sizes` gives parameters by name.
CoalescingFact computeCoalescing(const AccessFunction &access,
                                 const VariableTable &variables,
                                 TargetAttr target, const BlockShape &block,
                                 const SizeMap &sizes = {});

/// Whether a block that lies inside the bounds makes `access` at all, be its
/// address known or not: where it can be computed, `requestsPerBlock` is not 0.
/// Takes a fraction of the time, because guards depend on few iterators.
bool isReached(const AccessFunction &access, const VariableTable &variables,
               const BlockShape &block, const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_COALESCING_H
