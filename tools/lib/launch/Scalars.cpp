//===- Scalars.cpp - elements of arrays as bytes and numbers --------------===//

#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace gpuopt;
using llvm::APFloat;

/// The format of a 16-bit float.
static const llvm::fltSemantics &halfSemantics(const ElementType &type) {
  return type.kind == ElementKind::BFloat ? APFloat::BFloat()
                                          : APFloat::IEEEhalf();
}

std::mt19937_64 gpuopt::generatorFor(uint64_t seed, llvm::StringRef name) {
  uint64_t mixed = seed;
  for (char c : name)
    mixed = (mixed ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return std::mt19937_64(mixed);
}

void gpuopt::storeScalar(const ElementType &type, double value,
                         uint8_t *bytes) {
  if (isInteger(type)) {
    auto integer = static_cast<int64_t>(value);
    std::memcpy(bytes, &integer, type.bytes);
    return;
  }
  if (type.bytes == 8) {
    std::memcpy(bytes, &value, 8);
  } else if (type.bytes == 4) {
    auto single = static_cast<float>(value);
    std::memcpy(bytes, &single, 4);
  } else {
    APFloat number(value);
    bool losesInfo;
    number.convert(halfSemantics(type), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    auto bits = static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
    std::memcpy(bytes, &bits, 2);
  }
}

double gpuopt::loadScalar(const ElementType &type, const uint8_t *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, type.bytes);
  if (type.kind == ElementKind::UnsignedInt || type.kind == ElementKind::Bool)
    return static_cast<double>(bits);
  if (type.kind == ElementKind::SignedInt) {
    unsigned unused = 64 - 8 * type.bytes;
    return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
  }
  if (type.bytes == 8) {
    double number;
    std::memcpy(&number, bytes, 8);
    return number;
  }
  if (type.bytes == 4) {
    float number;
    std::memcpy(&number, bytes, 4);
    return number;
  }
  APFloat number(halfSemantics(type), llvm::APInt(16, bits));
  return number.convertToDouble();
}

void gpuopt::fillRandom(const ElementType &type, std::mt19937_64 &random,
                        uint8_t *bytes, size_t size) {
  bool isOpaque = type.kind == ElementKind::Opaque || type.bytes == 0;
  if (isOpaque) {
    // Whatever the bytes mean, 0x00 to 0x3f make no NaN and no huge number.
    for (size_t i = 0; i < size; ++i)
      bytes[i] = random() & 0x3f;
    return;
  }
  for (size_t at = 0; at + type.bytes <= size; at += type.bytes) {
    uint64_t bits = random();
    double magnitude = 0.25 + 0.75 * double(bits >> 11) * 0x1p-53;
    uint64_t mostIntegers = type.kind == ElementKind::Bool ? 2 : 16;
    double value = isInteger(type) ? double(bits % mostIntegers)
                                   : (bits & 1 ? -magnitude : magnitude);
    storeScalar(type, value, bytes + at);
  }
}

namespace {
/// The numbers below `end` in an order that looks random.
class Permutation {
public:
  Permutation(uint64_t numbers, std::mt19937_64 &random)
      : end(std::max<uint64_t>(numbers, 1)), bits(llvm::Log2_64_Ceil(end)),
        mask((uint64_t(1) << bits) - 1), first(random() | 1),
        second(random() | 1), offset(random() % end) {}

  uint64_t operator()(uint64_t number) const {
    number = (number + offset) % end;
    do
      number = mix(number);
    while (number >= end);
    return number;
  }

private:
  /// One to one among the numbers of `bits` bits.
  uint64_t mix(uint64_t number) const {
    number = number * first & mask;
    number ^= number >> (bits + 1) / 2;
    number = number * second & mask;
    return number ^ number >> (bits + 1) / 2;
  }

  uint64_t end;
  unsigned bits;
  uint64_t mask, first, second, offset;
};
} // namespace

void gpuopt::fillSubscripts(const ElementType &type, std::mt19937_64 &random,
                            uint64_t end, bool isRising, uint8_t *bytes,
                            size_t size) {
  unsigned bits =
      integerBits(type) - (type.kind == ElementKind::SignedInt ? 1 : 0);
  Permutation permuted(std::min(end, uint64_t(1) << std::min(bits, 62u)),
                       random);
  std::vector<uint64_t> values(size / type.bytes);
  for (auto [index, value] : llvm::enumerate(values))
    value = permuted(index);
  if (isRising)
    llvm::sort(values);
  for (auto [index, value] : llvm::enumerate(values))
    std::memcpy(bytes + index * type.bytes, &value, type.bytes);
}

/// The smallest and largest numbers of a floating-point type.
static const llvm::fltSemantics &semanticsOf(const ElementType &type) {
  return type.bytes == 8   ? APFloat::IEEEdouble()
         : type.bytes == 4 ? APFloat::IEEEsingle()
                           : halfSemantics(type);
}

static double toDouble(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

/// A floating-point number of one of ten kinds.
static double extremeNumber(const ElementType &type, bool sumsMayOverflow,
                            unsigned kind, uint64_t bits) {
  const llvm::fltSemantics &semantics = semanticsOf(type);
  double sign = bits & 1 ? -1 : 1;
  double ordinary = sign * (0.25 + 0.75 * double(bits >> 11) * 0x1p-53);
  switch (kind) {
  case 0:
    return 0.0;
  case 1:
    return -0.0;
  case 2:
    return sign * 0.0;
  case 3:
    return sign * toDouble(APFloat::getSmallest(semantics)) * (bits >> 60);
  case 4:
    return sign * toDouble(APFloat::getSmallestNormalized(semantics));
  case 5:
    return sign *
           (sumsMayOverflow
                ? toDouble(APFloat::getLargest(semantics))
                : std::ldexp(1.0,
                             APFloat::semanticsMaxExponent(semantics) / 8));
  case 6:
    // One here and there: a NaN or an infinity hides all else in its sum.
    return bits % 16 == 0 ? sign * std::numeric_limits<double>::infinity()
                          : ordinary;
  case 7:
    return bits % 16 == 0 ? std::numeric_limits<double>::quiet_NaN() : ordinary;
  default:
    return ordinary;
  }
}

/// An integer as its lowest bits.
static uint64_t extremeInteger(const ElementType &type, unsigned kind,
                               uint64_t bits) {
  uint64_t top = uint64_t(1) << (8 * type.bytes - 1);
  switch (kind) {
  case 0:
    return 0;
  case 1:
    return ~uint64_t(0);
  case 2:
    return top;
  case 3:
    return top - 1;
  case 4:
    return bits;
  case 5:
    return bits % 16;
  default:
    return -(bits % 16);
  }
}

void gpuopt::fillExtreme(const ElementType &type, bool sumsMayOverflow,
                         std::mt19937_64 &random, uint8_t *bytes, size_t size) {
  if (type.kind == ElementKind::Opaque || type.bytes == 0)
    return fillRandom(type, random, bytes, size);
  static constexpr size_t lengths[] = {1, 1, 3, 16, 70};
  unsigned kind = 0;
  size_t left = 0;
  for (size_t at = 0; at + type.bytes <= size; at += type.bytes) {
    if (left-- == 0) {
      kind = random() % 10;
      left = lengths[random() % std::size(lengths)] - 1;
    }
    if (!isInteger(type)) {
      storeScalar(type, extremeNumber(type, sumsMayOverflow, kind, random()),
                  bytes + at);
      continue;
    }
    uint64_t value = extremeInteger(type, kind, random());
    if (type.kind == ElementKind::Bool)
      value &= 1;
    std::memcpy(bytes + at, &value, type.bytes);
  }
}

std::string gpuopt::printScalar(const ElementType &type, const uint8_t *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, type.bytes);
  unsigned unused = 64 - 8 * type.bytes;
  if (type.kind == ElementKind::UnsignedInt || type.kind == ElementKind::Bool)
    return std::to_string(bits);
  if (type.kind == ElementKind::SignedInt)
    return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::format(type.bytes == 8   ? "%.17g"
                         : type.bytes == 4 ? "%.9g"
                                           : "%.5g",
                         loadScalar(type, bytes));
  return text;
}

std::string gpuopt::npyType(const ElementType &type) {
  std::string bytes = std::to_string(type.bytes);
  switch (type.kind) {
  case ElementKind::SignedInt:
    return "i" + bytes;
  case ElementKind::UnsignedInt:
    return "u" + bytes;
  case ElementKind::Bool:
    return "b" + bytes;
  case ElementKind::Float:
    return "f" + bytes;
  case ElementKind::BFloat:
  case ElementKind::Opaque:
    return "V" + bytes;
  }
  return "V" + bytes;
}

bool gpuopt::canHold(llvm::StringRef dtype, const ElementType &element) {
  unsigned bytes = 0;
  bool isOpaque = dtype.starts_with("V") ||
                  element.kind == ElementKind::Opaque ||
                  element.kind == ElementKind::BFloat;
  if (isOpaque || dtype.drop_front().getAsInteger(10, bytes))
    return true;
  return dtype.starts_with("f") == isFloat(element) && bytes == element.bytes;
}
