//===- Footprint.h - what neighbours touch of an array ----------*- C++ -*-===//
//
// Internal to passes/Analysis. A *footprint* is the set of elements of an array
// that one access touches over all threads of a block and all iterations of
// the loops around it (or over the iterations alone, for one thread). From one
// block to the next along x the footprint moves; how, and how much of it two
// blocks have in common, is found from the address function:
//
//   image[idy + i][idx + j]     address 4*W*(16*by + ty + i) + 4*(16*bx + tx +
//   j)
//
// is a position on two *axes*, that of W (a row) and that of 1. Along x only
// the second one matters: the points tx + j, 0 … 46 for 16 threads and 32
// iterations, which move by 16 from block to block. 31 of 47 are common to
// neighbours. Where ids and iterators enter otherwise than by a factor each
// (quotients, remainders), addresses are enumerated for the first iterations.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_FOOTPRINT_H
#define PASSES_ANALYSIS_FOOTPRINT_H

#include "passes/Analysis/AccessFunction.h"

#include <map>

namespace gpuopt {

/// Whose footprints are compared: the blocks, or the threads of a block, along
/// one dimension.
struct FootprintQuery {
  const AccessFunction &access;
  const VariableTable &variables;
  const BlockShape &block;
  const SizeMap &sizes;
  Neighbours between;
  unsigned dimension;

  /// The id that tells the neighbours apart.
  unsigned subject() const {
    return between == Neighbours::Blocks ? VariableTable::blockId(dimension)
                                         : VariableTable::threadId(dimension);
  }
  /// Whether `number` takes several values within one footprint.
  bool variesWithin(unsigned number) const;
  /// Whether `polynomial` is not the same for all neighbours.
  bool dependsOnSubject(const Polynomial &polynomial) const;
  /// How many neighbours are looked at.
  int64_t instances() const;
};

/// The footprints of the first neighbours.
class Footprints {
public:
  /// Nothing where the address cannot be computed.
  static std::optional<Footprints> compute(const FootprintQuery &query);

  int64_t instances() const { return count; }
  /// Elements that neighbour `instance` touches, as far as they differ from
  /// those of others: without the axes along which nothing moves.
  int64_t size(int64_t instance) const { return common(instance, instance); }
  /// How many of them two neighbours both touch.
  int64_t common(int64_t left, int64_t right) const;
  /// The same for segments of `bytes` bytes; 0 where rows move.
  int64_t commonSegments(int64_t left, int64_t right, int64_t bytes,
                         int64_t accessBytes) const;

private:
  /// Ascending.
  using Points = std::vector<int64_t>;
  /// Positions that are multiples of one polynomial.
  struct Axis {
    Polynomial unit;
    /// Of all neighbours, or of each.
    std::vector<Points> points = {{0}};
    /// What is to be added to them, by neighbour.
    std::vector<int64_t> offsets = {};
    bool moves() const;
    const Points &of(int64_t instance) const {
      return points[points.size() == 1 ? 0 : instance];
    }
    /// Points in common, by distance, where all neighbours have the same.
    mutable std::map<int64_t, int64_t> known = {};
    int64_t common(int64_t left, int64_t right) const;
  };

  bool separate(const FootprintQuery &query);
  bool enumerate(const FootprintQuery &query);
  Axis &axisOf(const Polynomial &factor, int64_t &multiple);

  int64_t count = 0;
  std::vector<Axis> axes;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_FOOTPRINT_H
