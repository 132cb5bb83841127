// bfloat16: Clang's own type, so that operators and conversions come with it.

#pragma once

#include "gpuopt_prelude.h"

typedef __bf16 __nv_bfloat16;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat16 hip_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __attribute__((host, device)) constexpr __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat162 __hip_bfloat162;
struct __nv_bfloat16_raw {
  unsigned short x;
};

// Conversions.
__GPUOPT_BOTH__ __nv_bfloat16 __float2bfloat16(float x) { return (__nv_bfloat16)x; }
__GPUOPT_BOTH__ __nv_bfloat16 __float2bfloat16_rn(float x) { return (__nv_bfloat16)x; }
__GPUOPT_BOTH__ __nv_bfloat16 __double2bfloat16(double x) { return (__nv_bfloat16)x; }
__GPUOPT_BOTH__ float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
__GPUOPT_BOTH__ __nv_bfloat16 __int2bfloat16_rn(int x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ int __bfloat162int_rn(__nv_bfloat16 x) { return (int)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ int __bfloat162int_rz(__nv_bfloat16 x) { return (int)(float)x; }
__GPUOPT_DEVICE__ int __bfloat162int_rd(__nv_bfloat16 x) { return (int)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ int __bfloat162int_ru(__nv_bfloat16 x) { return (int)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __nv_bfloat16 __uint2bfloat16_rn(unsigned int x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ unsigned int __bfloat162uint_rn(__nv_bfloat16 x) { return (unsigned int)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned int __bfloat162uint_rz(__nv_bfloat16 x) { return (unsigned int)(float)x; }
__GPUOPT_DEVICE__ unsigned int __bfloat162uint_rd(__nv_bfloat16 x) { return (unsigned int)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned int __bfloat162uint_ru(__nv_bfloat16 x) { return (unsigned int)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __nv_bfloat16 __short2bfloat16_rn(short x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ short __bfloat162short_rn(__nv_bfloat16 x) { return (short)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ short __bfloat162short_rz(__nv_bfloat16 x) { return (short)(float)x; }
__GPUOPT_DEVICE__ short __bfloat162short_rd(__nv_bfloat16 x) { return (short)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ short __bfloat162short_ru(__nv_bfloat16 x) { return (short)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ unsigned short __bfloat162ushort_rn(__nv_bfloat16 x) { return (unsigned short)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned short __bfloat162ushort_rz(__nv_bfloat16 x) { return (unsigned short)(float)x; }
__GPUOPT_DEVICE__ unsigned short __bfloat162ushort_rd(__nv_bfloat16 x) { return (unsigned short)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned short __bfloat162ushort_ru(__nv_bfloat16 x) { return (unsigned short)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __nv_bfloat16 __ll2bfloat16_rn(long long x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ long long __bfloat162ll_rn(__nv_bfloat16 x) { return (long long)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ long long __bfloat162ll_rz(__nv_bfloat16 x) { return (long long)(float)x; }
__GPUOPT_DEVICE__ long long __bfloat162ll_rd(__nv_bfloat16 x) { return (long long)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ long long __bfloat162ll_ru(__nv_bfloat16 x) { return (long long)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) { return (__nv_bfloat16)x; }
__GPUOPT_DEVICE__ unsigned long long __bfloat162ull_rn(__nv_bfloat16 x) { return (unsigned long long)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned long long __bfloat162ull_rz(__nv_bfloat16 x) { return (unsigned long long)(float)x; }
__GPUOPT_DEVICE__ unsigned long long __bfloat162ull_rd(__nv_bfloat16 x) { return (unsigned long long)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned long long __bfloat162ull_ru(__nv_bfloat16 x) { return (unsigned long long)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return __builtin_bit_cast(unsigned short, x); }
__GPUOPT_BOTH__ short __bfloat16_as_short(__nv_bfloat16 x) { return __builtin_bit_cast(short, x); }
__GPUOPT_BOTH__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __builtin_bit_cast(__nv_bfloat16, x); }
__GPUOPT_BOTH__ __nv_bfloat16 __short_as_bfloat16(short x) { return __builtin_bit_cast(__nv_bfloat16, x); }
__GPUOPT_BOTH__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__GPUOPT_BOTH__ __nv_bfloat162 __float2bfloat162_rn(float x) { return {(__nv_bfloat16)x, (__nv_bfloat16)x}; }
__GPUOPT_BOTH__ __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {(__nv_bfloat16)x, (__nv_bfloat16)y}; }
__GPUOPT_BOTH__ __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {(__nv_bfloat16)v.x, (__nv_bfloat16)v.y}; }
__GPUOPT_BOTH__ float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
__GPUOPT_BOTH__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__GPUOPT_BOTH__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
__GPUOPT_BOTH__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__GPUOPT_BOTH__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__GPUOPT_BOTH__ float __low2float(__nv_bfloat162 v) { return (float)v.x; }
__GPUOPT_BOTH__ float __high2float(__nv_bfloat162 v) { return (float)v.y; }
__GPUOPT_BOTH__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
__GPUOPT_BOTH__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
__GPUOPT_BOTH__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }

// Arithmetic.
__GPUOPT_DEVICE__ __nv_bfloat16 __hadd(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)(x + y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x + b.x), (__nv_bfloat16)(a.y + b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x + b.x), (__nv_bfloat16)(a.y + b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 &operator+=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a + b; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hadd_rn(__nv_bfloat16 x, __nv_bfloat16 y) {
#pragma clang fp contract(off)
  return (__nv_bfloat16)(x + y);
}
__GPUOPT_DEVICE__ __nv_bfloat16 __hsub(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)(x - y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x - b.x), (__nv_bfloat16)(a.y - b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x - b.x), (__nv_bfloat16)(a.y - b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 &operator-=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a - b; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hsub_rn(__nv_bfloat16 x, __nv_bfloat16 y) {
#pragma clang fp contract(off)
  return (__nv_bfloat16)(x - y);
}
__GPUOPT_DEVICE__ __nv_bfloat16 __hmul(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)(x * y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x * b.x), (__nv_bfloat16)(a.y * b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x * b.x), (__nv_bfloat16)(a.y * b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 &operator*=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a * b; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hmul_rn(__nv_bfloat16 x, __nv_bfloat16 y) {
#pragma clang fp contract(off)
  return (__nv_bfloat16)(x * y);
}
__GPUOPT_DEVICE__ __nv_bfloat16 __hdiv(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)(x / y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x / b.x), (__nv_bfloat16)(a.y / b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x / b.x), (__nv_bfloat16)(a.y / b.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat162 &operator/=(__nv_bfloat162 &a, __nv_bfloat162 b) { return a = a / b; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hfma(__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z) { return (__nv_bfloat16)__builtin_fmaf((float)x, (float)y, (float)z); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return {(__nv_bfloat16)__builtin_fmaf((float)a.x, (float)b.x, (float)c.x), (__nv_bfloat16)__builtin_fmaf((float)a.y, (float)b.y, (float)c.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hneg(__nv_bfloat16 x) { return (__nv_bfloat16)-x; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hneg2(__nv_bfloat162 v) { return {(__nv_bfloat16)-v.x, (__nv_bfloat16)-v.y}; }
__GPUOPT_DEVICE__ __nv_bfloat162 operator-(__nv_bfloat162 v) { return __hneg2(v); }
__GPUOPT_DEVICE__ __nv_bfloat16 __habs(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_fabsf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 __habs2(__nv_bfloat162 x) { return {(__nv_bfloat16)__builtin_fabsf((float)x.x), (__nv_bfloat16)__builtin_fabsf((float)x.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hmax(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)__builtin_fmaxf((float)x, (float)y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hmax2(__nv_bfloat162 x, __nv_bfloat162 y) { return {(__nv_bfloat16)__builtin_fmaxf((float)x.x, (float)y.x), (__nv_bfloat16)__builtin_fmaxf((float)x.y, (float)y.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 __hmin(__nv_bfloat16 x, __nv_bfloat16 y) { return (__nv_bfloat16)__builtin_fminf((float)x, (float)y); }
__GPUOPT_DEVICE__ __nv_bfloat162 __hmin2(__nv_bfloat162 x, __nv_bfloat162 y) { return {(__nv_bfloat16)__builtin_fminf((float)x.x, (float)y.x), (__nv_bfloat16)__builtin_fminf((float)x.y, (float)y.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hsqrt(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_sqrtf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2sqrt(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_sqrtf((float)v.x), (__nv_bfloat16)__builtin_sqrtf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hexp(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_expf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2exp(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_expf((float)v.x), (__nv_bfloat16)__builtin_expf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hexp2(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_exp2f((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2exp2(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_exp2f((float)v.x), (__nv_bfloat16)__builtin_exp2f((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hexp10(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_exp10f((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2exp10(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_exp10f((float)v.x), (__nv_bfloat16)__builtin_exp10f((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hlog(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_logf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2log(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_logf((float)v.x), (__nv_bfloat16)__builtin_logf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hlog2(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_log2f((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2log2(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_log2f((float)v.x), (__nv_bfloat16)__builtin_log2f((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hlog10(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_log10f((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2log10(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_log10f((float)v.x), (__nv_bfloat16)__builtin_log10f((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hsin(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_sinf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2sin(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_sinf((float)v.x), (__nv_bfloat16)__builtin_sinf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hcos(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_cosf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2cos(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_cosf((float)v.x), (__nv_bfloat16)__builtin_cosf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hfloor(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2floor(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_floorf((float)v.x), (__nv_bfloat16)__builtin_floorf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hceil(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_ceilf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2ceil(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_ceilf((float)v.x), (__nv_bfloat16)__builtin_ceilf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 htrunc(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_truncf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2trunc(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_truncf((float)v.x), (__nv_bfloat16)__builtin_truncf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hrint(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat162 h2rint(__nv_bfloat162 v) { return {(__nv_bfloat16)__builtin_rintf((float)v.x), (__nv_bfloat16)__builtin_rintf((float)v.y)}; }
__GPUOPT_DEVICE__ __nv_bfloat16 hrcp(__nv_bfloat16 x) { return (__nv_bfloat16)(1.0f / (float)x); }
__GPUOPT_DEVICE__ __nv_bfloat16 hrsqrt(__nv_bfloat16 x) { return (__nv_bfloat16)rsqrtf((float)x); }
__GPUOPT_DEVICE__ __nv_bfloat16 htanh(__nv_bfloat16 x) { return (__nv_bfloat16)__builtin_tanhf((float)x); }

// Comparisons.
__GPUOPT_DEVICE__ bool __heq(__nv_bfloat16 x, __nv_bfloat16 y) { return x == y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x == b.x), (__nv_bfloat16)(a.y == b.y)}; }
__GPUOPT_DEVICE__ bool __hbeq2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x == b.x && a.y == b.y; }
__GPUOPT_DEVICE__ bool __hne(__nv_bfloat16 x, __nv_bfloat16 y) { return x != y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x != b.x), (__nv_bfloat16)(a.y != b.y)}; }
__GPUOPT_DEVICE__ bool __hbne2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x != b.x && a.y != b.y; }
__GPUOPT_DEVICE__ bool __hle(__nv_bfloat16 x, __nv_bfloat16 y) { return x <= y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x <= b.x), (__nv_bfloat16)(a.y <= b.y)}; }
__GPUOPT_DEVICE__ bool __hble2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x <= b.x && a.y <= b.y; }
__GPUOPT_DEVICE__ bool __hge(__nv_bfloat16 x, __nv_bfloat16 y) { return x >= y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x >= b.x), (__nv_bfloat16)(a.y >= b.y)}; }
__GPUOPT_DEVICE__ bool __hbge2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x >= b.x && a.y >= b.y; }
__GPUOPT_DEVICE__ bool __hlt(__nv_bfloat16 x, __nv_bfloat16 y) { return x < y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x < b.x), (__nv_bfloat16)(a.y < b.y)}; }
__GPUOPT_DEVICE__ bool __hblt2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x < b.x && a.y < b.y; }
__GPUOPT_DEVICE__ bool __hgt(__nv_bfloat16 x, __nv_bfloat16 y) { return x > y; }
__GPUOPT_DEVICE__ __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return {(__nv_bfloat16)(a.x > b.x), (__nv_bfloat16)(a.y > b.y)}; }
__GPUOPT_DEVICE__ bool __hbgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x > b.x && a.y > b.y; }
__GPUOPT_DEVICE__ bool __hisnan(__nv_bfloat16 x) { return __builtin_isnan((float)x); }
__GPUOPT_DEVICE__ int __hisinf(__nv_bfloat16 x) { return __builtin_isinf((float)x); }

// Memory of more than one thread.
__GPUOPT_DEVICE__ __nv_bfloat16 __shfl_sync(unsigned long long mask, __nv_bfloat16 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat16, (unsigned short)__shfl_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat162 __shfl_sync(unsigned long long mask, __nv_bfloat162 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat162, __shfl_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat16 __shfl_up_sync(unsigned long long mask, __nv_bfloat16 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat16, (unsigned short)__shfl_up_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat162 __shfl_up_sync(unsigned long long mask, __nv_bfloat162 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat162, __shfl_up_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat16 __shfl_down_sync(unsigned long long mask, __nv_bfloat16 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat16, (unsigned short)__shfl_down_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat162 __shfl_down_sync(unsigned long long mask, __nv_bfloat162 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat162, __shfl_down_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat16 __shfl_xor_sync(unsigned long long mask, __nv_bfloat16 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat16, (unsigned short)__shfl_xor_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat162 __shfl_xor_sync(unsigned long long mask, __nv_bfloat162 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__nv_bfloat162, __shfl_xor_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v) { return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
// Both elements, each atomically.
__GPUOPT_DEVICE__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v) {
  __nv_bfloat16 *elements = (__nv_bfloat16 *)p;
  return {atomicAdd(elements, v.x), atomicAdd(elements + 1, v.y)};
}
