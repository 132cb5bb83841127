//===- LaunchRules.h - when and how a tuned kernel is launched --*- C++ -*-===//
//
// What a launcher has to know of a tuned kernel, as plain data: the conditions
// under which it may take the place of the original kernel, and the launch that
// it then needs. The compiler makes the rules from the kernel's attributes;
// they travel beside the kernel in an object file, as JSON, and whoever
// launches asks `decideLaunch`: `gpuopt check` and the runtime of a program
// alike.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_LAUNCHRULES_H
#define RUNTIME_LAUNCHRULES_H

#include "runtime/Launch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// An exact integer expression over numbered values, in postfix order.
struct IntegerExpression {
  enum class Step : uint8_t {
    Constant,
    Symbol,
    Add,
    Multiply,
    Modulo,
    FloorDivide,
    CeilDivide
  };
  struct Term {
    Step step = Step::Constant;
    /// The constant, or the number of the symbol.
    int64_t value = 0;
  };
  std::vector<Term> terms;

  /// Its value; nothing where it needs a symbol that is not known, divides by
  /// what is not positive, or takes more than 64 bits on the way.
  std::optional<int64_t>
  evaluate(llvm::ArrayRef<std::optional<int64_t>> symbols) const;
  bool mentions(unsigned symbol) const;
};

/// The symbols behind a kernel's parameters: the original grid in x, y, z and
/// the original block in x, y, z.
inline constexpr unsigned kLaunchSymbols = 6;

/// A parameter of the original kernel, or a member of a structure that is one.
struct ParameterRule {
  std::string name;
  /// The argument of a launch that it is, or that it lies in, and where in that
  /// it begins, in bytes.
  unsigned argument = 0;
  uint64_t offset = 0;
  /// Bytes that the argument takes.
  uint64_t bytes = 0;
  /// Of an integer, of which it is a signed number as a symbol; 64 for all that
  /// is none.
  unsigned bits = 64;
  bool isPointer = false;
  /// Only a launch with this value takes the tuned kernel.
  std::optional<int64_t> requiredValue;
  /// The address must be a multiple.
  int64_t alignment = 1;
  /// The tuned kernel touches elements from 0 up to the largest of these. Not
  /// known where there are none.
  std::vector<IntegerExpression> extents;
  /// Of an array's elements; 0 where it is not known.
  int64_t elementBytes = 0;
  /// Where the extents matter: arrays whose places are compared.
  bool isCompared = false;
  /// It must not overlap with any other array that is compared.
  bool mustBeDistinct = false;

  /// The symbol's value for an argument, which may be written as signed or as
  /// unsigned.
  int64_t asSymbol(int64_t value) const;

  /// Where its bytes are among those of a launch's arguments.
  uint8_t *placeIn(void *const *arguments) const {
    return static_cast<uint8_t *>(arguments[argument]) + offset;
  }
};

/// `expression >= 0`, or `== 0`.
struct ConditionRule {
  IntegerExpression expression;
  bool isEquality = false;
  /// For a person: a comparison in C.
  std::string text;
};

/// A guard's end of the work items along one dimension.
struct GuardRule {
  IntegerExpression end;
  /// Parameters that it takes for unsigned numbers: it bounds nothing where one
  /// of them is negative as a signed one.
  std::vector<unsigned> unsignedSymbols;
};

/// `GeometryAttr`, see GPUOptGeometry.td.
struct GeometryRule {
  Dim3 block = {1, 1, 1};
  Dim3 itemsPerThread = {1, 1, 1};
  Dim3 itemsPerBlock = {1, 1, 1};
  /// The extent of a dimension is the largest of these; none where not known.
  std::array<std::vector<IntegerExpression>, 3> extents;
  /// Where the original kernel's own guards end it: the least of these.
  std::array<std::vector<GuardRule>, 3> guards;
  std::array<std::optional<int64_t>, 3> originalBlock;
  /// It computes with the number of blocks: as many as cover the original
  /// launch are launched, also where an extent ends before.
  bool readsGrid = false;
  /// Bytes of workgroup memory whose size the launch gives.
  int64_t dynamicSharedBytes = 0;
};

/// Everything that a launcher needs to know of one kernel.
struct LaunchRules {
  /// The original kernel's symbol, by which the program launches.
  std::string symbol;
  /// The kernel to launch where a rule does not hold.
  std::string fallback;
  std::vector<ParameterRule> parameters;
  std::vector<ConditionRule> conditions;
  std::optional<GeometryRule> geometry;
  /// Bytes of workgroup memory that the original kernel declares.
  int64_t workgroupBytes = 0;
  /// The largest block that may launch it (`__launch_bounds__`).
  std::optional<int64_t> mostThreads;
  /// Work items that stand in the place of those of the original launch.
  std::optional<std::array<IntegerExpression, 3>> workItems;

  /// Whether there is another kernel than the original one.
  bool isTuned() const {
    return symbol != fallback || geometry || workItems || !conditions.empty();
  }

  /// The values of the symbols, given those of the parameters; without
  /// `original` those of the launch are not known.
  llvm::SmallVector<std::optional<int64_t>>
  symbols(llvm::ArrayRef<std::optional<int64_t>> values,
          const std::optional<LaunchConfig> &original) const;
};

/// The geometry for these symbols.
std::optional<LaunchGeometry>
evaluateGeometry(const LaunchRules &rules,
                 llvm::ArrayRef<std::optional<int64_t>> symbols);

/// Whether a condition holds; nothing where a symbol that it needs is not
/// known. A condition that takes more than 64 bits does not.
std::optional<bool> isFulfilled(const ConditionRule &condition,
                                llvm::ArrayRef<std::optional<int64_t>> symbols);

/// The largest of `expressions`; nothing where there is none or one is not
/// known.
std::optional<int64_t>
largestOf(llvm::ArrayRef<IntegerExpression> expressions,
          llvm::ArrayRef<std::optional<int64_t>> symbols);

/// Which kernel a launch takes.
struct LaunchDecision {
  /// The tuned kernel's launch; nothing where the fallback has to run with the
  /// original one.
  std::optional<LaunchConfig> tuned;
  /// Why that is, for a person.
  std::string reason;
  /// No work item passes the guards: the original kernel returns at once, and
  /// nothing has to be tuned for that.
  bool hasNothingToDo = false;
};

/// Decides for a launch with these values of the parameters, nothing for those
/// that are no integers, and these addresses of arrays. An array without an
/// address is aligned and overlaps with no other.
LaunchDecision decideLaunch(const LaunchRules &rules,
                            llvm::ArrayRef<std::optional<int64_t>> values,
                            llvm::ArrayRef<std::optional<uint64_t>> addresses,
                            const LaunchConfig &original);

llvm::json::Value toJSON(const LaunchRules &rules);
bool fromJSON(const llvm::json::Value &value, LaunchRules &rules,
              llvm::json::Path path);

} // namespace gpuopt

#endif // RUNTIME_LAUNCHRULES_H
