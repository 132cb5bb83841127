//===- MatrixProducts.cpp - what matrix units do, on the host -------------===//

#include "runtime/CPU/MatrixProducts.h"
#include "runtime/CPU/SoftFloat.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace llvm;
using namespace gpuopt::runtime;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

uint32_t MatrixUnit::packed() const {
  switch (rowElement) {
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::E4M3:
  case Element::E5M2:
  case Element::S8:
  case Element::U8:
    return 4;
  case Element::TF32:
  case Element::F64:
    return 1;
  }
  llvm_unreachable("covered switch");
}

uint64_t MatrixUnit::encode() const {
  return uint64_t(rowElement) << 48 | uint64_t(columnElement) << 40 |
         uint64_t(sum) << 32 | uint64_t(saturates) << 24 | rows << 16 |
         groups() << 8 | depth;
}

MatrixUnit MatrixUnit::decode(uint64_t code) {
  auto byteAt = [&](unsigned bit) { return uint8_t(code >> bit); };
  return {Element(byteAt(48)),
          Element(byteAt(40)),
          Sum(byteAt(32)),
          bool(byteAt(24)),
          byteAt(16),
          byteAt(8) * 8u,
          byteAt(0)};
}

static std::optional<MatrixUnit::Element> elementNamed(StringRef name) {
  using Element = MatrixUnit::Element;
  return StringSwitch<std::optional<Element>>(name)
      .Case("f16", Element::F16)
      .Case("bf16", Element::BF16)
      .Case("tf32", Element::TF32)
      .Case("e4m3", Element::E4M3)
      .Case("e5m2", Element::E5M2)
      .Case("s8", Element::S8)
      .Case("u8", Element::U8)
      .Case("f64", Element::F64)
      .Default(std::nullopt);
}

/// `m16n8k32`
static bool parseShape(StringRef shape, MatrixUnit &unit) {
  return shape.consume_front("m") && !shape.consumeInteger(10, unit.rows) &&
         shape.consume_front("n") && !shape.consumeInteger(10, unit.columns) &&
         shape.consume_front("k") && !shape.consumeInteger(10, unit.depth) &&
         shape.empty();
}

/// What stands behind the layouts: `f32.f32` (sums of halves, old and new),
/// `f32.e4m3.e5m2.f32`, `bf16`, `s8.u8`.
static bool parseTypes(ArrayRef<StringRef> types, MatrixUnit &unit) {
  using Element = MatrixUnit::Element;
  using Sum = MatrixUnit::Sum;
  bool namesSums = types.front() == "f16" || types.front() == "f32";
  if (namesSums) {
    if (types.size() < 2 || types.front() != types.back())
      return false;
    unit.sum = types.front() == "f16" ? Sum::F16 : Sum::F32;
    types = types.drop_front().drop_back();
  }
  if (types.size() > 2 || (types.empty() && !namesSums))
    return false;
  auto row = elementNamed(types.empty() ? "f16" : types.front());
  auto column = elementNamed(types.empty() ? "f16" : types.back());
  if (!row || !column)
    return false;
  unit.rowElement = *row;
  unit.columnElement = *column;
  if (!namesSums)
    unit.sum = row == Element::F64                        ? Sum::F64
               : row == Element::S8 || row == Element::U8 ? Sum::S32
                                                          : Sum::F32;
  return true;
}

std::optional<MatrixUnit> gpuopt::runtime::parseMatrixUnit(StringRef name) {
  SmallVector<StringRef, 8> words;
  name.split(words, '.');
  MatrixUnit unit = {};
  if (words.size() < 4 || !parseShape(words[0], unit) || words[1] != "row" ||
      words[2] != "col" || (unit.rows != 8 && unit.rows != 16) ||
      unit.columns != 8 || unit.depth > 32)
    return std::nullopt;
  ArrayRef<StringRef> types = ArrayRef(words).drop_front(3);
  unit.saturates = types.front() == "satfinite";
  if (unit.saturates)
    types = types.drop_front();
  if (types.empty() || !parseTypes(types, unit))
    return std::nullopt;
  // Lanes hold at least one register of each operand, in groups of four; the
  // unit of halves that is smaller has another layout.
  constexpr uint32_t lanesOfRow = 4;
  if (unit.depth % (lanesOfRow * unit.packed()))
    return std::nullopt;
  return unit;
}

