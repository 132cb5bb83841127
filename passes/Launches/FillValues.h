//===- FillValues.h - what a thread has stored, computed again --*- C++ -*-===//
//
// The value that another thread of the block stored to a tile, computed by the
// thread that loads it:
//
//   s[ty][tx] = y < m ? a[y * n + p * 16 + tx] : 0;
//   barrier
//   … s[ty][k] …               becomes   … y < m ? a[y * n + p * 16 + k] : 0 …
//
// That is the same where nothing in the launch writes what the value is
// computed from. What is loaded again was loaded by the other thread before, so
// that it may be.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_FILLVALUES_H
#define PASSES_LAUNCHES_FILLVALUES_H

#include "passes/Launches/TileFills.h"
#include "passes/Raising/IndexBuilder.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace gpuopt {

class FillValues {
public:
  FillValues(mlir::gpu::GPUFuncOp kernel, IntegerValues &values,
             IndexBuilder &indices, const UniformityAnalysis &uniformity,
             const TileFills &fills)
      : kernel(kernel), values(values), indices(indices),
        uniformity(uniformity), fills(fills) {}

  /// Why the value that `load` reads cannot be computed again; nothing where it
  /// can. To be asked before the kernel changes.
  std::optional<Refusal> findObstacle(const FilledLoad &load);

  /// Puts the value, computed again, in the place of the load, which is left
  /// without uses: it must outlive all calls.
  void replace(const FilledLoad &load);

private:
  bool isKnown(mlir::Value value, const FilledLoad &load) const;
  std::optional<Refusal> checkValue(mlir::Value value, const FilledLoad &load);
  std::optional<Refusal> checkOperation(mlir::Operation *op,
                                        const FilledLoad &load);
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value value,
                    const FilledLoad &load, mlir::IRMapping &built);
  void buildOperation(mlir::OpBuilder &builder, mlir::Operation *op,
                      const FilledLoad &load, mlir::IRMapping &built);
  mlir::Value buildId(mlir::OpBuilder &builder, mlir::Operation *id,
                      const FilledLoad &load);

  mlir::gpu::GPUFuncOp kernel;
  IntegerValues &values;
  IndexBuilder &indices;
  const UniformityAnalysis &uniformity;
  const TileFills &fills;
  /// What has been found computable for the load that is asked about.
  llvm::DenseSet<mlir::Value> computable;
};

} // namespace gpuopt

#endif // PASSES_LAUNCHES_FILLVALUES_H
