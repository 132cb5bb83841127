//===- UnsetMatrices.h - products of unset bits -----------------*- C++ -*-===//
//
// A sum is unset where one of the elements that go into it is. The matrix units
// find these: with one where something is unset and zero elsewhere for the
// rows, and ones for all columns, sums are not zero where a row has something
// unset; then the same with ones for all rows.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_UNSETMATRICES_H
#define RUNTIME_CPU_UNSETMATRICES_H

#include "runtime/CPU/MatrixProducts.h"

namespace gpuopt::runtime {

/// Makes a record of two factors in `record` from a lane's shadow of one: the
/// rows', and its sums, or, where `isOfColumns`, the columns'; sums stay then.
void prepareUnsetProduct(const MatrixUnit &unit, const uint64_t *shadow,
                         bool isOfColumns, uint64_t *record);

/// Marks the sums of `shadow` that are not zero in `record`.
void finishUnsetProduct(const MatrixUnit &unit, const uint64_t *record,
                        uint64_t *shadow);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_UNSETMATRICES_H
