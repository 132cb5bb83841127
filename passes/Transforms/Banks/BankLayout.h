//===- BankLayout.h - where the elements of a tile lie in banks -*- C++ -*-===//
//
// How a workgroup array is laid out so that its accesses meet in as few banks
// as possible, decided on access functions instead of IR. For 32 lanes that
// read a column of a [32][32] array of floats (all in bank 0):
//
//   layout                     element (row, column) lies at        bytes
//   row-major                  32*row + column                      4096
//   padded by 1                33*row + column                      4224
//   swizzled, 32 steps of 1    32*row + (column xor row)            4096
//   permuted to (1, 0)         row + 32*column                      4096
//
// and for 32 lanes that read one member of [128] floats, structures of four:
//
//   interleaved by 4           n floordiv 4 + 32 * (n mod 4)        512
//   skewed, 1 behind each 32   n + n floordiv 32                    528
//
// A padding lengthens one dimension, mostly the rows; the elements added are
// never used. A swizzle permutes chunks of a row: the column's bits are
// exclusive-ored with `row floordiv rows mod steps`, so it costs an instruction
// per access, but no memory. Vector accesses stay within their chunk and keep
// their alignment in both.
//
// Where accesses are of single elements, dimensions may change places: a matrix
// is transposed, and an array of structures becomes a structure of arrays. Of
// one dimension, structures are told by their size: the array is interleaved.
// Skewing helps several strides that are powers of two. (Li et al. 2016,
// section 3.3.1, table 1, and figure 4, whose decisions are made by
// counting here.)
//
// The cost of a layout is the wavefronts that a block takes for all accesses of
// the array, each counted as often as a thread executes it. The cheapest
// layout wins; of equal ones the row-major one, then a permutation, then the
// least padding that does not cost a multiprocessor resident blocks, then a
// swizzle. What takes instructions for each access, to interleave or to skew,
// has to save a fifth.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BANKS_BANKLAYOUT_H
#define PASSES_TRANSFORMS_BANKS_BANKLAYOUT_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/Occupancy.h"

namespace gpuopt {

/// A bijection from subscripts to places in memory.
struct BankLayout {
  enum class Kind { RowMajor, Permuted, Padded, Swizzled, Interleaved, Skewed };
  Kind kind = Kind::RowMajor;
  /// Padded: `padding` elements (or rows, …) more in `dimension`.
  unsigned dimension = 0;
  int64_t padding = 0;
  /// Swizzled: column xor (row floordiv `rows` mod `steps`) * `chunk`; all are
  /// powers of two.
  int64_t rows = 1;
  int64_t steps = 1;
  /// Also, interleaved: the elements of a structure; skewed: those that
  /// `padding` ones lie behind.
  int64_t chunk = 1;
  /// Permuted: the dimensions in the order of memory, slowest first.
  llvm::SmallVector<unsigned> order = {};

  bool operator==(const BankLayout &other) const = default;
};

/// One access of the array.
struct TileAccess {
  AccessFunction function;
  /// How often a thread executes it.
  double executions = 1;
};

/// A workgroup array whose accesses have every subscript in its dimension.
struct TileArray {
  llvm::SmallVector<int64_t> shape;
  int64_t elementBytes = 4;
  std::vector<TileAccess> accesses;

  /// Bytes in `layout`.
  int64_t bytes(const BankLayout &layout = {}) const;
  /// Elements of the widest access; vector accesses are aligned to their size.
  int64_t widestAccess() const;
};

/// What the banks take for all accesses of an array.
struct BankCost {
  double wavefronts = 0;
  /// Without any conflict.
  double needed = 0;
  /// The worst of all accesses.
  int64_t degree = 1;

  bool hasConflicts() const { return degree > 1; }
};

/// What the choice depends on besides the array.
struct BankContext {
  TargetAttr target;
  BlockShape block;
  const VariableTable &variables;
  /// What a block needs with the array as it is. Registers may be a lower
  /// bound.
  BlockResources resources;
  /// Bytes of workgroup memory that a block may have.
  int64_t limitBytes = 0;
};

BankCost computeBankCost(const TileArray &array, const BankLayout &layout,
                         const BankContext &context);

/// The layout that was chosen, row-major where none is better.
struct BankPlan {
  BankLayout layout;
  BankCost before;
  BankCost after;
};

BankPlan planBankLayout(const TileArray &array, const BankContext &context);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BANKS_BANKLAYOUT_H
