//===- LaunchClock.cpp - how long a launch has computed -------------------===//

#include "runtime/CPU/LaunchClock.h"

#include <algorithm>
#include <pthread.h>

using namespace gpuopt::runtime;

void LaunchClock::begin(Share &share) {
  std::lock_guard<std::mutex> lock(mutex);
  share.isRunning = !pthread_getcpuclockid(pthread_self(), &share.clock);
  share.before -= total(share) - share.before;
}

/// A thread's clock ends with it.
void LaunchClock::end(Share &share) {
  std::lock_guard<std::mutex> lock(mutex);
  share.before = total(share);
  share.isRunning = false;
}

void LaunchClock::enter(unsigned worker) { begin(shares[worker]); }
void LaunchClock::leave(unsigned worker) { end(shares[worker]); }
void LaunchClock::enterLauncher() { begin(launcher); }
void LaunchClock::leaveLauncher() { end(launcher); }

double LaunchClock::total(const Share &share) {
  timespec time = {};
  if (!share.isRunning || clock_gettime(share.clock, &time))
    return share.before;
  return share.before + time.tv_sec + time.tv_nsec * 1e-9;
}

double LaunchClock::seconds() const {
  std::lock_guard<std::mutex> lock(mutex);
  double longest = 0;
  for (const Share &share : shares)
    longest = std::max(longest, total(share));
  return longest + total(launcher);
}
