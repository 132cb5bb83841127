//===- Runner.cpp - check and time what a bundle holds
//------------------------===//
//
// For every case of the plan: fresh random inputs, results in float64 on the
// host, then for each variant and library function one launch on poisoned
// outputs that is compared, and launches that are timed with events.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Peers.h"
#include "Plan.h"
#include "Records.h"
#include "References.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

using namespace bench;

namespace {

constexpr uint64_t guardBytes = 256;
constexpr unsigned char poison = 0xff; // a NaN in every float

struct Options {
  std::string plan = "plan.txt", out = "results.jsonl", driver = "libcuda.so.1",
              cublas;
  unsigned samples = 30, warmUps = 3;
  double maxSeconds = 3;
  /// Operations of the float64 reference for one case.
  double referenceOperations = 2e10;
  uint64_t seed = std::random_device()() | 1;
};

void parallelFor(uint64_t count,
                 const std::function<void(uint64_t, uint64_t)> &work) {
  uint64_t workers = std::max(1u, std::thread::hardware_concurrency());
  workers = std::min<uint64_t>(workers, count / 256 + 1);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < workers; ++i)
    threads.emplace_back(work, count * i / workers, count * (i + 1) / workers);
  for (std::thread &thread : threads)
    thread.join();
}

/// SplitMix64: random bits from a place, so that any thread can make any.
uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

float makeElement(const Array &array, uint64_t seed, uint64_t index,
                  uint64_t order) {
  double unit = double(mix(seed + index) >> 40) * 0x1p-24; // [0, 1)
  if (array.fill == "positive")
    return float(unit);
  if (array.fill == "levels") // with many neighbours alike
    return float(std::floor(unit * 64) / 64);
  if (array.fill == "dominant" && index / order == index % order)
    return float(1 + unit);
  return float((2 * unit - 1) *
               (array.fill == "dominant" ? 0.5 / double(order) : 1));
}

HostArrays fill(const Case &entry, uint64_t seed) {
  HostArrays arrays(entry.arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Array &array = entry.arrays[i];
    arrays[i].resize(array.elements);
    auto order = uint64_t(std::llround(std::sqrt(double(array.elements))));
    parallelFor(array.isInput() ? array.elements : 0, [&](uint64_t begin,
                                                          uint64_t end) {
      for (uint64_t at = begin; at < end; ++at)
        arrays[i][at] = makeElement(array, mix(seed + i), at, order);
    });
  }
  return arrays;
}

/// What a case has to give, and for how much of it that is known.
struct Expectation {
  std::vector<Expected> elements;
  bool isComplete = true;
  /// The largest bound: the others may differ from a checked result by twice
  /// it.
  double largestBound = 0;
  /// Results of the first variant that was right, by array.
  HostArrays firstRight;
  std::string firstName;
};

Expectation expect(const Case &entry, const HostArrays &arrays,
                   const Options &options) {
  Reference reference(entry, arrays);
  uint64_t items = reference.items();
  double affordable =
      std::min(options.referenceOperations / reference.operations(), 0x1p22);
  auto wanted =
      std::min<uint64_t>(items, std::max<uint64_t>(1, uint64_t(affordable)));
  Expectation expectation;
  expectation.isComplete = wanted == items;
  std::vector<std::vector<Expected>> parts(wanted);
  parallelFor(wanted, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint64_t item = i;
      if (!expectation
               .isComplete) // a third each from the start, the end and anywhere
        item = i % 3 == 0   ? i / 3
               : i % 3 == 1 ? items - 1 - i / 3
                            : mix(i) % items;
      reference.compute(item, parts[i]);
    }
  });
  for (const std::vector<Expected> &part : parts)
    for (const Expected &element : part) {
      expectation.elements.push_back(element);
      expectation.largestBound =
          std::max(expectation.largestBound, element.bound);
    }
  return expectation;
}

