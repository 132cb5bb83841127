// Behind an SDK's headers, which call libdevice for all that a GPU computes:
// what those of its functions that are arithmetic mean, as the prelude has it.
// A call of `__nv_min` in a subscript would be one that nobody can look into.
//
// The others stay calls: those that are rounded in another direction, and those
// that have no equal in C.

#pragma once

#define __GPUOPT_NV__ inline __attribute__((device, always_inline))

extern "C" {

// For double; for float with an `f` behind the name.
#define __GPUOPT_UNARY__(NAME)                                                 \
  __GPUOPT_NV__ double __nv_##NAME(double x) { return __builtin_##NAME(x); }   \
  __GPUOPT_NV__ float __nv_##NAME##f(float x) { return __builtin_##NAME##f(x); }
__GPUOPT_UNARY__(acos)
__GPUOPT_UNARY__(acosh)
__GPUOPT_UNARY__(asin)
__GPUOPT_UNARY__(asinh)
__GPUOPT_UNARY__(atan)
__GPUOPT_UNARY__(atanh)
__GPUOPT_UNARY__(cbrt)
__GPUOPT_UNARY__(ceil)
__GPUOPT_UNARY__(cos)
__GPUOPT_UNARY__(cosh)
__GPUOPT_UNARY__(erf)
__GPUOPT_UNARY__(erfc)
__GPUOPT_UNARY__(exp)
__GPUOPT_UNARY__(exp10)
__GPUOPT_UNARY__(exp2)
__GPUOPT_UNARY__(expm1)
__GPUOPT_UNARY__(fabs)
__GPUOPT_UNARY__(floor)
__GPUOPT_UNARY__(lgamma)
__GPUOPT_UNARY__(log)
__GPUOPT_UNARY__(log10)
__GPUOPT_UNARY__(log1p)
__GPUOPT_UNARY__(log2)
__GPUOPT_UNARY__(logb)
__GPUOPT_UNARY__(nearbyint)
__GPUOPT_UNARY__(rint)
__GPUOPT_UNARY__(round)
__GPUOPT_UNARY__(sin)
__GPUOPT_UNARY__(sinh)
__GPUOPT_UNARY__(sqrt)
__GPUOPT_UNARY__(tan)
__GPUOPT_UNARY__(tanh)
__GPUOPT_UNARY__(tgamma)
__GPUOPT_UNARY__(trunc)
#undef __GPUOPT_UNARY__

#define __GPUOPT_BINARY__(NAME)                                                \
  __GPUOPT_NV__ double __nv_##NAME(double x, double y) {                       \
    return __builtin_##NAME(x, y);                                             \
  }                                                                            \
  __GPUOPT_NV__ float __nv_##NAME##f(float x, float y) {                       \
    return __builtin_##NAME##f(x, y);                                          \
  }
__GPUOPT_BINARY__(atan2)
__GPUOPT_BINARY__(copysign)
__GPUOPT_BINARY__(fdim)
__GPUOPT_BINARY__(fmax)
__GPUOPT_BINARY__(fmin)
__GPUOPT_BINARY__(fmod)
__GPUOPT_BINARY__(hypot)
__GPUOPT_BINARY__(nextafter)
__GPUOPT_BINARY__(pow)
__GPUOPT_BINARY__(remainder)
#undef __GPUOPT_BINARY__

__GPUOPT_NV__ double __nv_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__GPUOPT_NV__ float __nv_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__GPUOPT_NV__ int __nv_isinfd(double x) { return __builtin_isinf(x); }
__GPUOPT_NV__ int __nv_isinff(float x) { return __builtin_isinf(x); }
__GPUOPT_NV__ int __nv_isnand(double x) { return __builtin_isnan(x); }
__GPUOPT_NV__ int __nv_isnanf(float x) { return __builtin_isnan(x); }
__GPUOPT_NV__ int __nv_isfinited(double x) { return __builtin_isfinite(x); }
__GPUOPT_NV__ int __nv_finitef(float x) { return __builtin_isfinite(x); }
__GPUOPT_NV__ int __nv_signbitd(double x) { return __builtin_signbit(x); }
__GPUOPT_NV__ int __nv_signbitf(float x) { return __builtin_signbitf(x); }
__GPUOPT_NV__ long long __nv_llrint(double x) { return __builtin_llrint(x); }
__GPUOPT_NV__ long long __nv_llrintf(float x) { return __builtin_llrintf(x); }
__GPUOPT_NV__ long long __nv_llround(double x) { return __builtin_llround(x); }
__GPUOPT_NV__ long long __nv_llroundf(float x) { return __builtin_llroundf(x); }
__GPUOPT_NV__ double __nv_powi(double x, int n) { return __builtin_powi(x, n); }
__GPUOPT_NV__ float __nv_powif(float x, int n) { return __builtin_powif(x, n); }
__GPUOPT_NV__ float __nv_saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

