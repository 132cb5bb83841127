//===- Alignment.h - what addresses are multiples of ------------*- C++ -*-===//
//
// A vector access needs an address that is a multiple of its bytes. What is
// known about that follows from the array's first byte and from the access
// function: the summands of the address, their factors, and the steps of loops.
//
//   array of float (first byte at a multiple of 16)   address     bytes
//   a[4*tx]                                            16*tx         16
//   a[idy * 128 + i], i = 0 to n step 2        512*idy + 4*i          8
//   a[idy * n + i], i = 0 to n step 4          4*n*idy + 4*i          4
//   a[idy * ((n floordiv 4) * 4) + i], same   16*(..)*idy + 4*i      16
//
// The last line is how a test `n mod 4 == 0` reaches the accesses under it: the
// size is written as a multiple of 4 there, and `memref.assume_alignment`
// tells about the first byte.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_ALIGNMENT_H
#define PASSES_TRANSFORMS_UTILS_ALIGNMENT_H

#include "passes/Analysis/AccessFunction.h"

#include <map>

namespace gpuopt {

/// The largest alignment that is told apart, in bytes; 0 is a multiple of it.
inline constexpr int64_t kMostAlignment = 256;

/// The largest power of two, at most `kMostAlignment`, that is known to divide
/// `polynomial` whatever its variables are. `multiples`: what some variables
/// are taken for multiples of.
int64_t provenDivisor(const Polynomial &polynomial,
                      const VariableTable &variables,
                      const std::map<unsigned, int64_t> &multiples = {});

/// Bytes to which the first byte behind all views of `memref` is aligned.
int64_t provenBaseAlignment(mlir::Value memref);

/// Bytes of which the address of `access` is known to be a multiple for every
/// thread that makes it: a power of two, at most `kMostAlignment`. 1 where the
/// access is not resolved or was built by hand without a base.
int64_t provenAlignment(const AccessFunction &access,
                        const VariableTable &variables);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_ALIGNMENT_H
