//===- KernelGenerator.h - random kernels in the raised form ----*- C++ -*-===//
//
// Kernels that are legal by construction at the launch that they come with:
//
//   * the generator knows an interval of every integer. `nsw` is only given
//     where the result fits, divisors are positive, shifts are by fewer bits
//     than there are, and subscripts are reduced until they lie in the array;
//   * an array that is written is only read by the work item that owns the
//     element, or it takes nothing but atomic operations whose results nobody
//     looks at;
//   * barriers and shuffles stand where all threads of a block get to, and
//     workgroup memory is read between a barrier behind its stores and one in
//     front of the next;
//   * one seed in eight gives a kernel whose launch meets as a whole
//     (`gpuopt.grid_barrier`): one array is written by its elements' owners and
//     read by all, with such a barrier in between each time.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_FUZZ_KERNELGENERATOR_H
#define TEST_FUZZ_KERNELGENERATOR_H

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace gpuopt::fuzz {

/// A module with one kernel, `k`, and a launch for it.
struct GeneratedKernel {
  std::string text;
  /// Scalar parameters, and numbers of elements of the arrays.
  std::map<std::string, int64_t> sizes;
  /// Parameter to the parameter before it whose array it gets as well.
  std::map<std::string, std::string> sameArrays;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
};

/// The kernel of `seed`, always the same.
GeneratedKernel generateKernel(uint64_t seed);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_KERNELGENERATOR_H
