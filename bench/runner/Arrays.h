//===- Arrays.h - arrays of any type on the host ----------------*- C++ -*-===//

#ifndef BENCH_RUNNER_ARRAYS_H
#define BENCH_RUNNER_ARRAYS_H

#include "Plan.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <thread>

namespace bench {

inline double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

/// Of a number that a half can hold: at most 2 in magnitude, a multiple of
/// 2^-10 (makeElement makes no others).
inline uint16_t halfFromDouble(double value) {
  if (value == 0)
    return 0;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent); // [0.5, 1)
  auto bits =
      uint16_t((exponent + 14) << 10 | (int(std::ldexp(fraction, 11)) & 1023));
  return value < 0 ? bits | 0x8000 : bits;
}

/// The elements of one array as bytes, read and written as numbers.
class HostArray {
public:
  HostArray() = default;
  HostArray(ElementType type, uint64_t count)
      : type(type), bytes(count * sizeOf(type)) {}

  uint64_t size() const { return bytes.size() / sizeOf(type); }
  bool empty() const { return bytes.empty(); }
  unsigned char *data() { return bytes.data(); }
  const unsigned char *data() const { return bytes.data(); }
  bool operator==(const HostArray &other) const { return bytes == other.bytes; }

  double operator[](uint64_t index) const {
    switch (type) {
    case ElementType::F16:
      return halfToDouble(read<uint16_t>(index));
    case ElementType::F32:
      return read<float>(index);
    case ElementType::F64:
      return read<double>(index);
    case ElementType::I32:
      return read<int32_t>(index);
    case ElementType::I64:
      return double(read<int64_t>(index));
    case ElementType::U8:
      return bytes[index];
    case ElementType::U32:
      return read<uint32_t>(index);
    }
    return NAN;
  }
  void set(uint64_t index, double value) {
    switch (type) {
    case ElementType::F16:
      return write(index, halfFromDouble(value));
    case ElementType::F32:
      return write(index, float(value));
    case ElementType::F64:
      return write(index, value);
    case ElementType::I32:
      return write(index, int32_t(value));
    case ElementType::I64:
      return write(index, int64_t(value));
    case ElementType::U8:
      return write(index, uint8_t(value));
    case ElementType::U32:
      return write(index, uint32_t(value));
    }
  }

private:
  template <typename T>
  T read(uint64_t index) const {
    T value;
    std::memcpy(&value, &bytes[index * sizeof(T)], sizeof(T));
    return value;
  }
  template <typename T>
  void write(uint64_t index, T value) {
    std::memcpy(&bytes[index * sizeof(T)], &value, sizeof(T));
  }

  ElementType type = ElementType::F32;
  std::vector<unsigned char> bytes;
};

/// The arrays of a case, in its order.
using HostArrays = std::vector<HostArray>;

inline void parallelFor(uint64_t count,
                        const std::function<void(uint64_t, uint64_t)> &work) {
  uint64_t workers = std::max(1u, std::thread::hardware_concurrency());
  workers = std::min<uint64_t>(workers, count / 64 + 1);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < workers; ++i)
    threads.emplace_back(work, count * i / workers, count * (i + 1) / workers);
  for (std::thread &thread : threads)
    thread.join();
}

/// SplitMix64: random bits from a place, so that any thread can make any.
inline uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// A random element. Integers are small enough for sums of their products to be
/// exact in float64.
inline double makeElement(const Array &array, uint64_t bits, uint64_t index,
                          uint64_t order) {
  switch (array.type) {
  case ElementType::U8:
    return double(bits % 256);
  case ElementType::U32:
    return double(bits % 1000);
  case ElementType::I32:
    return double(bits % 2001) - 1000;
  case ElementType::I64:
    return double(bits % 65536) - 32768;
  case ElementType::F16:
    return double(bits % 1024) / 1024; // one sign: sums stay meaningful
  default:
    break;
  }
  double unit = double(bits >> 40) * 0x1p-24; // [0, 1)
  if (array.fill == "positive")
    return unit;
  if (array.fill == "levels") // with many neighbours alike
    return std::floor(unit * 64) / 64;
  if (array.fill == "dominant" && index / order == index % order)
    return 1 + unit;
  return (2 * unit - 1) * (array.fill == "dominant" ? 0.5 / double(order) : 1);
}

/// The contents of the arrays before the launch.
inline HostArrays makeInputs(const Case &entry, uint64_t seed) {
  HostArrays arrays;
  for (const Array &array : entry.arrays) {
    uint64_t count = array.isInput() ? array.elements : 0;
    HostArray &made = arrays.emplace_back(array.type, count);
    uint64_t own = mix(seed + arrays.size() - 1);
    auto order = uint64_t(std::llround(std::sqrt(double(array.elements))));
    parallelFor(count, [&](uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; ++at)
        made.set(at, makeElement(array, mix(own + at), at, order));
    });
  }
  return arrays;
}

} // namespace bench

#endif // BENCH_RUNNER_ARRAYS_H
