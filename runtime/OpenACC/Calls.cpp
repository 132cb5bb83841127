//===- Calls.cpp - what rewritten programs with OpenACC call --------------===//

#include "runtime/CUDA/API.h"
#include "runtime/CUDA/Program.h"
#include "runtime/OpenACC/PresentTable.h"

#include "gpuopt/openacc_calls.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

using namespace gpuopt;
using namespace gpuopt::openacc;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// Whether it is an address of the device's own.
static bool isOfDevice(const volatile void *pointer) {
  cuda::Program &program = cuda::Program::get();
  std::lock_guard lock(program.mutex);
  const cuda::Allocation *found =
      program.memory.find(const_cast<void *>(pointer));
  return found && found->holds(const_cast<void *>(pointer), 1);
}

void gpuopt_acc_enter(gpuopt_acc_action action, const gpuopt_acc_range *range) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  const volatile void *host = range->host;
  long long bytes = range->bytes;
  // A pointer into the device's memory needs no copy.
  if (!host || isOfDevice(host))
    return;
  if (!table.find(host, bytes)) {
    if (action == gpuopt_acc_present)
      fail("'present' names " + llvm::Twine(bytes) +
           " bytes of which the device has no copy");
    // An array without elements, or a pointer that says no more.
    if (bytes <= 0)
      return;
  }
  table.enter(host, bytes,
              action == gpuopt_acc_copyin ? PresentTable::OnEntry::Copy
                                          : PresentTable::OnEntry::Create,
              range->array);
}

void gpuopt_acc_leave(gpuopt_acc_action action, const volatile void *host,
                      long long bytes) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  bool copies =
      action == gpuopt_acc_copyout || action == gpuopt_acc_copyout_finally;
  bool finally = action == gpuopt_acc_copyout_finally ||
                 action == gpuopt_acc_delete_finally;
  table.leave(host, bytes,
              copies ? PresentTable::OnExit::Copy
                     : PresentTable::OnExit::Delete,
              finally);
}

void gpuopt_acc_leave_scope(const gpuopt_acc_scope *scope) {
  for (int index = scope->count; index-- > 0;)
    gpuopt_acc_leave(scope->onExit[index], scope->ranges[index].host,
                     scope->ranges[index].bytes);
}

void gpuopt_acc_update(gpuopt_acc_action action, const volatile void *host,
                       long long bytes) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  bool mayMiss = action == gpuopt_acc_update_host_if_present ||
                 action == gpuopt_acc_update_device_if_present;
  bool toHost = action == gpuopt_acc_update_host ||
                action == gpuopt_acc_update_host_if_present;
  char *device = table.find(host, bytes);
  if (bytes <= 0 || (!device && mayMiss))
    return;
  if (!device)
    fail("'update' names " + llvm::Twine(bytes) +
         " bytes of which the device has no copy");
  void *place = const_cast<void *>(host);
  cudaError_t error =
      toHost ? cudaMemcpy(place, device, bytes, cudaMemcpyDeviceToHost)
             : cudaMemcpy(device, place, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess)
    fail(llvm::Twine("'update': ") + cudaGetErrorString(error));
}

void *gpuopt_acc_device_address(const volatile void *host) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  if (char *device = table.findArray(host))
    return device;
  return const_cast<void *>(host);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of one launch, as the runtime takes them. What the device gets
/// for them it has until `giveBack`.
class LaunchArguments {
public:
  LaunchArguments(const char *kernel, const gpuopt_acc_argument *arguments,
                  int count)
      : kernel(kernel), given(arguments, arguments + count),
        addresses(count, nullptr) {
    for (int index = 0; index < count; ++index)
      places.push_back(place(index));
  }

  void **data() { return places.data(); }
  void giveBack();

private:
  void *place(int index);

  const char *kernel;
  std::vector<gpuopt_acc_argument> given;
  /// Of pointers.
  std::vector<void *> addresses;
  std::vector<void *> places;
  /// Arguments that are on the device for this launch.
  std::vector<int> own;
};
} // namespace

void *LaunchArguments::place(int index) {
  const gpuopt_acc_argument &argument = given[index];
  PresentTable &table = PresentTable::get();
  if (argument.kind == gpuopt_acc_value) {
    // The device is this machine: it is where the value can be read.
    char *present = table.find(argument.place, argument.bytes);
    return present ? present : argument.place;
  }
  void *&address = addresses[index];
  if (char *present = table.findArray(argument.place)) {
    address = present;
  } else if (!argument.place || isOfDevice(argument.place)) {
    address = argument.place;
  } else if (argument.bytes > 0) {
    address = table.enter(argument.place, argument.bytes,
                          PresentTable::OnEntry::Copy, argument.place);
    own.push_back(index);
  } else {
    fail(llvm::Twine("kernel '") + kernel + "' uses '" + argument.name +
         "', of which the device has no copy; a data clause must say how long "
         "it is, as in copy(" +
         argument.name + "[0:n])");
  }
  return &address;
}

void LaunchArguments::giveBack() {
  for (int index : own)
    PresentTable::get().leave(given[index].place, given[index].bytes,
                              given[index].kind == gpuopt_acc_input
                                  ? PresentTable::OnExit::Delete
                                  : PresentTable::OnExit::Copy,
                              /*finally=*/false);
}

/// As kernels are compiled for: see `Compilation::defaultBlock`.
static dim3 blockOf(int dimensions) {
  return dimensions == 1   ? dim3{256, 1, 1}
         : dimensions == 2 ? dim3{32, 8, 1}
                           : dim3{32, 4, 2};
}

/// Registers the kernel of a launch at its first time.
static void registerKernel(gpuopt_acc_file &file, const void *key,
                           const char *symbol) {
  cuda::Program &program = cuda::Program::get();
  std::lock_guard lock(program.mutex);
  if (!program.findKernel(key))
    program.addKernel(reinterpret_cast<cuda::DeviceCode *>(file.code), key,
                      symbol);
}

void gpuopt_acc_launch(gpuopt_acc_file *file, const void *key,
                       const char *symbol, const long long *items,
                       int dimensions, const gpuopt_acc_argument *arguments,
                       int count) {
  dim3 block = blockOf(dimensions);
  const unsigned threads[] = {block.x, block.y, block.z};
  unsigned blocks[] = {1, 1, 1};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    if (items[dimension] <= 0)
      return;
    long long number =
        llvm::divideCeil(uint64_t(items[dimension]), threads[dimension]);
    if (number > INT32_MAX)
      fail(llvm::Twine("kernel '") + symbol + "' has too many iterations");
    blocks[dimension] = unsigned(number);
  }
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  registerKernel(*file, key, symbol);
  LaunchArguments launch(symbol, arguments, count);
  cudaError_t error =
      cudaLaunchKernel(key, {blocks[0], blocks[1], blocks[2]}, block,
                       launch.data(), /*bytes=*/0, /*stream=*/nullptr);
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    fail(llvm::Twine("kernel '") + symbol +
         "' cannot be run: " + cudaGetErrorString(error));
  launch.giveBack();
}
