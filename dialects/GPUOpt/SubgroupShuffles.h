//===- SubgroupShuffles.h - exchange between the lanes of a subgroup ------===//
//
// Whether lanes can exchange values without workgroup memory. It follows from
// the `arch` of a machine description, the processor that code is generated
// for: NVIDIA's from compute capability 3.0 on (PTX ISA, `shfl`), AMD's from
// GCN 3 on (`ds_bpermute_b32`, gfx8).
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_SUBGROUPSHUFFLES_H
#define DIALECTS_GPUOPT_SUBGROUPSHUFFLES_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

namespace gpuopt {

/// Whether code for `target` may have shuffles of 32-bit values; false where
/// its `arch` is not of the form `sm_20` or `gfx803`.
inline bool hasSubgroupShuffles(TargetAttr target) {
  constexpr unsigned firstNVIDIA = 30, firstAMD = 8;
  llvm::StringRef arch = target.getArch();
  unsigned number = 0;
  if (target.getVendor() == Vendor::NVIDIA)
    return arch.consume_front("sm_") && !arch.consumeInteger(10, number) &&
           number >= firstNVIDIA;
  // The last two digits are minor version and stepping, which may be a letter.
  return arch.consume_front("gfx") && arch.size() > 2 &&
         !arch.drop_back(2).getAsInteger(10, number) && number >= firstAMD;
}

/// The same of the chip itself: what coalesces by half warps is older than
/// shuffles, whatever processor code is generated for in its place.
inline bool chipHasSubgroupShuffles(TargetAttr target) {
  return hasSubgroupShuffles(target) &&
         target.getCoalescing() != CoalescingRule::HalfWarp;
}

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_SUBGROUPSHUFFLES_H
