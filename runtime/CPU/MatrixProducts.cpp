//===- MatrixProducts.cpp - what matrix units do, on the host -------------===//

#include "runtime/CPU/MatrixProducts.h"
#include "runtime/CPU/SoftFloat.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <vector>

using namespace llvm;
using namespace gpuopt::runtime;

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

uint32_t MatrixUnit::packed() const {
  switch (operands) {
  case Operands::F16:
  case Operands::BF16:
    return 2;
  case Operands::S8:
    return 4;
  case Operands::F64:
    return 1;
  }
  llvm_unreachable("covered switch");
}

uint64_t MatrixUnit::encode() const {
  return uint64_t(operands) << 24 | rows << 16 | columns << 8 | depth;
}

MatrixUnit MatrixUnit::decode(uint64_t code) {
  return {Operands(code >> 24), uint32_t(code >> 16 & 0xff),
          uint32_t(code >> 8 & 0xff), uint32_t(code & 0xff)};
}

std::optional<MatrixUnit> gpuopt::runtime::parseMatrixUnit(StringRef name) {
  using Operands = MatrixUnit::Operands;
  using Unit = std::optional<MatrixUnit>;
  return StringSwitch<Unit>(name)
      .Case("m16n8k16.row.col.f32.f32", MatrixUnit{Operands::F16, 16, 8, 16})
      .Case("m16n8k16.row.col.bf16", MatrixUnit{Operands::BF16, 16, 8, 16})
      .Case("m16n8k16.row.col.s8", MatrixUnit{Operands::S8, 16, 8, 16})
      .Case("m16n8k32.row.col.s8", MatrixUnit{Operands::S8, 16, 8, 32})
      .Case("m8n8k4.row.col.f64", MatrixUnit{Operands::F64, 8, 8, 4})
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Element `index` of a register.
static double elementOf(uint64_t word, uint32_t index,
                        MatrixUnit::Operands operands) {
  switch (operands) {
  case MatrixUnit::Operands::F16:
    return halfToDouble(uint16_t(word >> 16 * index));
  case MatrixUnit::Operands::BF16:
    return bit_cast<float>(uint32_t(uint16_t(word >> 16 * index)) << 16);
  case MatrixUnit::Operands::S8:
    return int8_t(word >> 8 * index);
  case MatrixUnit::Operands::F64:
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

  static constexpr uint32_t lanesOfRow = 4, rowsOfLanes = 8;
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
          elementOf(record[word], element, unit.operands);
    }
  for (uint32_t word = 0; word < unit.columnWords(); ++word)
    for (uint32_t element = 0; element < packed; ++element)
      columns[g * unit.depth + product(word, element)] =
          elementOf(record[unit.rowWords() + word], element, unit.operands);
}

uint64_t Matrices::add(uint64_t sum, uint32_t row, uint32_t column) const {
  const double *left = &rows[row * unit.depth];
  const double *right = &columns[column * unit.depth];
  if (unit.operands == MatrixUnit::Operands::F64) {
    double result = bit_cast<double>(sum);
    for (uint32_t k = 0; k < unit.depth; ++k)
      result = std::fma(left[k], right[k], result);
    return bit_cast<uint64_t>(result);
  }
  if (unit.operands == MatrixUnit::Operands::S8) {
    uint32_t result = sum;
    for (uint32_t k = 0; k < unit.depth; ++k)
      result += uint32_t(int32_t(left[k] * right[k]));
    return result;
  }
  double result = bit_cast<float>(uint32_t(sum));
  for (uint32_t k = 0; k < unit.depth; ++k)
    result += left[k] * right[k];
  return bit_cast<uint32_t>(float(result));
}

void Matrices::multiply(const ThreadContext &thread) const {
  uint64_t *sums = recordOf(thread) + unit.rowWords() + unit.columnWords();
  uint32_t g = thread.lane / lanesOfRow, c = thread.lane % lanesOfRow;
  for (uint32_t word = 0; word < unit.sumWords(); ++word)
    sums[word] = add(sums[word], g + word / 2 * rowsOfLanes, 2 * c + word % 2);
}

void gpuopt::runtime::multiplyMatrices(ArrayRef<ThreadContext *> group) {
  Matrices matrices(MatrixUnit::decode(group.front()->operand));
  for (const ThreadContext *thread : group)
    matrices.gather(*thread);
  for (const ThreadContext *thread : group)
    matrices.multiply(*thread);
}
