//===- RequestCost.h - what one memory request costs ------------*- C++ -*-===//
//
// Pure: from the addresses of a subgroup's lanes and a machine description to
// transactions and wavefronts. What is known before a run (Coalescing.h,
// BankConflicts.h) and what is seen in one (tools/lib/profile/ProfileSink.h) is
// judged by the same rules. Floats, 32 lanes, sectors of 32 bytes:
//
//   addresses             sectors  needed  lines  used bytes
//   4 * lane                    4       4      1         128
//   4 * lane + 4                5       4      2         128
//   12 * lane                  12       4      3         128
//   0                           1       1      1           4
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REQUESTCOST_H
#define PASSES_ANALYSIS_REQUESTCOST_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace gpuopt {

/// One request to global memory, or the sum of several.
struct RequestCost {
  /// Transactions by the target's rule, in units of its `sector_bytes`.
  int64_t sectors = 0;
  /// Fewest sectors that hold the touched bytes, of each coalesced group.
  int64_t neededSectors = 0;
  int64_t lines = 0;
  /// Fewest lines that hold the touched bytes.
  int64_t neededLines = 0;
  /// Different bytes that are touched.
  int64_t usedBytes = 0;
};

/// After how many bytes the segments of all rules repeat.
int64_t segmentPeriod(TargetAttr target);

/// The cost of a request of lanes `lanes` (ascending), of which each accesses
/// `accessBytes` at its byte address in `addresses`, moved by `shift`.
RequestCost computeRequestCost(llvm::ArrayRef<int64_t> lanes,
                               llvm::ArrayRef<int64_t> addresses, int64_t shift,
                               int64_t accessBytes, TargetAttr target);

/// The verdict on requests that cost `total`, of `activeLanes` lanes that are
/// `stride` bytes apart; no stride where they are not evenly spaced.
Verdict judgeRequests(const RequestCost &total, std::optional<int64_t> stride,
                      int64_t activeLanes, int64_t accessBytes);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REQUESTCOST_H
