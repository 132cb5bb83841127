//===- FragmentLoads.h - operands of matrix units from tiles ----*- C++ -*-===//
//
// What the lanes of a subgroup hold of a fragment lies in a tile where the
// items of their threads say. `ldmatrix` reads up to four matrices of 8 rows of
// 16 bytes at once, and gives each lane 4 bytes of each, as the layout of
// fragments wants it:
//
//   tile                 fragment   ldmatrix
//   a[row][product]      rows       rows of the matrix are rows: as it is
//   b[column][product]   columns    rows of the matrix are columns: as it is
//   a[product][row]      rows       rows of the matrix are products of eight
//   b[product][column]   columns    neighbours: transposed, 16 bits
//
// Rows of 16 bytes have to be whole and aligned. Other fragments are made of
// elements that each lane loads.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_TENSOR_FRAGMENTLOADS_H
#define PASSES_TRANSFORMS_TENSOR_FRAGMENTLOADS_H

#include "passes/Transforms/Tensor/MatrixPlan.h"

namespace gpuopt {

/// Where a thread stands in its block: its subgroup and its place there, and
/// how many subgroups lie side by side along x.
struct SubgroupIds {
  mlir::Value lane, subgroup;
  /// Of the row of 16 bytes that the lane names for `ldmatrix`: which one of
  /// its matrix it is, and the bits of the matrix's number. Affine maps would
  /// mix these with other parts of the lane's number, so that nobody knew any
  /// more where a subscript ends.
  mlir::Value matrixRow, matrixBits[2];
  int64_t subgroupsAlongX = 1;

  /// The first position of the subgroup's threads, and the thread's own, over
  /// lane (symbol 0) and subgroup (symbol 1).
  mlir::AffineExpr firstX() const;
  mlir::AffineExpr firstY() const;
  mlir::AffineExpr x() const;
  mlir::AffineExpr y() const;
};

/// Loads fragments in an iteration of a new loop.
class FragmentLoader {
public:
  FragmentLoader(const MatrixPlan &matrixPlan, const SubgroupIds &subgroupIds,
                 mlir::OpBuilder &opBuilder, mlir::affine::AffineForOp newLoop)
      : plan(matrixPlan), layout(matrixPlan.layout), ids(subgroupIds),
        builder(opBuilder), loop(newLoop), loc(newLoop.getLoc()) {}

  /// The fragment of the rows of a group.
  mlir::Value loadRows(llvm::ArrayRef<unsigned> rows);
  /// The fragments of all pairs of columns.
  llvm::SmallVector<mlir::Value> loadColumns();

private:
  /// The expressions that take the places of the thread's ids and the loop's
  /// iterator: over lane, subgroup, matrix row and bits (symbols 0 to 4) and
  /// the new iterator (dimension 0).
  struct Place {
    mlir::AffineExpr x, y, iterator;
    /// Added to the subscripts.
    llvm::SmallVector<mlir::AffineExpr> shift = {};
  };
  /// Subscripts over dimensions and symbols, and their values.
  struct Subscripts {
    llvm::SmallVector<mlir::AffineExpr> expressions;
    llvm::SmallVector<mlir::Value> dims, symbols;

    mlir::AffineMap map(mlir::MLIRContext *context) const;
    llvm::SmallVector<mlir::Value> operands() const;
  };
  using Offset = llvm::SmallVector<int64_t>;

  mlir::AffineExpr lane() const;
  mlir::AffineExpr matrixRow() const;
  mlir::AffineExpr iterator(int64_t offset) const;
  mlir::AffineExpr product(int64_t part, int64_t element) const;
  int64_t elementsOfRow() const;
  Subscripts subscriptsAt(const TileSubscripts &element, const Place &place);
  mlir::Value loadElement(const TileSubscripts &element, const Place &place);
  /// Column `label` of the fragment of `pair`.
  Place columnPlace(const ColumnPair &pair, mlir::AffineExpr label,
                    mlir::AffineExpr iterator);
  bool hasNeighbouringColumns(const ColumnPair &pair);
  mlir::Value loadColumnPair(const ColumnPair &pair);
  mlir::Value join(llvm::ArrayRef<mlir::Value> values, int64_t parts);

  /// The matrices at `place` and at `offsets` from it, by one instruction;
  /// null where they cannot be read so.
  mlir::Value loadMatrices(const TileSubscripts &element, const Place &place,
                           llvm::ArrayRef<Offset> offsets, bool isTransposed);
  std::optional<Offset> productSteps(const TileSubscripts &element);
  bool addParts(const Offset &offset, const Offset &steps, int64_t part,
                llvm::SmallVectorImpl<Offset> &offsets);
  mlir::Value loadRowMatrices(llvm::ArrayRef<unsigned> rows);
  mlir::Value loadColumnMatrices(llvm::ArrayRef<ColumnPair> pairs);
  mlir::Value slice(mlir::Value matrices, int64_t first, int64_t count);

  const MatrixPlan &plan;
  const FragmentLayout &layout;
  const SubgroupIds &ids;
  mlir::OpBuilder &builder;
  mlir::affine::AffineForOp loop;
  mlir::Location loc;
};

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TENSOR_FRAGMENTLOADS_H