/// The arrays of a case on the device, several times over so that all of them
/// together are larger than the L2 cache.
class DeviceArrays {
public:
  DeviceArrays(const Driver &driver, const Case &entry, const HostArrays &host)
      : driver(driver), entry(entry), host(host) {
    uint64_t cache = std::max(0, driver.attribute(L2Bytes));
    uint64_t wanted = 1 + 2 * cache / std::max<uint64_t>(1, entry.arrayBytes());
    for (uint64_t i = 0; i < std::min<uint64_t>(wanted, 64); ++i) {
      sets.emplace_back();
      for (const Array &array : entry.arrays) {
        DevicePointer pointer = 0;
        uint64_t bytes = array.elements * sizeof(float) + guardBytes;
        driver.check(driver.allocate(&pointer, bytes), "cuMemAlloc");
        sets.back().push_back(pointer);
      }
      reset(i);
    }
  }
  ~DeviceArrays() {
    for (const auto &set : sets)
      for (DevicePointer pointer : set)
        driver.release(pointer);
  }
  DeviceArrays(const DeviceArrays &) = delete;

  size_t size() const { return sets.size(); }
  const std::vector<DevicePointer> &operator[](size_t set) const {
    return sets[set % size()];
  }

  /// Inputs anew; everything else, and what lies behind each array, poisoned.
  void reset(size_t set) {
    for (size_t i = 0; i < entry.arrays.size(); ++i) {
      uint64_t bytes = entry.arrays[i].elements * sizeof(float);
      uint64_t inputs = entry.arrays[i].isInput() ? bytes : 0;
      DevicePointer pointer = sets[set][i];
      driver.check(
          driver.fill(pointer + inputs, poison, bytes + guardBytes - inputs),
          "cuMemsetD8");
      if (inputs)
        driver.check(driver.copyIn(pointer, host[i].data(), inputs),
                     "cuMemcpyHtoD");
    }
  }

  /// The results in the first set, and empty vectors for the other arrays.
  HostArrays results() const {
    HostArrays got(entry.arrays.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (!entry.arrays[i].isResult())
        continue;
      got[i].resize(entry.arrays[i].counted);
      driver.check(driver.copyOut(got[i].data(), sets[0][i],
                                  got[i].size() * sizeof(float)),
                   "cuMemcpyDtoH");
    }
    return got;
  }

  /// The name of an array behind which something was written.
  std::string overrun() const {
    std::vector<unsigned char> guard(guardBytes);
    for (size_t i = 0; i < entry.arrays.size(); ++i) {
      DevicePointer end = sets[0][i] + entry.arrays[i].elements * sizeof(float);
      driver.check(driver.copyOut(guard.data(), end, guardBytes),
                   "cuMemcpyDtoH");
      if (std::any_of(guard.begin(), guard.end(),
                      [](unsigned char c) { return c != poison; }))
        return entry.arrays[i].name;
    }
    return "";
  }

private:
  const Driver &driver;
  const Case &entry;
  const HostArrays &host;
  std::vector<std::vector<DevicePointer>> sets;
};

/// A variant's modules, loaded, with the arguments of its launches.
class LoadedVariant {
public:
  LoadedVariant(const Driver &driver, const Case &entry, const Variant &variant,
                const std::string &directory)
      : driver(driver) {
    std::string path = directory + "/" + variant.file;
    driver.check(driver.moduleLoad(&module, path.c_str()),
                 "cuModuleLoad of " + variant.file);
    for (const Launch &launch : variant.launches) {
      Step step{launch, nullptr, {}, {}};
      driver.check(
          driver.moduleFunction(&step.function, module, launch.symbol.c_str()),
          "cuModuleGetFunction of " + launch.symbol);
      if (launch.sharedBytes)
        driver.check(driver.functionSetAttribute(step.function,
                                                 MaxDynamicSharedBytes,
                                                 int(launch.sharedBytes)),
                     "cuFuncSetAttribute");
      for (const std::string &argument : launch.arguments) {
        bool isArray = argument[0] == 'a';
        step.arrays.push_back(
            isArray ? int(entry.arrayNumber(argument.substr(2))) : -1);
        step.values.push_back(isArray ? 0 : std::stoll(argument.substr(2)));
      }
      steps.push_back(std::move(step));
    }
  }
  ~LoadedVariant() { driver.moduleUnload(module); }
  LoadedVariant(const LoadedVariant &) = delete;

