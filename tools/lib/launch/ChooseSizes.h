//===- ChooseSizes.h - sizes for a kernel that nobody gave ------*- C++ -*-===//
//
// `gpuopt check mine.cu` has to run a kernel of which nothing is known but its
// code. What the sizes of a kernel mean, and how they depend on each other, is
// in the code of the host; so they are found by trying. A candidate (numbers
// for the size parameters, SizeCandidates.h, a block, and a grid from the
// guards or large enough for the numbers) is run as the kernel is written, in
// arrays that are larger than needed (Probe.h):
//
//  * It is clean where the kernel stays in its arrays, does not race, waits for
//    no thread that does not come, and writes something.
//  * Each array gets as many elements as the kernel touched: one access too far
//    of a tuned kernel is noticed. Arrays of which elements of another one tell
//    which (Subscripts.h) get as many as the largest size, or what is touched
//    without those.
//  * Of clean candidates the one counts that executes most accesses of the
//    code; the numbers then grow as far as time allows.
//
// What is given stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_CHOOSESIZES_H
#define TOOLS_LIB_LAUNCH_CHOOSESIZES_H

#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// Which sizes are wanted.
enum class SizeWish {
  /// Odd ones, ones that blocks divide, and the smallest, as far as the kernel
  /// can take them.
  Several,
  /// One set for a check.
  One,
  /// One set, as large as runs in about a second.
  Large
};

/// A launch that the kernel as it is written can do.
struct ChosenRun {
  /// Nothing is missing in it.
  RunOptions run;
  /// The options that give the same: "--size n=67,a=67 --block 64".
  std::string options;
  /// Accesses in the code of the kernel, and how many of them it executes.
  unsigned accesses = 0;
  unsigned executedAccesses = 0;
};

/// Prints the options that were chosen, and what they leave out; nothing where
/// nothing was chosen.
void printChoice(const KernelInfo &kernel, const ChosenRun &choice,
                 llvm::raw_ostream &os);

/// Chooses what `given` leaves open for a launch of `kernel`. One run, which is
/// `given`, where nothing is missing. The error says why nothing was found, and
/// which options are needed.
llvm::Expected<std::vector<ChosenRun>>
chooseSizes(const Compilation &compilation, const KernelInfo &kernel,
            const RunOptions &given, SizeWish wish);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_CHOOSESIZES_H
