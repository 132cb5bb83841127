//===- Memory.cpp - memory of the device: allocate, copy, set -------------===//
//
// On the CPU the device's memory is this machine's, so that copies are copies.
// They are checked as on a GPU: what is said to be the device's must be memory
// that the program has allocated there, and long enough.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/GraphNodes.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/Program.h"
#include "runtime/CUDA/StreamScope.h"
#include "runtime/CUDA/Wishes.h"

#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static cudaError_t allocate(void **pointer, size_t bytes, MemoryKind kind,
                            unsigned flags = 0) {
  return call([&](Program &program) {
    if (!pointer)
      return cudaErrorInvalidValue;
    std::string position = Wishes::get().sanitizes ? hostPosition() : "";
    *pointer = nullptr;
    // As the API has it, nothing is allocated for nothing.
    return bytes
               ? program.memory.allocate(*pointer, bytes, kind, position, flags)
               : cudaSuccess;
  });
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Device);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  if (!isCaptured(stream)) {
    StreamScope scope(stream);
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t error = cudaMalloc(pointer, bytes);
  return error == cudaSuccess ? enqueue(stream, cudaGraphNodeTypeMemAlloc,
                                        allocateWithGraph(*pointer, bytes))
                              : error;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned) {
  if (bytes == 0)
    return remember(cudaErrorInvalidValue);
  return allocate(pointer, bytes, MemoryKind::Managed);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Host);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return allocate(pointer, bytes, MemoryKind::Host, flags);
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

/// Ends an allocation; `missing` is the error where there is none.
static cudaError_t release(void *pointer, MemoryKind kind,
                           cudaError_t missing = cudaErrorInvalidValue) {
  DeviceMemory::Ended ended;
  return callOnDevice(
      [&](Program &program) {
        if (!pointer && kind != MemoryKind::Registered)
          return cudaSuccess;
        ended = program.memory.end(pointer, kind);
        return ended.isThere ? cudaSuccess : missing;
      },
      [&](GPU &gpu) {
        auto *memory = static_cast<uint8_t *>(pointer);
        return ended.kindToRelease ? gpu.release(memory, *ended.kindToRelease)
                                   : cudaSuccess;
      },
      [](Program &) { return cudaSuccess; });
}

cudaError_t cudaFree(void *pointer) {
  return release(pointer, MemoryKind::Device);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
  if (isCaptured(stream))
    return enqueue(stream, cudaGraphNodeTypeMemFree, freeWithGraph(pointer));
  StreamScope scope(stream);
  return cudaFree(pointer);
}