  void run(const std::vector<DevicePointer> &arrays) {
    for (Step &step : steps) {
      std::vector<void *> arguments;
      for (size_t i = 0; i < step.values.size(); ++i) {
        if (step.arrays[i] >= 0)
          step.values[i] = int64_t(arrays[step.arrays[i]]);
        arguments.push_back(
            &step.values[i]); // little endian: 4 bytes are the first
      }
      const Launch &at = step.launch;
      driver.check(driver.launch(step.function, at.grid[0], at.grid[1],
                                 at.grid[2], at.block[0], at.block[1],
                                 at.block[2], at.sharedBytes, nullptr,
                                 arguments.data(), nullptr),
                   "launch of " + at.symbol);
    }
  }

private:
  struct Step {
    Launch launch;
    Handle function;
    std::vector<int> arrays;
    std::vector<int64_t> values;
  };
  const Driver &driver;
  Handle module = nullptr;
  std::vector<Step> steps;
};

/// Milliseconds of `work` on the device.
double timed(const Driver &driver, const std::function<void()> &work) {
  static Handle start = nullptr, end = nullptr;
  if (!start) {
    driver.check(driver.eventCreate(&start, 0), "cuEventCreate");
    driver.check(driver.eventCreate(&end, 0), "cuEventCreate");
  }
  driver.check(driver.eventRecord(start, nullptr), "cuEventRecord");
  work();
  driver.check(driver.eventRecord(end, nullptr), "cuEventRecord");
  driver.check(driver.eventSynchronise(end), "cuEventSynchronize");
  float milliseconds = 0;
  driver.check(driver.eventMilliseconds(&milliseconds, start, end),
               "cuEventElapsedTime");
  return milliseconds;
}

/// Median and others of the time of one call, over samples each long enough for
/// the events' clock, on arrays that the L2 cache no longer holds.
void addTimes(Record &record, const Driver &driver, const PeerCall &call,
              const DeviceArrays &arrays, const Options &options) {
  size_t turn = 0;
  for (unsigned i = 0; i < options.warmUps; ++i)
    call(arrays[turn++]);
  double once = timed(driver, [&] { call(arrays[turn++]); });
  auto calls = unsigned(std::clamp(0.2 / std::max(once, 1e-6), 1.0, 200.0));
  std::vector<double> samples;
  double spent = 0;
  while (samples.size() < options.samples &&
         (samples.size() < 3 || spent < 1000 * options.maxSeconds)) {
    double all = timed(driver, [&] {
      for (unsigned i = 0; i < calls; ++i)
        call(arrays[turn++]);
    });
    spent += all;
    samples.push_back(all / calls / 1000);
  }
  std::sort(samples.begin(), samples.end());
  record.add("seconds", samples[samples.size() / 2])
      .add("seconds_min", samples.front())
      .add("seconds_max", samples.back())
      .add("samples", samples.size())
      .add("calls_per_sample", calls)
      .add("array_sets", arrays.size());
}

/// Compares results with what is expected; false and a reason where they
/// differ.
bool compare(Record &record, const Case &entry, const HostArrays &got,
             Expectation &expectation, const std::string &name) {
  double worst = 0;
  for (const Expected &element : expectation.elements) {
    double error =
        std::fabs(got[element.array][element.element] - element.value);
    worst = error <= element.bound ? std::max(worst, error / element.bound)
                                   : INFINITY;
    if (worst <= 1)
      continue;
    std::ostringstream reason;
    reason << entry.arrays[element.array].name << "[" << element.element
           << "] is " << got[element.array][element.element] << ", expected "
           << element.value << " +- " << element.bound;
    record.add("status", "wrong").add("reason", reason.str());
    return false;
  }
  uint64_t all = 0, differing = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    all += got[i].size();
    bool isCompared =
        !expectation.isComplete && !expectation.firstRight.empty();
    for (size_t at = 0; isCompared && at < got[i].size(); ++at)
      differing +=
          !(std::fabs(double(got[i][at]) - expectation.firstRight[i][at]) <=
            2 * expectation.largestBound);
  }
  record.add("status", differing ? "wrong" : "right");
  if (differing)
    record.add("reason", std::to_string(differing) + " elements differ from " +
                             expectation.firstName + "'s");
  record.add("compared", expectation.elements.size()).add("results", all);
  std::string against = "float64 reference";
  if (!expectation.isComplete)
    against += expectation.firstRight.empty()
                   ? ", a sample"
                   : ", a sample; the rest: " + expectation.firstName;
  record.add("against", against).add("error_over_bound", worst);
  if (!differing && !expectation.isComplete && expectation.firstRight.empty()) {
    expectation.firstRight = got;
    expectation.firstName = name;
  }
  return !differing;
}

