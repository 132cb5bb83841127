//===- LaunchClock.h - how long a launch has computed -----------*- C++ -*-===//
//
// Counts the time that the host threads of a launch compute. A machine that is
// halted, or busy with something else, computes nothing. A launch whose blocks
// run in phases, with other host threads in each, has one clock for all.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_LAUNCHCLOCK_H
#define RUNTIME_CPU_LAUNCHCLOCK_H

#include <ctime>
#include <mutex>
#include <vector>

namespace gpuopt::runtime {

class LaunchClock {
public:
  /// Host threads are called by their place among those that run at once.
  explicit LaunchClock(unsigned workers) : shares(workers) {}

  /// Called by the host thread itself before and after its work.
  void enter(unsigned worker);
  void leave(unsigned worker);
  /// The same for the thread that starts the others.
  void enterLauncher();
  void leaveLauncher();
  /// What the one has computed that has computed longest, and the launcher.
  double seconds() const;

private:
  struct Share {
    double before = 0;
    bool isRunning = false;
    clockid_t clock = {};
  };
  void begin(Share &share);
  void end(Share &share);
  static double total(const Share &share);

  mutable std::mutex mutex;
  std::vector<Share> shares;
  Share launcher;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_LAUNCHCLOCK_H
