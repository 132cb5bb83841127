//===- TileFills.h - what the loads of a hand-made tile read ----*- C++ -*-===//
//
// A kernel that is tiled by hand copies a part of an array to workgroup memory,
// waits, and reads it from there. Which thread stored what a load reads, and in
// which iteration of the loops around its store, follows from the subscripts:
//
//   for (p)                                   load       stored by
//     s[ty][tx] = a[y * n + p * 16 + tx];     s[ty][k]   tx = k, ty = ty
//     t[ty][tx] = b[(p * 16 + ty) * n + x];   t[k][tx]   tx = tx, ty = k
//     barrier
//     for (k) sum += s[ty][k] * t[k][tx];
//
// The address of the store is a sum of multiples of ids and iterators; what the
// load's address has besides is written in that mixed radix, each digit proven
// to be in its range.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_TILEFILLS_H
#define PASSES_LAUNCHES_TILEFILLS_H

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dominance.h"

#include <array>
#include <variant>

namespace gpuopt {

/// What tells the stores of a fill apart: a thread's id, or the iterator of a
/// loop around the store. Its value is `first + step * digit`, or the sum of
/// these where it is split into a quotient and a remainder.
struct FillVariable {
  /// Of the thread's id.
  unsigned dimension = 0;
  /// The iterator; null for an id.
  mlir::Value iterator = {};
  /// Elements of the tile between the stores of neighbouring digits.
  int64_t stride = 0;
  int64_t first = 0;
  int64_t step = 1;
  /// How many digits there are.
  Polynomial extent;
};

/// A load of a tile and the store whose value it reads.
struct FilledLoad {
  mlir::Operation *load = nullptr;
  mlir::Operation *store = nullptr;
  /// Of the thread that stored, by dimension; nothing where the store's address
  /// does not depend on it.
  std::array<std::optional<Polynomial>, 3> ids;
  /// Of the iteration in which it stored.
  llvm::SmallVector<std::pair<mlir::Value, Polynomial>, 1> iterators;
};

/// Finds the stores behind the loads of workgroup arrays. Valid as long as the
/// kernel does not change.
class TileFills {
public:
  TileFills(mlir::gpu::GPUFuncOp kernel, IntegerValues &values,
            const UniformityAnalysis &uniformity);

  /// What each load of `array` reads; a reason where that is not known of one.
  std::variant<std::vector<FilledLoad>, Refusal>
  find(mlir::BlockArgument array);

  /// Whether all threads of the block have the same `value`, at the store as
  /// at `load`, which it follows.
  bool isCommon(mlir::Value value, mlir::Operation *load) const;

private:
  /// The store's address but for its variables, and these, the largest stride
  /// first.
  struct Fill {
    Polynomial rest;
    std::vector<FillVariable> variables;
  };

  std::variant<mlir::Operation *, Refusal>
  findStore(mlir::Operation *load,
            llvm::ArrayRef<mlir::Operation *> stores) const;
  std::variant<FilledLoad, Refusal> fill(mlir::Operation *load,
                                         mlir::Operation *store);
  std::optional<Fill> readStore(mlir::Operation *store, mlir::Operation *load);
  std::optional<FillVariable> readLoop(mlir::affine::AffineForOp loop,
                                       mlir::Operation *load,
                                       std::array<bool, 3> &taken);
  bool coversBlock(const Polynomial &start, int64_t step,
                   std::array<bool, 3> &taken);
  bool takeOut(FillVariable &variable, Polynomial &address,
               std::vector<FillVariable> &variables);
  bool isOneToOne(llvm::ArrayRef<FillVariable> variables,
                  mlir::Operation *load);
  std::optional<Polynomial> addressOf(mlir::Operation *access);
  bool isCommon(const Polynomial &polynomial, mlir::Operation *load) const;
  void split(Polynomial number, llvm::ArrayRef<FillVariable> variables,
             llvm::SmallVectorImpl<Polynomial> &digits);
  bool solve(const Polynomial &difference,
             llvm::ArrayRef<FillVariable> variables, mlir::Operation *load,
             llvm::SmallVectorImpl<Polynomial> &digits);

  mlir::gpu::GPUFuncOp kernel;
  IntegerValues &values;
  const UniformityAnalysis &uniformity;
  DominatingFacts facts;
  mlir::DominanceInfo dominance;
  llvm::ArrayRef<int32_t> block;
};

} // namespace gpuopt

#endif // PASSES_LAUNCHES_TILEFILLS_H
