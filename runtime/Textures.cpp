//===- Textures.cpp - textures and surfaces, on the host ------------------===//

#include "runtime/Textures.h"
#include "runtime/CPU/SoftFloat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace gpuopt::runtime;
using Channel = TextureObject::Channel;
using Address = TextureObject::Address;

//===----------------------------------------------------------------------===//
// Texels
//===----------------------------------------------------------------------===//

/// The bits of a channel, extended as its kind says; halves become floats.
static uint32_t readChannel(const TextureObject &object, const uint8_t *place) {
  uint32_t word = 0;
  std::memcpy(&word, place, object.channelBits / 8);
  unsigned unused = 32 - object.channelBits;
  if (object.channel == Channel::Signed)
    return uint32_t(int32_t(word << unused) >> unused);
  if (object.channel == Channel::Float && object.channelBits == 16)
    return llvm::bit_cast<uint32_t>(float(halfToDouble(uint16_t(word))));
  return word;
}

/// The float that a channel stands for.
static double numberOf(const TextureObject &object, uint32_t word) {
  if (object.channel == Channel::Float)
    return llvm::bit_cast<float>(word);
  if (object.channel == Channel::Unsigned)
    return word / (std::exp2(object.channelBits) - 1);
  return std::max(int32_t(word) / (std::exp2(object.channelBits - 1) - 1),
                  -1.0);
}

namespace {
/// The numbers of a texel along each dimension.
using Position = std::array<int64_t, 3>;

/// One fetch from one object.
class Sampler {
public:
  Sampler(const TextureObject &object, const TextureFetch &fetch,
          const TextureWords &place);

  TextureWords point() const;
  TextureWords linear() const;
  TextureWords gather() const;
  bool interpolates() const {
    return object.isLinear && !fetch.isByIndex && isOfFloats();
  }

private:
  bool isOfFloats() const {
    return object.channel == Channel::Float || object.readsNormalized;
  }
  /// The number in the dimension of a texel, by the address mode; -1 for the
  /// border.
  int64_t wrap(unsigned dimension, int64_t index) const;
  TextureWords wordsAt(Position position) const;

  const TextureObject &object;
  TextureFetch fetch;
  int64_t layer = 0;
  /// In texels.
  std::array<double, 3> coordinates = {0, 0, 0};
};
} // namespace

/// Which way wrapping and mirroring go is said of normalized coordinates only;
/// others are clamped.
static Address addressOf(const TextureObject &object, unsigned dimension) {
  Address address = object.address[dimension];
  bool isPeriodic = address == Address::Wrap || address == Address::Mirror;
  return isPeriodic && !object.hasNormalizedCoordinates ? Address::Clamp
                                                        : address;
}

/// A normalized coordinate between 0 and 1 where the mode folds all others.
static double fold(double x, Address address) {
  double whole = std::floor(x);
  if (address == Address::Wrap)
    return x - whole;
  if (address == Address::Mirror)
    return std::fmod(whole, 2) == 0 ? x - whole : 1 - (x - whole);
  return x;
}

/// Turns a direction into two coordinates between 0 and 1 on the face that it
/// goes through; the number of that is returned. CUDA C++ Programming Guide,
/// "Cubemap Textures".
static uint32_t placeOnFace(TextureWords &place) {
  std::array<float, 3> direction, size;
  for (unsigned i = 0; i < 3; ++i) {
    direction[i] = llvm::bit_cast<float>(place[i]);
    size[i] = std::fabs(direction[i]);
  }
  auto [x, y, z] = direction;
  unsigned axis = size[0] >= size[1] && size[0] >= size[2] ? 0
                  : size[1] >= size[2]                     ? 1
                                                           : 2;
  bool isNegative = std::signbit(direction[axis]);
  float s = axis == 0   ? (isNegative ? z : -z)
            : axis == 1 ? x
                        : (isNegative ? -x : x);
  float t = axis == 1 ? (isNegative ? -z : z) : -y;
  place[0] = llvm::bit_cast<uint32_t>((s / size[axis] + 1) / 2);
  place[1] = llvm::bit_cast<uint32_t>((t / size[axis] + 1) / 2);
  return 2 * axis + isNegative;
}

Sampler::Sampler(const TextureObject &object, const TextureFetch &asked,
                 const TextureWords &given)
    : object(object), fetch(asked) {
  TextureWords place = given;
  bool isNormalized = object.hasNormalizedCoordinates || fetch.isOfCube;
  if (fetch.isOfCube) {
    int64_t cubes = object.extent[2] / 6;
    int64_t cube = fetch.isLayered
                       ? std::clamp<int64_t>(int32_t(place[3]), 0, cubes - 1)
                       : 0;
    place[3] = uint32_t(6 * cube) + placeOnFace(place);
    fetch.dimensions = 2;
    fetch.isLayered = true;
  }
  // Layers are clamped, whatever the modes say.
  if (fetch.isLayered)
    layer = std::clamp<int64_t>(int32_t(place[3]), 0, object.extent[2] - 1);
  constexpr double beyondAll = 1 << 30;
  for (unsigned dimension = 0; dimension < fetch.dimensions; ++dimension) {
    double &x = coordinates[dimension];
    if (fetch.isByIndex) {
      x = int32_t(place[dimension]);
      continue;
    }
    x = llvm::bit_cast<float>(place[dimension]);
    if (!std::isfinite(x))
      x = std::isnan(x) ? 0 : std::copysign(beyondAll, x);
    if (isNormalized)
      x = fold(x, addressOf(object, dimension)) * object.extent[dimension];
    x = std::clamp(x, -beyondAll, beyondAll);
  }
}

