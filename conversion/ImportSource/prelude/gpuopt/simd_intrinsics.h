// CUDA's SIMD intrinsics: two halfwords (`__vadd2`) or four bytes (`__vadd4`)
// of a word at once.

#pragma once

// NAME##2 and NAME##4, with lanes x and y of SIGN type.
#define __GPUOPT_LANES__(NAME, SIGN, RESULT)                                                       \
  __GPUOPT_LANES_OF__(NAME##2, SIGN short, 16, RESULT)                                             \
  __GPUOPT_LANES_OF__(NAME##4, SIGN char, 8, RESULT)
#define __GPUOPT_LANES_OF__(NAME, TYPE, BITS, RESULT)                                              \
  __GPUOPT_DEVICE__ unsigned int NAME(unsigned int a, unsigned int b) {                            \
    constexpr unsigned int ones = (1u << BITS) - 1;                                                \
    constexpr int least = (TYPE)-1 < 0 ? -(1 << (BITS - 1)) : 0, most = (int)ones + least;         \
    unsigned int result = 0;                                                                       \
    _Pragma("unroll") for (int bit = 0; bit < 32; bit += BITS) {                                   \
      int x = (TYPE)(a >> bit), y = (TYPE)(b >> bit);                                              \
      result |= ((unsigned int)(RESULT) & ones) << bit;                                            \
    }                                                                                              \
    return result;                                                                                 \
  }
#define __GPUOPT_SATURATED__(V) ((V) < least ? least : (V) > most ? most : (V))
#define __GPUOPT_DISTANCE__ (x > y ? x - y : y - x)
__GPUOPT_LANES__(__vadd, unsigned, x + y)
__GPUOPT_LANES__(__vsub, unsigned, x - y)
__GPUOPT_LANES__(__vaddss, signed, __GPUOPT_SATURATED__(x + y))
__GPUOPT_LANES__(__vaddus, unsigned, __GPUOPT_SATURATED__(x + y))
__GPUOPT_LANES__(__vsubss, signed, __GPUOPT_SATURATED__(x - y))
__GPUOPT_LANES__(__vsubus, unsigned, __GPUOPT_SATURATED__(x - y))
__GPUOPT_LANES__(__vavgs, signed, (x + y + (x + y >= 0)) >> 1)
__GPUOPT_LANES__(__vavgu, unsigned, (x + y + 1) >> 1)
__GPUOPT_LANES__(__vhaddu, unsigned, (x + y) >> 1)
__GPUOPT_LANES__(__vmaxs, signed, x > y ? x : y)
__GPUOPT_LANES__(__vmaxu, unsigned, x > y ? x : y)
__GPUOPT_LANES__(__vmins, signed, x < y ? x : y)
__GPUOPT_LANES__(__vminu, unsigned, x < y ? x : y)
__GPUOPT_LANES__(__vabsdiffs, signed, __GPUOPT_DISTANCE__)
__GPUOPT_LANES__(__vabsdiffu, unsigned, __GPUOPT_DISTANCE__)
// All bits of a lane, or its lowest one.
#define __GPUOPT_COMPARE__(NAME, SIGN, IS_TRUE)                                                    \
  __GPUOPT_LANES__(__vcmp##NAME, SIGN, (IS_TRUE) ? -1 : 0)                                         \
  __GPUOPT_LANES__(__vset##NAME, SIGN, (IS_TRUE) ? 1 : 0)
__GPUOPT_COMPARE__(eq, unsigned, x == y)
__GPUOPT_COMPARE__(ne, unsigned, x != y)
__GPUOPT_COMPARE__(gts, signed, x > y)
__GPUOPT_COMPARE__(gtu, unsigned, x > y)
__GPUOPT_COMPARE__(ges, signed, x >= y)
__GPUOPT_COMPARE__(geu, unsigned, x >= y)
__GPUOPT_COMPARE__(lts, signed, x < y)
__GPUOPT_COMPARE__(ltu, unsigned, x < y)
__GPUOPT_COMPARE__(les, signed, x <= y)
__GPUOPT_COMPARE__(leu, unsigned, x <= y)
#undef __GPUOPT_COMPARE__

// Of one word.
#define __GPUOPT_UNARY__(NAME, OTHER)                                                              \
  __GPUOPT_DEVICE__ unsigned int NAME##2(unsigned int a) { return OTHER##2(0, a); }                \
  __GPUOPT_DEVICE__ unsigned int NAME##4(unsigned int a) { return OTHER##4(0, a); }
__GPUOPT_UNARY__(__vneg, __vsub)
__GPUOPT_UNARY__(__vnegss, __vsubss)
__GPUOPT_UNARY__(__vabs, __vabsdiffs)
#undef __GPUOPT_UNARY__
__GPUOPT_DEVICE__ unsigned int __vabsss2(unsigned int a) { return __vmaxs2(a, __vnegss2(a)); }
__GPUOPT_DEVICE__ unsigned int __vabsss4(unsigned int a) { return __vmaxs4(a, __vnegss4(a)); }

// Sums over the lanes.
#define __GPUOPT_SUM__(NAME, DISTANCE)                                                             \
  __GPUOPT_DEVICE__ unsigned int NAME##2(unsigned int a, unsigned int b) {                         \
    unsigned int d = DISTANCE##2(a, b);                                                            \
    return (d & 0xffff) + (d >> 16);                                                               \
  }                                                                                                \
  __GPUOPT_DEVICE__ unsigned int NAME##4(unsigned int a, unsigned int b) {                         \
    unsigned int d = DISTANCE##4(a, b);                                                            \
    return (d & 0xff) + ((d >> 8) & 0xff) + ((d >> 16) & 0xff) + (d >> 24);                        \
  }
__GPUOPT_SUM__(__vsads, __vabsdiffs)
__GPUOPT_SUM__(__vsadu, __vabsdiffu)
#undef __GPUOPT_SUM__
#undef __GPUOPT_DISTANCE__
#undef __GPUOPT_SATURATED__
#undef __GPUOPT_LANES_OF__
#undef __GPUOPT_LANES__
