//===- WorkgroupLiveness.h - where workgroup memory is dead -----*- C++ -*-===//
//
// Between two operations of a kernel the contents of its workgroup arrays are
// *dead* where no thread reads later what was stored before: every element that
// is loaded has been stored again by then. What is stored between two such
// places and loaded before the second one is a use of the memory of its own,
// a *shared memory access region* of Yang 2012 (chapter 5.3):
//
//   store s[4*t + i]
//   barrier
//   load s[t + 64*i]
//                      dead: all 256 elements are stored before they are loaded
//   barrier
//   store s[4*t + i]
//   barrier
//   load s[t + 64*i]
//
// This is a proof: elements that a store certainly writes are counted thread by
// thread, with exact address functions of thread ids and of loops with constant
// bounds. Whatever depends on something else (a parameter, a block id, data) is
// taken to store nothing and to load everything.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_WORKGROUPLIVENESS_H
#define PASSES_ANALYSIS_WORKGROUPLIVENESS_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {

/// Valid as long as the kernel is not changed.
class WorkgroupLiveness {
public:
  /// For `kernel` in blocks of `block` threads.
  WorkgroupLiveness(mlir::gpu::GPUFuncOp kernel, const BlockShape &block);

  /// Whether `op`, or something inside it, accesses a workgroup array.
  bool accesses(mlir::Operation *op) const { return around.contains(op); }

  /// Whether all workgroup arrays are dead before `op`, in every iteration of
  /// the loops around it. All threads of the block have to get to `op`
  /// together.
  bool isDeadBefore(mlir::Operation *op);

private:
  /// Bytes of arrays.
  using Elements = llvm::SmallMapVector<mlir::Value, llvm::BitVector, 4>;
  /// What is known of a condition around an access.
  enum class Condition {
    Holds,     ///< it stands around the place where the walk began
    AsWritten, ///< see the access function's guards
    Unknown,
  };
  /// What is followed from one place of the kernel to its end.
  struct Walk {
    /// What has certainly been stored since.
    Elements stored;
    /// The iterations of counted loops that the walk is in, by variable.
    llvm::DenseMap<unsigned, int64_t> iterations;
    /// Those around the current operation, outermost first.
    llvm::SmallVector<Condition> conditions;
  };

  bool follow(mlir::Block::iterator begin, mlir::Block::iterator end,
              Walk &walk);
  bool follow(mlir::Operation *op, Walk &walk);
  bool followLoop(mlir::LoopLikeOpInterface loop, Walk &walk);
  bool followAccess(mlir::Operation *op, Walk &walk);
  bool followRegions(mlir::Operation *op, Walk &walk);
  bool load(mlir::Value array, const AccessFunction *access, Walk &walk);
  void store(mlir::Value array, const AccessFunction &access, Walk &walk);
  bool isKnown(const Polynomial &polynomial, const Walk &walk) const;
  bool areKnown(const Guard &guard, const Walk &walk) const;
  std::optional<int64_t> tripCount(unsigned loop, const Walk &walk);
  bool visit(const AccessFunction &access, llvm::ArrayRef<Guard> guards,
             const Walk &walk, llvm::function_ref<bool(int64_t)> elements);

  BlockShape block;
  AccessFunctions functions;
  /// Operations that access workgroup arrays, with those.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 1>> users;
  /// These and all that they stand in.
  llvm::SmallPtrSet<mlir::Operation *, 16> around;
  /// How many addresses may still be computed.
  int64_t steps;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_WORKGROUPLIVENESS_H
