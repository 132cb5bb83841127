//===- Scalars.cpp - elements of arrays as bytes and numbers --------------===//

#include "tools/lib/Scalars.h"

#include "llvm/ADT/APFloat.h"

#include <cstring>

using namespace gpuopt;
using llvm::APFloat;

/// The format of a 16-bit float.
static const llvm::fltSemantics &halfSemantics(const ElementType &type) {
  return type.kind == ElementKind::BFloat ? APFloat::BFloat()
                                          : APFloat::IEEEhalf();
}

void gpuopt::storeScalar(const ElementType &type, double value,
                         uint8_t *bytes) {
  if (type.kind == ElementKind::SignedInt ||
      type.kind == ElementKind::UnsignedInt) {
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
  if (type.kind == ElementKind::UnsignedInt)
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
  bool isInteger = type.kind == ElementKind::SignedInt ||
                   type.kind == ElementKind::UnsignedInt;
  for (size_t at = 0; at + type.bytes <= size; at += type.bytes) {
    uint64_t bits = random();
    double magnitude = 0.25 + 0.75 * double(bits >> 11) * 0x1p-53;
    double value =
        isInteger ? double(bits % 16) : (bits & 1 ? -magnitude : magnitude);
    storeScalar(type, value, bytes + at);
  }
}

std::string gpuopt::npyType(const ElementType &type) {
  std::string bytes = std::to_string(type.bytes);
  switch (type.kind) {
  case ElementKind::SignedInt:
    return "i" + bytes;
  case ElementKind::UnsignedInt:
    return "u" + bytes;
  case ElementKind::Float:
    return "f" + bytes;
  case ElementKind::BFloat:
  case ElementKind::Opaque:
    return "V" + bytes;
  }
  return "V" + bytes;
}
