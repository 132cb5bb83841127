// Integer functions, conversions and reinterpretations.

#pragma once

__GPUOPT_DEVICE__ int abs(int x) { return __builtin_abs(x); }
__GPUOPT_DEVICE__ long abs(long x) { return __builtin_labs(x); }
__GPUOPT_DEVICE__ long long abs(long long x) { return __builtin_llabs(x); }
__GPUOPT_DEVICE__ long labs(long x) { return __builtin_labs(x); }
__GPUOPT_DEVICE__ long long llabs(long long x) { return __builtin_llabs(x); }
__GPUOPT_DEVICE__ double abs(double x) { return __builtin_fabs(x); }
__GPUOPT_DEVICE__ float abs(float x) { return __builtin_fabsf(x); }

// min and max: mixed types as the SDK mixes them.
__GPUOPT_BOTH__ int min(int x, int y) { int l = (int)x, r = (int)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned int min(int x, unsigned int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long min(int x, long y) { long l = (long)x, r = (long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(int x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(int x, long long y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(int x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned int min(unsigned int x, int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned int min(unsigned int x, unsigned int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long min(unsigned int x, long y) { long l = (long)x, r = (long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(unsigned int x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(unsigned int x, long long y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned int x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long min(long x, int y) { long l = (long)x, r = (long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long min(long x, unsigned int y) { long l = (long)x, r = (long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long min(long x, long y) { long l = (long)x, r = (long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(long x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(long x, long long y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(unsigned long x, int y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(unsigned long x, unsigned int y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(unsigned long x, long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long min(unsigned long x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long x, long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(long long x, int y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(long long x, unsigned int y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(long long x, long y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(long long x, unsigned long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ long long min(long long x, long long y) { long long l = (long long)x, r = (long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(long long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, int y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, unsigned int y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, unsigned long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ unsigned long long min(unsigned long long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r < l ? r : l; }
__GPUOPT_BOTH__ float min(float x, float y) { return __builtin_fminf(x, y); }
__GPUOPT_BOTH__ double min(double x, double y) { return __builtin_fmin(x, y); }
__GPUOPT_BOTH__ double min(float x, double y) { return __builtin_fmin(x, y); }
__GPUOPT_BOTH__ double min(double x, float y) { return __builtin_fmin(x, y); }
__GPUOPT_BOTH__ int max(int x, int y) { int l = (int)x, r = (int)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned int max(int x, unsigned int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long max(int x, long y) { long l = (long)x, r = (long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(int x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(int x, long long y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(int x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned int max(unsigned int x, int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned int max(unsigned int x, unsigned int y) { unsigned int l = (unsigned int)x, r = (unsigned int)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long max(unsigned int x, long y) { long l = (long)x, r = (long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(unsigned int x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(unsigned int x, long long y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned int x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long max(long x, int y) { long l = (long)x, r = (long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long max(long x, unsigned int y) { long l = (long)x, r = (long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long max(long x, long y) { long l = (long)x, r = (long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(long x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(long x, long long y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(unsigned long x, int y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(unsigned long x, unsigned int y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(unsigned long x, long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long max(unsigned long x, unsigned long y) { unsigned long l = (unsigned long)x, r = (unsigned long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long x, long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(long long x, int y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(long long x, unsigned int y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(long long x, long y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(long long x, unsigned long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ long long max(long long x, long long y) { long long l = (long long)x, r = (long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(long long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, int y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, unsigned int y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, unsigned long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ unsigned long long max(unsigned long long x, unsigned long long y) { unsigned long long l = (unsigned long long)x, r = (unsigned long long)y; return r > l ? r : l; }
__GPUOPT_BOTH__ float max(float x, float y) { return __builtin_fmaxf(x, y); }
__GPUOPT_BOTH__ double max(double x, double y) { return __builtin_fmax(x, y); }
__GPUOPT_BOTH__ double max(float x, double y) { return __builtin_fmax(x, y); }
__GPUOPT_BOTH__ double max(double x, float y) { return __builtin_fmax(x, y); }
__GPUOPT_DEVICE__ unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
__GPUOPT_DEVICE__ unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
__GPUOPT_DEVICE__ long long llmin(long long x, long long y) { return x < y ? x : y; }
__GPUOPT_DEVICE__ long long llmax(long long x, long long y) { return x > y ? x : y; }
__GPUOPT_DEVICE__ unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
__GPUOPT_DEVICE__ unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

__GPUOPT_DEVICE__ int __popc(unsigned int x) { return __builtin_popcount(x); }
__GPUOPT_DEVICE__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__GPUOPT_DEVICE__ int __clz(int x) { return __builtin_clzg((unsigned int)x, 32); }
__GPUOPT_DEVICE__ int __clzll(long long x) { return __builtin_clzg((unsigned long long)x, 64); }
__GPUOPT_DEVICE__ int __ffs(int x) { return __builtin_ffs(x); }
__GPUOPT_DEVICE__ int __ffs(unsigned int x) { return __builtin_ffs((int)x); }
__GPUOPT_DEVICE__ int __ffsll(long long x) { return __builtin_ffsll(x); }
__GPUOPT_DEVICE__ int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
__GPUOPT_DEVICE__ unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__GPUOPT_DEVICE__ unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__GPUOPT_DEVICE__ int __mul24(int x, int y) { return (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8)); }
__GPUOPT_DEVICE__ unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
__GPUOPT_DEVICE__ int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__GPUOPT_DEVICE__ unsigned int __umulhi(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x * y) >> 32); }
__GPUOPT_DEVICE__ long long __mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }
__GPUOPT_DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return (unsigned long long)(((unsigned __int128)x * y) >> 64); }
__GPUOPT_DEVICE__ int mulhi(int x, int y) { return __mulhi(x, y); }
__GPUOPT_DEVICE__ int mul24(int x, int y) { return __mul24(x, y); }
__GPUOPT_DEVICE__ unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
__GPUOPT_DEVICE__ unsigned int __sad(int x, int y, unsigned int z) { return z + (x > y ? (unsigned int)x - y : (unsigned int)y - x); }
__GPUOPT_DEVICE__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return z + (x > y ? x - y : y - x); }
__GPUOPT_DEVICE__ int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__GPUOPT_DEVICE__ int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
__GPUOPT_DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y) >> 1); }
__GPUOPT_DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y + 1) >> 1); }
__GPUOPT_DEVICE__ unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int n) { return __builtin_elementwise_fshl(hi, lo, n); }
__GPUOPT_DEVICE__ unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int n) { return __builtin_elementwise_fshr(hi, lo, n); }
__GPUOPT_DEVICE__ unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int n) { return n >= 32 ? lo : __builtin_elementwise_fshl(hi, lo, n); }
__GPUOPT_DEVICE__ unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int n) { return n >= 32 ? hi : __builtin_elementwise_fshr(hi, lo, n); }
__GPUOPT_DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned long long bytes = ((unsigned long long)y << 32) | x;
  unsigned int result = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    result |= (unsigned int)((bytes >> (((s >> (4 * i)) & 7) * 8)) & 0xff) << (8 * i);
  return result;
}
__GPUOPT_DEVICE__ int __dp4a(int a, int b, int c) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    c += (int)(signed char)(a >> (8 * i)) * (int)(signed char)(b >> (8 * i));
  return c;
}
__GPUOPT_DEVICE__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    c += ((a >> (8 * i)) & 0xff) * ((b >> (8 * i)) & 0xff);
  return c;
}

// The same bits as another type.
__GPUOPT_DEVICE__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__GPUOPT_DEVICE__ unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__GPUOPT_DEVICE__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__GPUOPT_DEVICE__ float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__GPUOPT_DEVICE__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__GPUOPT_DEVICE__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__GPUOPT_DEVICE__ int __double2hiint(double x) { return (int)(__builtin_bit_cast(long long, x) >> 32); }
__GPUOPT_DEVICE__ int __double2loint(double x) { return (int)__builtin_bit_cast(long long, x); }
__GPUOPT_DEVICE__ double __hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, ((unsigned long long)(unsigned int)hi << 32) | (unsigned int)lo);
}

// Conversions, by rounding: rn nearest even, rz towards zero, ru up, rd down.
__GPUOPT_DEVICE__ int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
__GPUOPT_DEVICE__ int __float2int_rz(float x) { return (int)__builtin_truncf(x); }
__GPUOPT_DEVICE__ int __float2int_ru(float x) { return (int)__builtin_ceilf(x); }
__GPUOPT_DEVICE__ int __float2int_rd(float x) { return (int)__builtin_floorf(x); }
__GPUOPT_DEVICE__ unsigned int __float2uint_rn(float x) { return (unsigned int)__builtin_rintf(x); }
__GPUOPT_DEVICE__ unsigned int __float2uint_rz(float x) { return (unsigned int)__builtin_truncf(x); }
__GPUOPT_DEVICE__ unsigned int __float2uint_ru(float x) { return (unsigned int)__builtin_ceilf(x); }
__GPUOPT_DEVICE__ unsigned int __float2uint_rd(float x) { return (unsigned int)__builtin_floorf(x); }
__GPUOPT_DEVICE__ long long __float2ll_rn(float x) { return (long long)__builtin_rintf(x); }
__GPUOPT_DEVICE__ long long __float2ll_rz(float x) { return (long long)__builtin_truncf(x); }
__GPUOPT_DEVICE__ long long __float2ll_ru(float x) { return (long long)__builtin_ceilf(x); }
__GPUOPT_DEVICE__ long long __float2ll_rd(float x) { return (long long)__builtin_floorf(x); }
__GPUOPT_DEVICE__ unsigned long long __float2ull_rn(float x) { return (unsigned long long)__builtin_rintf(x); }
__GPUOPT_DEVICE__ unsigned long long __float2ull_rz(float x) { return (unsigned long long)__builtin_truncf(x); }
__GPUOPT_DEVICE__ unsigned long long __float2ull_ru(float x) { return (unsigned long long)__builtin_ceilf(x); }
__GPUOPT_DEVICE__ unsigned long long __float2ull_rd(float x) { return (unsigned long long)__builtin_floorf(x); }
__GPUOPT_DEVICE__ int __double2int_rn(double x) { return (int)__builtin_rint(x); }
__GPUOPT_DEVICE__ int __double2int_rz(double x) { return (int)__builtin_trunc(x); }
__GPUOPT_DEVICE__ int __double2int_ru(double x) { return (int)__builtin_ceil(x); }
__GPUOPT_DEVICE__ int __double2int_rd(double x) { return (int)__builtin_floor(x); }
__GPUOPT_DEVICE__ unsigned int __double2uint_rn(double x) { return (unsigned int)__builtin_rint(x); }
__GPUOPT_DEVICE__ unsigned int __double2uint_rz(double x) { return (unsigned int)__builtin_trunc(x); }
__GPUOPT_DEVICE__ unsigned int __double2uint_ru(double x) { return (unsigned int)__builtin_ceil(x); }
__GPUOPT_DEVICE__ unsigned int __double2uint_rd(double x) { return (unsigned int)__builtin_floor(x); }
__GPUOPT_DEVICE__ long long __double2ll_rn(double x) { return (long long)__builtin_rint(x); }
__GPUOPT_DEVICE__ long long __double2ll_rz(double x) { return (long long)__builtin_trunc(x); }
__GPUOPT_DEVICE__ long long __double2ll_ru(double x) { return (long long)__builtin_ceil(x); }
__GPUOPT_DEVICE__ long long __double2ll_rd(double x) { return (long long)__builtin_floor(x); }
__GPUOPT_DEVICE__ unsigned long long __double2ull_rn(double x) { return (unsigned long long)__builtin_rint(x); }
__GPUOPT_DEVICE__ unsigned long long __double2ull_rz(double x) { return (unsigned long long)__builtin_trunc(x); }
__GPUOPT_DEVICE__ unsigned long long __double2ull_ru(double x) { return (unsigned long long)__builtin_ceil(x); }
__GPUOPT_DEVICE__ unsigned long long __double2ull_rd(double x) { return (unsigned long long)__builtin_floor(x); }
__GPUOPT_DEVICE__ float __int2float_rn(int x) { return (float)x; }
__GPUOPT_DEVICE__ double __int2double_rn(int x) { return (double)x; }
__GPUOPT_DEVICE__ float __uint2float_rn(unsigned int x) { return (float)x; }
__GPUOPT_DEVICE__ double __uint2double_rn(unsigned int x) { return (double)x; }
__GPUOPT_DEVICE__ float __ll2float_rn(long long x) { return (float)x; }
__GPUOPT_DEVICE__ double __ll2double_rn(long long x) { return (double)x; }
__GPUOPT_DEVICE__ float __ull2float_rn(unsigned long long x) { return (float)x; }
__GPUOPT_DEVICE__ double __ull2double_rn(unsigned long long x) { return (double)x; }
__GPUOPT_DEVICE__ float __double2float_rn(double x) { return (float)x; }
