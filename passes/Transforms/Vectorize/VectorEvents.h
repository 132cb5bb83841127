//===- VectorEvents.h - what a block does to memory, as data ----*- C++ -*-===//
//
// From IR to the events that `VectorPlan.h` decides on: what a block does
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

#ifndef PASSES_TRANSFORMS_VECTORIZE_VECTOREVENTS_H
#define PASSES_TRANSFORMS_VECTORIZE_VECTOREVENTS_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Transforms/Vectorize/VectorPlan.h"

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

/// What one iteration of a loop does, and what the next one does instead.
struct LoopEvents {
  /// How a load or store changes.
  struct Advance {
    /// Bytes from one iteration to the next; nothing where that is not known.
    std::optional<Polynomial> address;
    std::vector<Polynomial> subscripts;
    /// What the address without that, and without its constant summand, is a
    /// multiple of.
    int64_t divisor = 1;
  };

  BlockEvents once;
  /// By event; those that are the same in all iterations have none.
  std::vector<std::optional<Advance>> advances;
};

/// Which subscripts of the accesses of one kernel are proven to be in their
/// dimensions. For all who plan before the kernel changes.
class SubscriptProofs {
public:
  explicit SubscriptProofs(mlir::gpu::GPUFuncOp kernel)
      : values(kernel), facts(values) {}

  /// The first dimension from which on subscripts that differ from those of
  /// `op` are other elements, if there is one: the proof is worth its time only
  /// where strides are not constants, which leave constant distances.
  std::optional<unsigned> findFirstPacked(mlir::Operation &op);

private:
  IntegerValues values;
  DominatingFacts facts;
  /// See `findFirstPacked`.
  llvm::DenseMap<mlir::Operation *, std::optional<unsigned>> firstPacked;
  /// By block, array and subscripts behind the first packed dimension: whether
  /// these are proven to be in their dimensions.
  std::map<
      std::tuple<mlir::Block *, const void *, llvm::SmallVector<Polynomial>>,
      bool>
      proofs;
};

/// Collects events of the blocks of one kernel.
class VectorEvents {
public:
  VectorEvents(const AccessFunctions &functions, SubscriptProofs &proofs,
               AlignmentHypothesis hypothesis = {})
      : functions(functions), proofs(proofs),
        hypothesis(std::move(hypothesis)) {}

  /// What `block` does.
  BlockEvents collect(mlir::Block &block);
  /// What one iteration of `loop` does.
  LoopEvents collectLoop(const VectorLoop &loop);
  /// What `copies` iterations do, after any multiple of that number.
  BlockEvents repeat(const LoopEvents &loop, int64_t copies) const;
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
  int64_t baseDivisor(const AccessFunction &access);
  void inItem(MemoryEvent &event, mlir::Operation *op, unsigned dimension,
              int64_t items, int64_t item);
  LoopEvents::Advance advanceOf(MemoryEvent &event, mlir::Operation *op,
                                unsigned iterator, int64_t step);
  int64_t divisorOf(const Polynomial &polynomial) const;

  const AccessFunctions &functions;
  SubscriptProofs &proofs;
  AlignmentHypothesis hypothesis;
  /// What the numbers in events stand for.
  llvm::SmallVector<mlir::Value> arrays, views;
  llvm::SmallVector<mlir::Type> types;
  /// By memref: what its first byte is a multiple of.
  llvm::DenseMap<mlir::Value, int64_t> baseAlignments;
};

/// How a scalar load or store addresses memory; null where `op` is none that
/// could become part of a vector access.
mlir::MemRefType vectorizableMemRef(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VECTORIZE_VECTOREVENTS_H
