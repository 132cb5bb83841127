//===- MatrixRows.h - what ldmatrix reads -----------------------*- C++ -*-===//

#ifndef PASSES_ANALYSIS_MATRIXROWS_H
#define PASSES_ANALYSIS_MATRIXROWS_H

#include "mlir/IR/Types.h"

namespace gpuopt {

/// Elements of `type` in a row of a matrix that `ldmatrix` reads, of which each
/// lane names one: 16 bytes.
inline int64_t elementsOfMatrixRow(mlir::Type type) {
  constexpr int64_t rowBits = 128;
  return rowBits / type.getIntOrFloatBitWidth();
}

} // namespace gpuopt

#endif // PASSES_ANALYSIS_MATRIXROWS_H
