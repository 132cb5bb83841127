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
/// `kernel` (its symbol), `launch` (its number in the program), `grid`,
/// `block`, the host's `location`, whether it was `tuned`, the `reason` why
/// not, its `error`, whether it was `sampled` to be checked, sanitized or
/// profiled, and, where launches are checked, `differing_bytes` and the `place`
/// of the first one.
inline constexpr const char *kLaunchLogVariable = "GPUOPT_LAUNCH_LOG";

/// Environment variable: launches are checked.
inline constexpr const char *kCheckLaunchesVariable = "GPUOPT_CHECK_LAUNCHES";

/// Environment variable: kernels are sanitized. A launch then has `faults`,
/// each with its `kind`, `location` and `message`, and a line with `leak`
/// stands for memory that the program has not freed.
inline constexpr const char *kSanitizeLaunchesVariable =
    "GPUOPT_SANITIZE_LAUNCHES";

/// Environment variable: the socket to which launches are told, as
/// RequestStream.h says, for `gpuopt run --profile`.
inline constexpr const char *kProfileSocketVariable = "GPUOPT_PROFILE_SOCKET";

/// Environment variables: only each Nth launch of a kernel is, and no more of
/// them than so many.
inline constexpr const char *kEveryLaunchVariable = "GPUOPT_EVERY_LAUNCH";
inline constexpr const char *kFirstLaunchesVariable = "GPUOPT_FIRST_LAUNCHES";

} // namespace gpuopt

#endif // RUNTIME_LAUNCHLOG_H
