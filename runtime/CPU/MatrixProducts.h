//===- MatrixProducts.h - what matrix units do, on the host -----*- C++ -*-===//
//
// `mma.sync` takes operands of all lanes of a subgroup. Here each lane puts
// what it has into a record in its own frame, the registers one after the
// other in words of 64 bits,
//
//   rows | columns | sums        for m16n8k16 of halves: 4 | 2 | 4 words
//
// waits with the record's address (Wait::Multiply), and finds its new sums in
// the record. Which lane holds what is PTX's (see "Matrix Fragments for mma");
// of more than 8 columns, as `wgmma` has them, one group of 8 after the other.
//
// PTX leaves open in which order products are added, and says of the rounding
// that it is at least that of the sums' type. Sums of floats and halves are
// rounded once here: of the old sum and all products, exact in double precision
// but for the last bits of doubles. Sums of doubles are a chain of `fma`, those
// of integers wrap around or saturate at the end. TF32 is a float without its
// 13 lowest bits.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_MATRIXPRODUCTS_H
#define RUNTIME_CPU_MATRIXPRODUCTS_H

#include "runtime/CPU/Layout.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace gpuopt::runtime {

/// One instruction: rows x columns sums with `depth` products each.
struct MatrixUnit {
  enum class Element : uint8_t { F16, BF16, TF32, E4M3, E5M2, S8, U8, F64 };
  enum class Sum : uint8_t { F16, F32, F64, S32 };
  Element rowElement, columnElement;
  Sum sum;
  /// Whether sums of integers end at the largest and the smallest one.
  bool saturates = false;
  uint32_t rows = 0, columns = 0, depth = 0;

  /// Elements of an operand in a register of 32 bits (64 for doubles), and sums
  /// in one.
  uint32_t packed() const;
  uint32_t packedSums() const { return sum == Sum::F16 ? 2 : 1; }
  uint32_t elementBytes() const { return isDouble() ? 8 : 4 / packed(); }
  /// Groups of columns.
  uint32_t groups() const { return columns / 8; }
  /// Registers of a lane.
  uint32_t rowWords() const { return rows * depth / 32 / packed(); }
  uint32_t columnWords() const { return columns * depth / 32 / packed(); }
  uint32_t sumWords() const { return rows * columns / 32 / packedSums(); }
  uint32_t words() const { return rowWords() + columnWords() + sumWords(); }
  /// A multiply and an add for each product.
  uint32_t operationsPerLane() const { return 2 * rows * columns * depth / 32; }
  bool isFloat() const { return sum != Sum::S32; }
  bool isDouble() const { return sum == Sum::F64; }

  /// As `operand` of a wait.
  uint64_t encode() const;
  static MatrixUnit decode(uint64_t code);
};

/// The unit that the intrinsic `name` is, without "llvm.nvvm.mma."; nothing for
/// those that are not known.
std::optional<MatrixUnit> parseMatrixUnit(llvm::StringRef name);

/// What each of the four subgroups of a `wgmma.mma_async` does: `name` is what
/// stands behind ".aligned.", `m64n128k16.f32.f16.f16`.
std::optional<MatrixUnit> parseWarpgroupUnit(llvm::StringRef name);

/// Multiplies what the lanes of `group`, which all wait for that, have in their
/// records. Lanes that are not there have zeros.
void multiplyMatrices(llvm::ArrayRef<ThreadContext *> group);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_MATRIXPRODUCTS_H
