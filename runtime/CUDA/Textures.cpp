//===- Textures.cpp - texture and surface objects, and references ---------===//
//
// On the CPU a handle is the place of a TextureObject in the device's memory,
// where kernels find it (runtime/Textures.h); on a GPU it is the driver's,
// behind the same checks.
//
//===----------------------------------------------------------------------===//

#include "runtime/Textures.h"
#include "runtime/CUDA/Arrays.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/Wishes.h"

#include <cstring>
#include <map>
#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;
using runtime::TextureObject;

//===----------------------------------------------------------------------===//
// What an object shows
//===----------------------------------------------------------------------===//

static cudaError_t setFormat(const cudaChannelFormatDesc &format,
                             TextureObject &object) {
  std::optional<unsigned> channels = countChannels(format);
  if (!channels)
    return cudaErrorInvalidChannelDescriptor;
  object.channels = *channels;
  object.channelBits = format.x;
  object.channel = format.f == cudaChannelFormatKindFloat
                       ? TextureObject::Channel::Float
                   : format.f == cudaChannelFormatKindSigned
                       ? TextureObject::Channel::Signed
                       : TextureObject::Channel::Unsigned;
  return cudaSuccess;
}

static cudaError_t showArray(cudaArray_const_t array, TextureObject &object) {
  if (!findArray(array))
    return cudaErrorInvalidResourceHandle;
  object.data = array->data;
  object.bytes = array->bytes();
  object.rowPitch = array->rowBytes();
  object.slicePitch = object.rowPitch * array->rows();
  object.isLayered = array->flags & (cudaArrayLayered | cudaArrayCubemap);
  object.extent = {uint32_t(array->extent.width), uint32_t(array->rows()),
                   uint32_t(array->slices())};
  return setFormat(array->format, object);
}

/// Memory that is no array: `rows` of `width` texels.
static cudaError_t showMemory(const Program &program, void *memory,
                              const cudaChannelFormatDesc &format,
                              uint64_t width, uint64_t rows, uint64_t pitch,
                              TextureObject &object) {
  if (cudaError_t error = setFormat(format, object); error != cudaSuccess)
    return error;
  uint64_t rowBytes = width * object.texelBytes();
  if (width == 0 || rows == 0 || width > UINT32_MAX || rows > UINT32_MAX ||
      (rows > 1 && pitch < rowBytes))
    return cudaErrorInvalidValue;
  object.data = static_cast<uint8_t *>(memory);
  object.bytes = pitch * (rows - 1) + rowBytes;
  object.rowPitch = pitch;
  object.slicePitch = pitch * rows;
  object.extent = {uint32_t(width), uint32_t(rows), 1};
  return program.isOnDevice(memory, object.bytes) ? cudaSuccess
                                                  : cudaErrorInvalidValue;
}

