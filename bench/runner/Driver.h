//===- Driver.h - the CUDA or HIP driver, opened at run time ----*- C++ -*-===//
//
// The runner links against nothing of CUDA or ROCm, so that it can be built
// where neither is and started where another driver stands in (--driver). The
// functions it needs have the same parameters in both.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_DRIVER_H
#define BENCH_RUNNER_DRIVER_H

#include "Attributes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace bench {

using Handle = void *;

/// A call into the driver that failed. Faults of kernels stay with the context:
/// nothing more can run in this process.
struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Driver {
#define DRIVER_FUNCTION(field, cuda, hip, parameters)                          \
  int(*field) parameters = nullptr;
#include "DriverFunctions.def"

  /// Opens the library, of which empty text means the usual one, and makes the
  /// first device's context current.
  Driver(std::string path, bool isHip) : isHip(isHip) {
    if (path.empty())
      path = isHip ? "libamdhip64.so" : "libcuda.so.1";
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library)
      throw DriverError(std::string("no ") + (isHip ? "HIP" : "CUDA") +
                        " driver: " + dlerror());
#define DRIVER_FUNCTION(field, cuda, hip, parameters)                          \
  field = reinterpret_cast<int(*) parameters>(                                 \
      dlsym(library, isHip ? #hip : #cuda));                                   \
  if (!field)                                                                  \
    throw DriverError(path + " has no " + (isHip ? #hip : #cuda));
#include "DriverFunctions.def"
    check(init(0), "init");
    check(deviceGet(&device, 0), "device 0");
    Handle context;
    check(contextRetain(&context, device), "primary context");
    check(contextSet(context), "current context");
    check(eventCreate(&start, 0), "event");
    check(eventCreate(&end, 0), "event");
  }

  void check(int error, const std::string &what) const {
    if (!error)
      return;
    const char *text = nullptr;
    errorString(error, &text);
    throw DriverError(what + ": " +
                      (text ? text : "error " + std::to_string(error)));
  }

  std::string name() const {
    char text[256] = "";
    check(deviceName(text, sizeof(text), device), "name of the device");
    return text;
  }

  int attribute(Attribute which) const {
    int value = 0;
    check(deviceAttribute(&value, isHip ? which.hip : which.cuda, device),
          "attribute of the device");
    return value;
  }

  DevicePointer allocated(uint64_t bytes) const {
    DevicePointer pointer = 0;
    check(allocate(&pointer, bytes),
          "allocation of " + std::to_string(bytes) + " bytes");
    return pointer;
  }

  /// Memory that is given back with its last owner.
  std::shared_ptr<DevicePointer> scratch(uint64_t bytes) const {
    return {new DevicePointer(allocated(std::max<uint64_t>(1, bytes))),
            [this](DevicePointer *pointer) {
              release(*pointer);
              delete pointer;
            }};
  }

  /// Workgroup memory beyond what a launch gets unasked. HIP has no such limit.
  void allowDynamicShared(Handle function, unsigned bytes) const {
    constexpr int maxDynamicSharedBytes = 8;
    if (bytes && !isHip)
      check(functionSetAttribute(function, maxDynamicSharedBytes, int(bytes)),
            "attribute of the function");
  }

  /// Milliseconds of `work` on the device.
  double timed(const std::function<void()> &work) const {
    check(eventRecord(start, nullptr), "event");
    work();
    check(eventRecord(end, nullptr), "event");
    check(eventSynchronise(end), "waiting for the event");
    float milliseconds = 0;
    check(eventMilliseconds(&milliseconds, start, end), "time between events");
    return milliseconds;
  }

  bool isHip;
  int device = 0;

private:
  Handle start = nullptr, end = nullptr;
};

} // namespace bench

#endif // BENCH_RUNNER_DRIVER_H
