//===- Arrays.cpp - CUDA arrays: allocate, copy ---------------------------===//

#include "runtime/CUDA/Arrays.h"
#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/Wishes.h"

#include <set>
#include <utility>

using namespace gpuopt;
using namespace gpuopt::cuda;

static std::set<cudaArray_const_t> &arrays() {
  static auto &all = *new std::set<cudaArray_const_t>();
  return all;
}

std::optional<unsigned>
gpuopt::cuda::countChannels(const cudaChannelFormatDesc &format) {
  unsigned channels = 0;
  for (int bits : {format.x, format.y, format.z, format.w}) {
    if (bits == 0)
      break;
    if (bits != format.x)
      return std::nullopt;
    ++channels;
  }
  bool isFloat = format.f == cudaChannelFormatKindFloat;
  bool isKnown =
      format.x == 16 || format.x == 32 || (format.x == 8 && !isFloat);
  if (!isKnown || channels == 3 || format.f == cudaChannelFormatKindNone ||
      format.x + format.y + format.z + format.w != int(channels) * format.x)
    return std::nullopt;
  return channels;
}

uint64_t cudaArray::elementBytes() const {
  return uint64_t(format.x) / 8 * countChannels(format).value_or(0);
}

const cudaArray *gpuopt::cuda::findArray(cudaArray_const_t array) {
  return arrays().contains(array) ? array : nullptr;
}

