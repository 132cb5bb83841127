//===- PTXDriver.h - a CUDA driver that runs on the CPU ---------*- C++ -*-===//
//
// The functions of runtime/CUDA/DriverFunctions.def for tests of programs where
// there is no GPU: PTX is read again and run by the CPU executor. It is as
// strict as a GPU where a program, or the runtime, is likely to be wrong:
//
// * memory of the device cannot be touched but by this driver;
// * nothing that is put on a stream happens before somebody has to wait for it;
// * then the streams that were asked last go first, as far as events and the
//   legacy stream let them.
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
#include <mutex>

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
  LaunchFailed = 719,
  CooperativeLaunchTooLarge = 720
};

inline constexpr uint64_t kDeviceBytes = uint64_t(4) << 30;

enum class Kind { Device, Managed, Host, Registered, Variable };

struct Allocation {
  uint64_t bytes = 0;
  Kind kind = Kind::Device;
};

/// Something that a stream has to do.
struct Work {
  /// By the order in which it was asked for.
  uint64_t number = 0;
  void *stream = nullptr;
  std::function<void()> run;
  /// What has to be done before, of another stream; 0 for nothing.
  uint64_t behind = 0;
};

struct State {
  /// For what follows; work itself runs without it.
  std::recursive_mutex mutex;
  std::map<Address, Allocation> allocations;
  /// And whether they go along with the legacy stream.
  std::map<void *, bool> streams;
  std::deque<Work> work;
  uint64_t lastNumber = 0;
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

int enqueue(void *stream, std::function<void()> work, uint64_t behind = 0);
/// Does all that streams have to do.
int finish();
/// Does what has to be done before the stream is through, or the piece of work
/// of a number.
int finishStream(void *stream);
int finishWork(uint64_t number);

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
