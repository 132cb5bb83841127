//===- MatrixRecord.h - a lane's part of a product --------------*- C++ -*-===//

#ifndef RUNTIME_CPU_MATRIXRECORD_H
#define RUNTIME_CPU_MATRIXRECORD_H

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/MatrixProducts.h"

namespace gpuopt::runtime {

/// The record of MatrixProducts.h, in code: what a lane has of the matrices
/// goes in, its new sums come out.
class MatrixRecord {
public:
  /// In `memory`, which `allocate` has made.
  MatrixRecord(KernelBuilder &kernel, const MatrixUnit &unit,
               llvm::Value *memory)
      : kernel(kernel), unit(unit), memory(memory) {}

  /// Memory for records of up to `words` words.
  static llvm::Value *allocate(KernelBuilder &kernel, unsigned words);

  unsigned firstColumnWord() const { return unit.rowWords(); }
  unsigned firstSumWord() const { return unit.rowWords() + unit.columnWords(); }

  /// `value` has at most 64 bits, `number` is an i64.
  void store(llvm::IRBuilderBase &ir, llvm::Value *value, llvm::Value *number);
  /// Waits, at `at`, until all lanes of the subgroup have stored theirs.
  void multiply(llvm::IRBuilderBase &ir, const llvm::Instruction &at);
  /// A word of the new sums.
  llvm::Value *loadSum(llvm::IRBuilderBase &ir, unsigned number,
                       llvm::Type *type);

private:
  llvm::Value *wordAt(llvm::IRBuilderBase &ir, llvm::Value *number);

  KernelBuilder &kernel;
  const MatrixUnit unit;
  llvm::Value *memory;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_MATRIXRECORD_H
