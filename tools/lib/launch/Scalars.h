//===- Scalars.h - elements of arrays as bytes and numbers ------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_SCALARS_H
#define TOOLS_LIB_LAUNCH_SCALARS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <random>
#include <string>

namespace gpuopt {

/// The bits of an integer of the type.
inline unsigned integerBits(const ElementType &type) {
  return type.kind == ElementKind::Bool ? 1 : 8 * type.bytes;
}

/// Whether scalars of the type are integers, or floating-point numbers.
inline bool isInteger(const ElementType &type) {
  return type.kind == ElementKind::SignedInt ||
         type.kind == ElementKind::UnsignedInt ||
         type.kind == ElementKind::Bool;
}
inline bool isFloat(const ElementType &type) {
  return type.kind == ElementKind::Float || type.kind == ElementKind::BFloat;
}

/// Each array gets its own generator, so that an array's contents depend on
/// the seed and its name only, not on what there is besides.
std::mt19937_64 generatorFor(uint64_t seed, llvm::StringRef name);

/// Stores `value`, converted to one scalar of `type`, at `bytes`.
void storeScalar(const ElementType &type, double value, uint8_t *bytes);

/// Loads one scalar of `type`. Integers of 64 bits may lose low bits.
double loadScalar(const ElementType &type, const uint8_t *bytes);

/// Fills `size` bytes with random elements of `type`: numbers whose magnitude
/// is in [1/4, 1] (so that neither sums nor quotients run away) for floats,
/// small non-negative ones for integers (so that they may serve as indices).
void fillRandom(const ElementType &type, std::mt19937_64 &random,
                uint8_t *bytes, size_t size);

/// Fills them with integers below `end`, in rising order where wanted. As long
/// as there are others, no two are equal: threads that store where they tell do
/// not race.
void fillSubscripts(const ElementType &type, std::mt19937_64 &random,
                    uint64_t end, bool isRising, uint8_t *bytes, size_t size);

/// Fills them with what goes wrong most easily, in runs of equal kinds so that
/// whole sums meet it: among numbers of both signs, zeros of both signs, the
/// smallest and the largest, denormals, infinities and NaNs; of integers zero,
/// minus one and both ends of the range. Opaque bytes are random. Where sums
/// may not overflow, the largest numbers are the eighth root of that.
void fillExtreme(const ElementType &type, bool sumsMayOverflow,
                 std::mt19937_64 &random, uint8_t *bytes, size_t size);

/// One scalar of `type` in full.
std::string printScalar(const ElementType &type, const uint8_t *bytes);

/// NumPy's type string for one scalar: `f4`, `i8`, `u2`, `b1`; opaque elements
/// and bfloat16, which NumPy lacks, are `V` and their size.
std::string npyType(const ElementType &type);

/// Whether a file with elements of NumPy's type `dtype` is for an array of
/// `element`s. Signs do not matter; opaque bytes are for everything.
bool canHold(llvm::StringRef dtype, const ElementType &element);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_SCALARS_H
