//===- Textures.h - textures and surfaces, on the host ----------*- C++ -*-===//
//
// What a handle of a texture or surface stands for in the CPU executor: the
// address of a TextureObject, in memory that kernels can reach. Kernels fetch
// from it as the CUDA C++ Programming Guide says ("Texture Fetching"): without
// normalized coordinates N texels lie along [0, N), texel i at i + 0.5;
//
//   point    T[floor(x)]
//   linear   (1 - a) T[i] + a T[i + 1] with i + a = x - 0.5, 0 <= a < 1
//
// where `a` is rounded to 8 fractional bits (to nearest, ties to even) and may
// so become 1; the guide says no more of rounding. Here all products and sums
// are exact but for the last bits of doubles, and the result is rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_TEXTURES_H
#define RUNTIME_TEXTURES_H

#include <array>
#include <cstdint>

namespace gpuopt::runtime {

struct TextureObject {
  enum class Channel : uint32_t { Signed, Unsigned, Float };
  enum class Address : uint32_t { Wrap, Clamp, Mirror, Border };
  /// What tells an object from other memory.
  static constexpr uint64_t textureMark = 0x7465787475726521;
  static constexpr uint64_t surfaceMark = 0x7375726661636521;

  uint64_t mark = 0;
  /// The texels, and how many bytes they take with all that lies between.
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  uint64_t rowPitch = 0, slicePitch = 0;
  /// Texels along x, y and z, at least 1; layers lie along z.
  std::array<uint32_t, 3> extent = {1, 1, 1};
  bool isLayered = false;
  uint32_t channels = 1, channelBits = 32;
  Channel channel = Channel::Float;
  std::array<Address, 3> address = {Address::Clamp, Address::Clamp,
                                    Address::Clamp};
  bool isLinear = false, hasNormalizedCoordinates = false;
  /// Whether integers become 0 to 1, or -1 to 1.
  bool readsNormalized = false;
  /// Of memory that is no array: nothing is fetched behind its end, zeros are.
  bool isOfLinearMemory = false;
  std::array<float, 4> border = {0, 0, 0, 0};

  uint32_t texelBytes() const { return channels * channelBits / 8; }
};

/// One fetch, as an instruction says it.
struct TextureFetch {
  uint32_t dimensions = 1;
  bool isLayered = false;
  /// Coordinates are signed integers: texels by their numbers.
  bool isByIndex = false;
  /// Three coordinates are a direction from the middle of a cube, whose faces
  /// are layers: +x, -x, +y, -y, +z, -z.
  bool isOfCube = false;
  /// 1 to 4: one channel of the four texels that a linear fetch would take, in
  /// the order (0, 1), (1, 1), (1, 0), (0, 0) of steps along x and y.
  uint32_t gathered = 0;

  uint32_t encode() const {
    return dimensions | uint32_t(isLayered) << 8 | uint32_t(isOfCube) << 9 |
           uint32_t(isByIndex) << 16 | gathered << 24;
  }
  static TextureFetch decode(uint32_t code) {
    return {code & 0xff, bool(code >> 8 & 1), bool(code >> 16 & 1),
            bool(code >> 9 & 1), code >> 24};
  }
};

/// Four numbers of 32 bits: floats, or integers of the object's channels.
using TextureWords = std::array<uint32_t, 4>;

/// `place` holds up to three coordinates, then the layer.
TextureWords fetchTexture(const TextureObject &object,
                          const TextureFetch &fetch, const TextureWords &place);

/// What is asked of a texture or surface.
enum class TextureQuery : uint32_t { Width, Height, Depth, Layers };
uint32_t queryTexture(const TextureObject &object, TextureQuery query);

/// One access of a surface: elements of 1 to 16 bytes, x in bytes.
struct SurfaceAccess {
  enum class Mode : uint32_t { Zero, Clamp, Trap };
  uint32_t dimensions = 1;
  bool isLayered = false;
  uint32_t bytes = 4;
  Mode mode = Mode::Trap;

  uint32_t encode() const {
    return dimensions | uint32_t(isLayered) << 8 | bytes << 16 |
           uint32_t(mode) << 24;
  }
  static SurfaceAccess decode(uint32_t code) {
    return {code & 0xff, bool(code >> 8 & 1), code >> 16 & 0xff,
            Mode(code >> 24)};
  }
};

/// Where an element is; null where it is beyond the surface, and the mode does
/// not say which other one is meant.
uint8_t *placeInSurface(const TextureObject &object,
                        const SurfaceAccess &access, const TextureWords &place);

} // namespace gpuopt::runtime

#endif // RUNTIME_TEXTURES_H
