//===- Library.cpp - the functions of openacc.h ---------------------------===//
//
// OpenACC 3.3, section 3.2. Each call has done its work when it returns, so
// that queues need no waiting for.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/API.h"
#include "runtime/CUDA/Program.h"
#include "runtime/OpenACC/PresentTable.h"

using namespace gpuopt;
using namespace gpuopt::openacc;

namespace {
/// As openacc.h has them.
enum DeviceType { None, Default, Host, NotHost, Current, NVIDIA, Radeon };
enum Property {
  NoProperty,
  Memory,
  FreeMemory,
  SharedMemory,
  Name,
  Vendor,
  Driver
};

using OnEntry = PresentTable::OnEntry;
using OnExit = PresentTable::OnExit;
using Counter = PresentTable::Counter;
} // namespace

/// Calls `function` with the table, alone.
template <class Function>
static auto withTable(Function function) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  return function(table);
}

static int chosenType = NVIDIA;
static int defaultQueue = 0;

extern "C" {
//===----------------------------------------------------------------------===//
// Devices and queues
//===----------------------------------------------------------------------===//

int acc_get_num_devices(int type) {
  return type == None || type == Radeon ? 0 : 1;
}
void acc_set_device_type(int type) {
  chosenType = type == Default || type == NotHost ? int(NVIDIA) : type;
}
int acc_get_device_type() { return chosenType; }
void acc_set_device_num(int, int) {}
int acc_get_device_num(int) { return 0; }
void acc_init(int) {}
void acc_init_device(int, int) {}
void acc_shutdown(int) {}
void acc_shutdown_device(int, int) {}
int acc_on_device(int type) { return type == Host || type == None; }

size_t acc_get_property(int, int, int property) {
  cuda::Program &program = cuda::Program::get();
  std::lock_guard lock(program.mutex);
  program.device();
  return property == Memory       ? program.memory.allBytes()
         : property == FreeMemory ? program.memory.freeBytes()
                                  : 0;
}
const char *acc_get_property_string(int, int, int property) {
  static std::string name = cuda::Program::get().device().name;
  return property == Name     ? name.c_str()
         : property == Vendor ? "NVIDIA"
         : property == Driver ? "gpuopt"
                              : nullptr;
}

int acc_async_test(int) { return 1; }
int acc_async_test_all() { return 1; }
void acc_wait(int) {}
void acc_wait_async(int, int) {}
void acc_wait_all() {}
void acc_wait_all_async(int) {}
/// Which of several queues is empty, those aside that have been found before.
int acc_wait_any(int count, int *queues) {
  constexpr int found = -2; // acc_async_sync
  for (int index = 0; index < count; ++index)
    if (queues[index] != found)
      return index;
  return -1;
}
void acc_async_wait(int) {}
void acc_async_wait_all() {}
int acc_get_default_async() { return defaultQueue; }
void acc_set_default_async(int queue) { defaultQueue = queue; }

//===----------------------------------------------------------------------===//
// Memory of the device
//===----------------------------------------------------------------------===//

void *acc_malloc(size_t bytes) {
  void *device = nullptr;
  return cudaMalloc(&device, bytes) == cudaSuccess ? device : nullptr;
}
void acc_free(void *device) {
  if (device && cudaFree(device) != cudaSuccess)
    fail("acc_free: this is no memory of the device");
}
void acc_memcpy_to_device(void *device, void *host, size_t bytes) {
  if (cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    fail("acc_memcpy_to_device: this is no memory of the device");
}
void acc_memcpy_from_device(void *host, void *device, size_t bytes) {
  if (cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    fail("acc_memcpy_from_device: this is no memory of the device");
}
void acc_memcpy_device(void *to, void *from, size_t bytes) {
  if (cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice) != cudaSuccess)
    fail("acc_memcpy_device: this is no memory of the device");
}
void acc_memcpy_to_device_async(void *device, void *host, size_t bytes, int) {
  acc_memcpy_to_device(device, host, bytes);
}
void acc_memcpy_from_device_async(void *host, void *device, size_t bytes, int) {
  acc_memcpy_from_device(host, device, bytes);
}
void acc_memcpy_device_async(void *to, void *from, size_t bytes, int) {
  acc_memcpy_device(to, from, bytes);
}
void acc_memcpy_d2d(void *to, void *from, size_t bytes, int, int) {
  withTable([&](PresentTable &table) {
    char *target = table.find(to, bytes), *origin = table.find(from, bytes);
    if (!target || !origin)
      fail("acc_memcpy_d2d: the device has no copy of these bytes");
    acc_memcpy_device(target, origin, bytes);
  });
}

//===----------------------------------------------------------------------===//
// Copies of the host's memory
//===----------------------------------------------------------------------===//

void *acc_copyin(void *host, size_t bytes) {
  return withTable([&](PresentTable &table) {
    return table.enter(host, bytes, OnEntry::Copy, Counter::Dynamic, host);
  });
}
void *acc_create(void *host, size_t bytes) {
  return withTable([&](PresentTable &table) {
    return table.enter(host, bytes, OnEntry::Create, Counter::Dynamic, host);
  });
}
void *acc_present_or_copyin(void *host, size_t bytes) {
  return acc_copyin(host, bytes);
}
void *acc_present_or_create(void *host, size_t bytes) {
  return acc_create(host, bytes);
}
void *acc_pcopyin(void *host, size_t bytes) { return acc_copyin(host, bytes); }
void *acc_pcreate(void *host, size_t bytes) { return acc_create(host, bytes); }
void acc_copyin_async(void *host, size_t bytes, int) {
  acc_copyin(host, bytes);
}
void acc_create_async(void *host, size_t bytes, int) {
  acc_create(host, bytes);
}

static void leave(void *host, size_t bytes, OnExit action, bool finally) {
  withTable([&](PresentTable &table) {
    table.leave(host, bytes, action, Counter::Dynamic, finally);
  });
}
void acc_copyout(void *host, size_t bytes) {
  leave(host, bytes, OnExit::Copy, false);
}
void acc_copyout_async(void *host, size_t bytes, int) {
  leave(host, bytes, OnExit::Copy, false);
}
void acc_copyout_finalize(void *host, size_t bytes) {
  leave(host, bytes, OnExit::Copy, true);
}
void acc_copyout_finalize_async(void *host, size_t bytes, int) {
  leave(host, bytes, OnExit::Copy, true);
}
void acc_delete(void *host, size_t bytes) {
  leave(host, bytes, OnExit::Delete, false);
}
void acc_delete_async(void *host, size_t bytes, int) {
  leave(host, bytes, OnExit::Delete, false);
}
void acc_delete_finalize(void *host, size_t bytes) {
  leave(host, bytes, OnExit::Delete, true);
}

void acc_delete_finalize_async(void *host, size_t bytes, int) {
  leave(host, bytes, OnExit::Delete, true);
}

void *acc_deviceptr(void *host) {
  return withTable([&](PresentTable &table) { return table.find(host, 0); });
}
void *acc_hostptr(void *device) {
  return withTable([&](PresentTable &table) { return table.findHost(device); });
}
int acc_is_present(void *host, size_t bytes) {
  return withTable([&](PresentTable &table) {
           return table.find(host, bytes);
         }) != nullptr;
}
void acc_map_data(void *host, void *device, size_t bytes) {
  withTable([&](PresentTable &table) { table.map(host, device, bytes); });
}
void acc_unmap_data(void *host) {
  withTable([&](PresentTable &table) { table.unmap(host); });
}

/// The device's copy of the pointer at `host`, or null.
static void **pointerOnDevice(PresentTable &table, void **host) {
  return reinterpret_cast<void **>(table.find(host, sizeof *host));
}
void acc_attach(void **host) {
  withTable([&](PresentTable &table) {
    void **pointer = pointerOnDevice(table, host);
    char *target = table.find(*host, 0);
    if (pointer && target)
      *pointer = target;
  });
}
void acc_detach(void **host) {
  withTable([&](PresentTable &table) {
    if (void **pointer = pointerOnDevice(table, host))
      *pointer = *host;
  });
}

static char *presentCopy(void *host, size_t bytes, const char *function) {
  char *device =
      withTable([&](PresentTable &table) { return table.find(host, bytes); });
  if (!device && bytes)
    fail(llvm::Twine(function) + ": the device has no copy of these bytes");
  return device;
}
void acc_update_device(void *host, size_t bytes) {
  if (char *device = presentCopy(host, bytes, "acc_update_device"))
    acc_memcpy_to_device(device, host, bytes);
}
void acc_update_self(void *host, size_t bytes) {
  if (char *device = presentCopy(host, bytes, "acc_update_self"))
    acc_memcpy_from_device(host, device, bytes);
}
void acc_update_device_async(void *host, size_t bytes, int) {
  acc_update_device(host, bytes);
}
void acc_update_self_async(void *host, size_t bytes, int) {
  acc_update_self(host, bytes);
}
} // extern "C"
