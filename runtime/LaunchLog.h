//===- LaunchLog.h - what a program's runtime writes down -------*- C++ -*-===//
//
// How `gpuopt run` asks the runtime of the program that it starts for more than
// running it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_LAUNCHLOG_H
#define RUNTIME_LAUNCHLOG_H

namespace gpuopt {

/// Environment variable: the file to which each launch adds a line of JSON:
/// `kernel` (its symbol), `grid`, `block`, whether it was `tuned`, the `reason`
/// why not, and, where launches are checked, `differing_bytes` and the `place`
/// of the first one.
inline constexpr const char *kLaunchLogVariable = "GPUOPT_LAUNCH_LOG";

/// Environment variable: launches are checked.
inline constexpr const char *kCheckLaunchesVariable = "GPUOPT_CHECK_LAUNCHES";

} // namespace gpuopt

#endif // RUNTIME_LAUNCHLOG_H
