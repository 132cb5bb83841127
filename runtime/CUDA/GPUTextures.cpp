//===- GPUTextures.cpp - arrays, textures and surfaces of a GPU -----------===//

#include "runtime/CUDA/GPUFunctions.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace gpuopt;
using namespace gpuopt::cuda;

// Their members are in the order in which the driver's header has them.

struct gpuopt::cuda::DriverArray {
  size_t width = 0, height = 0, depth = 0;
  unsigned format = 0, channels = 0, flags = 0;
};

namespace {
struct DriverBoxSide {
  size_t x = 0, y = 0, z = 0, level = 0;
  unsigned kind = kAnyMemory;
  const void *host = nullptr;
  DriverAddress memory = 0;
  Handle array = nullptr;
  void *reserved = nullptr;
  size_t pitch = 0, rows = 0;
};
} // namespace

struct gpuopt::cuda::DriverBoxCopy {
  DriverBoxSide from, to;
  size_t width = 0, height = 0, depth = 0;
};

struct gpuopt::cuda::DriverResource {
  struct Linear {
    DriverAddress memory;
    unsigned format, channels;
    size_t bytes;
  };
  struct Pitched {
    DriverAddress memory;
    unsigned format, channels;
    size_t width, height, pitch;
  };

  unsigned kind = 0;
  union {
    Handle array;
    Linear linear;
    Pitched pitched;
    int reserved[32] = {};
  };
  unsigned flags = 0;
};

struct gpuopt::cuda::DriverTexture {
  unsigned addressModes[3] = {};
  unsigned filterMode = 0, flags = 0;
  unsigned mostAnisotropy = 0, levelFilterMode = 0;
  float levelBias = 0, leastLevel = 0, mostLevel = 0;
  float border[4] = {};
  int reserved[12] = {};
};

/// CUarray_format.
static unsigned formatOf(const cudaChannelFormatDesc &format) {
  constexpr unsigned half = 0x10, single = 0x20;
  constexpr unsigned firstUnsigned = 1, firstSigned = 8;
  if (format.f == cudaChannelFormatKindFloat)
    return format.x == 16 ? half : single;
  unsigned size = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
  return (format.f == cudaChannelFormatKindSigned ? firstSigned
                                                  : firstUnsigned) +
         size;
}

static unsigned channelsOf(const cudaChannelFormatDesc &format) {
  std::array bits = {format.x, format.y, format.z, format.w};
  return unsigned(std::ranges::count_if(bits, [](int b) { return b != 0; }));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

cudaError_t GPU::createArray(Handle *array, const cudaChannelFormatDesc &format,
                             const cudaExtent &extent, unsigned flags) {
  DriverArray description = {extent.width,     extent.height,      extent.depth,
                             formatOf(format), channelsOf(format), flags};
  return errorOf(driver().arrayCreate(array, &description));
}

cudaError_t GPU::destroyArray(Handle array) {
  return errorOf(driver().arrayDestroy(array));
}

static DriverBoxSide sideOf(const BoxSide &side) {
  DriverBoxSide made;
  if (side.array) {
    made.kind = kArrayMemory;
    made.array = side.array;
    made.x = side.x;
    made.y = side.y;
    made.z = side.z;
    return made;
  }
  made.memory = addressOf(side.memory);
  made.pitch = side.pitch;
  made.rows = side.pitch ? side.slicePitch / side.pitch : 0;
  return made;
}

cudaError_t GPU::copy(const BoxSide &to, const BoxSide &from, size_t width,
                      size_t height, size_t depth) {
  DriverBoxCopy copy = {sideOf(from), sideOf(to), width, height, depth};
  // The driver wants at least as many as are copied.
  if (depth == 1)
    copy.from.rows = copy.to.rows = 0;
  return finish(errorOf(driver().copyBox(&copy, currentStream())));
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static DriverResource resourceOf(const cudaResourceDesc &resource) {
  DriverResource made;
  made.kind = resource.resType;
  if (resource.resType == cudaResourceTypeLinear) {
    const auto &linear = resource.res.linear;
    made.linear = {addressOf(linear.devPtr), formatOf(linear.desc),
                   channelsOf(linear.desc), linear.sizeInBytes};
  } else if (resource.resType == cudaResourceTypePitch2D) {
    const auto &pitched = resource.res.pitch2D;
    made.pitched = {addressOf(pitched.devPtr),
                    formatOf(pitched.desc),
                    channelsOf(pitched.desc),
                    pitched.width,
                    pitched.height,
                    pitched.pitchInBytes};
  } else {
    made.array = resource.res.array.array;
  }
  return made;
}

static DriverTexture textureOf(const cudaTextureDesc &texture) {
  constexpr unsigned readsIntegers = 1, hasNormalizedCoordinates = 2;
  DriverTexture made;
  std::copy(std::begin(texture.addressMode), std::end(texture.addressMode),
            made.addressModes);
  made.filterMode = texture.filterMode;
  made.flags =
      (texture.readMode == cudaReadModeElementType ? readsIntegers : 0) |
      (texture.normalizedCoords ? hasNormalizedCoordinates : 0);
  made.mostAnisotropy = texture.maxAnisotropy;
  made.levelFilterMode = texture.mipmapFilterMode;
  made.levelBias = texture.mipmapLevelBias;
  made.leastLevel = texture.minMipmapLevelClamp;
  made.mostLevel = texture.maxMipmapLevelClamp;
  std::ranges::copy(texture.borderColor, made.border);
  return made;
}

cudaError_t GPU::createObject(unsigned long long *object,
                              const cudaResourceDesc &resource,
                              const cudaTextureDesc *texture) {
  DriverResource shown = resourceOf(resource);
  if (!texture)
    return errorOf(driver().surfaceCreate(object, &shown));
  DriverTexture reading = textureOf(*texture);
  return errorOf(driver().textureCreate(object, &shown, &reading, nullptr));
}

cudaError_t GPU::destroyTexture(unsigned long long object) {
  return errorOf(driver().textureDestroy(object));
}

cudaError_t GPU::destroySurface(unsigned long long object) {
  return errorOf(driver().surfaceDestroy(object));
}
