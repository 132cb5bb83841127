// Formats of elements, by their types.

#pragma once

// How elements are made of numbers: `float`, or `uchar4` with its four.
template <class T> struct __gpuopt_channel { typedef decltype(T::x) type; };
#define __GPUOPT_CHANNEL__(T) template <> struct __gpuopt_channel<T> { typedef T type; };
__GPUOPT_CHANNEL__(char)
__GPUOPT_CHANNEL__(signed char)
__GPUOPT_CHANNEL__(unsigned char)
__GPUOPT_CHANNEL__(short)
__GPUOPT_CHANNEL__(unsigned short)
__GPUOPT_CHANNEL__(int)
__GPUOPT_CHANNEL__(unsigned int)
__GPUOPT_CHANNEL__(long)
__GPUOPT_CHANNEL__(unsigned long)
__GPUOPT_CHANNEL__(float)
#undef __GPUOPT_CHANNEL__
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename __gpuopt_channel<T>::type Channel;
  constexpr int bits = 8 * sizeof(Channel), count = sizeof(T) / sizeof(Channel);
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
          Channel(0.5f) != 0 ? cudaChannelFormatKindFloat : Channel(-1) < Channel(0) ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned};
}
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) { return {x, y, z, w, f}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }
