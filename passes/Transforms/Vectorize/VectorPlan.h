//===- VectorPlan.h - which accesses become one vector access ---*- C++ -*-===//
//
// Groups the loads (or the stores) of a block of straight-line code whose
// addresses are 0, 1, …, W-1 elements from an aligned one into one access of W
// elements (Yang et al. 2012, section 3.1, intra-thread vectorization). Decided
// on a list of what the block does to memory, in order, instead of IR:
//
//   block (array of float)             groups for at most 16 bytes
//   load a[4*x], a[4*x+1], … + 3       {0, 1, 2, 3}, of 16 bytes
//   load a[2*x], a[2*x+1]              {0, 1}, of 8 bytes
//   load a[2*x+1], a[2*x+2]            none: 2*x+1 is not aligned
//   load a[4*x], a[4*x+2]              none: a[4*x+1] is not read
//   load a[2*x], store b[x],           {0, 2} where a and b are distinct; else
//   load a[2*x+1]                      none: the store may write a[2*x+1]
//   store c[y][4*x], c[y+1][4*x],      {0, 2, …}, {1, 3, …} where columns are
//   store c[y][4*x+1], c[y+1][4*x+1]…  known to be less than a row's length
//   load a[x], a[x+1], … + 4           with x a multiple of 4: {0, 1, 2, 3}
//
// A wide load stands where the first of its loads stood, a wide store where the
// last of its stores did: no other access to the same memory may be crossed.
// Exactly the bytes of the members are touched, each by every thread that
// makes one of the accesses. Groups are made one after the other, each checked
// against the block with the earlier ones made.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_VECTORIZE_VECTORPLAN_H
#define PASSES_TRANSFORMS_VECTORIZE_VECTORPLAN_H

#include "passes/Analysis/Polynomial.h"

#include <vector>

namespace gpuopt {

/// One thing that a block does to memory.
struct MemoryEvent {
  enum class Kind {
    Load,  ///< reads `bytes` at `address`, may become part of a group
    Store, ///< writes them, may become part of a group
    Read,  ///< reads something of `array`
    Write, ///< writes something of `array`
    Fence, ///< nothing may be moved across: a barrier, an unknown effect
    None,  ///< nothing, any more
  };

  Kind kind = Kind::Fence;
  /// Number of the array; meaningful but for fences.
  unsigned array = 0;
  /// Bytes from the start of the array. Of loads and stores.
  Polynomial address = {};
  /// Bytes of one element. Of loads and stores.
  int64_t bytes = 0;
  /// The address without its constant summand is a multiple of this. Of loads
  /// and stores.
  int64_t divisor = 1;
  /// Number of the element's type; only equal ones are grouped.
  unsigned type = 0;
  /// The subscripts, where different ones in the view numbered `view` are known
  /// to be different elements, given that those before `firstPacked` are the
  /// same; else empty. Of loads and stores.
  std::vector<Polynomial> subscripts = {};
  unsigned view = 0;
  unsigned firstPacked = 0;
  /// Elements from the subscripts on.
  int64_t lanes = 1;
};

/// Accesses that become one.
struct VectorGroup {
  /// The events, by increasing address.
  std::vector<unsigned> lanes;
  /// The event in whose place the wide access stands.
  unsigned position = 0;
  /// Bytes of which the address is known to be a multiple.
  int64_t alignment = 1;
};

/// Neighbouring accesses that stay apart.
struct VectorMiss {
  enum class Reason {
    Unaligned, ///< the address of the wide access is not known to be aligned
    Conflict,  ///< an access to memory that may be the same is in between
    Gap,       ///< an element between them is not accessed
  };
  Reason reason = Reason::Gap;
  /// The first of the accesses.
  unsigned event = 0;
  /// Of conflicts, the event that is in the way.
  unsigned conflict = 0;
  /// Of unaligned ones, the alignment in bytes that is known.
  int64_t alignment = 1;
};

struct VectorPlan {
  std::vector<VectorGroup> groups;
  std::vector<VectorMiss> misses;
};

/// Whether two arrays, given by their numbers, may overlap; never asked of an
/// array and itself.
using ArraysMayAlias = llvm::function_ref<bool(unsigned, unsigned)>;

/// Plans the groups of one block, of at most `maxBytes` bytes (a power of two).
VectorPlan planVectors(std::vector<MemoryEvent> events, int64_t maxBytes,
                       ArraysMayAlias mayAlias);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VECTORIZE_VECTORPLAN_H