class Run {
public:
  Run(const Driver &driver, const Options &options)
      : driver(driver), options(options), records(options.out),
        peers(driver, options.cublas),
        directory(options.plan.substr(0, options.plan.find_last_of('/') + 1) +
                  ".") {}

  int all(const Plan &plan) {
    describeDevice();
    if (!plan.probe.file.empty() && !records.isDone("probe", "floors"))
      probe(plan.probe);
    for (size_t i = 0; i < plan.cases.size(); ++i) {
      std::cerr << "[" << i + 1 << "/" << plan.cases.size() << "] "
                << plan.cases[i].id << std::endl;
      runCase(plan.cases[i]);
    }
    return wrong ? 1 : 0;
  }

private:
  void describeDevice() {
    if (records.isDone("device", "device"))
      return;
    int version = 0;
    driver.check(driver.driverVersion(&version), "cuDriverGetVersion");
    records.write(Records::about("device", "device")
                      .add("status", "right")
                      .add("name", driver.name())
                      .add("capability", driver.attribute(Major) * 10 +
                                             driver.attribute(Minor))
                      .add("multiprocessors", driver.attribute(Multiprocessors))
                      .add("clock_khz", driver.attribute(ClockKHz))
                      .add("l2_bytes", driver.attribute(L2Bytes))
                      .add("driver_version", version)
                      .add("seed", options.seed));
  }

  /// Floors: bandwidth of a copy, read and written bytes counted, and rate of
  /// independent chains of multiply-adds, two operations each.
  void probe(const Probe &probe) {
    Case entry;
    Array array{"out", "out", "uniform", uint64_t(probe.blocks) * probe.threads,
                0};
    entry.arrays = {array};
    HostArrays host(1);
    Launch launch{probe.symbol,
                  {probe.blocks, 1, 1},
                  {probe.threads, 1, 1},
                  0,
                  {"a:out", "4:" + std::to_string(probe.iterations)}};
    LoadedVariant kernel(driver, entry, {"probe", probe.file, {launch}},
                         directory);
    DeviceArrays arrays(driver, entry, host);
    DevicePointer from = 0, to = 0;
    driver.check(driver.allocate(&from, probe.copyBytes), "cuMemAlloc");
    driver.check(driver.allocate(&to, probe.copyBytes), "cuMemAlloc");
    driver.check(driver.fill(from, 0, probe.copyBytes), "cuMemsetD8");
    double copy = INFINITY, multiply = INFINITY;
    for (unsigned i = 0; i < 10; ++i) {
      copy = std::min(copy, timed(driver, [&] {
                        driver.check(driver.copyOnDevice(
                                         to, from, probe.copyBytes, nullptr),
                                     "cuMemcpyDtoDAsync");
                      }));
      multiply =
          std::min(multiply, timed(driver, [&] { kernel.run(arrays[0]); }));
    }
    driver.release(from);
    driver.release(to);
    double operations = 16.0 * probe.iterations * probe.blocks * probe.threads;
    records.write(
        Records::about("probe", "floors")
            .add("status", "right")
            .add("copy_bytes_per_second", 2000.0 * probe.copyBytes / copy)
            .add("flops_per_second", 1000 * operations / multiply));
  }

  void runCase(const Case &entry) {
    auto isOpen = [&](const std::string &name) {
      return !records.isDone(entry.id, name);
    };
    bool hasOpen = std::any_of(entry.peers.begin(), entry.peers.end(), isOpen);
    for (const Variant &variant : entry.variants)
      hasOpen |= isOpen(variant.name);
    if (!hasOpen)
      return;
    HostArrays host = fill(entry, options.seed);
    Expectation expectation = expect(entry, host, options);
    DeviceArrays arrays(driver, entry, host);
    for (const Variant &variant : entry.variants)
      if (isOpen(variant.name))
        record(entry, variant.name, host, expectation, arrays,
               [&]() -> PeerCall {
                 auto loaded = std::make_shared<LoadedVariant>(
                     driver, entry, variant, directory);
                 return [loaded](const std::vector<DevicePointer> &at) {
                   loaded->run(at);
                 };
               });
    for (const std::string &name : entry.peers) {
      if (!isOpen(name))
        continue;
      if (Peers::needsLibrary(name) && !peers.whyAbsent().empty())
        records.write(Records::about(entry.id, name)
                          .add("status", "absent")
                          .add("reason", peers.whyAbsent()));
      else
        record(entry, name, host, expectation, arrays,
               [&] { return peers.find(name, entry); });
    }
  }

