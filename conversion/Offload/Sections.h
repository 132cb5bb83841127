//===- Sections.h - the part of an array that is accessed -------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_SECTIONS_H
#define CONVERSION_OFFLOAD_SECTIONS_H

#include "conversion/Offload/DataPlan.h"

#include "llvm/ADT/DenseSet.h"

namespace gpuopt::offload {

/// Accesses of one array.
using Accesses = std::vector<const Access *>;

/// Finds the section of an array that accesses touch, all of which exists.
class SectionFinder {
public:
  SectionFinder(Effects &effects, Conditions &conditions,
                const clang::ASTContext &context, bool trustsConditions)
      : effects(effects), bounds(effects, conditions), conditions(conditions),
        context(context), trustsConditions(trustsConditions) {}

  /// Sets the section of `item`, the operand for the array of `accesses`; a
  /// problem where it is not known.
  std::optional<Problem> find(const Accesses &accesses, DataItem &item);
  /// Whether `write` changes every element of the section of `item`.
  bool covers(const Access &write, const DataItem &item);

private:
  std::optional<Problem> findAt(size_t depth, const Accesses &accesses,
                                DataItem &item);
  std::optional<Range> reachedRange(size_t depth, const Accesses &accesses);
  std::optional<Range> reachedRange(size_t depth, const Access &access);
  bool holdsOthers(size_t depth, const Accesses &accesses, const Range &range);
  bool isReached(const Access &access) const;
  std::optional<Problem> checkRows(const Access &access, const DataItem &item);
  bool haveIterations(llvm::ArrayRef<LoopRange> ranges,
                      llvm::ArrayRef<size_t> loops);
  Polynomial merge(const Polynomial &left, const Polynomial &right,
                   bool isMost);
  /// The elements of the array's type at `depth`; nothing for pointers.
  std::optional<Polynomial> extentAt(size_t depth, const DataItem &item) const;
  Polynomial bytesAt(size_t depth, const DataItem &item);
  /// Whether `subscript` takes each of `count` values from `first` on.
  bool tiles(const Polynomial &subscript, llvm::ArrayRef<LoopRange> ranges,
             const Polynomial &first, const Polynomial &count,
             llvm::DenseSet<SymbolID> &used) const;

  Effects &effects;
  Bounds bounds;
  Conditions &conditions;
  const clang::ASTContext &context;
  /// Elements of accesses under conditions exist.
  bool trustsConditions;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_SECTIONS_H
