//===- Arrays.cpp - CUDA arrays: allocate, copy ---------------------------===//

#include "runtime/CUDA/Arrays.h"
#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/Wishes.h"

#include <set>

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
  for (cudaArray_const_t array : arrays())
    delete array;
  arrays().clear();
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
    if (flags & cudaArrayCubemap)
      return cudaErrorNotSupported;
    if (program.gpu())
      return refuseOnGPU("arrays");
    auto made = std::make_unique<cudaArray>(*format, asked, flags, nullptr);
    std::string position = Wishes::get().sanitizes ? hostPosition() : "";
    made->data = static_cast<uint8_t *>(program.memory.allocate(
        made->bytes(), MemoryKind::Array, std::move(position)));
    if (!made->data)
      return cudaErrorMemoryAllocation;
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
  return call([&](Program &program) {
    if (!array)
      return cudaSuccess;
    if (!arrays().erase(array))
      return cudaErrorInvalidResourceHandle;
    program.memory.release(array->data, MemoryKind::Array);
    delete array;
    return cudaSuccess;
  });
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

/// Copies bytes that follow each other, over the ends of rows.
template <class Copy>
static cudaError_t copyBytes(cudaArray_const_t array, size_t x, size_t y,
                             size_t bytes, Copy copy) {
  return withArray(array, [&](const cudaArray &found) {
    if (!holds(found, x, y, bytes))
      return cudaErrorInvalidValue;
    return copy(found.data + y * found.rowBytes() + x);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y,
                              const void *from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copyBytes(to, x, y, bytes, [&](uint8_t *place) {
    return cudaMemcpy(place, from, bytes, kind);
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
  return copyBytes(from, x, y, bytes, [&](const uint8_t *place) {
    return cudaMemcpy(to, place, bytes, kind);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x,
                                     size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
  });
}

/// Copies a rectangle of a slice.
template <class Copy>
static cudaError_t copyRectangle(cudaArray_const_t array, size_t x, size_t y,
                                 size_t width, size_t height, Copy copy) {
  return withArray(array, [&](const cudaArray &found) {
    bool isInside = x <= found.rowBytes() && width <= found.rowBytes() - x &&
                    y <= found.rows() && height <= found.rows() - y;
    if (!isInside)
      return cudaErrorInvalidValue;
    return copy(found.data + y * found.rowBytes() + x, found.rowBytes());
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y,
                                const void *from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return copyRectangle(
      to, x, y, width, height, [&](uint8_t *place, size_t own) {
        return cudaMemcpy2D(place, own, from, pitch, width, height, kind);
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
  return copyRectangle(
      from, x, y, width, height, [&](const uint8_t *place, size_t own) {
        return cudaMemcpy2D(to, pitch, place, own, width, height, kind);
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

namespace {
/// One side of a copy in three dimensions.
struct Box {
  char *begin = nullptr;
  size_t pitch = 0, slicePitch = 0;

  char *slice(size_t number) const { return begin + number * slicePitch; }
};
} // namespace

/// A part of an array, in elements, or of pitched memory, with x in bytes.
static cudaError_t describe(cudaArray_const_t array, const cudaPos &position,
                            const cudaPitchedPtr &memory,
                            const cudaExtent &extent, Box &box) {
  if (!array) {
    box.pitch = memory.pitch;
    box.slicePitch = memory.pitch * memory.ysize;
    box.begin = static_cast<char *>(memory.ptr) + position.x;
  } else {
    if (!findArray(array))
      return cudaErrorInvalidResourceHandle;
    auto isInside = [](size_t first, size_t count, size_t all) {
      return first <= all && count <= all - first;
    };
    if (!isInside(position.x, extent.width, array->extent.width) ||
        !isInside(position.y, extent.height, array->rows()) ||
        !isInside(position.z, extent.depth, array->slices()))
      return cudaErrorInvalidValue;
    box.pitch = array->rowBytes();
    box.slicePitch = box.pitch * array->rows();
    box.begin = reinterpret_cast<char *>(array->data) +
                position.x * array->elementBytes();
  }
  box.begin += position.y * box.pitch + position.z * box.slicePitch;
  return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy) {
  return call([&](Program &) {
    if (!copy)
      return cudaErrorInvalidValue;
    const cudaExtent &extent = copy->extent;
    Box from, to;
    for (cudaError_t error :
         {describe(copy->srcArray, copy->srcPos, copy->srcPtr, extent, from),
          describe(copy->dstArray, copy->dstPos, copy->dstPtr, extent, to)})
      if (error != cudaSuccess)
        return error;
    // With an array the width is in its elements.
    cudaArray_t array = copy->srcArray ? copy->srcArray : copy->dstArray;
    size_t width = extent.width * (array ? array->elementBytes() : 1);
    for (size_t slice = 0; slice < extent.depth; ++slice)
      if (cudaError_t error =
              cudaMemcpy2D(to.slice(slice), to.pitch, from.slice(slice),
                           from.pitch, width, extent.height, copy->kind);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy,
                              cudaStream_t stream) {
  if (!copy)
    return remember(cudaErrorInvalidValue);
  return enqueue(stream, cudaGraphNodeTypeMemcpy,
                 [copy = *copy] { return cudaMemcpy3D(&copy); });
}
