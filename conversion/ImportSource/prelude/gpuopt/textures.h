// Textures and surfaces, references and objects. Host code may have them; a
// fetch in a kernel needs an SDK, but for what programs.h has.

#pragma once

enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct { cudaArray_t array; } array;
    struct { void *devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; } linear;
    struct { void *devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; } pitch2D;
  } res;
};
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
};
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef cudaTextureObject_t hipTextureObject_t;

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};
template <class T, int Dimensions = 1, enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct texture {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  // What a program has bound it to.
  const void *__data = nullptr;
  size_t __elements = 0;
  constexpr texture(int isNormalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                    enum cudaTextureAddressMode address = cudaAddressModeClamp,
                    cudaChannelFormatDesc desc = {0, 0, 0, 0, cudaChannelFormatKindNone})
      : normalized(isNormalized), filterMode(filter), addressMode{address, address, address},
        channelDesc(desc) {}
};
template <class T, int Dimensions = 1> struct surface : public surfaceReference {};

template <class T> __GPUOPT_OF_SDK__ T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ float tex1Dfetch(const texture<T, 1, Mode> &t, int i);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ T tex1D(const texture<T, 1, Mode> &t, float x);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ T tex2D(const texture<T, 2, Mode> &t, float x, float y);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ T tex3D(const texture<T, 3, Mode> &t, float x, float y, float z);
template <class T> __GPUOPT_OF_SDK__ T tex1Dfetch(cudaTextureObject_t t, int i);
template <class T> __GPUOPT_OF_SDK__ T tex1D(cudaTextureObject_t t, float x);
template <class T> __GPUOPT_OF_SDK__ T tex2D(cudaTextureObject_t t, float x, float y);
template <class T> __GPUOPT_OF_SDK__ T tex3D(cudaTextureObject_t t, float x, float y, float z);
template <class T> __GPUOPT_OF_SDK__ T tex1DLod(cudaTextureObject_t t, float x, float level);
template <class T> __GPUOPT_OF_SDK__ T tex2DLod(cudaTextureObject_t t, float x, float y, float level);
template <class T> __GPUOPT_OF_SDK__ T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer);
template <class T> __GPUOPT_OF_SDK__ void surf2Dwrite(T value, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T> __GPUOPT_OF_SDK__ T surf2Dread(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T> __GPUOPT_OF_SDK__ void surf2Dread(T *to, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
// How elements are made of numbers: `float`, or `uchar4` with its four.
template <class T, bool IsNumber = __is_arithmetic(T)> struct __gpuopt_channel { typedef T type; };
template <class T> struct __gpuopt_channel<T, false> { typedef decltype(T::x) type; };
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename __gpuopt_channel<T>::type Channel;
  constexpr int bits = 8 * sizeof(Channel), count = sizeof(T) / sizeof(Channel);
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
          Channel(0.5f) != 0 ? cudaChannelFormatKindFloat : Channel(-1) < Channel(0) ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned};
}
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) { return {x, y, z, w, f}; }

// References to arrays in linear memory: what they are bound to is in the
// device's variable.
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
static inline cudaError_t __gpuopt_bind(const texture<T, Dimensions, Mode> &t, size_t *offset, const void *data, size_t bytes) {
  texture<T, Dimensions, Mode> bound = t;
  bound.__data = data;
  bound.__elements = bytes / sizeof(T);
  if (offset)
    *offset = 0;
  return ::cudaMemcpyToSymbol((const void *)&t, &bound, sizeof bound);
}
#define __GPUOPT_BIND__(...)                                                                       \
  template <class T, enum cudaTextureReadMode Mode>                                                \
  static inline cudaError_t cudaBindTexture(size_t *offset, __VA_ARGS__, size_t bytes = 4294967295u)
__GPUOPT_BIND__(const texture<T, 1, Mode> &t, const void *data) { return __gpuopt_bind(t, offset, data, bytes); }
__GPUOPT_BIND__(const texture<T, 1, Mode> &t, const void *data, const cudaChannelFormatDesc &) { return __gpuopt_bind(t, offset, data, bytes); }
__GPUOPT_BIND__(const texture<T, 1, Mode> *t, const void *data, const cudaChannelFormatDesc *) { return __gpuopt_bind(*t, offset, data, bytes); }
#undef __GPUOPT_BIND__
template <class T, enum cudaTextureReadMode Mode> static inline cudaError_t cudaUnbindTexture(const texture<T, 1, Mode> &t) { return __gpuopt_bind(t, nullptr, nullptr, 0); }
template <class T, enum cudaTextureReadMode Mode> static inline cudaError_t cudaUnbindTexture(const texture<T, 1, Mode> *t) { return __gpuopt_bind(*t, nullptr, nullptr, 0); }
