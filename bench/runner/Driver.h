//===- Driver.h - the CUDA driver, opened at run time -----------*- C++ -*-===//
//
// The runner links against nothing of CUDA, so that it can be built where none
// is and started where another driver stands in (--driver).
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_DRIVER_H
#define BENCH_RUNNER_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace bench {

using Handle = void *;
using DevicePointer = uint64_t;

/// A call into the driver that failed. Faults of kernels stay with the context:
/// nothing more can run in this process.
struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Driver {
#define DRIVER_FUNCTION(field, name, parameters)                               \
  int(*field) parameters = nullptr;
#include "DriverFunctions.def"

  /// Opens the library and makes the first device's context current.
  explicit Driver(const std::string &path) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library)
      throw DriverError("no CUDA driver: " + std::string(dlerror()));
#define DRIVER_FUNCTION(field, name, parameters)                               \
  field = reinterpret_cast<int(*) parameters>(dlsym(library, #name));          \
  if (!field)                                                                  \
    throw DriverError(path + " has no " #name);
#include "DriverFunctions.def"
    check(init(0), "cuInit");
    check(deviceGet(&device, 0), "cuDeviceGet");
    Handle context;
    check(contextRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(contextSet(context), "cuCtxSetCurrent");
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
    check(deviceName(text, sizeof(text), device), "cuDeviceGetName");
    return text;
  }

  int attribute(int number) const {
    int value = 0;
    check(deviceAttribute(&value, number, device), "cuDeviceGetAttribute");
    return value;
  }

  int device = 0;
};

/// CUdevice_attribute and CUfunction_attribute, as far as they are needed.
enum {
  ClockKHz = 13,
  Multiprocessors = 16,
  L2Bytes = 38,
  Major = 75,
  Minor = 76
};
enum { MaxDynamicSharedBytes = 8 };

} // namespace bench

#endif // BENCH_RUNNER_DRIVER_H