static cudaError_t show(const Program &program,
                        const cudaResourceDesc &resource,
                        TextureObject &object) {
  switch (resource.resType) {
  case cudaResourceTypeArray:
    return showArray(resource.res.array.array, object);
  case cudaResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    if (cudaError_t error = setFormat(linear.desc, object);
        error != cudaSuccess)
      return error;
    object.isOfLinearMemory = true;
    return showMemory(program, linear.devPtr, linear.desc,
                      linear.sizeInBytes / object.texelBytes(), 1, 0, object);
  }
  case cudaResourceTypePitch2D: {
    const auto &pitched = resource.res.pitch2D;
    return showMemory(program, pitched.devPtr, pitched.desc, pitched.width,
                      pitched.height, pitched.pitchInBytes, object);
  }
  case cudaResourceTypeMipmappedArray:
    return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

/// How it is read.
static cudaError_t setReading(const cudaTextureDesc &description,
                              TextureObject &object) {
  using Channel = TextureObject::Channel;
  if (description.sRGB)
    return cudaErrorNotSupported;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (description.addressMode[dimension] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
    object.address[dimension] =
        TextureObject::Address(description.addressMode[dimension]);
  }
  object.isLinear = description.filterMode == cudaFilterModeLinear;
  object.hasNormalizedCoordinates = description.normalizedCoords;
  bool isInteger = object.channel != Channel::Float;
  object.readsNormalized =
      isInteger && description.readMode == cudaReadModeNormalizedFloat;
  if (object.readsNormalized && object.channelBits == 32)
    return cudaErrorInvalidNormSetting;
  if (object.isLinear && isInteger && !object.readsNormalized)
    return cudaErrorInvalidFilterSetting;
  std::memcpy(object.border.data(), description.borderColor,
              sizeof description.borderColor);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// The driver's objects: the mark of its kind, and the handle.
static std::set<std::pair<uint64_t, unsigned long long>> &driverObjects() {
  static auto &all = *new std::set<std::pair<uint64_t, unsigned long long>>();
  return all;
}

static cudaError_t makeOnGPU(GPU &gpu, const TextureObject &object,
                             cudaResourceDesc resource,
                             const cudaTextureDesc *description,
                             unsigned long long *handle) {
  cudaArray_t &array = resource.res.array.array;
  if (resource.resType == cudaResourceTypeArray)
    array = static_cast<cudaArray_t>(findArray(array)->handle);
  cudaError_t error = gpu.createObject(handle, resource, description);
  if (error == cudaSuccess)
    driverObjects().emplace(object.mark, *handle);
  return error;
}

/// `description` is null for a surface.
static cudaError_t make(Program &program, const TextureObject &object,
                        const cudaResourceDesc &resource,
                        const cudaTextureDesc *description,
                        unsigned long long *handle) {
  if (GPU *gpu = program.gpu())
    return makeOnGPU(*gpu, object, resource, description, handle);
  std::string position = Wishes::get().sanitizes ? hostPosition() : "";
  void *place = nullptr;
  if (cudaError_t error = program.memory.allocate(
          place, sizeof object, MemoryKind::Array, std::move(position));
      error != cudaSuccess)
    return error;
  std::memcpy(place, &object, sizeof object);
  *handle = reinterpret_cast<uint64_t>(place);
  return cudaSuccess;
}

static cudaError_t destroyOnGPU(GPU &gpu, unsigned long long handle,
                                uint64_t mark) {
  if (!driverObjects().erase({mark, handle}))
    return cudaErrorInvalidValue;
  return mark == TextureObject::textureMark ? gpu.destroyTexture(handle)
                                            : gpu.destroySurface(handle);
}

static cudaError_t destroy(unsigned long long handle, uint64_t mark) {
  return call([&](Program &program) {
    if (!handle)
      return cudaSuccess;
    if (GPU *gpu = program.gpu())
      return destroyOnGPU(*gpu, handle, mark);
    auto *place = reinterpret_cast<TextureObject *>(handle);
    const Allocation *allocation = program.memory.find(place);
    bool isObject = allocation && allocation->kind == MemoryKind::Array &&
                    allocation->begin == reinterpret_cast<uint8_t *>(place) &&
                    allocation->bytes == sizeof *place && place->mark == mark;
    if (!isObject)
      return cudaErrorInvalidValue;
    program.memory.release(place, MemoryKind::Array);
    return cudaSuccess;
  });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle,
                                    const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description,
                                    const cudaResourceViewDesc *view) {
  return call([&](Program &program) {
    if (!handle || !resource || !description)
      return cudaErrorInvalidValue;
    if (view)
      return cudaErrorNotSupported;
    TextureObject object;
    object.mark = TextureObject::textureMark;
    cudaError_t error = show(program, *resource, object);
    if (error == cudaSuccess)
      error = setReading(*description, object);
    return error == cudaSuccess
               ? make(program, object, *resource, description, handle)
               : error;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return destroy(handle, TextureObject::textureMark);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle,
                                    const cudaResourceDesc *resource) {
  return call([&](Program &program) {
    if (!handle || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    TextureObject object;
    object.mark = TextureObject::surfaceMark;
    cudaError_t error = show(program, *resource, object);
    return error == cudaSuccess ? make(program, object, *resource,
                                       /*description=*/nullptr, handle)
                                : error;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return destroy(handle, TextureObject::surfaceMark);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The objects of references that are bound, by the host's variables.
static std::map<const void *, unsigned long long> &bound() {
  static auto &all = *new std::map<const void *, unsigned long long>();
  return all;
}

static void release(Program &program, unsigned long long handle) {
  if (!program.gpu()) {
    program.memory.release(reinterpret_cast<void *>(handle), MemoryKind::Array);
    return;
  }
  for (uint64_t mark : {TextureObject::textureMark, TextureObject::surfaceMark})
    if (destroyOnGPU(*program.gpu(), handle, mark) == cudaSuccess)
      return;
}

void gpuopt::cuda::forgetTextures() {
  bound().clear();
  if (GPU *gpu = Program::get().gpu())
    for (auto [mark, handle] : std::set(driverObjects()))
      destroyOnGPU(*gpu, handle, mark);
}

/// What is bound without a size goes on to the end of its allocation.
static cudaResourceDesc withSize(const Program &program,
                                 cudaResourceDesc resource) {
  auto &linear = resource.res.linear;
  const Allocation *allocation = resource.resType == cudaResourceTypeLinear
                                     ? program.memory.find(linear.devPtr)
                                     : nullptr;
  if (allocation && linear.sizeInBytes == UINT32_MAX)
    linear.sizeInBytes = allocation->begin + allocation->bytes -
                         static_cast<uint8_t *>(linear.devPtr);
  return resource;
}

cudaError_t __cudaBindTexture(const void *variable, cudaTextureObject_t *handle,
                              const cudaResourceDesc *resource,
                              const cudaTextureDesc *description) {
  return call([&](Program &program) {
    if (auto old = bound().find(variable); old != bound().end()) {
      release(program, old->second);
      bound().erase(old);
    }
    *handle = 0;
    if (!resource)
      return cudaSuccess;
    cudaResourceDesc sized = withSize(program, *resource);
    cudaError_t error =
        description
            ? cudaCreateTextureObject(handle, &sized, description, nullptr)
            : cudaCreateSurfaceObject(handle, &sized);
    if (error == cudaSuccess)
      bound()[variable] = *handle;
    return error;
  });
}
