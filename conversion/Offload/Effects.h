//===- Effects.h - what a section of a program reads and writes -*- C++ -*-===//
//
// A section is what could run on a device: the parallel loops of a region, with
// the functions that they call. Each access in it is noted with its array and
// its subscripts as polynomials (Polynomial.h):
//
//   for (i = 30; i < 100; i++) {        loop i: 30 … 99
//     double *row = m + i * n;          row = &m[n·i]
//     x[i] += row[k];                   reads x[i], m[n·i + k], k; writes x[i]
//   }
//
// What keeps the section from being understood is a problem, with its place.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_EFFECTS_H
#define CONVERSION_OFFLOAD_EFFECTS_H

#include "conversion/ImportSource/OpenACC/LoopForm.h"
#include "conversion/Offload/FixedPointers.h"
#include "conversion/Offload/Polynomial.h"
#include "conversion/Offload/Region.h"

#include "llvm/ADT/MapVector.h"

namespace gpuopt::offload {

/// A loop whose iterations are counted, or a condition on its variable.
struct LoopRange {
  const clang::VarDecl *variable = nullptr;
  /// The values of the variable.
  SymbolID symbol = 0;
  /// The variable is at least and at most that.
  Polynomial least, most;
  /// From its first value to its bound; negative where there are no iterations.
  Polynomial distance;
  int64_t step = 1;
  bool isParallel = false;
  /// Both are values of the variable, where there are iterations and none of
  /// `needed` is negative.
  bool isExact = true;
  std::vector<Polynomial> needed;
  /// These are the iterations of that loop, by its place, that a condition lets
  /// pass.
  std::optional<size_t> of;

  /// Where each value between both is one of an iteration.
  bool isDense() const { return step == 1 || step == -1; }
  /// The number of iterations, or one that is not less.
  Polynomial iterations() const;
};

struct Access {
  const clang::Expr *expression = nullptr;
  /// An array, or the pointer to its first element.
  const clang::VarDecl *base = nullptr;
  /// The outermost first; nothing for those that are not known.
  std::vector<std::optional<Polynomial>> subscripts;
  bool isWrite = false;
  bool isAtomic = false;
  /// Of an element, a member only.
  bool isInElement = false;
  /// Conditions that it stands behind: with none, each iteration of the loops
  /// around it makes it, unless one is left early.
  unsigned conditions = 0;
  /// Around it, by their places in `Effects::loops`.
  std::vector<size_t> loops;
  /// The parallel loop that makes it, by its place in the region.
  size_t maker = 0;
};

/// What becomes of a variable that is no array, and is declared outside of the
/// loop.
struct ScalarUse {
  const clang::Expr *first = nullptr;
  bool isRead = false;
  bool isWritten = false;
  /// An iteration may read it before it has written it.
  bool isReadFirst = false;
  /// Every write is an atomic operation.
  bool isOnlyAtomic = true;
};

/// How often something is done in all.
struct Work {
  Polynomial operations, memoryOperations;
};

using Scalars = llvm::MapVector<const clang::VarDecl *, ScalarUse>;

struct Effects {
  SymbolTable symbols;
  std::vector<LoopRange> loops;
  std::vector<Access> accesses;
  /// Of each parallel loop.
  std::vector<Scalars> scalars;
  /// The same of those that each iteration has to itself by `privates`.
  std::vector<Scalars> privates;
  /// Bases of accesses that are no variables of the program.
  FixedPointers pointers;
  Work work;
  /// Loops or functions may be left early, so that no access is certain.
  bool mayLeave = false;
  /// The first one, if any.
  std::optional<Problem> problem;
};

/// What `region` does.
Effects findEffects(const Region &region, const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_EFFECTS_H