void gpuopt::cuda::forgetArrays() {
  GPU *gpu = Program::get().gpu();
  for (cudaArray_const_t array : std::exchange(arrays(), {})) {
    if (gpu)
      gpu->destroyArray(array->handle);
    delete array;
  }
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// The largest extents that devices have.
static bool isPossible(const cudaExtent &extent) {
  constexpr size_t most = 1 << 17;
  return extent.width && extent.width <= most && extent.height <= most &&
         extent.depth <= most && (extent.height || !extent.depth);
}

static cudaError_t allocate(Program &program, cudaArray &array) {
  if (GPU *gpu = program.gpu())
    return gpu->createArray(&array.handle, array.format, array.extent,
                            array.flags);
  std::string position = Wishes::get().sanitizes ? hostPosition() : "";
  void *memory = nullptr;
  cudaError_t error = program.memory.allocate(
      memory, array.bytes(), MemoryKind::Array, std::move(position));
  array.data = static_cast<uint8_t *>(memory);
  return error;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned flags) {
  return call([&](Program &program) {
    // Layers of rows have no height.
    cudaExtent asked = extent;
    if (flags & cudaArrayLayered && !extent.height)
      extent.height = 1;
    if (!array || !format || !isPossible(extent))
      return cudaErrorInvalidValue;
    if (!countChannels(*format))
      return cudaErrorInvalidChannelDescriptor;
    // Faces are layers; of several cubes they follow each other.
    if (flags & cudaArrayCubemap &&
        (extent.width != extent.height || extent.depth % 6 || !extent.depth ||
         (extent.depth > 6 && !(flags & cudaArrayLayered))))
      return cudaErrorInvalidValue;
    auto made = std::make_unique<cudaArray>(*format, asked, flags);
    if (cudaError_t error = allocate(program, *made); error != cudaSuccess)
      return error;
    *array = made.release();
    arrays().insert(*array);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0},
                           flags & ~unsigned(cudaArrayLayered));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  Handle handle = nullptr;
  return callOnDevice(
      [&](Program &program) {
        if (!array)
          return cudaSuccess;
        if (!arrays().erase(array))
          return cudaErrorInvalidResourceHandle;
        handle = array->handle;
        if (array->data)
          program.memory.release(array->data, MemoryKind::Array);
        delete array;
        return cudaSuccess;
      },
      [&](GPU &gpu) { return handle ? gpu.destroyArray(handle) : cudaSuccess; },
      [](Program &) { return cudaSuccess; });
}

/// Calls `use` with an array that there is.
template <class Use>
static cudaError_t withArray(cudaArray_const_t array, Use use) {
  return call([&](Program &) {
    return findArray(array) ? use(*array) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format,
                               cudaArray_const_t array) {
  return withArray(array, [&](const cudaArray &found) {
    if (!format)
      return cudaErrorInvalidValue;
    *format = found.format;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent,
                             unsigned *flags, cudaArray_t array) {
  return withArray(array, [&](const cudaArray &found) {
    if (format)
      *format = found.format;
    if (extent)
      *extent = found.extent;
    if (flags)
      *flags = found.flags;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether `bytes` from byte `x` of row `y` on are in the array.
static bool holds(const cudaArray &array, size_t x, size_t y, size_t bytes) {
  return y < array.rows() && x < array.rowBytes() &&
         bytes <= array.bytes() - y * array.rowBytes() - x;
}

namespace {
/// What is copied, with the width in bytes.
struct BoxSize {
  size_t width = 0, height = 1, depth = 1;
};
} // namespace

/// A place in an array, x in bytes.
static BoxSide sideOf(const cudaArray &array, size_t x, size_t y,
                      size_t z = 0) {
  BoxSide side = {array.handle, x, y, z};
  side.pitch = array.rowBytes();
  side.slicePitch = side.pitch * array.rows();
  if (array.data)
    side.memory = array.data + z * side.slicePitch + y * side.pitch + x;
  return side;
}

static BoxSide sideOf(const void *memory, size_t pitch, size_t rows = 1) {
  BoxSide side;
  side.memory = static_cast<uint8_t *>(const_cast<void *>(memory));
  side.pitch = pitch;
  side.slicePitch = pitch * rows;
  return side;
}

/// What is wrong with one side of a copy that is memory, `isOfDevice` by what
/// the program says of it.
static cudaError_t checkMemory(const Program &program, const BoxSide &side,
                               const BoxSize &size, bool isOfDevice) {
  if (!side.memory)
    return cudaErrorInvalidValue;
  if (size.width > side.pitch)
    return cudaErrorInvalidPitchValue;
  if (size.depth > 1 && size.height * side.pitch > side.slicePitch)
    return cudaErrorInvalidValue;
  uint64_t bytes = (size.depth - 1) * side.slicePitch +
                   (size.height - 1) * side.pitch + size.width;
  return (isOfDevice ? program.isOnDevice(side.memory, bytes)
                     : program.isOnHost(side.memory))
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

/// A copy from or to an array, or between two.
static cudaError_t copyBox(const BoxSide &to, const BoxSide &from,
                           const BoxSize &size, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection);
  if (size.width == 0 || size.height == 0 || size.depth == 0)
    return cudaSuccess;
  auto check = [&](Program &program) {
    bool isTold = kind != cudaMemcpyDefault;
    bool fromDevice =
        kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool toDevice =
        kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    // Arrays are the device's.
    if (isTold && ((from.array && !fromDevice) || (to.array && !toDevice)))
      return cudaErrorInvalidValue;
    auto wrong = [&](const BoxSide &side, bool isOfDevice) {
      return side.array ? cudaSuccess
                        : checkMemory(program, side, size,
                                      isTold ? isOfDevice
                                             : !program.isOnHost(side.memory));
    };
    cudaError_t error = wrong(from, fromDevice);
    return error == cudaSuccess ? wrong(to, toDevice) : error;
  };
  return callOnDevice(
      check,
      [&](GPU &gpu) {
        return gpu.copy(to, from, size.width, size.height, size.depth);
      },
      [&](Program &) {
        for (size_t slice = 0; slice < size.depth; ++slice)
          if (cudaError_t error =
                  cudaMemcpy2D(to.memory + slice * to.slicePitch, to.pitch,
                               from.memory + slice * from.slicePitch,
                               from.pitch, size.width, size.height, kind);
              error != cudaSuccess)
            return error;
        return cudaSuccess;
      });
}

/// What is known of an array, or the error where there is none: copies do not
/// hold what calls hold.
static cudaError_t lookUp(cudaArray_const_t array, cudaArray &found) {
  return withArray(array, [&](const cudaArray &known) {
    found = known;
    return cudaSuccess;
  });
}

/// Copies bytes that follow each other, over the ends of rows: what is left of
/// the first row, whole rows, and a part of the last. `copy` gets the place in
/// the array, how many bytes are before, and the size.
template <class Copy>
static cudaError_t copyBytes(cudaArray_const_t array, size_t x, size_t y,
                             size_t bytes, Copy copy) {
  cudaArray found;
  if (cudaError_t error = lookUp(array, found); error != cudaSuccess)
    return error;
  if (!holds(found, x, y, bytes))
    return remember(cudaErrorInvalidValue);
  size_t row = found.rowBytes();
  for (size_t done = 0; done < bytes;) {
    size_t left = bytes - done;
    BoxSize size = {std::min(left, row - x)};
    if (size.width == row)
      size.height = left / row;
    if (cudaError_t error = copy(sideOf(found, x, y), done, size);
        error != cudaSuccess)
      return error;
    done += size.width * size.height;
    y += size.height;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                              const void *from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copyBytes(to, x, y, bytes,
                   [&](const BoxSide &place, size_t done, const BoxSize &size) {
                     auto *source = static_cast<const char *>(from) + done;
                     return copyBox(place, sideOf(source, size.width), size,
                                    kind);
                   });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                   const void *from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpyToArray(to, x, y, from, bytes, kind);
  });
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x,
                                size_t y, size_t bytes, cudaMemcpyKind kind) {
  return copyBytes(from, x, y, bytes,
                   [&](const BoxSide &place, size_t done, const BoxSize &size) {
                     return copyBox(
                         sideOf(static_cast<char *>(to) + done, size.width),
                         place, size, kind);
                   });
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x,
                                     size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
  });
}

/// Copies a rectangle of the first slice.
template <class Copy>
static cudaError_t copyRectangle(cudaArray_const_t array, size_t x, size_t y,
                                 size_t width, size_t height, Copy copy) {
  cudaArray found;
  if (cudaError_t error = lookUp(array, found); error != cudaSuccess)
    return error;
  bool isInside = x <= found.rowBytes() && width <= found.rowBytes() - x &&
                  y <= found.rows() && height <= found.rows() - y;
  return isInside ? copy(sideOf(found, x, y), BoxSize{width, height})
                  : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return copyRectangle(
      to, x, y, width, height, [&](const BoxSide &place, const BoxSize &size) {
        return width > pitch ? cudaErrorInvalidPitchValue
                             : copyBox(place, sideOf(from, pitch), size, kind);
      });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                     const void *from, size_t pitch,
                                     size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                  cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return copyRectangle(from, x, y, width, height,
                       [&](const BoxSide &place, const BoxSize &size) {
                         return width > pitch ? cudaErrorInvalidPitchValue
                                              : copyBox(sideOf(to, pitch),
                                                        place, size, kind);
                       });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY,
                                     cudaArray_const_t from, size_t fromX,
                                     size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return copyRectangle(
      to, toX, toY, width, height, [&](const BoxSide &target, const BoxSize &) {
        return copyRectangle(from, fromX, fromY, width, height,
                             [&](const BoxSide &source, const BoxSize &size) {
                               return copyBox(target, source, size, kind);
                             });
      });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                       cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
  });
}

/// A part of an array, in elements, or of pitched memory, with x in bytes.
static cudaError_t describe(cudaArray_const_t array, const cudaPos &position,
                            const cudaPitchedPtr &memory,
                            const cudaExtent &extent, BoxSide &side) {
  if (!array) {
    side = sideOf(memory.ptr, memory.pitch, memory.ysize);
    if (side.memory)
      side.memory +=
          position.x + position.y * side.pitch + position.z * side.slicePitch;
    return cudaSuccess;
  }
  if (!findArray(array))
    return cudaErrorInvalidResourceHandle;
  auto isInside = [](size_t first, size_t count, size_t all) {
    return first <= all && count <= all - first;
  };
  if (!isInside(position.x, extent.width, array->extent.width) ||
      !isInside(position.y, extent.height, array->rows()) ||
      !isInside(position.z, extent.depth, array->slices()))
    return cudaErrorInvalidValue;
  side = sideOf(*array, position.x * array->elementBytes(), position.y,
                position.z);
  return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy) {
  BoxSide from, to;
  BoxSize size;
  cudaError_t error = call([&](Program &) {
    if (!copy)
      return cudaErrorInvalidValue;
    const cudaExtent &extent = copy->extent;
    for (cudaError_t wrong :
         {describe(copy->srcArray, copy->srcPos, copy->srcPtr, extent, from),
          describe(copy->dstArray, copy->dstPos, copy->dstPtr, extent, to)})
      if (wrong != cudaSuccess)
        return wrong;
    // With an array the width is in its elements.
    cudaArray_t array = copy->srcArray ? copy->srcArray : copy->dstArray;
    size = {extent.width * (array ? array->elementBytes() : 1), extent.height,
            extent.depth};
    return cudaSuccess;
  });
  return error == cudaSuccess ? copyBox(to, from, size, copy->kind) : error;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy,
                              cudaStream_t stream) {
  if (!copy)
    return remember(cudaErrorInvalidValue);
  return enqueue(stream, cudaGraphNodeTypeMemcpy,
                 [copy = *copy] { return cudaMemcpy3D(&copy); });
}