int64_t Sampler::wrap(unsigned dimension, int64_t index) const {
  int64_t count = object.extent[dimension];
  if (index >= 0 && index < count)
    return index;
  if (object.isOfLinearMemory)
    return -1;
  switch (addressOf(object, dimension)) {
  case Address::Border:
    return -1;
  case Address::Wrap:
    return ((index % count) + count) % count;
  case Address::Mirror:
  case Address::Clamp:
    // What a fold leaves is at most half a texel beyond an end.
    return std::clamp<int64_t>(index, 0, count - 1);
  }
  return -1;
}

TextureWords Sampler::wordsAt(Position position) const {
  bool isInside = true;
  for (unsigned dimension = 0; dimension < fetch.dimensions; ++dimension) {
    position[dimension] = wrap(dimension, position[dimension]);
    isInside &= position[dimension] >= 0;
  }
  TextureWords words = {0, 0, 0, 0};
  if (!isInside) {
    if (!object.isOfLinearMemory)
      for (unsigned channel = 0; channel < 4; ++channel)
        words[channel] = isOfFloats()
                             ? llvm::bit_cast<uint32_t>(object.border[channel])
                             : uint32_t(int32_t(object.border[channel]));
    return words;
  }
  if (fetch.isLayered)
    position[2] = layer;
  const uint8_t *texel = object.data + position[2] * object.slicePitch +
                         position[1] * object.rowPitch +
                         position[0] * object.texelBytes();
  for (unsigned channel = 0; channel < object.channels; ++channel) {
    words[channel] =
        readChannel(object, texel + channel * object.channelBits / 8);
    if (object.readsNormalized)
      words[channel] =
          llvm::bit_cast<uint32_t>(float(numberOf(object, words[channel])));
  }
  return words;
}

TextureWords Sampler::point() const {
  Position position = {0, 0, 0};
  for (unsigned dimension = 0; dimension < fetch.dimensions; ++dimension)
    position[dimension] = int64_t(std::floor(coordinates[dimension]));
  return wordsAt(position);
}

TextureWords Sampler::linear() const {
  constexpr double steps = 256;
  Position first = {0, 0, 0};
  std::array<double, 3> weight = {0, 0, 0};
  for (unsigned dimension = 0; dimension < fetch.dimensions; ++dimension) {
    double x = coordinates[dimension] - 0.5;
    first[dimension] = int64_t(std::floor(x));
    weight[dimension] = std::nearbyint((x - std::floor(x)) * steps) / steps;
  }
  std::array<double, 4> sums = {0, 0, 0, 0};
  for (unsigned corner = 0; corner < 1u << fetch.dimensions; ++corner) {
    Position position = first;
    double share = 1;
    for (unsigned dimension = 0; dimension < fetch.dimensions; ++dimension) {
      bool isSecond = corner >> dimension & 1;
      position[dimension] += isSecond;
      share *= isSecond ? weight[dimension] : 1 - weight[dimension];
    }
    // What has no share does not count, not even a NaN.
    if (share == 0)
      continue;
    TextureWords words = wordsAt(position);
    for (unsigned channel = 0; channel < 4; ++channel)
      sums[channel] += share * llvm::bit_cast<float>(words[channel]);
  }
  TextureWords result;
  for (unsigned channel = 0; channel < 4; ++channel)
    result[channel] = llvm::bit_cast<uint32_t>(float(sums[channel]));
  return result;
}

TextureWords Sampler::gather() const {
  static constexpr std::array<std::array<int64_t, 2>, 4> steps = {
      {{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  TextureWords result;
  for (auto [word, step] : llvm::zip_equal(result, steps)) {
    Position position = {0, 0, 0};
    for (unsigned dimension = 0; dimension < 2; ++dimension)
      position[dimension] =
          int64_t(std::floor(coordinates[dimension] - 0.5)) + step[dimension];
    word = wordsAt(position)[fetch.gathered - 1];
  }
  return result;
}

TextureWords gpuopt::runtime::fetchTexture(const TextureObject &object,
                                           const TextureFetch &fetch,
                                           const TextureWords &place) {
  Sampler sampler(object, fetch, place);
  if (fetch.gathered)
    return sampler.gather();
  return sampler.interpolates() ? sampler.linear() : sampler.point();
}

uint32_t gpuopt::runtime::queryTexture(const TextureObject &object,
                                       TextureQuery query) {
  switch (query) {
  case TextureQuery::Width:
    return object.extent[0];
  case TextureQuery::Height:
    return object.extent[1];
  case TextureQuery::Depth:
    return object.isLayered ? 1 : object.extent[2];
  case TextureQuery::Layers:
    return object.isLayered ? object.extent[2] : 1;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

uint8_t *gpuopt::runtime::placeInSurface(const TextureObject &object,
                                         const SurfaceAccess &access,
                                         const TextureWords &place) {
  Position position = {0, 0, 0};
  for (unsigned dimension = 0; dimension < access.dimensions; ++dimension)
    position[dimension] = int32_t(place[dimension]);
  if (access.isLayered)
    position[2] = int32_t(place[3]);
  int64_t rowBytes = int64_t(object.extent[0]) * object.texelBytes();
  std::array<int64_t, 3> last = {rowBytes - access.bytes,
                                 int64_t(object.extent[1]) - 1,
                                 int64_t(object.extent[2]) - 1};
  for (auto [index, limit] : llvm::zip_equal(position, last)) {
    if (index >= 0 && index <= limit)
      continue;
    if (access.mode != SurfaceAccess::Mode::Clamp || limit < 0)
      return nullptr;
    index = std::clamp<int64_t>(index, 0, limit);
  }
  return object.data + position[2] * object.slicePitch +
         position[1] * object.rowPitch + position[0];
}
