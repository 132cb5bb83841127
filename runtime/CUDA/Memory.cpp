//===- Memory.cpp - memory of the device: allocate, copy, set -------------===//
//
// On the CPU the device's memory is this machine's, so that copies are copies.
// They are checked as on a GPU: what is said to be the device's must be memory
// that the program has allocated there, and long enough.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/Program.h"
#include "runtime/CUDA/Wishes.h"

#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static cudaError_t allocate(void **pointer, size_t bytes, MemoryKind kind) {
  return call([&](Program &program) {
    if (!pointer)
      return cudaErrorInvalidValue;
    std::string position = Wishes::get().sanitizes ? hostPosition() : "";
    // As the API has it, nothing is allocated for nothing.
    *pointer = bytes ? program.memory.allocate(bytes, kind, position) : nullptr;
    if (!bytes || *pointer)
      return cudaSuccess;
    // A GPU on which something went wrong gives nothing any more.
    GPU *gpu = program.gpu();
    cudaError_t error = gpu ? gpu->wait() : cudaSuccess;
    return error != cudaSuccess ? error : cudaErrorMemoryAllocation;
  });
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Device);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  cudaError_t error = cudaMalloc(pointer, bytes);
  if (error == cudaSuccess && isCaptured(stream))
    return enqueue(stream, cudaGraphNodeTypeMemAlloc,
                   allocateWithGraph(*pointer, bytes));
  return error;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned) {
  if (bytes == 0)
    return remember(cudaErrorInvalidValue);
  return allocate(pointer, bytes, MemoryKind::Managed);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Host);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned) {
  return allocate(pointer, bytes, MemoryKind::Host);
}

/// Rows begin at multiples of this.
static constexpr size_t kPitch = 512;

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
                            size_t height) {
  if (!pitch)
    return remember(cudaErrorInvalidValue);
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  size_t bytes;
  if (__builtin_mul_overflow(*pitch, height, &bytes))
    return remember(cudaErrorMemoryAllocation);
  return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  size_t rows;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return remember(cudaErrorMemoryAllocation);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, rows);
}

