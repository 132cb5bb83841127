//===- Uniformity.h - which ids a value depends on --------------*- C++ -*-===//
//
// For each SSA value of a kernel: the ids of threads and blocks that it may
// depend on. Two work items whose ids agree in all of these compute the same
// value at the same point of the program (the same iteration of each loop
// around it, between the same two barriers).
//
//   value                                   depends on
//   %t  = gpu.thread_id x                   ThreadX
//   %b  = gpu.block_id x                    BlockX
//   %i  = affine.apply (b * 16 + t)         ThreadX, BlockX
//   %v  = load %a[%b]   (%a never written)  BlockX
//   %w  = load %c[%b]   (%c is written)     BlockX, Unknown
//   %s  = load %tile[%t] (workgroup memory) ThreadX, WorkgroupMemory, block ids
//   %r  = scf.if %p { yield %0 } else …     %p, %0 and the other values
//   %l  = affine.for … to %n iter_args …    bounds, initial and yielded values
//
// The block ids that a load of workgroup memory depends on are those of the
// array's contents.
//
// A value is *block-uniform* when it is the same for all threads of a block:
// no thread id, no memory that may have been written. A barrier is safe where
// the control flow around it is block-uniform.
//
// Contents of workgroup and private memory are tracked for each array as a
// whole: the ids that any store's value, index and guard depend on. A thread
// that reads an element sees what some thread stored there, so thread ids drop
// out of the contents of workgroup memory while block ids stay: if they do not
// occur, every block fills the array with the same data. (This takes the source
// to be free of data races, as its language does.) A condition that all stores
// to a workgroup array share, that is block-uniform and that no loop changes
// does not count: a block for which it is false never fills the array, and what
// it reads there is undefined.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_UNIFORMITY_H
#define PASSES_ANALYSIS_UNIFORMITY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuopt {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// A set of ids.
enum class Dependence : uint8_t {
  None = 0,
  ThreadX = 1 << 0,
  ThreadY = 1 << 1,
  ThreadZ = 1 << 2,
  BlockX = 1 << 3,
  BlockY = 1 << 4,
  BlockZ = 1 << 5,
  /// Contents of workgroup memory: may differ between the threads of a block.
  /// Between blocks it differs only where a Block bit says so.
  WorkgroupMemory = 1 << 6,
  /// Anything: memory that the kernel writes, operations that are not known.
  Unknown = 1 << 7,
  AllThreads = ThreadX | ThreadY | ThreadZ,
  AllBlocks = BlockX | BlockY | BlockZ,
  All = 0xff,
  LLVM_MARK_AS_BITMASK_ENUM(/*LargestValue=*/Unknown)
};

/// The thread's or block's id in one dimension.
Dependence threadDependence(mlir::gpu::Dimension dimension);
Dependence blockDependence(mlir::gpu::Dimension dimension);

/// Prints "thread_x block_y", or "uniform" for the empty set.
void printDependence(llvm::raw_ostream &os, Dependence dependence);

/// The array that a memref is a view of: a kernel argument, an attribution, an
/// allocation, or the result of an operation that is not known.
mlir::Value memoryRoot(mlir::Value memref);

/// The operations that use `array` or a view of it, but for those that make
/// views.
llvm::SmallVector<mlir::Operation *> usersThroughViews(mlir::Value array);

/// Whether `op` is machine code, or as good as that: it may read the ids of
/// threads and blocks from registers, also where it has no effects.
bool mayReadRegisters(mlir::Operation *op);

/// Whether the results of a pure operation are functions of its operands. Those
/// of others depend on who runs them: ids, registers of the machine.
bool isFunctionOfOperands(mlir::Operation *op);

/// Computes and answers the above for one kernel. Valid as long as the kernel
/// is not changed.
class UniformityAnalysis {
public:
  explicit UniformityAnalysis(mlir::gpu::GPUFuncOp kernel);

  /// What `value` depends on.
  Dependence dependsOn(mlir::Value value) const { return values.lookup(value); }

  /// What the number of times that `op` runs depends on: the conditions and
  /// loop bounds around it.
  Dependence controlDependsOn(mlir::Operation *op) const;

  /// What the contents of a workgroup or private array depend on, where they
  /// are defined; `Unknown` for other memory that is written.
  Dependence contentsDependOn(mlir::Value root) const;

  /// Whether all threads of a block have the same `value`.
  bool isBlockUniform(mlir::Value value) const {
    return isBlockUniform(dependsOn(value));
  }

  /// Whether all threads of a block run `op`, and as often as each other.
  bool isUnderUniformControl(mlir::Operation *op) const {
    return isBlockUniform(controlDependsOn(op));
  }

  /// Whether nothing in the launch writes the memory behind `root`.
  bool isReadOnly(mlir::Value root) const;

  /// Whether threads of one block that differ in nothing but ids outside
  /// `dependence` agree.
  static bool isBlockUniform(Dependence dependence) {
    return (dependence & (Dependence::AllThreads | Dependence::WorkgroupMemory |
                          Dependence::Unknown)) == Dependence::None;
  }

private:
  void collectWrites();
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  void visitMemory(mlir::Operation *op,
                   mlir::MemoryEffectOpInterface interface);
  void recordStore(mlir::Operation *op, mlir::Value root);
  void collectCommonConditions();
  Dependence storeControlDependsOn(mlir::Operation *op, mlir::Value root) const;
  Dependence operandsDependOn(mlir::Operation *op) const;
  Dependence regionDependsOn(mlir::Operation *parent) const;
  void add(mlir::Value value, Dependence dependence);
  void addAll(mlir::ValueRange values, Dependence dependence);
  void addRange(mlir::ValueRange values, mlir::ValueRange sources);

  mlir::gpu::GPUFuncOp kernel;
  llvm::DenseMap<mlir::Value, Dependence> values;
  /// Of workgroup and private arrays.
  llvm::DenseMap<mlir::Value, Dependence> contents;
  /// For each array, the conditions around all stores to it that no loop
  /// changes.
  llvm::DenseMap<mlir::Value, llvm::SmallPtrSet<void *, 4>> commonConditions;
  /// The arrays that are written. Null stands for memory that is not known.
  llvm::SmallPtrSet<void *, 8> writtenRoots;
  bool changed = false;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_UNIFORMITY_H
