//===- SoftFloat.cpp - half precision in software -------------------------===//
//
// Both 16-bit formats round from double directly: going through float would
// round twice.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/SoftFloat.h"

#include <bit>
#include <cmath>

using namespace gpuopt::runtime;

double gpuopt::runtime::halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(double(fraction), -24);
  else
    magnitude = std::ldexp(double(fraction | 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Rounds to a format with `exponentBits` and `fractionBits` (16 bits in all).
static uint16_t roundTo(double value, int exponentBits, int fractionBits) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  int maxExponent = (1 << exponentBits) - 1, bias = maxExponent / 2;
  uint16_t infinity = maxExponent << fractionBits;
  value = std::fabs(value);
  if (std::isnan(value))
    return sign | infinity | (1 << (fractionBits - 1));
  if (std::isinf(value))
    return sign | infinity;
  int exponent;
  std::frexp(value, &exponent);
  // The unit of the last place, not below that of the subnormals.
  int unit = std::max(exponent - 1 - fractionBits, 1 - bias - fractionBits);
  double units = std::nearbyint(std::ldexp(value, -unit));
  // Adding up the fields lets a carry run into the exponent.
  uint64_t bits = uint64_t(units);
  int biased = unit + fractionBits + bias;
  if (bits >> fractionBits)
    bits += uint64_t(biased - 1) << fractionBits;
  return sign | uint16_t(bits >= infinity ? infinity : bits);
}

uint16_t gpuopt::runtime::doubleToHalf(double value) {
  return roundTo(value, 5, 10);
}

uint16_t gpuopt::runtime::doubleToBFloat(double value) {
  return roundTo(value, 8, 7);
}

// The back end passes 16-bit floats in vector registers, as the compiler does.
static float extendHalf(_Float16 value) {
  return halfToDouble(std::bit_cast<uint16_t>(value));
}
static double extendHalfToDouble(_Float16 value) {
  return halfToDouble(std::bit_cast<uint16_t>(value));
}
static _Float16 truncateToHalf(float value) {
  return std::bit_cast<_Float16>(doubleToHalf(value));
}
static _Float16 truncateDoubleToHalf(double value) {
  return std::bit_cast<_Float16>(doubleToHalf(value));
}
static __bf16 truncateToBFloat(float value) {
  return std::bit_cast<__bf16>(doubleToBFloat(value));
}
static __bf16 truncateDoubleToBFloat(double value) {
  return std::bit_cast<__bf16>(doubleToBFloat(value));
}
static float extendBFloat(__bf16 value) {
  return std::bit_cast<float>(uint32_t(std::bit_cast<uint16_t>(value)) << 16);
}

/// a * b + c, rounded once. The product is exact; where the sum is not, it
/// becomes the neighbour whose last bit is set, which rounds as the exact sum
/// does (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums:
/// proved algorithms using rounding to odd").
static __bf16 fuseBFloats(__bf16 a, __bf16 b, __bf16 c) {
  auto wide = [](__bf16 value) -> double {
    uint32_t bits = std::bit_cast<uint16_t>(value);
    return std::bit_cast<float>(bits << 16);
  };
  double product = wide(a) * wide(b), term = wide(c), sum = product + term;
  double ofTerm = sum - product;
  double error = (product - (sum - ofTerm)) + (term - ofTerm);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (std::isfinite(sum) && error != 0 && !(bits & 1))
    sum = std::nextafter(sum, std::copysign(HUGE_VAL, error));
  return std::bit_cast<__bf16>(doubleToBFloat(sum));
}

std::vector<HostFunction> gpuopt::runtime::softFloatSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{"__extendhfsf2", address(extendHalf)},
          {"__gnu_h2f_ieee", address(extendHalf)},
          {"__extendhfdf2", address(extendHalfToDouble)},
          {"__truncsfhf2", address(truncateToHalf)},
          {"__gnu_f2h_ieee", address(truncateToHalf)},
          {"__truncdfhf2", address(truncateDoubleToHalf)},
          {"__truncsfbf2", address(truncateToBFloat)},
          {"__truncdfbf2", address(truncateDoubleToBFloat)},
          {"__extendbfsf2", address(extendBFloat)},
          {"gpuopt_fma_bf16", address(fuseBFloats)}};
}
