// Dynamic programming: sums, extremes and what has won, of words and of pairs of
// halves of one (DPX).

#pragma once

namespace __gpuopt {
template <class T> __GPUOPT_BOTH__ T most(T a, T b) { return a < b ? b : a; }
template <class T> __GPUOPT_BOTH__ T least(T a, T b) { return b < a ? b : a; }
template <class T> __GPUOPT_BOTH__ T lane(unsigned int word, int lane) { return (T)(unsigned short)(word >> 16 * lane); }
template <class T> __GPUOPT_BOTH__ unsigned int join(T high, T low) { return (unsigned int)(unsigned short)high << 16 | (unsigned short)low; }
} // namespace __gpuopt

#define __GPUOPT_DPX__(NAME, EXTREME)                                          \
  __GPUOPT_BOTH__ int __viadd##NAME##_s32(int a, int b, int c) { return __gpuopt::EXTREME((int)((unsigned)a + b), c); } \
  __GPUOPT_BOTH__ int __viadd##NAME##_s32_relu(int a, int b, int c) { return __gpuopt::most(__viadd##NAME##_s32(a, b, c), 0); } \
  __GPUOPT_BOTH__ unsigned int __viadd##NAME##_u32(unsigned int a, unsigned int b, unsigned int c) { return __gpuopt::EXTREME(a + b, c); } \
  __GPUOPT_BOTH__ int __vi##NAME##3_s32(int a, int b, int c) { return __gpuopt::EXTREME(__gpuopt::EXTREME(a, b), c); } \
  __GPUOPT_BOTH__ int __vi##NAME##3_s32_relu(int a, int b, int c) { return __gpuopt::most(__vi##NAME##3_s32(a, b, c), 0); } \
  __GPUOPT_BOTH__ unsigned int __vi##NAME##3_u32(unsigned int a, unsigned int b, unsigned int c) { return __gpuopt::EXTREME(__gpuopt::EXTREME(a, b), c); } \
  __GPUOPT_BOTH__ int __vi##NAME##_s32_relu(int a, int b) { return __gpuopt::most(__gpuopt::EXTREME(a, b), 0); } \
  __GPUOPT_BOTH__ int __vib##NAME##_s32(int a, int b, bool *isFirst) { *isFirst = __gpuopt::EXTREME(a, b) == a; return __gpuopt::EXTREME(a, b); } \
  __GPUOPT_BOTH__ unsigned int __vib##NAME##_u32(unsigned int a, unsigned int b, bool *isFirst) { *isFirst = __gpuopt::EXTREME(a, b) == a; return __gpuopt::EXTREME(a, b); } \
  __GPUOPT_LANES_OF_DPX__(NAME, EXTREME, s16x2, short)                         \
  __GPUOPT_LANES_OF_DPX__(NAME, EXTREME, u16x2, unsigned short)                \
  __GPUOPT_BOTH__ unsigned int __viadd##NAME##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __gpuopt::notNegative(__viadd##NAME##_s16x2(a, b, c)); } \
  __GPUOPT_BOTH__ unsigned int __vi##NAME##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __gpuopt::notNegative(__vi##NAME##3_s16x2(a, b, c)); } \
  __GPUOPT_BOTH__ unsigned int __vi##NAME##_s16x2_relu(unsigned int a, unsigned int b) { return __gpuopt::notNegative(__vi##NAME##3_s16x2(a, b, b)); }
#define __GPUOPT_LANES_OF_DPX__(NAME, EXTREME, LANES, T)                       \
  __GPUOPT_BOTH__ unsigned int __viadd##NAME##_##LANES(unsigned int a, unsigned int b, unsigned int c) { \
    return __gpuopt::join<T>(__gpuopt::EXTREME<T>((T)(__gpuopt::lane<T>(a, 1) + __gpuopt::lane<T>(b, 1)), __gpuopt::lane<T>(c, 1)), \
                             __gpuopt::EXTREME<T>((T)(__gpuopt::lane<T>(a, 0) + __gpuopt::lane<T>(b, 0)), __gpuopt::lane<T>(c, 0))); \
  }                                                                            \
  __GPUOPT_BOTH__ unsigned int __vib##NAME##_##LANES(unsigned int a, unsigned int b, bool *isFirstHigh, bool *isFirstLow) { \
    T high = __gpuopt::EXTREME<T>(__gpuopt::lane<T>(a, 1), __gpuopt::lane<T>(b, 1)); \
    T low = __gpuopt::EXTREME<T>(__gpuopt::lane<T>(a, 0), __gpuopt::lane<T>(b, 0)); \
    *isFirstHigh = high == __gpuopt::lane<T>(a, 1);                            \
    *isFirstLow = low == __gpuopt::lane<T>(a, 0);                              \
    return __gpuopt::join<T>(high, low);                                       \
  }                                                                            \
  __GPUOPT_BOTH__ unsigned int __vi##NAME##3_##LANES(unsigned int a, unsigned int b, unsigned int c) { \
    bool isHigh, isLow;                                                        \
    return __vib##NAME##_##LANES(__vib##NAME##_##LANES(a, b, &isHigh, &isLow), c, &isHigh, &isLow); \
  }
namespace __gpuopt {
__GPUOPT_BOTH__ unsigned int notNegative(unsigned int word) {
  return join<short>(most<short>(lane<short>(word, 1), 0), most<short>(lane<short>(word, 0), 0));
}
} // namespace __gpuopt
__GPUOPT_DPX__(max, most)
__GPUOPT_DPX__(min, least)
#undef __GPUOPT_DPX__
#undef __GPUOPT_LANES_OF_DPX__
