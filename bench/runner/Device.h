//===- Device.h - arrays and kernels on the device --------------*- C++ -*-===//

#ifndef BENCH_RUNNER_DEVICE_H
#define BENCH_RUNNER_DEVICE_H

#include "Arrays.h"
#include "Driver.h"

#include <cstring>

namespace bench {

constexpr uint64_t guardBytes = 256;
constexpr unsigned char poison = 0xff; // a NaN in every float

/// The arrays of a case on the device, several times over so that all of them
/// together are larger than the L2 cache, and once more as they are at first.
class DeviceArrays {
public:
  DeviceArrays(const Driver &driver, const Case &entry, const HostArrays &host)
      : driver(driver), entry(entry) {
    for (size_t i = 0; i < entry.arrays.size(); ++i) {
      uint64_t bytes = entry.arrays[i].isInput() ? entry.arrays[i].bytes() : 0;
      pristine.push_back(bytes ? driver.allocated(bytes) : 0);
      if (bytes)
        driver.check(driver.copyIn(pristine[i], host[i].data(), bytes),
                     "copy in");
    }
    uint64_t cache = std::max(0, driver.attribute(L2Bytes));
    uint64_t wanted = 1 + 2 * cache / std::max<uint64_t>(1, entry.arrayBytes());
    for (uint64_t i = 0; i < std::min<uint64_t>(wanted, 64); ++i) {
      sets.emplace_back();
      for (const Array &array : entry.arrays)
        sets.back().push_back(driver.allocated(array.bytes() + guardBytes));
      reset(i);
    }
  }
  ~DeviceArrays() {
    for (const auto &set : sets)
      for (DevicePointer pointer : set)
        driver.release(pointer);
    for (DevicePointer pointer : pristine)
      if (pointer)
        driver.release(pointer);
  }
  DeviceArrays(const DeviceArrays &) = delete;

  size_t size() const { return sets.size(); }
  const std::vector<DevicePointer> &operator[](size_t set) const {
    return sets[set % size()];
  }

  /// Inputs anew; everything else, and what lies behind each array, poisoned.
  void reset(size_t set) const {
    for (size_t i = 0; i < entry.arrays.size(); ++i) {
      uint64_t bytes = entry.arrays[i].bytes();
      uint64_t inputs = pristine[i] ? bytes : 0;
      driver.check(driver.fill(sets[set][i] + inputs, poison,
                               bytes + guardBytes - inputs),
                   "fill");
      restore(set, i);
    }
  }
  /// What a launch has changed of its own inputs, in the first `count` sets.
  void resetInPlace(size_t count) const {
    for (size_t set = 0; set < std::min(count, size()); ++set)
      for (size_t i = 0; i < entry.arrays.size(); ++i)
        if (entry.arrays[i].role == "inout")
          restore(set, i);
  }

  /// The results in the first set, and empty arrays for the others.
  HostArrays results() const {
    HostArrays got(entry.arrays.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const Array &array = entry.arrays[i];
      if (!array.isResult())
        continue;
      got[i] = HostArray(array.type, array.counted);
      driver.check(driver.copyOut(got[i].data(), sets[0][i],
                                  array.counted * sizeOf(array.type)),
                   "copy out");
    }
    return got;
  }

  /// The name of an array behind which something was written.
  std::string overrun() const {
    std::vector<unsigned char> guard(guardBytes);
    for (size_t i = 0; i < entry.arrays.size(); ++i) {
      DevicePointer end = sets[0][i] + entry.arrays[i].bytes();
      driver.check(driver.copyOut(guard.data(), end, guardBytes), "copy out");
      if (std::any_of(guard.begin(), guard.end(),
                      [](unsigned char c) { return c != poison; }))
        return entry.arrays[i].name;
    }
    return "";
  }

private:
  void restore(size_t set, size_t array) const {
    if (pristine[array])
      driver.check(driver.copyOnDevice(sets[set][array], pristine[array],
                                       entry.arrays[array].bytes(), nullptr),
                   "copy on the device");
  }

  const Driver &driver;
  const Case &entry;
  std::vector<DevicePointer> pristine;
  std::vector<std::vector<DevicePointer>> sets;
};

/// A variant's module, loaded, with the arguments of its launches.
class LoadedVariant {
public:
  LoadedVariant(const Driver &driver, const Case &entry, const Variant &variant,
                const std::string &directory)
      : driver(driver) {
    std::string path = directory + "/" + variant.file;
    driver.check(driver.moduleLoad(&module, path.c_str()),
                 "loading " + variant.file);
    for (const Launch &launch : variant.launches) {
      Step step{launch, nullptr, {}, {}};
      driver.check(
          driver.moduleFunction(&step.function, module, launch.symbol.c_str()),
          "looking for " + launch.symbol);
      driver.allowDynamicShared(step.function, launch.sharedBytes);
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

} // namespace bench

#endif // BENCH_RUNNER_DEVICE_H
