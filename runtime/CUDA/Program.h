//===- Program.h - the device side of a running program ---------*- C++ -*-===//
//
// What the object files of a program have registered (see Registration.cpp),
// and the device that runs it. Device code is read when the program first needs
// it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_PROGRAM_H
#define RUNTIME_CUDA_PROGRAM_H

#include "runtime/CPUExecutor.h"
#include "runtime/CUDA/API.h"
#include "runtime/CUDA/DeviceMemory.h"
#include "runtime/CUDA/GPU.h"
#include "runtime/DeviceDescription.h"
#include "runtime/DeviceImages.h"
#include "runtime/LaunchRules.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace gpuopt::cuda {

/// A variable that the host may touch, too: it goes there by `*pointer`.
struct ManagedVariable {
  std::string symbol;
  void **pointer = nullptr;
  /// Of the program's own memory, where it is while kernels run on the CPU.
  llvm::MutableArrayRef<uint8_t> own;
  /// What it has held at first; nothing where that is zeros, of which there may
  /// be many.
  std::vector<uint8_t> initial = {};

  void keepInitial();
  void restoreInitial();
};

/// The device code of one object file.
class DeviceCode {
public:
  explicit DeviceCode(const char *section) : section(section) {}

  /// Reads the section, once.
  llvm::Error load();
  const DeviceDescription &device() const { return contents.device; }
  /// The rules of a kernel; null where it has none.
  const LaunchRules *rules(llvm::StringRef symbol) const;
  /// What runs the tuned kernels and those that they fall back to, or the
  /// untouched ones, which share their variables.
  llvm::Expected<CPUExecutor *> executor(ImageRole role = ImageRole::Tuned);
  /// The same, for `CPUExecutor::profile`.
  llvm::Expected<CPUExecutor *> profiler(ImageRole role);
  /// A kernel on the GPU.
  llvm::Expected<Handle> function(GPU &gpu, llvm::StringRef symbol);
  /// Where a variable is, on the GPU or on this machine.
  llvm::Expected<llvm::MutableArrayRef<uint8_t>>
  variable(llvm::StringRef symbol);
  ~DeviceCode() { unloadModule(); }
  /// Forgets what has been compiled, and with it the values of variables.
  void reset();
  /// Forgets what has been read, too: it was for another device.
  void forget();
  /// Its variables, which there are once it runs; on the GPU those that have
  /// been asked for.
  std::vector<ModuleVariable> variables() const;

  std::vector<ManagedVariable> managed;

private:
  /// Where managed variables are while kernels run on the CPU.
  std::vector<ModuleVariable> ownVariables() const;
  /// Of those that the section has code for, what runs: on the GPU the newest
  /// that it can run, here the first.
  llvm::Expected<llvm::StringRef>
  chooseArch(llvm::ArrayRef<DeviceImageRef> all) const;
  llvm::Expected<Handle> module(GPU &gpu);
  void unloadModule();

  const char *section;
  bool isLoaded = false;
  /// On the GPU.
  Handle loaded = nullptr;
  llvm::StringMap<Handle> functions;
  llvm::StringMap<llvm::MutableArrayRef<uint8_t>> places;
  DeviceCodeRules contents;
  /// By role.
  std::map<ImageRole, llvm::StringRef> images;
  llvm::StringMap<const LaunchRules *> rulesOf;
  llvm::LLVMContext context;
  /// What an executor is for: a role, and whether it profiles.
  using Purpose = std::pair<ImageRole, bool>;
  llvm::Expected<CPUExecutor *> executor(Purpose purpose);
  std::map<Purpose, std::unique_ptr<CPUExecutor>> executors;
};

/// A kernel as the host knows it.
struct Kernel {
  DeviceCode *code = nullptr;
  std::string symbol;
  /// What the program has asked for; without, what the kernel's own arrays
  /// leave of 48 KiB.
  std::optional<int> maxDynamicSharedBytes = {};
  /// How often it has been launched.
  uint64_t launches = 0;
};

/// A variable of the device, as the host knows it.
struct Variable {
  DeviceCode *code = nullptr;
  std::string symbol;
  uint64_t bytes = 0;
};

class Program {
public:
  /// The one of this process.
  static Program &get();

  DeviceCode *addCode(const char *section);
  void addKernel(DeviceCode *code, const void *stub, llvm::StringRef symbol);
  void addVariable(DeviceCode *code, const void *shadow, llvm::StringRef symbol,
                   uint64_t bytes);
  /// Such variables begin to be where kernels find them.
  void addManagedVariable(DeviceCode *code, ManagedVariable variable);

