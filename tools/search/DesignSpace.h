//===- DesignSpace.h - which designs are worth a look -----------*- C++ -*-===//
//
// The space of Yang et al. 2012, section 4.1 and figure 12, and beyond:
//
//   block       the shape that gpuopt-assign-geometry chooses, and one row of
//               `coalesced_threads`, from which the paper starts
//   blocks      1, 2, 4, 8, 16 along each dimension that has blocks, up to what
//               a block may hold
//   threads     1, 2, 4, 8, 16 along each of them
//   contiguous  as many neighbours as make vectors, or none
//   stages      what gpuopt-prefetch-tiles chooses, 1 to 4
//   width       what the target prefers, 8 or 16 bytes
//   group       what gpuopt-swizzle-blocks chooses, and of 1 to 32 the one that
//               the model ranks first
//   resident    one block on a multiprocessor, and one more than there is room
//               for where it is for want of registers
//
// Most of these designs need not be made to be known as slow: a profile of the
// kernel before merging tells what merging makes of it (KernelProfile.h). So
// the search makes *candidates*: the sixteen designs of figure 12, and those
// that the model ranks first; and of the best of these, in a second step, the
// other ownerships, stages, widths, orders of blocks and bounds of registers.
// Where the passes have warpgroups multiply tiles (docs/tensor.md), blocks of
// one and two warpgroups with 64 to 256 columns are candidates, too.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_SEARCH_DESIGNSPACE_H
#define TOOLS_SEARCH_DESIGNSPACE_H

#include "tools/search/Variant.h"

namespace gpuopt {

/// The part of the space that merging spans.
class DesignSpace {
public:
  /// `bases`: the kernel before merging, one for each shape of its block.
  DesignSpace(std::vector<Variant> bases, TargetAttr target, const Dim3 &items);

  /// How many designs there are.
  int64_t size() const { return designs.size(); }

  /// What figure 12 tries: for the paper's block, the most blocks of which two
  /// fit on a multiprocessor, and 1, 2, 4, 8 threads along x and y.
  std::vector<Design> paperDesigns() const;

  /// The `count` designs that the model ranks first, best first; ties in the
  /// order of the space.
  std::vector<Design> bestPredicted(size_t count) const;

private:
  struct Point {
    Design design;
    double seconds;
  };
  void addPoints(const Variant &base);
  void addPoint(const Variant &base, const ProfileMerge &merge);
  std::array<bool, 3> mergeable(const Variant &base) const;
  bool isLegalMerge(const Variant &base, const Dim3 &blocks,
                    int64_t blocksPerMultiprocessor) const;

  std::vector<Variant> bases;
  TargetAttr target;
  Dim3 items;
  std::vector<Point> designs;
};

/// The shapes of blocks before merging that are tried beside the default one.
std::vector<std::vector<int64_t>> blockShapes(const Variant &base,
                                              TargetAttr target);

/// Blocks of other numbers of warpgroups and columns than `own`, whose tiles
/// warpgroups multiply.
std::vector<Design> warpgroupDesigns(const Variant &own);

/// Other choices of a design that turned out well, all but its merges.
std::vector<Design> refinements(const Variant &variant,
                                const VariantMaker &maker, TargetAttr target);

} // namespace gpuopt

#endif // TOOLS_SEARCH_DESIGNSPACE_H
