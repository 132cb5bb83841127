//===- Problem.h - one launch of a kernel, with its data --------*- C++ -*-===//
//
// What a command that runs a kernel needs: values for the scalar parameters,
// contents for the arrays, and the original launch. They come from the command
// line, from the pragma in front of the kernel, and else from a seed.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_PROBLEM_H
#define TOOLS_LIB_LAUNCH_PROBLEM_H

#include "conversion/ImportSource/KernelInfo.h"
#include "runtime/Executor.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/Number.h"
#include "tools/lib/launch/Subscripts.h"

#include <map>
#include <optional>
#include <random>

namespace gpuopt {

/// What arrays hold for which no file is given.
enum class InputValues {
  /// Numbers of about one, and integers that may be subscripts.
  Ordinary,
  /// Zeros of both signs, denormals, infinities, NaNs, the largest integers, …
  Extreme,
  /// The same, but integers are ordinary.
  ExtremeFloats
};

/// How to run a kernel; the options common to all commands that do.
struct RunOptions {
  /// Scalar parameters, members of structures passed by value (`t.width`), and
  /// numbers of elements of arrays without a pragma.
  NumberMap sizes;
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  int64_t dynamicSharedBytes = 0;
  uint64_t seed = 1;
  InputValues values = InputValues::Ordinary;
  /// Extreme numbers include the largest: sums of these overflow, and in
  /// another order others do.
  bool sumsMayOverflow = true;
  /// Leave variables of the module as they are.
  bool keepVariables = false;
  /// Ordinary integers that are subscripts are any of what they index; else all
  /// integers are 0 to 15.
  bool fitSubscripts = true;
  /// Name of an array, or of a variable of the module, to .npy file.
  std::map<std::string, std::string> inputs;
  /// Parameter to the parameter before it whose array it gets as well.
  std::map<std::string, std::string> sameArrays;
  /// Array to the bytes, fewer than 16, by which it starts behind a place that
  /// is aligned for everything.
  std::map<std::string, unsigned> displacedArrays;
};

/// Whether a kernel has left an array.
inline bool leavesArrays(llvm::ArrayRef<ExecutionFault> faults) {
  return llvm::any_of(faults, [](const ExecutionFault &fault) {
    return fault.kind == ExecutionFault::Kind::OutOfBounds;
  });
}

/// Says that `integers`, which are made up, may be to blame for that.
std::string blameInputs(llvm::ArrayRef<std::string> integers);

/// How a member of a structure is named on the command line.
inline std::string memberName(const KernelParameter &parameter,
                              const StructureMember &member) {
  return parameter.name + "." + member.name;
}
/// Whether `--size` can give a member of a structure a value.
inline bool isNumber(const StructureMember &member) {
  return !member.isPointer && member.extents.empty() &&
         member.element.lanes == 1 &&
         member.element.kind != ElementKind::Opaque;
}

/// Whether `sizes` are values that the kernel's scalar parameters can have.
llvm::Error checkSizeValues(const KernelInfo &kernel, const NumberMap &sizes);

/// Whether the names of the files given are those of arrays, or of variables,
/// the files are there, and the kernel can have an array for each pointer.
llvm::Error checkInputs(const Compilation &compilation,
                        const KernelInfo &kernel, const RunOptions &options);

/// The subscripts among the arrays that `options` leave to be made up.
std::vector<SubscriptUse> findSubscripts(const Compilation &compilation,
                                         const KernelInfo &kernel,
                                         const RunOptions &options);

/// One array argument.
struct ProblemArray {
  std::string name;
  unsigned parameter = 0;
  /// Further parameters that get the same array.
  std::vector<unsigned> sharedBy;
  ElementType element;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
  /// See `RunOptions::displacedArrays`. For tuned kernels only.
  unsigned displacement = 0;
  /// The contents come from the seed.
  bool isMadeUp = false;
  bool isOutput = false;
  /// Elements of the output that count; the rest is scratch.
  int64_t outputElements = 0;
};

/// One launch with its data. Copying it copies the data.
class Problem {
public:
  /// Builds the problem that `options` describe for a kernel of `compilation`.
  /// Without a pragma the extents that the kernel's own guards show are the
  /// domain. `subscripts` are looked for where they are not given.
  static llvm::Expected<Problem>
  create(const Compilation &compilation, const KernelInfo &kernel,
         const RunOptions &options,
         std::optional<llvm::ArrayRef<SubscriptUse>> subscripts = std::nullopt);

  const LaunchConfig &launch() const { return config; }
  const SizeMap &scalars() const { return scalarValues; }
  std::vector<ProblemArray> &arrays() { return arrayArguments; }
  const std::vector<ProblemArray> &arrays() const { return arrayArguments; }
  /// Of all arrays.
  uint64_t arrayBytes() const;

  /// The arguments in the kernel's order; they point into this problem.
  std::vector<KernelArgument> arguments();

  /// Integers of arrays, and of structures passed by value (`t.width`), whose
  /// contents come from the seed. If they are sizes, subscripts
  /// or bounds of loops, a kernel that is right may go wrong with them.
  std::vector<std::string> madeUpIntegers() const;

  /// Where the arrays start on a device that has room between them, by
  /// parameter: which kernel a launch takes must not depend on what the host's
  /// allocator does. They are aligned as they are here.
  AddressMap addresses() const;

private:
  llvm::Error setScalars(const KernelInfo &kernel, const RunOptions &options);
  llvm::Error setMembers(const KernelParameter &parameter,
                         const RunOptions &options, std::mt19937_64 &random,
                         std::vector<uint8_t> &bytes);
  llvm::Error addArray(const KernelInfo &kernel, unsigned parameter,
                       const RunOptions &options);
  void fillArrays(const RunOptions &options,
                  llvm::ArrayRef<SubscriptUse> subscripts);
  std::optional<uint64_t>
  fillableRange(const ProblemArray &array,
                llvm::ArrayRef<SubscriptUse> subscripts) const;
  llvm::Error shareArrays(const KernelInfo &kernel, const RunOptions &options);
  llvm::Error setLaunch(const Compilation &compilation,
                        const KernelInfo &kernel, const RunOptions &options);

  LaunchConfig config;
  SizeMap scalarValues;
  std::vector<ProblemArray> arrayArguments;
  /// Bytes of the scalar arguments; empty at the place of an array.
  std::vector<std::vector<uint8_t>> scalarBytes;
  std::vector<std::string> names;
  std::vector<std::string> madeUpMembers;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_PROBLEM_H