/// Whether warpgroups multiply such elements to such sums.
static bool isWarpgroupUnit(const MatrixUnit &unit) {
  using Element = MatrixUnit::Element;
  auto areBoth = [&](ArrayRef<Element> elements) {
    return is_contained(elements, unit.rowElement) &&
           is_contained(elements, unit.columnElement);
  };
  bool isInteger = unit.sum == MatrixUnit::Sum::S32;
  unsigned step = isInteger && unit.columns > 32 ? 16 : 8;
  constexpr uint32_t bytesOfRow = 32, mostColumns = 256;
  if (unit.columns - 1 >= mostColumns || unit.columns % step ||
      unit.depth * unit.elementBytes() != bytesOfRow ||
      (unit.saturates && !isInteger))
    return false;
  if (isInteger)
    return areBoth({Element::S8, Element::U8});
  return areBoth({Element::F16}) || areBoth({Element::E4M3, Element::E5M2}) ||
         (unit.sum == MatrixUnit::Sum::F32 &&
          (areBoth({Element::BF16}) || areBoth({Element::TF32})));
}

std::optional<MatrixUnit> gpuopt::runtime::parseWarpgroupUnit(StringRef name) {
  SmallVector<StringRef, 6> words;
  name.split(words, '.');
  MatrixUnit unit = {};
  if (words.empty() || !parseShape(words.front(), unit) || unit.rows != 64)
    return std::nullopt;
  unit.rows = 16;
  ArrayRef<StringRef> types = ArrayRef(words).drop_front();
  unit.saturates = !types.empty() && types.front() == "satfinite";
  if (unit.saturates)
    types = types.drop_front();
  if (types.size() != 3)
    return std::nullopt;
  auto sum = StringSwitch<std::optional<MatrixUnit::Sum>>(types[0])
                 .Case("f16", MatrixUnit::Sum::F16)
                 .Case("f32", MatrixUnit::Sum::F32)
                 .Case("s32", MatrixUnit::Sum::S32)
                 .Default(std::nullopt);
  auto row = elementNamed(types[1]), column = elementNamed(types[2]);
  if (!sum || !row || !column)
    return std::nullopt;
  unit.sum = *sum;
  unit.rowElement = *row;
  unit.columnElement = *column;
  return isWarpgroupUnit(unit) ? std::optional(unit) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static double byteToDouble(const fltSemantics &semantics, uint8_t bits) {
  APFloat value(semantics, APInt(8, bits));
  bool isInexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &isInexact);
  return value.convertToDouble();
}

/// Element `index` of a register.
static double elementOf(uint64_t word, uint32_t index,
                        MatrixUnit::Element element) {
  switch (element) {
  case MatrixUnit::Element::F16:
    return halfToDouble(uint16_t(word >> 16 * index));
  case MatrixUnit::Element::BF16:
    return bit_cast<float>(uint32_t(uint16_t(word >> 16 * index)) << 16);
  case MatrixUnit::Element::TF32:
    return bit_cast<float>(uint32_t(word) & ~uint32_t(0x1fff));
  case MatrixUnit::Element::E4M3:
    return byteToDouble(APFloat::Float8E4M3FN(), uint8_t(word >> 8 * index));
  case MatrixUnit::Element::E5M2:
    return byteToDouble(APFloat::Float8E5M2(), uint8_t(word >> 8 * index));
  case MatrixUnit::Element::S8:
    return int8_t(word >> 8 * index);
  case MatrixUnit::Element::U8:
    return uint8_t(word >> 8 * index);
  case MatrixUnit::Element::F64:
    return bit_cast<double>(word);
  }
  llvm_unreachable("covered switch");
}

namespace {
/// The matrices that the lanes of a subgroup hold together.
class Matrices {
public:
  explicit Matrices(MatrixUnit unit)
      : unit(unit), rows(unit.rows * unit.depth),
        columns(unit.depth * unit.columns) {}

  void gather(const ThreadContext &thread);
  void multiply(const ThreadContext &thread) const;

private:
  static uint64_t *recordOf(const ThreadContext &thread) {
    return reinterpret_cast<uint64_t *>(thread.value);
  }
  uint64_t add(uint64_t sum, uint32_t row, uint32_t column) const;
  double addFloats(double sum, const double *left, const double *right) const;

