//===- Decide.cpp - whether a section runs on the device ------------------===//

#include "runtime/Offload/Decide.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

using namespace gpuopt::offload;

/// Of one memory operation, on average.
static constexpr double kBytes = 8;
/// By so much the other side must be better before a decision changes: times
/// are estimates, and data that stays where it is costs nothing.
static constexpr double kHysteresis = 1.2;

Times gpuopt::offload::predict(const Machine &machine, const Section &section) {
  constexpr double giga = 1e9, micro = 1e-6;
  double accessed = section.memoryOperations * kBytes;
  double share = std::min(1.0, section.iterations / machine.deviceThreads);
  Times times;
  times.host = std::max(section.operations / (machine.hostOperations * giga),
                        accessed / (machine.hostBandwidth * giga));
  times.device =
      machine.startMicroseconds * micro +
      (section.bytesIn + section.bytesOut) / (machine.linkBandwidth * giga) +
      std::max(section.operations / (machine.deviceOperations * giga * share),
               accessed / (machine.deviceBandwidth * giga * share));
  return times;
}

std::string gpuopt::offload::readMachine(const std::string &text,
                                         Machine &machine) {
  const std::map<std::string, double *> numbers = {
      {"host_gops", &machine.hostOperations},
      {"device_gops", &machine.deviceOperations},
      {"host_gbps", &machine.hostBandwidth},
      {"device_gbps", &machine.deviceBandwidth},
      {"link_gbps", &machine.linkBandwidth},
      {"start_us", &machine.startMicroseconds},
      {"device_threads", &machine.deviceThreads}};
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (size_t sign = line.find('='); sign != std::string::npos)
      line.replace(sign, 1, " = ");
    std::istringstream words(line);
    std::string name, equals, rest;
    double value = 0;
    if (!(words >> name))
      continue;
    auto found = numbers.find(name);
    std::string where = "line " + std::to_string(number) + ": ";
    if (found == numbers.end())
      return where + "no figure is called '" + name + "'";
    if (!(words >> equals >> value) || equals != "=" || value <= 0 ||
        (words >> rest))
      return where + "expected '" + name + " = ' and a positive number";
    *found->second = value;
  }
  return "";
}

namespace {
/// How the environment wants sections to be decided.
class Decider {
public:
  Decider();
  /// Without `mayOffload` it stays on the host.
  bool decide(const char *place, const Section &section, bool mayOffload);
  void noteBack(const char *array, double bytes);

private:
  enum class Mode { Model, Always, Never, Random };
  bool decideByModel(const char *place, const Times &times);
  void log(const char *place, const Section &section, const Times &times,
           bool isOffloaded);

  Mode mode = Mode::Model;
  uint64_t random = 0;
  Machine machine;
  std::map<std::string, bool> last;
  std::FILE *logFile = nullptr;
  std::mutex mutex;
};
} // namespace

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "gpuopt: %s\n", message.c_str());
  std::exit(1);
}

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Decider::Decider() {
  std::string wanted = variable("GPUOPT_OFFLOAD");
  if (wanted == "always") {
    mode = Mode::Always;
  } else if (wanted == "never") {
    mode = Mode::Never;
  } else if (wanted.rfind("random:", 0) == 0) {
    mode = Mode::Random;
    const char *seed = wanted.c_str() + std::strlen("random:");
    char *end = nullptr;
    random = std::strtoull(seed, &end, 10);
    if (end == seed || *end)
      fail("GPUOPT_OFFLOAD is '" + wanted + "', expected a number as its seed");
  } else if (!wanted.empty() && wanted != "model") {
    fail("GPUOPT_OFFLOAD is '" + wanted +
         "', expected 'model', 'always', 'never' or 'random:SEED'");
  }
  if (std::string path = variable("GPUOPT_OFFLOAD_MACHINE"); !path.empty()) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    if (!file)
      fail(path + ": cannot be read");
    if (std::string message = readMachine(text.str(), machine);
        !message.empty())
      fail(path + ": " + message);
  }
  std::string log = variable("GPUOPT_OFFLOAD_LOG");
  if (log == "-")
    logFile = stderr;
  else if (!log.empty() && !(logFile = std::fopen(log.c_str(), "w")))
    fail(log + ": cannot be written");
}

bool Decider::decideByModel(const char *place, const Times &times) {
  auto before = last.find(place);
  double host = times.host, device = times.device;
  if (before != last.end())
    (before->second ? host : device) *= kHysteresis;
  return last[place] = device < host;
}

void Decider::log(const char *place, const Section &section, const Times &times,
                  bool isOffloaded) {
  std::fprintf(logFile,
               "%s: %s, %.0f iterations, %.0f operations and %.0f memory "
               "operations, %.0f bytes in, %.0f out, host %.3g us, device "
               "%.3g us\n",
               place, isOffloaded ? "device" : "host", section.iterations,
               section.operations, section.memoryOperations, section.bytesIn,
               section.bytesOut, times.host * 1e6, times.device * 1e6);
  std::fflush(logFile);
}

bool Decider::decide(const char *place, const Section &section,
                     bool mayOffload) {
  std::lock_guard lock(mutex);
  Times times = predict(machine, section);
  bool isOffloaded = mode == Mode::Always;
  if (mode == Mode::Model)
    isOffloaded = decideByModel(place, times);
  if (mode == Mode::Random) {
    // Knuth's MMIX generator.
    random = random * 6364136223846793005u + 1442695040888963407u;
    isOffloaded = random >> 63;
  }
  isOffloaded &= mayOffload;
  if (logFile)
    log(place, section, times, isOffloaded);
  return isOffloaded;
}

void Decider::noteBack(const char *array, double bytes) {
  std::lock_guard lock(mutex);
  if (!logFile)
    return;
  std::fprintf(logFile, "%s: comes back, 0 bytes in, %.0f out\n", array, bytes);
  std::fflush(logFile);
}

// Of OpenMP's library, where the program has it.
extern "C" int omp_get_level(void) __attribute__((weak));

/// Whether at most so many parallel regions are around.
static bool isInRegions(int most) {
  return !omp_get_level || omp_get_level() <= most;
}

static Decider &decider() {
  static Decider decider;
  return decider;
}

/// `mostRegions`: so many parallel regions may be around the section.
static int decide(const char *place, const Section &section, int mostRegions) {
  return decider().decide(place, section, isInRegions(mostRegions));
}

int gpuopt_offload_may_keep() { return isInRegions(0); }

void gpuopt_offload_note_back(const char *array, double bytes) {
  decider().noteBack(array, bytes);
}

int gpuopt_offload_decide(const char *place, double iterations,
                          double operations, double memory_operations,
                          double bytes_in, double bytes_out) {
  return decide(
      place, {iterations, operations, memory_operations, bytes_in, bytes_out},
      /*mostRegions=*/0);
}

int gpuopt_offload_decide_for_team(const char *place, double iterations,
                                   double operations, double memory_operations,
                                   double bytes_in, double bytes_out) {
  return decide(
      place, {iterations, operations, memory_operations, bytes_in, bytes_out},
      /*mostRegions=*/1);
}
