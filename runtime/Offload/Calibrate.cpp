//===- Calibrate.cpp - how fast a host is ---------------------------------===//

#include "runtime/Offload/Calibrate.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

using namespace gpuopt::offload;

/// How often a measurement is repeated.
static constexpr int kRuns = 5;

static unsigned processors() {
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The seconds that all processors take for `work`, each with its number: the
/// least of several runs.
static double secondsOf(const std::function<void(unsigned)> &work) {
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < processors(); ++number)
      threads.emplace_back(work, number);
    for (std::thread &thread : threads)
      thread.join();
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    best = run == 0 ? taken.count() : std::min(best, taken.count());
  }
  return best;
}

/// In 10^9 a second.
static double measureAdditions() {
  // As many as registers hold, so that memory has no part in it.
  constexpr int width = 32, rounds = 2'000'000;
  std::vector<double> results(processors());
  double seconds = secondsOf([&](unsigned number) {
    double sums[width], steps[width];
    for (int lane = 0; lane < width; ++lane)
      sums[lane] = lane, steps[lane] = lane * 0.5;
    for (int round = 0; round < rounds; ++round)
      for (int lane = 0; lane < width; ++lane)
        sums[lane] += steps[lane];
    for (double sum : sums)
      results[number] += sum;
  });
  // That they are read keeps the loops where they are.
  volatile double sink = 0;
  for (double result : results)
    sink = sink + result;
  return double(width) * rounds * processors() / seconds * 1e-9;
}

/// In 10^9 bytes a second.
static double measureBandwidth() {
  // More than caches hold: 64 MiB for each of three arrays.
  constexpr size_t count = size_t(8) << 20;
  std::vector<double> to(count), left(count, 1), right(count, 2);
  size_t each = count / processors();
  double seconds = secondsOf([&](unsigned number) {
    size_t begin = each * number;
    for (size_t place = begin; place < begin + each; ++place)
      to[place] = left[place] + 3 * right[place];
  });
  return 3.0 * sizeof(double) * each * processors() / seconds * 1e-9;
}

void gpuopt::offload::measureHost(Machine &machine) {
  machine.hostOperations = measureAdditions();
  machine.hostBandwidth = measureBandwidth();
}

std::string gpuopt::offload::machineText(const Machine &machine) {
  const std::pair<const char *, double> lines[] = {
      {"host_gops", machine.hostOperations},
      {"host_gbps", machine.hostBandwidth},
      {"device_gops", machine.deviceOperations},
      {"device_gbps", machine.deviceBandwidth},
      {"device_threads", machine.deviceThreads},
      {"link_gbps", machine.linkBandwidth},
      {"start_us", machine.startMicroseconds}};
  std::string text;
  for (const auto &[name, value] : lines) {
    char line[64];
    std::snprintf(line, sizeof line, "%s = %.6g\n", name, value);
    text += line;
  }
  return text;
}