  static constexpr uint32_t lanesOfRow = 4, rowsOfLanes = 8, columnsOfGroup = 8;
  MatrixUnit unit;
  std::vector<double> rows, columns;
};
} // namespace

void Matrices::gather(const ThreadContext &thread) {
  const uint64_t *record = recordOf(thread);
  uint32_t g = thread.lane / lanesOfRow, c = thread.lane % lanesOfRow;
  uint32_t packed = unit.packed(), rowParts = unit.rows / rowsOfLanes;
  auto product = [&](uint32_t part, uint32_t element) {
    return (part * lanesOfRow + c) * packed + element;
  };
  for (uint32_t word = 0; word < unit.rowWords(); ++word)
    for (uint32_t element = 0; element < packed; ++element) {
      uint32_t row = g + word % rowParts * rowsOfLanes;
      rows[row * unit.depth + product(word / rowParts, element)] =
          elementOf(record[word], element, unit.rowElement);
    }
  uint32_t columnParts = unit.columnWords() / unit.groups();
  for (uint32_t word = 0; word < unit.columnWords(); ++word)
    for (uint32_t element = 0; element < packed; ++element) {
      uint32_t column = g + word / columnParts * columnsOfGroup;
      columns[column * unit.depth + product(word % columnParts, element)] =
          elementOf(record[unit.rowWords() + word], element,
                    unit.columnElement);
    }
}

uint64_t Matrices::add(uint64_t sum, uint32_t row, uint32_t column) const {
  const double *left = &rows[row * unit.depth];
  const double *right = &columns[column * unit.depth];
  switch (unit.sum) {
  case MatrixUnit::Sum::F64: {
    double result = bit_cast<double>(sum);
    for (uint32_t k = 0; k < unit.depth; ++k)
      result = std::fma(left[k], right[k], result);
    return bit_cast<uint64_t>(result);
  }
  case MatrixUnit::Sum::S32: {
    int64_t result = int32_t(sum);
    for (uint32_t k = 0; k < unit.depth; ++k)
      result += int64_t(left[k] * right[k]);
    return uint32_t(unit.saturates
                        ? std::clamp<int64_t>(result, INT32_MIN, INT32_MAX)
                        : result);
  }
  case MatrixUnit::Sum::F32:
    return bit_cast<uint32_t>(
        float(addFloats(bit_cast<float>(uint32_t(sum)), left, right)));
  case MatrixUnit::Sum::F16:
    return doubleToHalf(addFloats(halfToDouble(sum), left, right));
  }
  llvm_unreachable("covered switch");
}

double Matrices::addFloats(double sum, const double *left,
                           const double *right) const {
  for (uint32_t k = 0; k < unit.depth; ++k)
    sum += left[k] * right[k];
  return sum;
}

/// A lane has two columns of each of its rows, in two registers or in one, in
/// each group of columns.
void Matrices::multiply(const ThreadContext &thread) const {
  uint64_t *sums = recordOf(thread) + unit.rowWords() + unit.columnWords();
  uint32_t g = thread.lane / lanesOfRow, c = thread.lane % lanesOfRow;
  uint32_t packed = unit.packedSums(), ofGroup = unit.rows / 4;
  for (uint32_t word = 0; word < unit.sumWords(); ++word) {
    uint64_t result = 0;
    for (uint32_t part = 0; part < packed; ++part) {
      uint32_t group = (word * packed + part) / ofGroup,
               number = (word * packed + part) % ofGroup,
               bits = packed == 1 ? 0 : 16 * part;
      uint64_t old = packed == 1 ? sums[word] : uint16_t(sums[word] >> bits);
      uint32_t row = g + number / 2 * rowsOfLanes,
               column = group * columnsOfGroup + 2 * c + number % 2;
      result |= add(old, row, column) << bits;
    }
    sums[word] = result;
  }
}

void gpuopt::runtime::multiplyMatrices(ArrayRef<ThreadContext *> group) {
  Matrices matrices(MatrixUnit::decode(group.front()->operand));
  for (const ThreadContext *thread : group)
    matrices.gather(*thread);
  for (const ThreadContext *thread : group)
    matrices.multiply(*thread);
}
