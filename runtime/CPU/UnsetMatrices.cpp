//===- UnsetMatrices.cpp - products of unset bits -------------------------===//

#include "runtime/CPU/UnsetMatrices.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace gpuopt::runtime;

/// The bits of the number one.
static uint64_t oneOf(MatrixUnit::Element element) {
  switch (element) {
  case MatrixUnit::Element::F16:
    return 0x3c00;
  case MatrixUnit::Element::BF16:
    return 0x3f80;
  case MatrixUnit::Element::TF32:
    return 0x3f800000;
  case MatrixUnit::Element::E4M3:
    return 0x38;
  case MatrixUnit::Element::E5M2:
    return 0x3c;
  case MatrixUnit::Element::S8:
  case MatrixUnit::Element::U8:
    return 1;
  case MatrixUnit::Element::F64:
    return 0x3ff0000000000000;
  }
  llvm_unreachable("covered switch");
}

static uint64_t oneOf(MatrixUnit::Sum sum) {
  switch (sum) {
  case MatrixUnit::Sum::F16:
    return 0x3c00;
  case MatrixUnit::Sum::F32:
    return 0x3f800000;
  case MatrixUnit::Sum::F64:
    return 0x3ff0000000000000;
  case MatrixUnit::Sum::S32:
    return 1;
  }
  llvm_unreachable("covered switch");
}

/// `one` for each of `packed` elements of a word that is not zero.
static uint64_t markElements(uint64_t word, uint32_t packed, uint64_t one) {
  if (packed == 1)
    return word ? one : 0;
  uint32_t bits = 32 / packed;
  uint64_t marked = 0;
  for (uint32_t at = 0; at < 32; at += bits)
    if (word >> at & ((uint64_t(1) << bits) - 1))
      marked |= one << at;
  return marked;
}

void gpuopt::runtime::prepareUnsetProduct(const MatrixUnit &unit,
                                          const uint64_t *shadow,
                                          bool isOfColumns, uint64_t *record) {
  constexpr uint64_t all = ~uint64_t(0);
  auto factor = [&](uint32_t words, MatrixUnit::Element element,
                    bool isShadow) {
    for (uint32_t end = words; end; --end, ++shadow, ++record)
      *record =
          markElements(isShadow ? *shadow : all, unit.packed(), oneOf(element));
  };
  factor(unit.rowWords(), unit.rowElement, !isOfColumns);
  factor(unit.columnWords(), unit.columnElement, isOfColumns);
  if (!isOfColumns)
    std::transform(
        shadow, shadow + unit.sumWords(), record, [&](uint64_t word) {
          return markElements(word, unit.packedSums(), oneOf(unit.sum));
        });
}

void gpuopt::runtime::finishUnsetProduct(const MatrixUnit &unit,
                                         const uint64_t *record,
                                         uint64_t *shadow) {
  uint32_t first = unit.rowWords() + unit.columnWords();
  uint64_t ones = unit.packedSums() == 2 ? 0xffff
                  : unit.isDouble()      ? ~uint64_t(0)
                                         : 0xffffffff;
  for (uint32_t word = first; word < unit.words(); ++word)
    shadow[word] = markElements(record[word], unit.packedSums(), ones);
}