static cudaError_t release(void *pointer, MemoryKind kind) {
  return call([&](Program &program) {
    if (!pointer || program.memory.release(pointer, kind))
      return cudaSuccess;
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaFree(void *pointer) {
  return release(pointer, MemoryKind::Device);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  return isCaptured(stream)
             ? enqueue(stream, cudaGraphNodeTypeMemFree, freeWithGraph(pointer))
             : cudaFree(pointer);
}

cudaError_t cudaFreeHost(void *pointer) {
  return release(pointer, MemoryKind::Host);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned) {
  return call([&](Program &program) {
    if (!pointer || bytes == 0)
      return cudaErrorInvalidValue;
    return program.memory.add(pointer, bytes, MemoryKind::Registered)
               ? cudaSuccess
               : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return call([&](Program &program) {
    return program.memory.release(pointer, MemoryKind::Registered)
               ? cudaSuccess
               : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  return call([&](Program &program) {
    const Allocation *allocation = program.memory.find(host);
    if (!device || !allocation || allocation->isOfDeviceOnly())
      return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether a range that is said to be the host's is: no memory that only the
/// device may touch.
static bool isOnHost(const Program &program, const void *pointer) {
  const Allocation *allocation = program.memory.find(pointer);
  return !allocation || !allocation->isOfDeviceOnly() ||
         pointer == allocation->begin + allocation->bytes;
}

/// What is wrong with copying `toBytes` there, which take `fromBytes` here.
static cudaError_t checkCopy(const Program &program, const void *to,
                             uint64_t toBytes, const void *from,
                             uint64_t fromBytes, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!to || !from)
    return cudaErrorInvalidValue;
  bool fromDevice =
      kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  bool toDevice =
      kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault) {
    fromDevice = !isOnHost(program, from);
    toDevice = !isOnHost(program, to);
  }
  bool isRight =
      (fromDevice ? program.isOnDevice(from, fromBytes)
                  : isOnHost(program, from)) &&
      (toDevice ? program.isOnDevice(to, toBytes) : isOnHost(program, to));
  return isRight ? cudaSuccess : cudaErrorInvalidValue;
}

/// Copies what has been checked.
static cudaError_t copyChecked(Program &program, const RowCopy &copy) {
  if (GPU *gpu = program.gpu())
    return gpu->copy(copy);
  for (size_t row = 0; row < copy.height; ++row) {
    char *target = static_cast<char *>(copy.to) + row * copy.toPitch;
    auto *source = static_cast<const char *>(copy.from) + row * copy.fromPitch;
    std::memmove(target, source, copy.width);
    program.memory.noteWrite(target, copy.width, source);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind) {
  return call([&](Program &program) {
    if (bytes == 0)
      return cudaSuccess;
    cudaError_t error = checkCopy(program, to, bytes, from, bytes, kind);
    if (error != cudaSuccess)
      return error;
    return copyChecked(program, {to, bytes, from, bytes, bytes});
  });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy,
                 [=] { return cudaMemcpy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from,
                           int fromDevice, size_t bytes) {
  if (toDevice != 0 || fromDevice != 0)
    return remember(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from,
                                int fromDevice, size_t bytes,
                                cudaStream_t stream) {
  if (toDevice != 0 || fromDevice != 0)
    return remember(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/// Bytes from the first row's start to the last one's end.
static uint64_t spannedBytes(size_t pitch, size_t width, size_t height) {
  return height ? pitch * (height - 1) + width : 0;
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                         size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return call([&](Program &program) {
    if (width > toPitch || width > fromPitch)
      return cudaErrorInvalidPitchValue;
    if (width == 0 || height == 0)
      return cudaSuccess;
    cudaError_t error =
        checkCopy(program, to, spannedBytes(toPitch, width, height), from,
                  spannedBytes(fromPitch, width, height), kind);
    if (error != cudaSuccess)
      return error;
    return copyChecked(program, {to, toPitch, from, fromPitch, width, height});
  });
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                              size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
  });
}

// For libraries that work on the device's memory, see BLAS/Context.h.
extern "C" bool __cudaRefuseLibraryOnGPU(const char *name) {
  bool isOnGPU = false;
  call([&](Program &program) {
    isOnGPU = program.gpu();
    return cudaSuccess;
  });
  if (isOnGPU)
    report(llvm::Twine(name) +
           " works on the CPU only; on a GPU programs need NVIDIA's own");
  return isOnGPU;
}

extern "C" void __cudaNoteLibraryWrites(void) {
  call([](Program &program) {
    program.memory.noteAllWritten();
    return cudaSuccess;
  });
}

/// Sets rows of the device's memory that have been checked.
static cudaError_t fillChecked(Program &program, void *pointer, size_t pitch,
                               int value, size_t width, size_t height) {
  if (GPU *gpu = program.gpu())
    return gpu->fill({pointer, pitch, unsigned(value), 1, width, height});
  for (size_t row = 0; row < height; ++row) {
    char *target = static_cast<char *>(pointer) + row * pitch;
    std::memset(target, value, width);
    program.memory.noteWrite(target, width);
  }
  return cudaSuccess;
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return call([&](Program &program) {
    if (bytes == 0)
      return cudaSuccess;
    if (!program.isOnDevice(pointer, bytes))
      return cudaErrorInvalidValue;
    return fillChecked(program, pointer, bytes, value, bytes, 1);
  });
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                            cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemset,
                 [=] { return cudaMemset(pointer, value, bytes); });
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemset, [=] {
    return cudaMemset2D(pointer, pitch, value, width, height);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  for (size_t slice = 0; slice < extent.depth; ++slice)
    if (cudaError_t error =
            cudaMemset2D(static_cast<char *>(memory.ptr) +
                             slice * memory.pitch * memory.ysize,
                         memory.pitch, value, extent.width, extent.height);
        error != cudaSuccess)
      return error;
  return remember(cudaSuccess);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                         size_t height) {
  return call([&](Program &program) {
    if (width > pitch)
      return cudaErrorInvalidPitchValue;
    if (!program.isOnDevice(pointer, spannedBytes(pitch, width, height)))
      return cudaErrorInvalidValue;
    return width && height
               ? fillChecked(program, pointer, pitch, value, width, height)
               : cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Questions and wishes
//===----------------------------------------------------------------------===//

cudaError_t cudaMemGetInfo(size_t *freeBytes, size_t *allBytes) {
  return call([&](Program &program) {
    if (!freeBytes || !allBytes)
      return cudaErrorInvalidValue;
    if (GPU *gpu = program.gpu())
      return gpu->memoryInfo(freeBytes, allBytes);
    *freeBytes = program.memory.freeBytes();
    *allBytes = program.memory.allBytes();
    return cudaSuccess;
  });
}

static cudaError_t wish(const void *pointer, size_t bytes) {
  return call([&](Program &program) {
    return program.isOnDevice(pointer, bytes) ? cudaSuccess
                                              : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int,
                                 cudaStream_t) {
  return wish(pointer, bytes);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise,
                          int) {
  return wish(pointer, bytes);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *pointer) {
  return call([&](Program &program) {
    if (!attributes)
      return cudaErrorInvalidValue;
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    const Allocation *allocation = program.memory.find(pointer);
    if (!allocation)
      return cudaSuccess;
    bool isHosts = !allocation->isOfDeviceOnly();
    attributes->type = allocation->kind == MemoryKind::Managed
                           ? cudaMemoryTypeManaged
                       : isHosts ? cudaMemoryTypeHost
                                 : cudaMemoryTypeDevice;
    attributes->devicePointer = const_cast<void *>(pointer);
    attributes->hostPointer = isHosts ? const_cast<void *>(pointer) : nullptr;
    return cudaSuccess;
  });
}
