//===- Textures.cpp - arrays, textures and surfaces -----------------------===//
//
// An array is memory of the device without gaps. An object is what the CPU
// executor takes for one, in memory that kernels can reach.
//
//===----------------------------------------------------------------------===//

#include "PTXDriver.h"

#include "runtime/Textures.h"

#include <cstring>
#include <set>

using namespace ptx_driver;
using gpuopt::runtime::TextureObject;

namespace {

/// CUDA_ARRAY3D_DESCRIPTOR.
struct Array {
  size_t width, height, depth;
  unsigned format, channels, flags;
  Address memory = 0;

  size_t rows() const { return height ? height : 1; }
  size_t slices() const { return depth ? depth : 1; }
  size_t rowBytes() const;
  size_t bytes() const { return rowBytes() * rows() * slices(); }
};

/// CUDA_MEMCPY3D.
struct BoxCopy {
  struct Side {
    size_t x, y, z, level;
    unsigned kind;
    const void *host;
    Address memory;
    Array *array;
    void *reserved;
    size_t pitch, rows;
  } from, to;
  size_t width, height, depth;
};

/// CUDA_RESOURCE_DESC.
struct Resource {
  unsigned kind;
  union {
    Array *array;
    struct {
      Address memory;
      unsigned format, channels;
      size_t width, height, pitch;
    } memory;
    int reserved[32];
  };
  unsigned flags;
};

/// CUDA_TEXTURE_DESC.
struct Texture {
  unsigned addressModes[3], filterMode, flags, mostAnisotropy, levelFilterMode;
  float levelBias, leastLevel, mostLevel, border[4];
  int reserved[12];
};

std::set<Array *> &arrays() {
  static auto &all = *new std::set<Array *>();
  return all;
}

/// CUarray_format.
void setFormat(TextureObject &object, unsigned format, unsigned channels) {
  using Channel = TextureObject::Channel;
  constexpr unsigned half = 0x10, single = 0x20;
  object.channels = channels;
  if (format == half || format == single) {
    object.channel = Channel::Float;
    object.channelBits = format;
    return;
  }
  object.channel = format & 8 ? Channel::Signed : Channel::Unsigned;
  object.channelBits = (format & 7) == 3 || format == 0xa ? 32
                       : (format & 7) == 2 || format == 9 ? 16
                                                          : 8;
}

size_t Array::rowBytes() const {
  TextureObject element;
  setFormat(element, format, channels);
  return width * element.texelBytes();
}

Side sideOf(const BoxCopy::Side &side) {
  constexpr unsigned array = 3;
  if (side.kind != array)
    return {side.memory, side.pitch, side.pitch * side.rows};
  size_t pitch = side.array->rowBytes();
  size_t slicePitch = pitch * side.array->rows();
  return {side.array->memory + side.z * slicePitch + side.y * pitch + side.x,
          pitch, slicePitch};
}

int show(const Resource &resource, TextureObject &object) {
  enum { OfArray, OfLevels, Linear, Pitched };
  if (resource.kind == OfArray) {
    const Array &array = *resource.array;
    if (!arrays().contains(resource.array))
      return InvalidHandle;
    setFormat(object, array.format, array.channels);
    object.data = pointerTo(array.memory);
    object.bytes = array.bytes();
    object.rowPitch = array.rowBytes();
    object.slicePitch = object.rowPitch * array.rows();
    object.extent = {uint32_t(array.width), uint32_t(array.rows()),
                     uint32_t(array.slices())};
    return Success;
  }
  const auto &memory = resource.memory;
  setFormat(object, memory.format, memory.channels);
  object.data = pointerTo(memory.memory);
  if (resource.kind == Linear) {
    // Of linear memory the bytes stand where others have the width.
    object.isOfLinearMemory = true;
    object.bytes = memory.width;
    object.extent = {uint32_t(memory.width / object.texelBytes()), 1, 1};
    return Success;
  }
  object.bytes = memory.pitch * memory.height;
  object.rowPitch = memory.pitch;
  object.slicePitch = object.bytes;
  object.extent = {uint32_t(memory.width), uint32_t(memory.height), 1};
  return resource.kind == Pitched ? Success : InvalidValue;
}

void setReading(const Texture &texture, TextureObject &object) {
  constexpr unsigned readsIntegers = 1, isNormalized = 2;
  for (unsigned dim = 0; dim < 3; ++dim)
    object.address[dim] = TextureObject::Address(texture.addressModes[dim]);
  object.isLinear = texture.filterMode;
  object.hasNormalizedCoordinates = texture.flags & isNormalized;
  object.readsNormalized = object.channel != TextureObject::Channel::Float &&
                           !(texture.flags & readsIntegers);
  std::memcpy(object.border.data(), texture.border, sizeof texture.border);
}

int make(Address *handle, const TextureObject &object) {
  int error = allocate(handle, sizeof object, Kind::Managed);
  if (error == Success)
    std::memcpy(pointerTo(*handle), &object, sizeof object);
  return error;
}

} // namespace

extern "C" {

int cuArray3DCreate_v2(Array **handle, const Array *description) {
  // What the caller has ends before the memory.
  auto *array = new Array();
  std::memcpy(static_cast<void *>(array), description, offsetof(Array, memory));
  arrays().insert(*handle = array);
  return allocate(&array->memory, array->bytes(), Kind::Device);
}

int cuArrayDestroy(Array *array) {
  if (!arrays().erase(array))
    return InvalidHandle;
  int error = release(array->memory, {Kind::Device});
  delete array;
  return error;
}

/// Memory with more rows than its slices have is no box.
static bool isPossible(const BoxCopy::Side &side, const BoxCopy &copy) {
  constexpr unsigned array = 3;
  return side.kind == array ||
         ((side.rows ? side.rows >= copy.height : copy.depth == 1) &&
          (side.pitch ? side.pitch >= copy.width : copy.height == 1));
}

int cuMemcpy3DAsync_v2(const BoxCopy *boxes, void *stream) {
  if (!isPossible(boxes->from, *boxes) || !isPossible(boxes->to, *boxes))
    return InvalidValue;
  return copy(sideOf(boxes->to), sideOf(boxes->from), boxes->width,
              boxes->height, boxes->depth, stream);
}

int cuTexObjectCreate(Address *handle, const Resource *resource,
                      const Texture *texture, const void *) {
  TextureObject object;
  object.mark = TextureObject::textureMark;
  if (int error = show(*resource, object))
    return error;
  setReading(*texture, object);
  return make(handle, object);
}

int cuTexObjectDestroy(Address handle) {
  return release(handle, {Kind::Managed});
}

int cuSurfObjectCreate(Address *handle, const Resource *resource) {
  TextureObject object;
  object.mark = TextureObject::surfaceMark;
  int error = show(*resource, object);
  return error ? error : make(handle, object);
}

int cuSurfObjectDestroy(Address handle) {
  return release(handle, {Kind::Managed});
}

} // extern "C"
