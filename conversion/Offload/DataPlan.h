//===- DataPlan.h - what a section needs of the host's memory ---*- C++ -*-===//
//
// Which variables and sections of arrays go to the device before a section of
// the program and come back behind it. An array comes back only, without
// going, where every element of its section is written for sure; an array of
// which the function makes no use any more does not come back.
//
//   for (i = 0; i < n; i++)        B[0:n], k in
//     A[i] = k * B[i];             A[0:n] out
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_DATAPLAN_H
#define CONVERSION_OFFLOAD_DATAPLAN_H

#include "conversion/Offload/Bounds.h"

namespace gpuopt::offload {

enum class Direction { In, Out, InOut, Neither };

/// One operand of a data clause.
struct DataItem {
  const clang::VarDecl *variable = nullptr;
  Direction direction = Direction::In;
  /// Subscripts in front of the section, `[k]`.
  std::string rows;
  /// The section; without one it is the whole variable.
  bool hasSection = false;
  Polynomial first, count;
  /// The loops access its first element and its last.
  bool isReached = false;
  /// The size of what is counted.
  Polynomial elementBytes;

  Polynomial bytes() const { return count * elementBytes; }
};

/// What one parallel loop of a region needs.
struct LoopPlan {
  /// Arrays, by their places in the plan.
  std::vector<size_t> arrays;
  /// Scalars that it changes.
  std::vector<DataItem> scalars;
  /// Scalars that it reads alone.
  Variables values;
};

struct DataPlan {
  /// Sections of arrays, for the whole region.
  std::vector<DataItem> arrays;
  std::vector<LoopPlan> loops;
  /// What must not be negative for all that.
  Conditions conditions;
  /// Those of the first loop, which are independent of each other.
  Polynomial iterations;
  Work work;
  std::optional<Problem> problem;

  /// Whether each loop but the first needs what another one has needed, and no
  /// section is larger for it.
  bool sharesArrays(const SymbolTable &symbols) const;
};

/// The data of `region` with `effects`, to whose symbols it adds. With
/// `trustsConditions` elements that a loop accesses under a condition exist for
/// all of its iterations, as the author says.
DataPlan planData(const Region &region, Effects &effects,
                  const clang::ASTContext &context, bool trustsConditions);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_DATAPLAN_H
