// Half precision: Clang's own type, so that operators and conversions come with it.

#pragma once

#include "gpuopt_prelude.h"

typedef _Float16 __half;
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __attribute__((host, device)) constexpr __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
struct __half_raw {
  unsigned short x;
};

// Conversions.
__GPUOPT_BOTH__ __half __float2half(float x) { return (__half)x; }
__GPUOPT_BOTH__ __half __float2half_rn(float x) { return (__half)x; }
__GPUOPT_BOTH__ __half __double2half(double x) { return (__half)x; }
__GPUOPT_BOTH__ float __half2float(__half x) { return (float)x; }
__GPUOPT_BOTH__ __half __int2half_rn(int x) { return (__half)x; }
__GPUOPT_DEVICE__ int __half2int_rn(__half x) { return (int)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ int __half2int_rz(__half x) { return (int)(float)x; }
__GPUOPT_DEVICE__ int __half2int_rd(__half x) { return (int)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ int __half2int_ru(__half x) { return (int)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __half __uint2half_rn(unsigned int x) { return (__half)x; }
__GPUOPT_DEVICE__ unsigned int __half2uint_rn(__half x) { return (unsigned int)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned int __half2uint_rz(__half x) { return (unsigned int)(float)x; }
__GPUOPT_DEVICE__ unsigned int __half2uint_rd(__half x) { return (unsigned int)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned int __half2uint_ru(__half x) { return (unsigned int)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __half __short2half_rn(short x) { return (__half)x; }
__GPUOPT_DEVICE__ short __half2short_rn(__half x) { return (short)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ short __half2short_rz(__half x) { return (short)(float)x; }
__GPUOPT_DEVICE__ short __half2short_rd(__half x) { return (short)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ short __half2short_ru(__half x) { return (short)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __half __ushort2half_rn(unsigned short x) { return (__half)x; }
__GPUOPT_DEVICE__ unsigned short __half2ushort_rn(__half x) { return (unsigned short)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned short __half2ushort_rz(__half x) { return (unsigned short)(float)x; }
__GPUOPT_DEVICE__ unsigned short __half2ushort_rd(__half x) { return (unsigned short)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned short __half2ushort_ru(__half x) { return (unsigned short)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __half __ll2half_rn(long long x) { return (__half)x; }
__GPUOPT_DEVICE__ long long __half2ll_rn(__half x) { return (long long)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ long long __half2ll_rz(__half x) { return (long long)(float)x; }
__GPUOPT_DEVICE__ long long __half2ll_rd(__half x) { return (long long)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ long long __half2ll_ru(__half x) { return (long long)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ __half __ull2half_rn(unsigned long long x) { return (__half)x; }
__GPUOPT_DEVICE__ unsigned long long __half2ull_rn(__half x) { return (unsigned long long)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ unsigned long long __half2ull_rz(__half x) { return (unsigned long long)(float)x; }
__GPUOPT_DEVICE__ unsigned long long __half2ull_rd(__half x) { return (unsigned long long)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ unsigned long long __half2ull_ru(__half x) { return (unsigned long long)__builtin_ceilf((float)x); }
__GPUOPT_BOTH__ unsigned short __half_as_ushort(__half x) { return __builtin_bit_cast(unsigned short, x); }
__GPUOPT_BOTH__ short __half_as_short(__half x) { return __builtin_bit_cast(short, x); }
__GPUOPT_BOTH__ __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(__half, x); }
__GPUOPT_BOTH__ __half __short_as_half(short x) { return __builtin_bit_cast(__half, x); }
__GPUOPT_BOTH__ __half2 make_half2(__half x, __half y) { return {x, y}; }
__GPUOPT_BOTH__ __half2 __float2half2_rn(float x) { return {(__half)x, (__half)x}; }
__GPUOPT_BOTH__ __half2 __floats2half2_rn(float x, float y) { return {(__half)x, (__half)y}; }
__GPUOPT_BOTH__ __half2 __float22half2_rn(float2 v) { return {(__half)v.x, (__half)v.y}; }
__GPUOPT_BOTH__ float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
__GPUOPT_BOTH__ __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__GPUOPT_BOTH__ __half2 __half2half2(__half x) { return {x, x}; }
__GPUOPT_BOTH__ __half __low2half(__half2 v) { return v.x; }
__GPUOPT_BOTH__ __half __high2half(__half2 v) { return v.y; }
__GPUOPT_BOTH__ float __low2float(__half2 v) { return (float)v.x; }
__GPUOPT_BOTH__ float __high2float(__half2 v) { return (float)v.y; }
__GPUOPT_BOTH__ __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__GPUOPT_BOTH__ __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__GPUOPT_BOTH__ __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }

// Arithmetic.
__GPUOPT_DEVICE__ __half __hadd(__half x, __half y) { return (__half)(x + y); }
__GPUOPT_DEVICE__ __half2 __hadd2(__half2 a, __half2 b) { return {(__half)(a.x + b.x), (__half)(a.y + b.y)}; }
__GPUOPT_DEVICE__ __half2 operator+(__half2 a, __half2 b) { return {(__half)(a.x + b.x), (__half)(a.y + b.y)}; }
__GPUOPT_DEVICE__ __half2 &operator+=(__half2 &a, __half2 b) { return a = a + b; }
__GPUOPT_DEVICE__ __half __hadd_rn(__half x, __half y) {
#pragma clang fp contract(off)
  return (__half)(x + y);
}
__GPUOPT_DEVICE__ __half __hsub(__half x, __half y) { return (__half)(x - y); }
__GPUOPT_DEVICE__ __half2 __hsub2(__half2 a, __half2 b) { return {(__half)(a.x - b.x), (__half)(a.y - b.y)}; }
__GPUOPT_DEVICE__ __half2 operator-(__half2 a, __half2 b) { return {(__half)(a.x - b.x), (__half)(a.y - b.y)}; }
__GPUOPT_DEVICE__ __half2 &operator-=(__half2 &a, __half2 b) { return a = a - b; }
__GPUOPT_DEVICE__ __half __hsub_rn(__half x, __half y) {
#pragma clang fp contract(off)
  return (__half)(x - y);
}
__GPUOPT_DEVICE__ __half __hmul(__half x, __half y) { return (__half)(x * y); }
__GPUOPT_DEVICE__ __half2 __hmul2(__half2 a, __half2 b) { return {(__half)(a.x * b.x), (__half)(a.y * b.y)}; }
__GPUOPT_DEVICE__ __half2 operator*(__half2 a, __half2 b) { return {(__half)(a.x * b.x), (__half)(a.y * b.y)}; }
__GPUOPT_DEVICE__ __half2 &operator*=(__half2 &a, __half2 b) { return a = a * b; }
__GPUOPT_DEVICE__ __half __hmul_rn(__half x, __half y) {
#pragma clang fp contract(off)
  return (__half)(x * y);
}
__GPUOPT_DEVICE__ __half __hdiv(__half x, __half y) { return (__half)(x / y); }
__GPUOPT_DEVICE__ __half2 __h2div(__half2 a, __half2 b) { return {(__half)(a.x / b.x), (__half)(a.y / b.y)}; }
__GPUOPT_DEVICE__ __half2 operator/(__half2 a, __half2 b) { return {(__half)(a.x / b.x), (__half)(a.y / b.y)}; }
__GPUOPT_DEVICE__ __half2 &operator/=(__half2 &a, __half2 b) { return a = a / b; }
__GPUOPT_DEVICE__ __half __hfma(__half x, __half y, __half z) { return __builtin_fmaf16(x, y, z); }
__GPUOPT_DEVICE__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return {__builtin_fmaf16(a.x, b.x, c.x), __builtin_fmaf16(a.y, b.y, c.y)}; }
__GPUOPT_DEVICE__ __half __hneg(__half x) { return (__half)-x; }
__GPUOPT_DEVICE__ __half2 __hneg2(__half2 v) { return {(__half)-v.x, (__half)-v.y}; }
__GPUOPT_DEVICE__ __half2 operator-(__half2 v) { return __hneg2(v); }
__GPUOPT_DEVICE__ __half __habs(__half x) { return __builtin_fabsf16(x); }
__GPUOPT_DEVICE__ __half2 __habs2(__half2 x) { return {__builtin_fabsf16(x.x), __builtin_fabsf16(x.y)}; }
__GPUOPT_DEVICE__ __half __hmax(__half x, __half y) { return __builtin_fmaxf16(x, y); }
__GPUOPT_DEVICE__ __half2 __hmax2(__half2 x, __half2 y) { return {__builtin_fmaxf16(x.x, y.x), __builtin_fmaxf16(x.y, y.y)}; }
__GPUOPT_DEVICE__ __half __hmin(__half x, __half y) { return __builtin_fminf16(x, y); }
__GPUOPT_DEVICE__ __half2 __hmin2(__half2 x, __half2 y) { return {__builtin_fminf16(x.x, y.x), __builtin_fminf16(x.y, y.y)}; }
__GPUOPT_DEVICE__ __half hsqrt(__half x) { return (__half)__builtin_sqrtf((float)x); }
__GPUOPT_DEVICE__ __half2 h2sqrt(__half2 v) { return {(__half)__builtin_sqrtf((float)v.x), (__half)__builtin_sqrtf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hexp(__half x) { return (__half)__builtin_expf((float)x); }
__GPUOPT_DEVICE__ __half2 h2exp(__half2 v) { return {(__half)__builtin_expf((float)v.x), (__half)__builtin_expf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hexp2(__half x) { return (__half)__builtin_exp2f((float)x); }
__GPUOPT_DEVICE__ __half2 h2exp2(__half2 v) { return {(__half)__builtin_exp2f((float)v.x), (__half)__builtin_exp2f((float)v.y)}; }
__GPUOPT_DEVICE__ __half hexp10(__half x) { return (__half)__builtin_exp10f((float)x); }
__GPUOPT_DEVICE__ __half2 h2exp10(__half2 v) { return {(__half)__builtin_exp10f((float)v.x), (__half)__builtin_exp10f((float)v.y)}; }
__GPUOPT_DEVICE__ __half hlog(__half x) { return (__half)__builtin_logf((float)x); }
__GPUOPT_DEVICE__ __half2 h2log(__half2 v) { return {(__half)__builtin_logf((float)v.x), (__half)__builtin_logf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hlog2(__half x) { return (__half)__builtin_log2f((float)x); }
__GPUOPT_DEVICE__ __half2 h2log2(__half2 v) { return {(__half)__builtin_log2f((float)v.x), (__half)__builtin_log2f((float)v.y)}; }
__GPUOPT_DEVICE__ __half hlog10(__half x) { return (__half)__builtin_log10f((float)x); }
__GPUOPT_DEVICE__ __half2 h2log10(__half2 v) { return {(__half)__builtin_log10f((float)v.x), (__half)__builtin_log10f((float)v.y)}; }
__GPUOPT_DEVICE__ __half hsin(__half x) { return (__half)__builtin_sinf((float)x); }
__GPUOPT_DEVICE__ __half2 h2sin(__half2 v) { return {(__half)__builtin_sinf((float)v.x), (__half)__builtin_sinf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hcos(__half x) { return (__half)__builtin_cosf((float)x); }
__GPUOPT_DEVICE__ __half2 h2cos(__half2 v) { return {(__half)__builtin_cosf((float)v.x), (__half)__builtin_cosf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hfloor(__half x) { return (__half)__builtin_floorf((float)x); }
__GPUOPT_DEVICE__ __half2 h2floor(__half2 v) { return {(__half)__builtin_floorf((float)v.x), (__half)__builtin_floorf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hceil(__half x) { return (__half)__builtin_ceilf((float)x); }
__GPUOPT_DEVICE__ __half2 h2ceil(__half2 v) { return {(__half)__builtin_ceilf((float)v.x), (__half)__builtin_ceilf((float)v.y)}; }
__GPUOPT_DEVICE__ __half htrunc(__half x) { return (__half)__builtin_truncf((float)x); }
__GPUOPT_DEVICE__ __half2 h2trunc(__half2 v) { return {(__half)__builtin_truncf((float)v.x), (__half)__builtin_truncf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hrint(__half x) { return (__half)__builtin_rintf((float)x); }
__GPUOPT_DEVICE__ __half2 h2rint(__half2 v) { return {(__half)__builtin_rintf((float)v.x), (__half)__builtin_rintf((float)v.y)}; }
__GPUOPT_DEVICE__ __half hrcp(__half x) { return (__half)(1.0f / (float)x); }
__GPUOPT_DEVICE__ __half hrsqrt(__half x) { return (__half)rsqrtf((float)x); }
__GPUOPT_DEVICE__ __half htanh(__half x) { return (__half)__builtin_tanhf((float)x); }

// Comparisons.
__GPUOPT_DEVICE__ bool __heq(__half x, __half y) { return x == y; }
__GPUOPT_DEVICE__ __half2 __heq2(__half2 a, __half2 b) { return {(__half)(a.x == b.x), (__half)(a.y == b.y)}; }
__GPUOPT_DEVICE__ bool __hbeq2(__half2 a, __half2 b) { return a.x == b.x && a.y == b.y; }
__GPUOPT_DEVICE__ bool __hne(__half x, __half y) { return x != y; }
__GPUOPT_DEVICE__ __half2 __hne2(__half2 a, __half2 b) { return {(__half)(a.x != b.x), (__half)(a.y != b.y)}; }
__GPUOPT_DEVICE__ bool __hbne2(__half2 a, __half2 b) { return a.x != b.x && a.y != b.y; }
__GPUOPT_DEVICE__ bool __hle(__half x, __half y) { return x <= y; }
__GPUOPT_DEVICE__ __half2 __hle2(__half2 a, __half2 b) { return {(__half)(a.x <= b.x), (__half)(a.y <= b.y)}; }
__GPUOPT_DEVICE__ bool __hble2(__half2 a, __half2 b) { return a.x <= b.x && a.y <= b.y; }
__GPUOPT_DEVICE__ bool __hge(__half x, __half y) { return x >= y; }
__GPUOPT_DEVICE__ __half2 __hge2(__half2 a, __half2 b) { return {(__half)(a.x >= b.x), (__half)(a.y >= b.y)}; }
__GPUOPT_DEVICE__ bool __hbge2(__half2 a, __half2 b) { return a.x >= b.x && a.y >= b.y; }
__GPUOPT_DEVICE__ bool __hlt(__half x, __half y) { return x < y; }
__GPUOPT_DEVICE__ __half2 __hlt2(__half2 a, __half2 b) { return {(__half)(a.x < b.x), (__half)(a.y < b.y)}; }
__GPUOPT_DEVICE__ bool __hblt2(__half2 a, __half2 b) { return a.x < b.x && a.y < b.y; }
__GPUOPT_DEVICE__ bool __hgt(__half x, __half y) { return x > y; }
__GPUOPT_DEVICE__ __half2 __hgt2(__half2 a, __half2 b) { return {(__half)(a.x > b.x), (__half)(a.y > b.y)}; }
__GPUOPT_DEVICE__ bool __hbgt2(__half2 a, __half2 b) { return a.x > b.x && a.y > b.y; }
__GPUOPT_DEVICE__ bool __hisnan(__half x) { return __builtin_isnan((float)x); }
__GPUOPT_DEVICE__ int __hisinf(__half x) { return __builtin_isinf((float)x); }

// Memory of more than one thread.
__GPUOPT_DEVICE__ __half __shfl_sync(unsigned long long mask, __half v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __half2 __shfl_sync(unsigned long long mask, __half2 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__half2, __shfl_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __half __shfl_up_sync(unsigned long long mask, __half v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_up_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __half2 __shfl_up_sync(unsigned long long mask, __half2 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__half2, __shfl_up_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __half __shfl_down_sync(unsigned long long mask, __half v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_down_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __half2 __shfl_down_sync(unsigned long long mask, __half2 v, unsigned int lane, int width = warpSize) {
  return __builtin_bit_cast(__half2, __shfl_down_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __half __shfl_xor_sync(unsigned long long mask, __half v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__half, (unsigned short)__shfl_xor_sync(mask, (unsigned int)__builtin_bit_cast(unsigned short, v), lane, width));
}
__GPUOPT_DEVICE__ __half2 __shfl_xor_sync(unsigned long long mask, __half2 v, int lane, int width = warpSize) {
  return __builtin_bit_cast(__half2, __shfl_xor_sync(mask, __builtin_bit_cast(unsigned int, v), lane, width));
}
__GPUOPT_DEVICE__ __half atomicAdd(__half *p, __half v) { return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
// Both elements, each atomically.
__GPUOPT_DEVICE__ __half2 atomicAdd(__half2 *p, __half2 v) {
  __half *elements = (__half *)p;
  return {atomicAdd(elements, v.x), atomicAdd(elements + 1, v.y)};
}
