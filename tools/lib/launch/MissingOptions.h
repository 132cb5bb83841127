//===- MissingOptions.h - what a launch needs and nobody says ---*- C++ -*-===//
//
// The sizes and the launch of a kernel come from the command line, from its
// pragma and from its guards. Here is what is known of them, and what is not.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_MISSINGOPTIONS_H
#define TOOLS_LIB_LAUNCH_MISSINGOPTIONS_H

#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// The values of extents of the kernel's pragma.
llvm::Expected<std::vector<int64_t>>
evaluateExtents(const std::vector<std::string> &expressions,
                const KernelInfo &kernel, const SizeMap &scalars);

/// Whether the pragma or --size says how large an array is.
bool hasShape(const KernelInfo &kernel, const std::string &array,
              const RunOptions &options);

/// The work items of the launch that the pragma or the kernel's guards tell, as
/// far as `scalars` are known; empty where nothing tells.
llvm::Expected<std::vector<int64_t>>
launchDomain(const Compilation &compilation, const KernelInfo &kernel,
             const SizeMap &scalars);

/// The blocks that cover `domain`, at least one.
Dim3 gridOver(llvm::ArrayRef<int64_t> domain, const Dim3 &block);

/// What `Problem::create` asks for beyond `options`.
struct MissingOptions {
  /// Integer parameters, and arrays, without a value.
  std::vector<std::string> scalars, arrays;
  /// Nothing tells the number of blocks.
  bool launch = false;

  bool isEmpty() const { return scalars.empty() && arrays.empty() && !launch; }
  /// "--size n=V,a=ELEMENTS --grid X,Y,Z --block X,Y,Z".
  std::string asOptions() const;
};
MissingOptions findMissing(const Compilation &compilation,
                           const KernelInfo &kernel, const RunOptions &options);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_MISSINGOPTIONS_H
