//===- Timers.cpp - how long sections of a program take -------------------===//

#include "runtime/Offload/Timers.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <thread>

namespace {
struct Section {
  double begin = 0, seconds = 0;
  /// How often it is around what runs now: it may be in itself.
  int depth = 0;
};

class Timers {
public:
  ~Timers();
  void begin(int section);
  void end(int section);

private:
  std::map<int, Section> sections;
  std::thread::id thread = std::this_thread::get_id();
};
} // namespace

/// Of the thread alone: other programs, and waiting for a disk, are no work of
/// the loop.
static double secondsOfThread() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

Timers::~Timers() {
  const char *path = std::getenv("GPUOPT_OFFLOAD_PROFILE");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file)
    return;
  for (const auto &[number, section] : sections)
    std::fprintf(file, "%d %.9g\n", number, section.seconds);
  std::fclose(file);
}

void Timers::begin(int number) {
  if (thread != std::this_thread::get_id())
    return;
  Section &section = sections[number];
  if (section.depth++ == 0)
    section.begin = secondsOfThread();
}

void Timers::end(int number) {
  if (thread != std::this_thread::get_id())
    return;
  Section &section = sections[number];
  if (--section.depth == 0)
    section.seconds += secondsOfThread() - section.begin;
}

static Timers &timers() {
  static Timers all;
  return all;
}

void gpuopt_offload_begin(int section) { timers().begin(section); }

void gpuopt_offload_end(int section) { timers().end(section); }