#define __GPUOPT_FAST__(NAME)                                                  \
  __GPUOPT_NV__ float __nv_fast_##NAME##f(float x) {                           \
    return __gpuopt_fast_##NAME(x);                                            \
  }
#define GPUOPT_DEVICE_FUNCTION(NAME, RESULT, PARAMETERS, ATTRIBUTES, MEANING)  \
  __attribute__((device)) RESULT __gpuopt_##NAME PARAMETERS;
#include "DeviceFunctions.def"
__GPUOPT_FAST__(sin)
__GPUOPT_FAST__(cos)
__GPUOPT_FAST__(tan)
__GPUOPT_FAST__(exp)
__GPUOPT_FAST__(exp10)
__GPUOPT_FAST__(log)
__GPUOPT_FAST__(log2)
__GPUOPT_FAST__(log10)
#undef __GPUOPT_FAST__
__GPUOPT_NV__ void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = __gpuopt_fast_sin(x);
  *c = __gpuopt_fast_cos(x);
}
__GPUOPT_NV__ float __nv_fast_powf(float x, float y) { return __gpuopt_fast_pow(x, y); }
__GPUOPT_NV__ float __nv_fast_fdividef(float x, float y) { return __gpuopt_fast_divide(x, y); }

} // extern "C"

// What the prelude computes with integers and bits, under names of its own.
#define __GPUOPT_DEVICE__ static __inline__ __attribute__((device, always_inline, unused))
#define __GPUOPT_BOTH__ static __inline__ __attribute__((host, device, always_inline, unused))
namespace __gpuopt_prelude {
#include "integer_math.h"
} // namespace __gpuopt_prelude
#undef __GPUOPT_DEVICE__
#undef __GPUOPT_BOTH__

extern "C" {

#define __GPUOPT_FROM_1__(RESULT, NAME, TYPE)                                  \
  __GPUOPT_NV__ RESULT __nv_##NAME(TYPE x) {                                   \
    return __gpuopt_prelude::__##NAME(x);                                      \
  }
#define __GPUOPT_FROM_2__(RESULT, NAME, TYPE)                                  \
  __GPUOPT_NV__ RESULT __nv_##NAME(TYPE x, TYPE y) {                           \
    return __gpuopt_prelude::__##NAME(x, y);                                   \
  }
__GPUOPT_NV__ int __nv_abs(int x) { return __builtin_abs(x); }
__GPUOPT_NV__ long long __nv_llabs(long long x) { return __builtin_llabs(x); }
__GPUOPT_NV__ int __nv_min(int x, int y) { return x < y ? x : y; }
__GPUOPT_NV__ int __nv_max(int x, int y) { return x > y ? x : y; }
__GPUOPT_NV__ unsigned __nv_umin(unsigned x, unsigned y) { return x < y ? x : y; }
__GPUOPT_NV__ unsigned __nv_umax(unsigned x, unsigned y) { return x > y ? x : y; }
__GPUOPT_NV__ long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
__GPUOPT_NV__ long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
__GPUOPT_NV__ unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
__GPUOPT_NV__ unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }
__GPUOPT_NV__ int __nv_sad(int x, int y, int z) { return __gpuopt_prelude::__sad(x, y, z); }
__GPUOPT_NV__ unsigned __nv_usad(unsigned x, unsigned y, unsigned z) { return __gpuopt_prelude::__usad(x, y, z); }
__GPUOPT_NV__ int __nv_byte_perm(int x, int y, int s) { return __gpuopt_prelude::__byte_perm(x, y, s); }
__GPUOPT_NV__ double __nv_hiloint2double(int high, int low) { return __gpuopt_prelude::__hiloint2double(high, low); }
__GPUOPT_FROM_1__(int, brev, int)
__GPUOPT_FROM_1__(long long, brevll, long long)
__GPUOPT_FROM_1__(int, clz, int)
__GPUOPT_FROM_1__(int, clzll, long long)
__GPUOPT_FROM_1__(int, ffs, int)
__GPUOPT_FROM_1__(int, ffsll, long long)
__GPUOPT_FROM_1__(int, popc, unsigned)
__GPUOPT_FROM_1__(int, popcll, long long)
__GPUOPT_FROM_2__(int, hadd, int)
__GPUOPT_FROM_2__(int, rhadd, int)
__GPUOPT_NV__ int __nv_uhadd(unsigned x, unsigned y) { return __gpuopt_prelude::__uhadd(x, y); }
__GPUOPT_NV__ unsigned __nv_urhadd(unsigned x, unsigned y) { return __gpuopt_prelude::__urhadd(x, y); }
__GPUOPT_FROM_2__(int, mul24, int)
__GPUOPT_FROM_2__(unsigned, umul24, unsigned)
__GPUOPT_FROM_2__(int, mulhi, int)
__GPUOPT_FROM_2__(unsigned, umulhi, unsigned)
__GPUOPT_FROM_2__(long long, mul64hi, long long)
__GPUOPT_FROM_2__(unsigned long long, umul64hi, unsigned long long)
__GPUOPT_FROM_1__(int, float_as_int, float)
__GPUOPT_FROM_1__(unsigned, float_as_uint, float)
__GPUOPT_FROM_1__(float, int_as_float, int)
__GPUOPT_FROM_1__(float, uint_as_float, unsigned)
__GPUOPT_FROM_1__(unsigned long long, double_as_longlong, double)
__GPUOPT_FROM_1__(double, longlong_as_double, long long)
__GPUOPT_FROM_1__(int, double2hiint, double)
__GPUOPT_FROM_1__(int, double2loint, double)

