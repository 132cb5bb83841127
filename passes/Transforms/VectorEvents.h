//===- VectorEvents.h - what a block does to memory, as data ----*- C++ -*-===//
//
// From IR to the events that `plans/VectorPlan.h` decides on: what a block does
// to memory, in order, or what W iterations of a loop's body would do one after
// the other if the loop were unrolled by W, or W neighbouring work items if a
// thread had them (Yang et al. 2012, section 3.1, loop-based and inter-thread
// vectorization).
//
// Alignments are those that are proven, or those that would be if some
// parameters were multiples of a number and the arrays began at multiples of
// 16 bytes: the question that `gpuopt-version-alignment` asks.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_VECTOREVENTS_H
#define PASSES_TRANSFORMS_VECTOREVENTS_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Transforms/plans/VectorPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <map>

namespace gpuopt {

/// What is taken for granted beside what is proven.
struct AlignmentHypothesis {
  /// Bytes that the first byte of each array in global memory is a multiple of.
  int64_t baseBytes = 1;
  /// By variable: what it is a multiple of.
  std::map<unsigned, int64_t> multiples = {};
};

/// A counted loop that may be unrolled: its iterator goes in steps of `step`
/// from `lowerBound`.
struct VectorLoop {
  mlir::Value iterator;
  int64_t step = 1;
  mlir::Block *body = nullptr;
};

/// The loop whose body `op` is repeated with one more iterator value each time:
/// an `affine.for`, or the innermost dimension of an `affine.parallel`.
std::optional<VectorLoop> vectorLoopOf(mlir::Operation *op);

/// The events of a block and the operations that they come from.
struct BlockEvents {
  std::vector<MemoryEvent> events;
  std::vector<mlir::Operation *> operations;
};

/// Collects events of the blocks of one kernel.
class VectorEvents {
public:
  VectorEvents(mlir::gpu::GPUFuncOp kernel, const AccessFunctions &functions)
      : VectorEvents(kernel, functions, AlignmentHypothesis()) {}
  VectorEvents(mlir::gpu::GPUFuncOp kernel, const AccessFunctions &functions,
               AlignmentHypothesis hypothesis)
      : kernel(kernel), functions(functions), hypothesis(std::move(hypothesis)),
        values(kernel) {}

  /// What `block` does.
  BlockEvents collect(mlir::Block &block);
  /// What `copies` iterations of `loop` do, after any multiple of that number.
  BlockEvents collectIterations(const VectorLoop &loop, int64_t copies);
  /// What a thread does that has `items` neighbouring work items along
  /// `dimension`, one item after the other.
  BlockEvents collectItems(mlir::Block &block, unsigned dimension,
                           int64_t items);
  /// Groups what was collected.
  VectorPlan plan(const BlockEvents &block, int64_t maxBytes) const;

private:
  void add(mlir::Operation &op, BlockEvents &result);
  void addEffects(mlir::Operation &op, BlockEvents &result);
  std::optional<MemoryEvent> describe(mlir::Operation &op);
  std::optional<unsigned> findFirstPacked(mlir::Operation &op);
  int64_t baseDivisor(const AccessFunction &access) const;
  void inItem(MemoryEvent &event, mlir::Operation *op, unsigned dimension,
              int64_t items, int64_t item) const;
  void inIteration(MemoryEvent &event, mlir::Operation *op, unsigned iterator,
                   int64_t step, int64_t copies, int64_t copy) const;
  int64_t divisorOf(Polynomial polynomial) const;

  mlir::gpu::GPUFuncOp kernel;
  const AccessFunctions &functions;
  AlignmentHypothesis hypothesis;
  IntegerValues values;
  /// What the numbers in events stand for.
  llvm::SmallVector<mlir::Value> arrays, views;
  llvm::SmallVector<mlir::Type> types;
  /// See `findFirstPacked`.
  llvm::DenseMap<mlir::Operation *, std::optional<unsigned>> firstPacked;
  /// By block, array and subscripts behind the first packed dimension: whether
  /// these are proven to be in their dimensions.
  std::map<
      std::tuple<mlir::Block *, const void *, llvm::SmallVector<Polynomial>>,
      bool>
      proofs;
};

/// How a scalar load or store addresses memory; null where `op` is none that
/// could become part of a vector access.
mlir::MemRefType vectorizableMemRef(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VECTOREVENTS_H
