//===- IntricateValues.h - what MLIR takes too long to classify -*- C++ -*-===//
//
// Whether a value is an affine symbol MLIR finds out by walking from it to all
// that it is computed from, up to the top of the kernel, each time anew. Values
// that take others more than once double the way:
//
//   %1 = arith.addi %0, %0        2 ways to %0
//   %2 = arith.addi %1, %1        4
//   …
//   %40 = arith.addi %39, %39     2^40
//
// Where one operand is no symbol the others are not looked at any more. Such
// values are kept out of affine maps and away from whatever asks.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_INTRICATEVALUES_H
#define PASSES_ANALYSIS_INTRICATEVALUES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuopt {

/// Knows how long the ways are from values to the top of their kernel. Holds
/// while no operation is erased or gets other operands.
class IntricateValues {
public:
  /// Steps that MLIR may take to classify a value.
  static constexpr int64_t kMostSteps = 10000;

  /// Whether `affine::isValidSymbol` takes that many for `value`.
  bool contains(mlir::Value value) { return walk(value).steps == kMostSteps; }

private:
  /// What `affine::isValidSymbol` does with a value.
  struct Walk {
    int64_t steps = 1;
    bool isSymbol = false;
  };
  Walk walk(mlir::Value value);

  llvm::DenseMap<mlir::Value, Walk> known;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_INTRICATEVALUES_H