  template <typename Make>
  void record(const Case &entry, const std::string &name,
              const HostArrays &host, Expectation &expectation,
              DeviceArrays &arrays, Make make) {
    records.write(Records::about(entry.id, name).add("status", "begun"));
    try {
      measure(entry, name, host, expectation, arrays, make());
    } catch (const DriverError &error) {
      records.write(Records::about(entry.id, name)
                        .add("status", "failed")
                        .add("reason", error.what()));
      throw;
    }
  }

  void measure(const Case &entry, const std::string &name,
               const HostArrays &host, Expectation &expectation,
               DeviceArrays &arrays, const PeerCall &call) {
    Record result = Records::about(entry.id, name);
    arrays.reset(0);
    call(arrays[0]);
    driver.check(driver.synchronise(), "cuCtxSynchronize");
    HostArrays got = arrays.results();
    bool isRight = true;
    if (name == "copy") {
      isRight = got.back() == host.front();
      result.add("status", isRight ? "right" : "wrong").add("against", "input");
    } else {
      isRight = compare(result, entry, got, expectation, name);
    }
    if (std::string array = arrays.overrun(); isRight && !array.empty()) {
      isRight = false;
      result = Records::about(entry.id, name)
                   .add("status", "wrong")
                   .add("reason", "writes behind " + array);
    }
    if (isRight)
      addTimes(result, driver, call, arrays, options);
    wrong |= !isRight;
    driver.check(driver.synchronise(), "cuCtxSynchronize");
    records.write(result);
  }

  const Driver &driver;
  const Options &options;
  Records records;
  Peers peers;
  std::string directory;
  bool wrong = false;
};

const char *usage = "runner [PLAN] [--out FILE] [--driver LIB] [--cublas LIB] "
                    "[--samples N] [--max-seconds S]\n"
                    "       [--reference-operations N] [--seed N]\n"
                    "Checks and times the kernels of a plan (plan.txt) on the "
                    "first CUDA device; one JSON object\n"
                    "a line goes to FILE (results.jsonl). What is there "
                    "already is not run again.\n"
                    "Exit code: 0 all right, 1 something is wrong, 2 cannot "
                    "run, 3 a fault ended the run: start\n"
                    "it again and it goes on behind what failed.\n";

bool parse(int count, char **words, Options &options) {
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    if (word.rfind("--", 0) != 0) {
      options.plan = word;
      continue;
    }
    if (i + 1 == count)
      return false;
    std::string value = words[++i];
    if (word == "--out")
      options.out = value;
    else if (word == "--driver")
      options.driver = value;
    else if (word == "--cublas")
      options.cublas = value;
    else if (word == "--samples")
      options.samples =
          std::max(1u, unsigned(std::strtoul(value.c_str(), nullptr, 10)));
    else if (word == "--max-seconds")
      options.maxSeconds = std::strtod(value.c_str(), nullptr);
    else if (word == "--reference-operations")
      options.referenceOperations = std::strtod(value.c_str(), nullptr);
    else if (word == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else
      return false;
  }
  return true;
}

} // namespace

int main(int count, char **words) {
  Options options;
  if (!parse(count, words, options)) {
    std::cerr << usage;
    return 2;
  }
  std::unique_ptr<Driver> driver;
  std::unique_ptr<Plan> plan;
  try {
    plan = std::make_unique<Plan>(readPlan(options.plan));
    driver = std::make_unique<Driver>(options.driver);
  } catch (const std::exception &error) {
    std::cerr << "runner: " << error.what() << "\n";
    return 2;
  }
  try {
    return Run(*driver, options).all(*plan);
  } catch (const std::exception &error) {
    std::cerr << "runner: " << error.what() << std::endl;
    std::_Exit(3); // the context may be broken: no clean-up
  }
}
