//===- Runner.cpp - check and time what a bundle holds --------------------===//
//
// For every case of the plan: fresh random inputs, results in float64 on the
// host, then for each variant and library function one launch on poisoned
// outputs that is compared, and launches that are timed with events.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Device.h"
#include "Peers.h"
#include "Records.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>

using namespace bench;

namespace {

struct Options {
  std::string plan = "plan.txt", out = "results.jsonl", driver;
  Peers::Paths peers;
  unsigned samples = 30, warmUps = 3;
  double maxSeconds = 3;
  /// Operations of the float64 reference for one case.
  double referenceOperations = 2e9;
  uint64_t seed = std::random_device()() | 1;
};

/// Median and others of the time of one call, over samples each long enough for
/// the events' clock, on arrays that the L2 cache no longer holds. What a call
/// changes of its own inputs is put back before each sample, outside of it; a
/// sample then has at most as many calls as there are sets of arrays.
void addTimes(Record &record, const Driver &driver, const Case &entry,
              const PeerCall &call, const DeviceArrays &arrays,
              const Options &options) {
  size_t turn = 0;
  bool isInPlace = entry.isInPlace();
  auto sample = [&](unsigned calls) {
    if (isInPlace) {
      arrays.resetInPlace(calls);
      turn = 0;
    }
    return driver.timed([&] {
      for (unsigned i = 0; i < calls; ++i)
        call(arrays[turn++]);
    });
  };
  double once = sample(1);
  for (unsigned i = 0; i < options.warmUps && once * i < 500; ++i)
    once = sample(1);
  auto calls = unsigned(std::clamp(0.2 / std::max(once, 1e-6), 1.0,
                                   isInPlace ? double(arrays.size()) : 200.0));
  std::vector<double> samples;
  double spent = 0;
  while (samples.size() < options.samples &&
         (samples.size() < 3 || spent < 1000 * options.maxSeconds)) {
    double all = sample(calls);
    spent += all;
    samples.push_back(all / calls / 1000);
  }
  std::sort(samples.begin(), samples.end());
  record.add("seconds", samples[samples.size() / 2])
      .add("seconds_min", samples.front())
      .add("seconds_max", samples.back())
      .add("samples", samples.size())
      .add("calls_per_sample", calls)
      .add("array_sets", arrays.size())
      .add("inputs_reset_per_sample", int(isInPlace));
}

class Run {
public:
  Run(const Driver &driver, const Options &options)
      : driver(driver), options(options), records(options.out),
        peers(driver, options.peers),
        directory(options.plan.substr(0, options.plan.find_last_of('/') + 1) +
                  ".") {}

  int all(const Plan &plan) {
    describeDevice();
    for (const Probe &entry : plan.probes)
      if (!records.isDone("probe", entry.type))
        probe(entry);
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
    driver.check(driver.driverVersion(&version), "version of the driver");
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

  /// Floors: rate of independent chains of multiply-adds, two operations each,
  /// and bandwidth of a copy, bytes read and bytes written.
  void probe(const Probe &probe) {
    Case entry;
    entry.id = "probe";
    Array array{"out", "out", "uniform"};
    array.elements = uint64_t(probe.blocks) * probe.threads;
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
    auto fastest = [&](const std::function<void()> &work) {
      double milliseconds = INFINITY;
      for (unsigned i = 0; i < 10; ++i)
        milliseconds = std::min(milliseconds, driver.timed(work));
      return milliseconds;
    };
    double operations = double(probe.operations) * probe.iterations *
                        probe.blocks * probe.threads;
    double rate = 1000 * operations / fastest([&] { kernel.run(arrays[0]); });
    Record record = Records::about("probe", probe.type);
    record.add("status", "right").add("flops_per_second", rate);
    if (probe.copyBytes) {
      auto from = driver.scratch(probe.copyBytes);
      auto to = driver.scratch(probe.copyBytes);
      driver.check(driver.fill(*from, 0, probe.copyBytes), "fill");
      double copy = fastest([&] {
        driver.check(driver.copyOnDevice(*to, *from, probe.copyBytes, nullptr),
                     "copy on the device");
      });
      record.add("copy_bytes_per_second", 2000.0 * probe.copyBytes / copy);
    }
    records.write(record);
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
    HostArrays host = makeInputs(entry, options.seed);
    Expectation expectation = expect(entry, host, options.referenceOperations);
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
      if (std::string reason = peers.whyAbsent(name); !reason.empty())
        records.write(Records::about(entry.id, name)
                          .add("status", "absent")
                          .add("reason", reason));
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
    } catch (const LibraryError &error) {
      driver.check(driver.synchronise(), "waiting for the device");
      records.write(Records::about(entry.id, name)
                        .add("status", "failed")
                        .add("reason", error.what()));
      wrong = true;
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
    driver.check(driver.synchronise(), "waiting for the device");
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
      addTimes(result, driver, entry, call, arrays, options);
    wrong |= !isRight;
    driver.check(driver.synchronise(), "waiting for the device");
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
                    "[--cudnn LIB] [--cub LIB]\n"
                    "       [--samples N] [--max-seconds S] "
                    "[--reference-operations N] [--seed N]\n"
                    "Checks and times the kernels of a plan (plan.txt) on the "
                    "first device; one JSON object\n"
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
      options.peers.blas = value;
    else if (word == "--cudnn")
      options.peers.dnn = value;
    else if (word == "--cub")
      options.peers.cub = value;
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
    driver = std::make_unique<Driver>(options.driver, plan->isHip);
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
