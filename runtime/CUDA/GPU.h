//===- GPU.h - a GPU, by the driver of its vendor ---------------*- C++ -*-===//
//
// The driver is opened at run time, so that programs start where there is none;
// nothing of the vendor's is linked. Its memory, streams and events are those
// that the program gets.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_GPU_H
#define RUNTIME_CUDA_GPU_H

#include "runtime/CUDA/API.h"
#include "runtime/CUDA/DeviceMemory.h"
#include "runtime/Launch.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <system_error>

namespace gpuopt::cuda {

/// Of what a kernel may use without asking for more.
inline constexpr int64_t kOrdinarySharedBytes = 48 << 10;

/// What the driver knows things by.
using Handle = void *;

/// An address as the driver takes it.
using DriverAddress = unsigned long long;

/// One side of a copy of boxes: a place in an array of the driver's, x in
/// bytes, or memory whose rows and slices are so many bytes apart.
struct BoxSide {
  Handle array = nullptr;
  size_t x = 0, y = 0, z = 0;
  /// Of an array on the CPU, too.
  uint8_t *memory = nullptr;
  size_t pitch = 0, slicePitch = 0;
};

/// A rectangle of memory that is copied; rows are `pitch` bytes apart.
struct RowCopy {
  void *to = nullptr;
  size_t toPitch = 0;
  const void *from = nullptr;
  size_t fromPitch = 0;
  size_t width = 0, height = 1;
};

/// A rectangle of memory that is set to one value.
struct RowFill {
  void *to = nullptr;
  size_t pitch = 0;
  unsigned value = 0;
  /// 1, 2 or 4.
  unsigned elementBytes = 1;
  /// In elements.
  size_t width = 0;
  size_t height = 1;
};

// What the driver calls CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_ARRAY3D_DESCRIPTOR,
// CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC.
struct DriverCopy;
struct DriverBoxCopy;
struct DriverArray;
struct DriverResource;
struct DriverTexture;

/// What llvm::Error takes along for a program: which of the API's errors it is.
std::error_code codeOf(cudaError_t error);

/// The first of the machine's GPUs. Functions that do work put it on the
/// current stream (StreamScope.h); `finish` waits for it where there is none.
class GPU : public MemorySource {
public:
  /// Opens the driver, `GPUOPT_DRIVER` or libcuda, and its first GPU. Null
  /// where there is no driver, an error where it has no GPU that can be used.
  static llvm::Expected<std::unique_ptr<GPU>> open();
  ~GPU() override;

  const std::string &name() const { return deviceName; }
  /// Of its compute capability, 10 times the major number and the minor one.
  int capability() const { return deviceCapability; }
  uint64_t bytes() const;
  /// By the number that CUDA has for it; nothing where it has no such.
  std::optional<int> attribute(int number) const;

  cudaError_t allocate(uint8_t *&pointer, uint64_t bytes,
                       MemoryKind kind) override;
  cudaError_t release(uint8_t *pointer, MemoryKind kind) override;
  cudaError_t add(uint8_t *pointer, uint64_t bytes, unsigned flags) override;
  /// Whether it is an address of the device's memory, whoever has asked for it.
  bool knows(const void *pointer) const;
  /// Waits for work that nobody has put on a stream, if it has begun.
  cudaError_t finish(cudaError_t begun);
  cudaError_t memoryInfo(size_t *freeBytes, size_t *allBytes);
  cudaError_t copy(const RowCopy &copy);
  /// With the width in bytes; of memory, slices are whole rows apart.
  cudaError_t copy(const BoxSide &to, const BoxSide &from, size_t width,
                   size_t height, size_t depth);
  cudaError_t fill(const RowFill &fill);

  cudaError_t createArray(Handle *array, const cudaChannelFormatDesc &format,
                          const cudaExtent &extent, unsigned flags);
  cudaError_t destroyArray(Handle array);
  /// Objects of textures, and of surfaces, which have no description. Arrays of
  /// `resource` are the driver's.
  cudaError_t createObject(unsigned long long *object,
                           const cudaResourceDesc &resource,
                           const cudaTextureDesc *texture);
  cudaError_t destroyTexture(unsigned long long object);
  cudaError_t destroySurface(unsigned long long object);

  /// Loads a module of PTX, or a cubin.
  llvm::Expected<Handle> load(llvm::StringRef image);
  void unload(Handle module);
  llvm::Expected<Handle> function(Handle module, llvm::StringRef symbol);
  llvm::Expected<llvm::MutableArrayRef<uint8_t>>
  variable(Handle module, llvm::StringRef symbol);
  /// With `isTogether`, all blocks at the same time.
  cudaError_t launch(Handle function, const LaunchConfig &config,
                     void **arguments, bool isTogether);
  /// Lets a kernel have so much workgroup memory of the launch's size.
  cudaError_t setMostDynamicBytes(Handle function, int64_t bytes);
  cudaError_t occupancy(int *blocks, Handle function, int blockSize,
                        size_t sharedBytes);
  std::optional<int> functionAttribute(Handle function, int number);

  cudaError_t createStream(cudaStream_t *stream, unsigned flags, int priority);
  cudaError_t destroyStream(cudaStream_t stream);
  cudaError_t flags(cudaStream_t stream, unsigned *flags);
  cudaError_t priority(cudaStream_t stream, int *priority);
  cudaError_t query(cudaStream_t stream);
  cudaError_t wait(cudaStream_t stream);
  cudaError_t wait(cudaStream_t stream, cudaEvent_t event);
  cudaError_t priorityRange(int *least, int *greatest);
  cudaError_t createEvent(cudaEvent_t *event, unsigned flags);
  cudaError_t destroyEvent(cudaEvent_t event);
  cudaError_t record(cudaEvent_t event, cudaStream_t stream);
  cudaError_t query(cudaEvent_t event);
  cudaError_t wait(cudaEvent_t event);
  cudaError_t elapsed(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
  /// Waits for all.
  cudaError_t wait();
  /// Calls `function` with what has become of the stream then, which may be an
  /// error.
  cudaError_t callWhenDone(cudaStream_t stream, cudaStreamCallback_t function,
                           void *data);
  cudaError_t setLimit(cudaLimit limit, size_t value);
  cudaError_t limit(cudaLimit limit, size_t *value);
  /// Calls `function` when what is on the current stream is done.
  cudaError_t callOnHost(std::function<void()> function);

private:
  struct Functions;
  explicit GPU(std::unique_ptr<Functions> functions);

  /// The functions, with the context that they are about.
  const Functions &driver() const;

  std::unique_ptr<Functions> functions;
  int device = 0;
  Handle context = nullptr;
  std::string deviceName;
  int deviceCapability = 0;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_GPU_H
