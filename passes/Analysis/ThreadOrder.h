//===- ThreadOrder.h - which thread dimension should be x -------*- C++ -*-===//
//
// Threads are grouped by threadIdx.x, so neighbours along x should access
// neighbouring memory. Which of a block's dimensions should be x is the 0/1
// program of Fauzia, Pouchet and Sadayappan, "Characterizing and Enhancing
// Global Memory Data Coalescing on GPUs" (CGO 2015), section 4.2.2. For each
// access R and dimension d, with 32 threads along d alone:
//
//   c(d)  they lie side by side             out[x*h + y]   along y
//   u(d)  they lie far apart                out[x*h + y]   along x
//   z(d)  all access the same               in[x]          along y
//
// and with N larger than the number of accesses, p a permutation matrix,
//
//   minimise  sum over R of w_R * sum over d of p(1,d) * (c(d) + z(d) + N*u(d))
//
// where w_R is how often a thread executes R. Only the first row of p counts,
// so that there are three cases, which are tried. Of equal ones that with the
// fewest sectors wins, then the one that leaves the most in its place.
//
//   kernel                  x   y        x should be
//   out[x*h + y] = in[x]    u   c
//                           c   z        y
//   out[x*h + y] = in[y*w + x]
//                           u   c
//                           c   u        x, as it is
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_THREADORDER_H
#define PASSES_ANALYSIS_THREADORDER_H

#include "passes/Analysis/Coalescing.h"

namespace gpuopt {

/// How the threads that lie side by side along one dimension access memory.
enum class LaneStride {
  Zero, ///< all the same
  Unit, ///< side by side: their bytes need no more sectors than a copy's
  Large,
  Unknown ///< the address is unresolved
};

/// One access, by dimension of the thread id.
struct AccessStrides {
  MemorySpace space = MemorySpace::Global;
  std::array<LaneStride, 3> strides = {LaneStride::Zero, LaneStride::Zero,
                                       LaneStride::Zero};
  /// What a request costs: sectors, or wavefronts of workgroup memory.
  std::array<double, 3> cost = {1, 1, 1};
  /// How often a thread executes it.
  double executions = 1;
  /// It is a load in a loop: tiles that the threads load together, or a cache,
  /// make good for lanes that lie far apart.
  bool isRepeatedLoad = false;
};

/// Dimensions from the fastest to the slowest; {1, 0, 2} makes y to x.
using DimensionOrder = std::array<unsigned, 3>;

inline constexpr DimensionOrder kKeptOrder = {0, 1, 2};

/// The order that makes `fastest` to x and moves only one other.
inline DimensionOrder orderWithFastest(unsigned fastest) {
  DimensionOrder order = kKeptOrder;
  std::swap(order[0], order[fastest]);
  return order;
}

/// The strides of all accesses of a kernel along x and the dimensions in
/// `candidates`; those along others stay as they are by default.
std::vector<AccessStrides>
collectStrides(const AccessFunctions &functions, TargetAttr target,
               const std::array<bool, 3> &candidates,
               const SizeMap &sizes = {});

/// What the program minimises, with `fastest` as x.
double threadOrderObjective(llvm::ArrayRef<AccessStrides> accesses,
                            unsigned fastest);

/// Solves the program over the dimensions in `candidates`.
unsigned solveThreadOrder(llvm::ArrayRef<AccessStrides> accesses,
                          const std::array<bool, 3> &candidates);

/// How many accesses of global memory are uncoalesced with `fastest` as x.
unsigned countUncoalesced(llvm::ArrayRef<AccessStrides> accesses,
                          unsigned fastest);

/// Whether `fastest` is better than x beyond doubt: every address of global
/// memory is known, fewer accesses of it are uncoalesced, no other ones but
/// loads in loops, the sectors become fewer, and no access of workgroup memory
/// is known to take more wavefronts. A product of rows and rows has its two
/// loads change places, and gains a store:
///
///   for (i) s += a[x*k + i] * b[y*k + i]; c[x*n + y] = s      y is better
bool isClearlyBetter(llvm::ArrayRef<AccessStrides> accesses, unsigned fastest);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_THREADORDER_H