// To integers, rounded to the nearest one, to zero, up or down.
#define __GPUOPT_TO_INTEGER__(FROM, TYPE)                                      \
  __GPUOPT_ROUNDED__(int, FROM##2int, TYPE)                                    \
  __GPUOPT_ROUNDED__(unsigned, FROM##2uint, TYPE)                              \
  __GPUOPT_ROUNDED__(long long, FROM##2ll, TYPE)                               \
  __GPUOPT_ROUNDED__(unsigned long long, FROM##2ull, TYPE)
#define __GPUOPT_ROUNDED__(RESULT, NAME, TYPE)                                 \
  __GPUOPT_FROM_1__(RESULT, NAME##_rn, TYPE)                                   \
  __GPUOPT_FROM_1__(RESULT, NAME##_rz, TYPE)                                   \
  __GPUOPT_FROM_1__(RESULT, NAME##_ru, TYPE)                                   \
  __GPUOPT_FROM_1__(RESULT, NAME##_rd, TYPE)
__GPUOPT_TO_INTEGER__(float, float)
__GPUOPT_TO_INTEGER__(double, double)
#undef __GPUOPT_ROUNDED__
#undef __GPUOPT_TO_INTEGER__
__GPUOPT_FROM_1__(float, int2float_rn, int)
__GPUOPT_FROM_1__(double, int2double_rn, int)
__GPUOPT_FROM_1__(float, uint2float_rn, unsigned)
__GPUOPT_FROM_1__(double, uint2double_rn, unsigned)
__GPUOPT_FROM_1__(float, ll2float_rn, long long)
__GPUOPT_FROM_1__(double, ll2double_rn, long long)
__GPUOPT_FROM_1__(float, ull2float_rn, unsigned long long)
__GPUOPT_FROM_1__(double, ull2double_rn, unsigned long long)
__GPUOPT_FROM_1__(float, double2float_rn, double)
#undef __GPUOPT_FROM_1__
#undef __GPUOPT_FROM_2__

// To the nearest number, and never fused.
#define __GPUOPT_NEAREST__(TYPE, LETTER)                                       \
  __GPUOPT_NV__ TYPE __nv_##LETTER##add_rn(TYPE x, TYPE y) {                   \
    _Pragma("clang fp contract(off)") return x + y;                            \
  }                                                                            \
  __GPUOPT_NV__ TYPE __nv_##LETTER##sub_rn(TYPE x, TYPE y) {                   \
    _Pragma("clang fp contract(off)") return x - y;                            \
  }                                                                            \
  __GPUOPT_NV__ TYPE __nv_##LETTER##mul_rn(TYPE x, TYPE y) {                   \
    _Pragma("clang fp contract(off)") return x * y;                            \
  }                                                                            \
  __GPUOPT_NV__ TYPE __nv_##LETTER##div_rn(TYPE x, TYPE y) { return x / y; }   \
  __GPUOPT_NV__ TYPE __nv_##LETTER##rcp_rn(TYPE x) { return 1 / x; }
__GPUOPT_NEAREST__(float, f)
__GPUOPT_NEAREST__(double, d)
#undef __GPUOPT_NEAREST__
__GPUOPT_NV__ float __nv_fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__GPUOPT_NV__ double __nv_dsqrt_rn(double x) { return __builtin_sqrt(x); }
__GPUOPT_NV__ float __nv_fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__GPUOPT_NV__ double __nv_fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }

} // extern "C"

#undef __GPUOPT_NV__
