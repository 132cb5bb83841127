//===- Calls.cpp - what rewritten programs with OpenACC call --------------===//

#include "runtime/CUDA/API.h"
#include "runtime/CUDA/Program.h"
#include "runtime/OpenACC/PresentTable.h"

#include "gpuopt/openacc_calls.h"
#include "llvm/ADT/STLExtras.h"
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

using OnEntry = PresentTable::OnEntry;
using OnExit = PresentTable::OnExit;
using Counter = PresentTable::Counter;

void gpuopt_acc_enter(gpuopt_acc_action action, gpuopt_acc_range *range,
                      const volatile void *host, long long bytes,
                      const volatile void *array) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  if (range)
    *range = {host, bytes, /*isCounted=*/0};
  // A pointer into the device's memory needs no copy.
  if (!host || isOfDevice(host))
    return;
  if (!table.find(host, bytes)) {
    if (action == gpuopt_acc_present && bytes > 0)
      fail("'present' names " + llvm::Twine(bytes) +
           " bytes of which the device has no copy");
    // An array without elements, or a pointer that says no more.
    if (bytes <= 0)
      return;
  }
  table.enter(host, bytes,
              action == gpuopt_acc_copyin        ? OnEntry::Copy
              : action == gpuopt_acc_create_zero ? OnEntry::Zero
                                                 : OnEntry::Create,
              range ? Counter::Structured : Counter::Dynamic, array);
  if (range)
    range->isCounted = 1;
}

static OnExit onExit(gpuopt_acc_action action) {
  bool copies =
      action == gpuopt_acc_copyout || action == gpuopt_acc_copyout_finally;
  return copies ? OnExit::Copy : OnExit::Delete;
}

void gpuopt_acc_leave(gpuopt_acc_action action, gpuopt_acc_range *range) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  if (range->isCounted)
    table.leave(range->host, range->bytes, onExit(action), Counter::Structured);
}

void gpuopt_acc_leave_scope(gpuopt_acc_scope *scope) {
  for (int index = scope->count; index-- > 0;)
    gpuopt_acc_leave(scope->onExit[index], &scope->ranges[index]);
}

void gpuopt_acc_exit_data(gpuopt_acc_action action, const volatile void *host,
                          long long bytes) {
  PresentTable &table = PresentTable::get();
  std::lock_guard lock(table.mutex);
  bool finally = action == gpuopt_acc_copyout_finally ||
                 action == gpuopt_acc_delete_finally;
  table.leave(host, bytes, onExit(action), Counter::Dynamic, finally);
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
/// Memory that is on the device for one launch.
struct LentMemory {
  char *begin, *end;
  bool isCopiedBack;
};

/// The arguments of one launch, as the runtime takes them. What the device gets
/// for them it has until `giveBack`.
class LaunchArguments {
public:
  LaunchArguments(const char *kernelName, const gpuopt_acc_argument *arguments,
                  int count)
      : kernel(kernelName), given(arguments, arguments + count),
        addresses(count, nullptr) {
    lend();
    for (int index = 0; index < count; ++index)
      places.push_back(placeOf(index));
  }

  void **data() { return places.data(); }
  void giveBack();

private:
  void lend();
  void *placeOf(int index);

  const char *kernel;
  std::vector<gpuopt_acc_argument> given;
  /// Of pointers.
  std::vector<void *> addresses;
  std::vector<void *> places;
  /// What the device's copies of scalars hold.
  std::vector<std::vector<char>> values;
  /// Apart from each other, by their places.
  std::vector<LentMemory> lent;
};
} // namespace

static bool isValue(const gpuopt_acc_argument &argument) {
  return argument.kind == gpuopt_acc_value ||
         argument.kind == gpuopt_acc_present_value;
}

/// Brings what arguments point to, and the device does not have, there. Two may
/// point to the same memory.
void LaunchArguments::lend() {
  PresentTable &table = PresentTable::get();
  std::vector<LentMemory> wanted;
  for (const gpuopt_acc_argument &argument : given) {
    if (isValue(argument) || !argument.place ||
        table.findArray(argument.place) || isOfDevice(argument.place))
      continue;
    if (argument.bytes <= 0)
      fail(llvm::Twine("kernel '") + kernel + "' uses '" + argument.name +
           "', of which the device has no copy; a data clause must say how "
           "long it is, as in copy(" +
           argument.name + "[0:n])");
    char *begin = static_cast<char *>(argument.place);
    wanted.push_back(
        {begin, begin + argument.bytes, argument.kind != gpuopt_acc_input});
  }
  llvm::sort(wanted, [](const LentMemory &left, const LentMemory &right) {
    return left.begin < right.begin;
  });
  for (const LentMemory &memory : wanted) {
    if (lent.empty() || lent.back().end <= memory.begin) {
      lent.push_back(memory);
      continue;
    }
    lent.back().end = std::max(lent.back().end, memory.end);
    lent.back().isCopiedBack |= memory.isCopiedBack;
  }
  for (const LentMemory &memory : lent)
    table.enter(memory.begin, memory.end - memory.begin, OnEntry::Copy,
                Counter::Structured, memory.begin);
}

void *LaunchArguments::placeOf(int index) {
  const gpuopt_acc_argument &argument = given[index];
  PresentTable &table = PresentTable::get();
  if (isValue(argument)) {
    char *present = argument.kind == gpuopt_acc_present_value
                        ? table.find(argument.place, argument.bytes)
                        : nullptr;
    if (!present)
      return argument.place;
    std::vector<char> &value = values.emplace_back(argument.bytes);
    if (cudaMemcpy(value.data(), present, value.size(),
                   cudaMemcpyDeviceToHost) != cudaSuccess)
      fail(llvm::Twine("kernel '") + kernel + "' cannot have '" +
           argument.name + "'");
    return value.data();
  }
  char *present = table.findArray(argument.place);
  addresses[index] = present ? present : argument.place;
  return &addresses[index];
}

void LaunchArguments::giveBack() {
  for (const LentMemory &memory : lent)
    PresentTable::get().leave(memory.begin, memory.end - memory.begin,
                              memory.isCopiedBack ? OnExit::Copy
                                                  : OnExit::Delete,
                              Counter::Structured);
}

/// The most blocks along y and z.
static constexpr int64_t kMostBlocks = 65535;

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
  dim3 shape = blockOf(dimensions);
  unsigned threads[] = {shape.x, shape.y, shape.z}, blocks[] = {1, 1, 1};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    // Kernels number their work items by an `int`.
    if (items[dimension] > INT32_MAX - 1024)
      fail(llvm::Twine("kernel '") + symbol + "' has too many iterations");
    if (items[dimension] <= 0)
      return;
    // Long columns take blocks that are as long.
    while (dimension > 0 && threads[0] > 1 &&
           threads[dimension] < (dimension == 1 ? 1024u : 64u) &&
           items[dimension] > kMostBlocks * int64_t(threads[dimension])) {
      threads[0] /= 2;
      threads[dimension] *= 2;
    }
  }
  for (int dimension = 0; dimension < dimensions; ++dimension)
    blocks[dimension] = unsigned(
        llvm::divideCeil(uint64_t(items[dimension]), threads[dimension]));
  dim3 block = {threads[0], threads[1], threads[2]};
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
