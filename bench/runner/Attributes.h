//===- Attributes.h - what the runner asks a device for ---------*- C++ -*-===//

#ifndef BENCH_RUNNER_ATTRIBUTES_H
#define BENCH_RUNNER_ATTRIBUTES_H

#include <cstdint>

namespace bench {

using DevicePointer = uint64_t;

/// A property by its number in CUdevice_attribute and in hipDeviceAttribute_t.
struct Attribute {
  int cuda, hip;
};
constexpr Attribute ClockKHz{13, 5}, Multiprocessors{16, 63}, L2Bytes{38, 19},
    Major{75, 23}, Minor{76, 61};

} // namespace bench

#endif // BENCH_RUNNER_ATTRIBUTES_H