cudaError_t cudaFreeHost(void *pointer) {
  return release(pointer, MemoryKind::Host);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  return call([&](Program &program) {
    return pointer && bytes ? program.memory.add(pointer, bytes, flags)
                            : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return release(pointer, MemoryKind::Registered,
                 cudaErrorHostMemoryNotRegistered);
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

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  return call([&](Program &program) {
    const Allocation *allocation = program.memory.find(host);
    bool isHosts = allocation && (allocation->kind == MemoryKind::Host ||
                                  allocation->kind == MemoryKind::Registered);
    if (!flags || !isHosts)
      return cudaErrorInvalidValue;
    // The device reaches all of it.
    *flags = cudaHostAllocMapped | allocation->flags;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

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
    fromDevice = !program.isOnHost(from);
    toDevice = !program.isOnHost(to);
  }
  bool isRight =
      (fromDevice ? program.isOnDevice(from, fromBytes)
                  : program.isOnHost(from)) &&
      (toDevice ? program.isOnDevice(to, toBytes) : program.isOnHost(to));
  return isRight ? cudaSuccess : cudaErrorInvalidValue;
}

/// Bytes from the first row's start to the last one's end.
static uint64_t spannedBytes(size_t pitch, size_t width, size_t height) {
  return height ? pitch * (height - 1) + width : 0;
}

/// Copies rows that are not empty.
static cudaError_t copyRows(const RowCopy &copy, cudaMemcpyKind kind) {
  bool isWithinDevice = false, isFromPageable = false;
  auto check = [&](Program &program) {
    isWithinDevice = !program.isOnHost(copy.from) && !program.isOnHost(copy.to);
    isFromPageable = !program.isOnDevice(copy.from, 1);
    return checkCopy(
        program, copy.to, spannedBytes(copy.toPitch, copy.width, copy.height),
        copy.from, spannedBytes(copy.fromPitch, copy.width, copy.height), kind);
  };
  return callOnDevice(
      check,
      [&](GPU &gpu) {
        // The driver reads such memory at once, a graph not before its turn.
        if (isFromPageable && StreamScope::isReplay())
          if (cudaError_t error = gpu.wait(*StreamScope::current());
              error != cudaSuccess)
            return error;
        // As the API has it, nobody waits for copies within the device.
        cudaError_t error = gpu.copy(copy);
        return isWithinDevice ? error : gpu.finish(error);
      },
      [&](Program &program) {
        for (size_t row = 0; row < copy.height; ++row) {
          char *target = static_cast<char *>(copy.to) + row * copy.toPitch;
          auto *source =
              static_cast<const char *>(copy.from) + row * copy.fromPitch;
          std::memmove(target, source, copy.width);
          program.memory.noteWrite(target, copy.width, source);
        }
        return cudaSuccess;
      });
}

/// What a call with nothing to do returns.
static cudaError_t nothingToDo() {
  return call([](Program &) { return cudaSuccess; });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind) {
  return bytes ? copyRows({to, bytes, from, bytes, bytes}, kind)
               : nothingToDo();
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  NodeWork work = workOfCopy(to, from, bytes, kind);
  return enqueue(stream, cudaGraphNodeTypeMemcpy, std::move(work.operation),
                 std::move(work.parameters));
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

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                         size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  if (width > toPitch || width > fromPitch)
    return remember(cudaErrorInvalidPitchValue);
  return width && height
             ? copyRows({to, toPitch, from, fromPitch, width, height}, kind)
             : nothingToDo();
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

/// Whether the host may touch it.
static bool isShared(const Program &program, const void *pointer) {
  const Allocation *allocation = program.memory.find(pointer);
  return allocation ? !allocation->isOfDeviceOnly()
                    : program.isInManagedVariable(pointer);
}

/// Sets rows that are not empty. As the API has it, nobody waits where only the
/// device has the memory.
static cudaError_t fillRows(const RowFill &fill) {
  bool isHosts = false;
  auto check = [&](Program &program) {
    isHosts = isShared(program, fill.to);
    return program.isOnDevice(fill.to,
                              spannedBytes(fill.pitch, fill.width, fill.height))
               ? cudaSuccess
               : cudaErrorInvalidValue;
  };
  return callOnDevice(
      check,
      [&](GPU &gpu) {
        cudaError_t error = gpu.fill(fill);
        return isHosts ? gpu.finish(error) : error;
      },
      [&](Program &program) {
        for (size_t row = 0; row < fill.height; ++row) {
          char *target = static_cast<char *>(fill.to) + row * fill.pitch;
          std::memset(target, int(fill.value), fill.width);
          program.memory.noteWrite(target, fill.width);
        }
        return cudaSuccess;
      });
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return bytes ? fillRows({pointer, bytes, unsigned(value), 1, bytes})
               : nothingToDo();
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                            cudaStream_t stream) {
  return enqueue(
      stream, cudaGraphNodeTypeMemset,
      [=] { return cudaMemset(pointer, value, bytes); },
      cudaMemsetParams{pointer, bytes, unsigned(value), 1, bytes, 1});
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream) {
  return enqueue(
      stream, cudaGraphNodeTypeMemset,
      [=] { return cudaMemset2D(pointer, pitch, value, width, height); },
      cudaMemsetParams{pointer, pitch, unsigned(value), 1, width, height});
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

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value,
                              cudaExtent extent, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemset,
                 [=] { return cudaMemset3D(memory, value, extent); });
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                         size_t height) {
  if (width > pitch)
    return remember(cudaErrorInvalidPitchValue);
  return width && height
             ? fillRows({pointer, pitch, unsigned(value), 1, width, height})
             : nothingToDo();
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
    auto *place = const_cast<void *>(pointer);
    if (program.isInManagedVariable(pointer)) {
      attributes->type = cudaMemoryTypeManaged;
      attributes->devicePointer = attributes->hostPointer = place;
      return cudaSuccess;
    }
    const Allocation *allocation = program.memory.find(pointer);
    if (!allocation)
      return cudaSuccess;
    bool isHosts = !allocation->isOfDeviceOnly();
    attributes->type = allocation->kind == MemoryKind::Managed
                           ? cudaMemoryTypeManaged
                       : isHosts ? cudaMemoryTypeHost
                                 : cudaMemoryTypeDevice;
    attributes->devicePointer = place;
    attributes->hostPointer = isHosts ? place : nullptr;
    return cudaSuccess;
  });
}
