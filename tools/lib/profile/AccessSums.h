//===- AccessSums.h - what the sinks of launches add up to ------*- C++ -*-===//

#ifndef TOOLS_LIB_PROFILE_ACCESSSUMS_H
#define TOOLS_LIB_PROFILE_ACCESSSUMS_H

#include "tools/lib/profile/Profile.h"

namespace gpuopt {

/// How many threads in a row are neighbours: the first dimension that has any,
/// in an order from the fastest to the slowest.
int64_t rowLength(const Dim3 &block, const std::array<unsigned, 3> &order);

/// Puts the sites of all sinks of a launch that are the same access of the
/// source together, in the order of the code. Where `isExact`, all blocks ran,
/// and the sinks have kept their addresses.
std::vector<AccessMeasurement>
collectAccesses(llvm::ArrayRef<std::unique_ptr<ProfileSink>> sinks,
                TargetAttr target, bool isExact);

/// Adds those of another launch of the kernel. Gaps and footprints are those of
/// the launch where they are largest.
void addAccesses(std::vector<AccessMeasurement> &accesses,
                 std::vector<AccessMeasurement> more);

/// Nothing where the traffic to DRAM is not known.
std::optional<Roofline> findRoofline(const KernelMeasurement &profile,
                                     TargetAttr target);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_ACCESSSUMS_H