  /// Forgets what `code` has registered: the object file is gone.
  void removeCode(DeviceCode *code);

  /// Null where nothing has registered it.
  Kernel *findKernel(const void *stub);
  /// By the address of the host's variable or, as old programs have it, by
  /// name.
  Variable *findVariable(const void *symbol);
  /// Where a variable is on the device.
  llvm::Expected<llvm::MutableArrayRef<uint8_t>> storage(Variable &variable);
  /// Whether a range is part of a variable that is in use.
  bool holdsVariable(const void *pointer, uint64_t bytes) const;
  /// Whether the device has all of a range: in an allocation, or in a variable
  /// of which the program has asked for the address.
  bool isOnDevice(const void *pointer, uint64_t bytes) const;
  /// Whether it is part of a variable that the host may touch.
  bool isInManagedVariable(const void *pointer) const;
  /// Whether an address that is said to be the host's is: of no memory that
  /// only the device may touch.
  bool isOnHost(const void *pointer) const;
  /// All that kernels can reach, in the order of its places.
  std::vector<ReachableMemory> reachableMemory() const;
  /// The variables of all device code that runs.
  std::vector<ModuleVariable> variablesInUse() const;

  /// Frees what the program has allocated, and gives variables the values back
  /// that they had at first.
  void reset();

  /// The device that the program runs on, or, of a GPU, the one that the code
  /// is for.
  const DeviceDescription &device();
  /// The GPU that the program runs on; null where it runs on the CPU.
  GPU *gpu() {
    start();
    return openedGPU.get();
  }
  /// Chooses the device, once.
  void start();

  DeviceMemory memory;
  /// Held while a function of the API runs.
  std::recursive_mutex mutex;
  /// How often the program has launched a kernel.
  uint64_t launches = 0;
  /// What has ended the program's work on the device; all calls return it.
  std::atomic<cudaError_t> stickyError = cudaSuccess;
  /// Whether a call has returned it: a launch does not wait for its kernel.
  std::atomic<bool> isErrorKnown = false;

private:
  std::vector<std::unique_ptr<DeviceCode>> codes;
  std::map<const void *, Kernel> kernels;
  std::map<const void *, Variable> variables;
  /// Lets the host find a variable where the device has it.
  void place(DeviceCode *code, ManagedVariable &variable);
  /// Opens the GPU where the program is to run on one, or says why not.
  void chooseDevice();
  llvm::Error openGPU();

  bool isStarted = false;
  /// That of the first code that there is.
  std::optional<DeviceDescription> described;
  std::unique_ptr<GPU> openedGPU;
};

/// Says that something is wrong with the program, on standard error.
void report(const llvm::Twine &message);

/// The same for `error`, and which error of the API it is: `code` where it does
/// not know itself.
cudaError_t report(llvm::Error error, cudaError_t code);

/// Forgets what references to textures are bound to, and all objects that are
/// not in the device's memory, where they end with it.
void forgetTextures();

/// Destroys all streams and events: they end with the device.
void forgetStreams();

/// Remembers `error` as the thread's last one, and as the program's where
/// nothing can be done behind it.
cudaError_t remember(cudaError_t error);

/// Runs a function of the API: alone, on a device that has been chosen, and not
/// at all behind a sticky error.
template <class Function>
cudaError_t call(Function function) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  program.start();
  if (program.stickyError != cudaSuccess) {
    program.isErrorKnown = true;
    return remember(program.stickyError);
  }
  return remember(function(program));
}

/// The same for what may take long on a GPU, where `onGPU` runs with nothing
/// held, as others may have to go on before it ends: `prepare` looks whether it
/// can be done at all, in both cases.
template <class Prepare, class OnGPU, class OnCPU>
cudaError_t callOnDevice(Prepare prepare, OnGPU onGPU, OnCPU onCPU) {
  GPU *gpu = nullptr;
  cudaError_t error = call([&](Program &program) {
    if (cudaError_t wrong = prepare(program); wrong != cudaSuccess)
      return wrong;
    gpu = program.gpu();
    return gpu ? cudaSuccess : onCPU(program);
  });
  return gpu && error == cudaSuccess ? remember(onGPU(*gpu)) : error;
}

/// Asks the GPU with nothing held. On the CPU all that a program can ask it to
/// wait for is done.
template <class Question>
cudaError_t askGPU(Question question) {
  return callOnDevice([](Program &) { return cudaSuccess; }, question,
                      [](Program &) { return cudaSuccess; });
}

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_PROGRAM_H
