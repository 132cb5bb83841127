//===- Problem.h - one launch of a kernel, with its data --------*- C++ -*-===//
//
// What a command that runs a kernel needs: values for the scalar parameters,
// contents for the arrays, and the original launch. They come from the command
// line, from the pragma in front of the kernel, and else from a seed.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROBLEM_H
#define TOOLS_LIB_PROBLEM_H

#include "conversion/ImportSource/KernelInfo.h"
#include "runtime/Executor.h"
#include "tools/lib/Compiler.h"
#include "tools/lib/Number.h"

#include <map>
#include <optional>

namespace gpuopt {

/// What arrays hold for which no file is given.
enum class InputValues {
  /// Numbers of about one, and small integers that may be subscripts.
  Ordinary,
  /// Zeros of both signs, denormals, infinities, NaNs, the largest integers, …
  Extreme,
  /// The same, but integers are ordinary.
  ExtremeFloats
};

/// How to run a kernel; the options common to all commands that do.
struct RunOptions {
  /// Scalar parameters, and numbers of elements of arrays without a pragma.
  NumberMap sizes;
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  int64_t dynamicSharedBytes = 0;
  uint64_t seed = 1;
  InputValues values = InputValues::Ordinary;
  /// Array name to .npy file.
  std::map<std::string, std::string> inputs;
  /// Parameter to the parameter before it whose array it gets as well.
  std::map<std::string, std::string> sameArrays;
};

/// One array argument.
struct ProblemArray {
  std::string name;
  unsigned parameter = 0;
  /// Further parameters that get the same array.
  std::vector<unsigned> sharedBy;
  ElementType element;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
  bool isOutput = false;
  /// Elements of the output that count; the rest is scratch.
  int64_t outputElements = 0;
};

/// One launch with its data. Copying it copies the data.
class Problem {
public:
  /// Builds the problem that `options` describe for a kernel of `compilation`.
  /// Without a pragma the extents that the kernel's own guards show are the
  /// domain.
  static llvm::Expected<Problem> create(const Compilation &compilation,
                                        const KernelInfo &kernel,
                                        const RunOptions &options);

  const LaunchConfig &launch() const { return config; }
  const SizeMap &scalars() const { return scalarValues; }
  std::vector<ProblemArray> &arrays() { return arrayArguments; }
  const std::vector<ProblemArray> &arrays() const { return arrayArguments; }

  /// The arguments in the kernel's order; they point into this problem.
  std::vector<KernelArgument> arguments();

  /// Where the arrays start, by parameter.
  AddressMap addresses() const;

private:
  llvm::Error setScalars(const KernelInfo &kernel, const RunOptions &options);
  llvm::Error addArray(const KernelInfo &kernel, unsigned parameter,
                       const RunOptions &options);
  llvm::Error shareArrays(const KernelInfo &kernel, const RunOptions &options);
  llvm::Error setLaunch(const Compilation &compilation,
                        const KernelInfo &kernel, const RunOptions &options);

  LaunchConfig config;
  SizeMap scalarValues;
  std::vector<ProblemArray> arrayArguments;
  /// Bytes of the scalar arguments; empty at the place of an array.
  std::vector<std::vector<uint8_t>> scalarBytes;
  std::vector<std::string> names;
};

} // namespace gpuopt

#endif // TOOLS_LIB_PROBLEM_H
