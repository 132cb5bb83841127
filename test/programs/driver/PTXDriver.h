//===- PTXDriver.h - a CUDA driver that runs on the CPU ---------*- C++ -*-===//
//
// The functions of runtime/CUDA/DriverFunctions.def for tests of programs where
// there is no GPU: PTX is read again and run by the CPU executor. It is as
// strict as a GPU where a program, or the runtime, may be wrong about one:
//
// * memory of the device cannot be touched but by this driver;
// * nothing that is put on a stream happens before somebody has to wait for it.
//
// GPUOPT_PTX_DRIVER_CAPABILITY is the compute capability, 90 where it is not
// set.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_PROGRAMS_DRIVER_PTXDRIVER_H
#define TEST_PROGRAMS_DRIVER_PTXDRIVER_H

#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>

namespace ptx_driver {

using Address = unsigned long long;

enum Status {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidImage = 200,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  Assert = 710,
  MisalignedAddress = 716,
  LaunchFailed = 719
};

inline constexpr uint64_t kDeviceBytes = uint64_t(4) << 30;

enum class Kind { Device, Managed, Host, Registered };

struct Allocation {
  uint64_t bytes = 0;
  Kind kind = Kind::Device;
};

struct State {
  std::map<Address, Allocation> allocations;
  std::set<void *> streams;
  /// What streams have to do, in the order in which they were asked to.
  std::deque<std::function<void()>> work;
  /// What a kernel has done wrong ends everything.
  int error = Success;
};

State &state();

inline uint8_t *pointerTo(Address address) {
  return reinterpret_cast<uint8_t *>(address);
}

/// Bytes of whole pages.
uint64_t pagesOf(uint64_t bytes);

/// While one lives, the device's memory can be touched.
class DeviceAccess {
public:
  DeviceAccess();
  ~DeviceAccess();
};

/// The allocation that `address` lies in.
const Allocation *find(Address address, uint64_t *offset = nullptr);
/// Whether a range does not leave the allocation that it begins in.
bool fits(Address address, uint64_t bytes);

/// What nobody has written is nothing in particular.
int allocate(Address *address, uint64_t bytes, Kind kind);
/// Waits, as the API has it.
int release(Address address, std::initializer_list<Kind> kinds);

/// 90 of compute capability 9.0.
int capability();

/// Says what is wrong.
int complain(const llvm::Twine &text, int status);

int enqueue(void *stream, std::function<void()> work);
/// Does all that streams have to do.
int finish();

/// One side of a copy; rows and slices are so many bytes apart.
struct Side {
  Address begin = 0;
  size_t pitch = 0, slicePitch = 0;
};

/// A copy. What is read from memory that the driver does not know is read at
/// once, and what is written there is there when the call returns.
int copy(const Side &to, const Side &from, size_t width, size_t height,
         size_t depth, void *stream);

} // namespace ptx_driver

#endif // TEST_PROGRAMS_DRIVER_PTXDRIVER_H
