//===- Interpreter.h - kernels of index arithmetic, run exactly -*- C++ -*-===//
//
// Runs one work item of a kernel, by the definitions of the dialects: poison
// where a flag is not kept or a shift is too wide, an end where the behaviour
// is undefined (division by zero, a branch on poison). Shares no code with the
// analyses that it is the judge of.
//
// Affine expressions are taken to stay in 64 bits, as the analyses take them;
// one that does not is poison.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_PROPERTY_INTERPRETER_H
#define TEST_UNIT_PROPERTY_INTERPRETER_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuopt::property {

/// One of the work items of a launch.
struct WorkItem {
  std::array<int64_t, 3> blockDim = {1, 1, 1};
  std::array<int64_t, 3> gridDim = {1, 1, 1};
  std::array<int64_t, 3> blockId = {};
  std::array<int64_t, 3> threadId = {};

  int64_t globalId(unsigned dimension) const {
    return blockId[dimension] * blockDim[dimension] + threadId[dimension];
  }
};

/// A value at run time; nothing stands for poison.
using Bits = std::optional<llvm::APInt>;

/// The result of an `arith` operation other than constants and selections.
/// `isUndefined` is set where running it is undefined behaviour.
Bits computeArith(mlir::Operation *op, llvm::ArrayRef<llvm::APInt> operands,
                  bool &isUndefined);

class Interpreter {
public:
  enum class End {
    Returned,
    Undefined,  ///< what would have come behind says nothing
    TooLong,    ///< the same: a loop has more iterations than are worth it
    Unsupported ///< an operation that is not known: a mistake of the test
  };
  /// Called behind each operation that has run, before the regions of those
  /// that have regions, and for the end of the kernel where it is reached.
  using Observer = llvm::function_ref<void(mlir::Operation *)>;

  Interpreter(mlir::gpu::GPUFuncOp kernel, const WorkItem &item,
              llvm::ArrayRef<llvm::APInt> arguments);

  End run(Observer observer);

  /// Poison also for what has not been computed.
  Bits get(mlir::Value value) const { return values.lookup(value); }
  /// The results of `map`; nothing where one is poison.
  std::optional<llvm::SmallVector<int64_t>>
  evaluate(mlir::AffineMap map, mlir::ValueRange operands) const;

  const WorkItem &getItem() const { return item; }
  llvm::ArrayRef<llvm::APInt> getArguments() const { return arguments; }
  /// The iterations that the loops around are in, outermost first.
  llvm::ArrayRef<int64_t> getIterations() const { return iterations; }
  /// Whether some 64-bit value, read as signed, was below -2^61 or not below
  /// 2^61, or was computed by arithmetic that wrapped.
  bool hasLargeValues() const { return sawLargeValue; }

private:
  End run(mlir::Block &block);
  End runOne(mlir::Operation &op);
  End runFor(mlir::scf::ForOp loop);
  End runFor(mlir::affine::AffineForOp loop);
  End runIterations(mlir::LoopLikeOpInterface loop, const llvm::APInt &first,
                    const llvm::APInt &step, const llvm::APInt &count);
  End runIf(mlir::scf::IfOp branch);
  End runIf(mlir::affine::AffineIfOp branch);
  End runValue(mlir::Operation &op);
  Bits computeId(mlir::Operation &op);
  void noteWrap(mlir::Operation &op, llvm::ArrayRef<llvm::APInt> operands);
  void set(mlir::Value value, Bits bits);
  void yieldTo(mlir::Operation *terminator, mlir::ValueRange targets);

  mlir::gpu::GPUFuncOp kernel;
  WorkItem item;
  llvm::ArrayRef<llvm::APInt> arguments;
  llvm::DenseMap<mlir::Value, Bits> values;
  llvm::SmallVector<int64_t> iterations;
  Observer *observer = nullptr;
  bool sawLargeValue = false;
};

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_INTERPRETER_H
