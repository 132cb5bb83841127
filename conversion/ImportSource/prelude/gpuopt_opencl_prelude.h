//===- gpuopt_opencl_prelude.h - the built-in functions of OpenCL C -------===//
//
// Included before every OpenCL C file. Work-item functions and barriers become
// the same `__gpuopt_*` calls as in CUDA; mathematics becomes LLVM intrinsics.
// What is not here is declared by Clang and diagnosed when a kernel uses it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_OPENCL_PRELUDE_H
#define GPUOPT_OPENCL_PRELUDE_H

#include <opencl-c-base.h>

#define PURE __attribute__((const, nothrow))
#define CONVERGENT __attribute__((convergent, nothrow))
#define GPUOPT_DEVICE_FUNCTION(NAME, RESULT, PARAMETERS, ATTRIBUTES, MEANING)  \
  ATTRIBUTES RESULT __gpuopt_##NAME PARAMETERS;
#include "gpuopt/DeviceFunctions.def"
#undef PURE
#undef CONVERGENT

#define __GPUOPT_CL__ static inline __attribute__((overloadable, always_inline, unused))

// Work items. Ids have 32 bits in hardware.
#define __GPUOPT_ITEM__(NAME, DEFAULT, EXPRESSION)                             \
  __GPUOPT_CL__ size_t NAME(uint d) {                                          \
    return d == 0   ? (size_t)(uint)EXPRESSION(x)                              \
           : d == 1 ? (size_t)(uint)EXPRESSION(y)                              \
           : d == 2 ? (size_t)(uint)EXPRESSION(z)                              \
                    : DEFAULT;                                                 \
  }
#define __GPUOPT_GLOBAL_ID__(D)                                                \
  ((uint)__gpuopt_block_id_##D() * (uint)__gpuopt_block_dim_##D() +            \
   (uint)__gpuopt_thread_id_##D())
#define __GPUOPT_GLOBAL_SIZE__(D)                                              \
  ((uint)__gpuopt_grid_dim_##D() * (uint)__gpuopt_block_dim_##D())
#define __GPUOPT_LOCAL_ID__(D) __gpuopt_thread_id_##D()
#define __GPUOPT_LOCAL_SIZE__(D) __gpuopt_block_dim_##D()
#define __GPUOPT_GROUP_ID__(D) __gpuopt_block_id_##D()
#define __GPUOPT_GROUPS__(D) __gpuopt_grid_dim_##D()
__GPUOPT_ITEM__(get_global_id, 0, __GPUOPT_GLOBAL_ID__)
__GPUOPT_ITEM__(get_global_size, 1, __GPUOPT_GLOBAL_SIZE__)
__GPUOPT_ITEM__(get_local_id, 0, __GPUOPT_LOCAL_ID__)
__GPUOPT_ITEM__(get_local_size, 1, __GPUOPT_LOCAL_SIZE__)
__GPUOPT_ITEM__(get_enqueued_local_size, 1, __GPUOPT_LOCAL_SIZE__)
__GPUOPT_ITEM__(get_group_id, 0, __GPUOPT_GROUP_ID__)
__GPUOPT_ITEM__(get_num_groups, 1, __GPUOPT_GROUPS__)
__GPUOPT_CL__ size_t get_global_offset(uint d) { return 0; }
__GPUOPT_CL__ uint get_work_dim(void) {
  return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
}
__GPUOPT_CL__ void barrier(cl_mem_fence_flags flags) { __gpuopt_barrier(); }
__GPUOPT_CL__ void work_group_barrier(cl_mem_fence_flags flags) { __gpuopt_barrier(); }
__GPUOPT_CL__ void mem_fence(cl_mem_fence_flags flags) { __gpuopt_fence(flags & CLK_GLOBAL_MEM_FENCE ? 1 : 0); }
__GPUOPT_CL__ void read_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }
__GPUOPT_CL__ void write_mem_fence(cl_mem_fence_flags flags) { mem_fence(flags); }
__GPUOPT_CL__ void gpuopt_global_sync(void) { __gpuopt_global_sync(); }
// Output of a kernel is dropped.
#define printf(...) 0

// Every type that a function of one scalar kind exists for.
#define __GPUOPT_VECTORS__(F, T) F(T##2, T) F(T##3, T) F(T##4, T) F(T##8, T) F(T##16, T)
#define __GPUOPT_REALS__(F) F(float, float) F(double, double) __GPUOPT_VECTORS__(F, float) __GPUOPT_VECTORS__(F, double)
#define __GPUOPT_INTEGERS__(F)                                                 \
  F(char, char) F(uchar, uchar) F(short, short) F(ushort, ushort)              \
  F(int, int) F(uint, uint) F(long, long) F(ulong, ulong)                      \
  __GPUOPT_VECTORS__(F, char) __GPUOPT_VECTORS__(F, uchar)                     \
  __GPUOPT_VECTORS__(F, short) __GPUOPT_VECTORS__(F, ushort)                   \
  __GPUOPT_VECTORS__(F, int) __GPUOPT_VECTORS__(F, uint)                       \
  __GPUOPT_VECTORS__(F, long) __GPUOPT_VECTORS__(F, ulong)

#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V sin(V x) { return __builtin_elementwise_sin(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V cos(V x) { return __builtin_elementwise_cos(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V tan(V x) { return __builtin_elementwise_tan(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V asin(V x) { return __builtin_elementwise_asin(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V acos(V x) { return __builtin_elementwise_acos(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V atan(V x) { return __builtin_elementwise_atan(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V sinh(V x) { return __builtin_elementwise_sinh(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V cosh(V x) { return __builtin_elementwise_cosh(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V tanh(V x) { return __builtin_elementwise_tanh(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V exp(V x) { return __builtin_elementwise_exp(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V exp2(V x) { return __builtin_elementwise_exp2(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V exp10(V x) { return __builtin_elementwise_exp10(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V log(V x) { return __builtin_elementwise_log(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V log2(V x) { return __builtin_elementwise_log2(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V log10(V x) { return __builtin_elementwise_log10(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V sqrt(V x) { return __builtin_elementwise_sqrt(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fabs(V x) { return __builtin_elementwise_abs(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V floor(V x) { return __builtin_elementwise_floor(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V ceil(V x) { return __builtin_elementwise_ceil(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V trunc(V x) { return __builtin_elementwise_trunc(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V round(V x) { return __builtin_elementwise_round(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V rint(V x) { return __builtin_elementwise_rint(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define native_sin(x) sin(x)
#define half_sin(x) sin(x)
#define native_cos(x) cos(x)
#define half_cos(x) cos(x)
#define native_tan(x) tan(x)
#define half_tan(x) tan(x)
#define native_exp(x) exp(x)
#define half_exp(x) exp(x)
#define native_exp2(x) exp2(x)
#define half_exp2(x) exp2(x)
#define native_exp10(x) exp10(x)
#define half_exp10(x) exp10(x)
#define native_log(x) log(x)
#define half_log(x) log(x)
#define native_log2(x) log2(x)
#define half_log2(x) log2(x)
#define native_log10(x) log10(x)
#define half_log10(x) log10(x)
#define native_sqrt(x) sqrt(x)
#define half_sqrt(x) sqrt(x)
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V rsqrt(V x) { return (S)1 / __builtin_elementwise_sqrt(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V native_rsqrt(V x) { return (S)1 / __builtin_elementwise_sqrt(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V half_rsqrt(V x) { return (S)1 / __builtin_elementwise_sqrt(x); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V native_recip(V x) { return (S)1 / x; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V half_recip(V x) { return (S)1 / x; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V degrees(V x) { return x * (S)57.29577951308232; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V radians(V x) { return x * (S)0.017453292519943295; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V sinpi(V x) { return __builtin_elementwise_sin(x * (S)M_PI); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V cospi(V x) { return __builtin_elementwise_cos(x * (S)M_PI); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V pow(V x, V y) { return __builtin_elementwise_pow(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V powr(V x, V y) { return __builtin_elementwise_pow(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V atan2(V x, V y) { return __builtin_elementwise_atan2(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fmod(V x, V y) { return __builtin_elementwise_fmod(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V copysign(V x, V y) { return __builtin_elementwise_copysign(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fmax(V x, V y) { return __builtin_elementwise_maxnum(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fmin(V x, V y) { return __builtin_elementwise_minnum(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V max(V x, V y) { return __builtin_elementwise_maxnum(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V min(V x, V y) { return __builtin_elementwise_minnum(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V native_divide(V x, V y) { return x / y; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V half_divide(V x, V y) { return x / y; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V native_powr(V x, V y) { return __builtin_elementwise_pow(x, y); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fdim(V x, V y) { return x <= y ? (V)0 : x - y; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fmax(V x, S y) { return fmax(x, (V)y); }
__GPUOPT_VECTORS__(__GPUOPT_F__, float) __GPUOPT_VECTORS__(__GPUOPT_F__, double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fmin(V x, S y) { return fmin(x, (V)y); }
__GPUOPT_VECTORS__(__GPUOPT_F__, float) __GPUOPT_VECTORS__(__GPUOPT_F__, double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V max(V x, S y) { return max(x, (V)y); }
__GPUOPT_VECTORS__(__GPUOPT_F__, float) __GPUOPT_VECTORS__(__GPUOPT_F__, double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V min(V x, S y) { return min(x, (V)y); }
__GPUOPT_VECTORS__(__GPUOPT_F__, float) __GPUOPT_VECTORS__(__GPUOPT_F__, double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V fma(V x, V y, V z) { return __builtin_elementwise_fma(x, y, z); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V mad(V x, V y, V z) { return x * y + z; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V mix(V x, V y, V a) { return x + (y - x) * a; }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V clamp(V x, V lo, V hi) { return __builtin_elementwise_minnum(__builtin_elementwise_maxnum(x, lo), hi); }
__GPUOPT_REALS__(__GPUOPT_F__)
#undef __GPUOPT_F__
#define __GPUOPT_F__(V, S) __GPUOPT_CL__ V clamp(V x, S lo, S hi) { return clamp(x, (V)lo, (V)hi); }
__GPUOPT_VECTORS__(__GPUOPT_F__, float) __GPUOPT_VECTORS__(__GPUOPT_F__, double)
#undef __GPUOPT_F__

// Functions without an intrinsic, for scalars.
__GPUOPT_CL__ float erf(float x) { return __builtin_erff(x); }
__GPUOPT_CL__ double erf(double x) { return __builtin_erf(x); }
__GPUOPT_CL__ float erfc(float x) { return __builtin_erfcf(x); }
__GPUOPT_CL__ double erfc(double x) { return __builtin_erfc(x); }
__GPUOPT_CL__ float cbrt(float x) { return __builtin_cbrtf(x); }
__GPUOPT_CL__ double cbrt(double x) { return __builtin_cbrt(x); }
__GPUOPT_CL__ float expm1(float x) { return __builtin_expm1f(x); }
__GPUOPT_CL__ double expm1(double x) { return __builtin_expm1(x); }
__GPUOPT_CL__ float log1p(float x) { return __builtin_log1pf(x); }
__GPUOPT_CL__ double log1p(double x) { return __builtin_log1p(x); }
__GPUOPT_CL__ float asinh(float x) { return __builtin_asinhf(x); }
__GPUOPT_CL__ double asinh(double x) { return __builtin_asinh(x); }
__GPUOPT_CL__ float acosh(float x) { return __builtin_acoshf(x); }
__GPUOPT_CL__ double acosh(double x) { return __builtin_acosh(x); }
__GPUOPT_CL__ float atanh(float x) { return __builtin_atanhf(x); }
__GPUOPT_CL__ double atanh(double x) { return __builtin_atanh(x); }
__GPUOPT_CL__ float tgamma(float x) { return __builtin_tgammaf(x); }
__GPUOPT_CL__ double tgamma(double x) { return __builtin_tgamma(x); }
__GPUOPT_CL__ float lgamma(float x) { return __builtin_lgammaf(x); }
__GPUOPT_CL__ double lgamma(double x) { return __builtin_lgamma(x); }
__GPUOPT_CL__ float hypot(float x, float y) { return __builtin_hypotf(x, y); }
__GPUOPT_CL__ double hypot(double x, double y) { return __builtin_hypot(x, y); }
__GPUOPT_CL__ float remainder(float x, float y) { return __builtin_remainderf(x, y); }
__GPUOPT_CL__ double remainder(double x, double y) { return __builtin_remainder(x, y); }
__GPUOPT_CL__ float nextafter(float x, float y) { return __builtin_nextafterf(x, y); }
__GPUOPT_CL__ double nextafter(double x, double y) { return __builtin_nextafter(x, y); }
__GPUOPT_CL__ float pown(float x, int n) { return __builtin_powif(x, n); }
__GPUOPT_CL__ float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
__GPUOPT_CL__ int isnan(float x) { return __builtin_isnan(x); }
__GPUOPT_CL__ int isinf(float x) { return __builtin_isinf(x); }
__GPUOPT_CL__ int isfinite(float x) { return __builtin_isfinite(x); }
__GPUOPT_CL__ int signbit(float x) { return __builtin_signbit(x); }
__GPUOPT_CL__ float sign(float x) { return x > 0 ? (float)1 : x < 0 ? (float)-1 : (float)0; }
__GPUOPT_CL__ float step(float edge, float x) { return x < edge ? (float)0 : (float)1; }
__GPUOPT_CL__ float smoothstep(float a, float b, float x) {
  float v = clamp((x - a) / (b - a), (float)0, (float)1);
  return v * v * (3 - 2 * v);
}
__GPUOPT_CL__ float dot(float a, float b) { return a * b; }
__GPUOPT_CL__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__GPUOPT_CL__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__GPUOPT_CL__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__GPUOPT_CL__ float3 cross(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
__GPUOPT_CL__ float length(float a) { return fabs(a); }
__GPUOPT_CL__ float length(float2 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ float distance(float2 a, float2 b) { return length(a - b); }
__GPUOPT_CL__ float2 normalize(float2 a) { return a * rsqrt(dot(a, a)); }
__GPUOPT_CL__ float length(float3 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ float distance(float3 a, float3 b) { return length(a - b); }
__GPUOPT_CL__ float3 normalize(float3 a) { return a * rsqrt(dot(a, a)); }
__GPUOPT_CL__ float length(float4 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ float distance(float4 a, float4 b) { return length(a - b); }
__GPUOPT_CL__ float4 normalize(float4 a) { return a * rsqrt(dot(a, a)); }
__GPUOPT_CL__ double pown(double x, int n) { return __builtin_powi(x, n); }
__GPUOPT_CL__ double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
__GPUOPT_CL__ int isnan(double x) { return __builtin_isnan(x); }
__GPUOPT_CL__ int isinf(double x) { return __builtin_isinf(x); }
__GPUOPT_CL__ int isfinite(double x) { return __builtin_isfinite(x); }
__GPUOPT_CL__ int signbit(double x) { return __builtin_signbit(x); }
__GPUOPT_CL__ double sign(double x) { return x > 0 ? (double)1 : x < 0 ? (double)-1 : (double)0; }
__GPUOPT_CL__ double step(double edge, double x) { return x < edge ? (double)0 : (double)1; }
__GPUOPT_CL__ double smoothstep(double a, double b, double x) {
  double v = clamp((x - a) / (b - a), (double)0, (double)1);
  return v * v * (3 - 2 * v);
}
__GPUOPT_CL__ double dot(double a, double b) { return a * b; }
__GPUOPT_CL__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }
__GPUOPT_CL__ double dot(double3 a, double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__GPUOPT_CL__ double dot(double4 a, double4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__GPUOPT_CL__ double3 cross(double3 a, double3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
__GPUOPT_CL__ double length(double a) { return fabs(a); }
__GPUOPT_CL__ double length(double2 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ double distance(double2 a, double2 b) { return length(a - b); }
__GPUOPT_CL__ double2 normalize(double2 a) { return a * rsqrt(dot(a, a)); }
__GPUOPT_CL__ double length(double3 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ double distance(double3 a, double3 b) { return length(a - b); }
__GPUOPT_CL__ double3 normalize(double3 a) { return a * rsqrt(dot(a, a)); }
__GPUOPT_CL__ double length(double4 a) { return sqrt(dot(a, a)); }
__GPUOPT_CL__ double distance(double4 a, double4 b) { return length(a - b); }
__GPUOPT_CL__ double4 normalize(double4 a) { return a * rsqrt(dot(a, a)); }
#define fast_length(v) length(v)
#define fast_distance(a, b) distance(a, b)
#define fast_normalize(v) normalize(v)

// Integers.
#define __GPUOPT_F__(V, S)                                                      \
  __GPUOPT_CL__ V max(V x, V y) { return __builtin_elementwise_max(x, y); }    \
  __GPUOPT_CL__ V min(V x, V y) { return __builtin_elementwise_min(x, y); }    \
  __GPUOPT_CL__ V clamp(V x, V lo, V hi) { return min(max(x, lo), hi); }       \
  __GPUOPT_CL__ V popcount(V x) { return __builtin_elementwise_popcount(x); }  \
  __GPUOPT_CL__ V add_sat(V x, V y) { return __builtin_elementwise_add_sat(x, y); } \
  __GPUOPT_CL__ V sub_sat(V x, V y) { return __builtin_elementwise_sub_sat(x, y); }
__GPUOPT_INTEGERS__(__GPUOPT_F__)
#undef __GPUOPT_F__
// Unsigned: a product of 24 bits may leave `int`, of which the low 32 count.
#define __GPUOPT_F__(V, U)                                                      \
  __GPUOPT_CL__ U mad24(U x, U y, U z) { return x * y + z; }                   \
  __GPUOPT_CL__ V mad24(V x, V y, V z) {                                       \
    return __builtin_bit_cast(                                                 \
        V, mad24(__builtin_bit_cast(U, x), __builtin_bit_cast(U, y),           \
                 __builtin_bit_cast(U, z)));                                   \
  }                                                                            \
  __GPUOPT_CL__ U mul24(U x, U y) { return x * y; }                            \
  __GPUOPT_CL__ V mul24(V x, V y) { return mad24(x, y, (V)0); }
__GPUOPT_F__(int, uint) __GPUOPT_F__(int2, uint2) __GPUOPT_F__(int3, uint3)
__GPUOPT_F__(int4, uint4) __GPUOPT_F__(int8, uint8) __GPUOPT_F__(int16, uint16)
#undef __GPUOPT_F__
__GPUOPT_CL__ uchar abs(char x) { return x < 0 ? (uchar)0 - (uchar)x : (uchar)x; }
__GPUOPT_CL__ uchar abs(uchar x) { return x; }
__GPUOPT_CL__ ushort abs(short x) { return x < 0 ? (ushort)0 - (ushort)x : (ushort)x; }
__GPUOPT_CL__ ushort abs(ushort x) { return x; }
__GPUOPT_CL__ uint abs(int x) { return x < 0 ? (uint)0 - (uint)x : (uint)x; }
__GPUOPT_CL__ uint abs(uint x) { return x; }
__GPUOPT_CL__ ulong abs(long x) { return x < 0 ? (ulong)0 - (ulong)x : (ulong)x; }
__GPUOPT_CL__ ulong abs(ulong x) { return x; }
__GPUOPT_CL__ int mul_hi(int x, int y) { return (int)(((long)x * y) >> 32); }
__GPUOPT_CL__ int clz(int x) { return __builtin_clzg((uint)x, 32); }
__GPUOPT_CL__ int rotate(int x, int n) { return (int)__builtin_elementwise_fshl((uint)x, (uint)x, (uint)n); }
__GPUOPT_CL__ int hadd(int x, int y) { return (int)(((long)x + y) >> 1); }
__GPUOPT_CL__ uint mul_hi(uint x, uint y) { return (uint)(((ulong)x * y) >> 32); }
__GPUOPT_CL__ uint clz(uint x) { return __builtin_clzg((uint)x, 32); }
__GPUOPT_CL__ uint rotate(uint x, uint n) { return (uint)__builtin_elementwise_fshl((uint)x, (uint)x, (uint)n); }
__GPUOPT_CL__ uint hadd(uint x, uint y) { return (uint)(((ulong)x + y) >> 1); }
__GPUOPT_CL__ ulong rotate(ulong x, ulong n) { return __builtin_elementwise_fshl(x, x, n); }
#define __GPUOPT_F__(S) __GPUOPT_CL__ S select(S a, S b, int c) { return c ? b : a; } __GPUOPT_CL__ S select(S a, S b, uint c) { return c ? b : a; }
__GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(float)
#undef __GPUOPT_F__

// Vectors in memory, one element at a time.
__GPUOPT_CL__ char2 vload2(size_t i, const char *p) { return (char2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ char2 vload2(size_t i, const __constant char *p) { return (char2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(char2 v, size_t i, char *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ char3 vload3(size_t i, const char *p) { return (char3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ char3 vload3(size_t i, const __constant char *p) { return (char3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(char3 v, size_t i, char *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ char4 vload4(size_t i, const char *p) { return (char4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ char4 vload4(size_t i, const __constant char *p) { return (char4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(char4 v, size_t i, char *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ char8 vload8(size_t i, const char *p) { return (char8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ char8 vload8(size_t i, const __constant char *p) { return (char8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(char8 v, size_t i, char *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ char16 vload16(size_t i, const char *p) { return (char16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ char16 vload16(size_t i, const __constant char *p) { return (char16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(char16 v, size_t i, char *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ uchar2 vload2(size_t i, const uchar *p) { return (uchar2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ uchar2 vload2(size_t i, const __constant uchar *p) { return (uchar2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(uchar2 v, size_t i, uchar *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ uchar3 vload3(size_t i, const uchar *p) { return (uchar3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ uchar3 vload3(size_t i, const __constant uchar *p) { return (uchar3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(uchar3 v, size_t i, uchar *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ uchar4 vload4(size_t i, const uchar *p) { return (uchar4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ uchar4 vload4(size_t i, const __constant uchar *p) { return (uchar4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(uchar4 v, size_t i, uchar *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ uchar8 vload8(size_t i, const uchar *p) { return (uchar8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ uchar8 vload8(size_t i, const __constant uchar *p) { return (uchar8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(uchar8 v, size_t i, uchar *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ uchar16 vload16(size_t i, const uchar *p) { return (uchar16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ uchar16 vload16(size_t i, const __constant uchar *p) { return (uchar16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(uchar16 v, size_t i, uchar *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ short2 vload2(size_t i, const short *p) { return (short2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ short2 vload2(size_t i, const __constant short *p) { return (short2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(short2 v, size_t i, short *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ short3 vload3(size_t i, const short *p) { return (short3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ short3 vload3(size_t i, const __constant short *p) { return (short3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(short3 v, size_t i, short *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ short4 vload4(size_t i, const short *p) { return (short4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ short4 vload4(size_t i, const __constant short *p) { return (short4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(short4 v, size_t i, short *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ short8 vload8(size_t i, const short *p) { return (short8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ short8 vload8(size_t i, const __constant short *p) { return (short8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(short8 v, size_t i, short *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ short16 vload16(size_t i, const short *p) { return (short16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ short16 vload16(size_t i, const __constant short *p) { return (short16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(short16 v, size_t i, short *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ ushort2 vload2(size_t i, const ushort *p) { return (ushort2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ ushort2 vload2(size_t i, const __constant ushort *p) { return (ushort2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(ushort2 v, size_t i, ushort *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ ushort3 vload3(size_t i, const ushort *p) { return (ushort3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ ushort3 vload3(size_t i, const __constant ushort *p) { return (ushort3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(ushort3 v, size_t i, ushort *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ ushort4 vload4(size_t i, const ushort *p) { return (ushort4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ ushort4 vload4(size_t i, const __constant ushort *p) { return (ushort4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(ushort4 v, size_t i, ushort *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ ushort8 vload8(size_t i, const ushort *p) { return (ushort8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ ushort8 vload8(size_t i, const __constant ushort *p) { return (ushort8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(ushort8 v, size_t i, ushort *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ ushort16 vload16(size_t i, const ushort *p) { return (ushort16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ ushort16 vload16(size_t i, const __constant ushort *p) { return (ushort16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(ushort16 v, size_t i, ushort *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ int2 vload2(size_t i, const int *p) { return (int2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ int2 vload2(size_t i, const __constant int *p) { return (int2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(int2 v, size_t i, int *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ int3 vload3(size_t i, const int *p) { return (int3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ int3 vload3(size_t i, const __constant int *p) { return (int3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(int3 v, size_t i, int *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ int4 vload4(size_t i, const int *p) { return (int4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ int4 vload4(size_t i, const __constant int *p) { return (int4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(int4 v, size_t i, int *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ int8 vload8(size_t i, const int *p) { return (int8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ int8 vload8(size_t i, const __constant int *p) { return (int8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(int8 v, size_t i, int *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ int16 vload16(size_t i, const int *p) { return (int16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ int16 vload16(size_t i, const __constant int *p) { return (int16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(int16 v, size_t i, int *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ uint2 vload2(size_t i, const uint *p) { return (uint2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ uint2 vload2(size_t i, const __constant uint *p) { return (uint2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(uint2 v, size_t i, uint *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ uint3 vload3(size_t i, const uint *p) { return (uint3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ uint3 vload3(size_t i, const __constant uint *p) { return (uint3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(uint3 v, size_t i, uint *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ uint4 vload4(size_t i, const uint *p) { return (uint4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ uint4 vload4(size_t i, const __constant uint *p) { return (uint4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(uint4 v, size_t i, uint *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ uint8 vload8(size_t i, const uint *p) { return (uint8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ uint8 vload8(size_t i, const __constant uint *p) { return (uint8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(uint8 v, size_t i, uint *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ uint16 vload16(size_t i, const uint *p) { return (uint16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ uint16 vload16(size_t i, const __constant uint *p) { return (uint16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(uint16 v, size_t i, uint *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ long2 vload2(size_t i, const long *p) { return (long2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ long2 vload2(size_t i, const __constant long *p) { return (long2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(long2 v, size_t i, long *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ long3 vload3(size_t i, const long *p) { return (long3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ long3 vload3(size_t i, const __constant long *p) { return (long3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(long3 v, size_t i, long *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ long4 vload4(size_t i, const long *p) { return (long4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ long4 vload4(size_t i, const __constant long *p) { return (long4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(long4 v, size_t i, long *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ long8 vload8(size_t i, const long *p) { return (long8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ long8 vload8(size_t i, const __constant long *p) { return (long8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(long8 v, size_t i, long *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ long16 vload16(size_t i, const long *p) { return (long16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ long16 vload16(size_t i, const __constant long *p) { return (long16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(long16 v, size_t i, long *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ ulong2 vload2(size_t i, const ulong *p) { return (ulong2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ ulong2 vload2(size_t i, const __constant ulong *p) { return (ulong2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(ulong2 v, size_t i, ulong *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ ulong3 vload3(size_t i, const ulong *p) { return (ulong3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ ulong3 vload3(size_t i, const __constant ulong *p) { return (ulong3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(ulong3 v, size_t i, ulong *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ ulong4 vload4(size_t i, const ulong *p) { return (ulong4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ ulong4 vload4(size_t i, const __constant ulong *p) { return (ulong4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(ulong4 v, size_t i, ulong *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ ulong8 vload8(size_t i, const ulong *p) { return (ulong8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ ulong8 vload8(size_t i, const __constant ulong *p) { return (ulong8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(ulong8 v, size_t i, ulong *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ ulong16 vload16(size_t i, const ulong *p) { return (ulong16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ ulong16 vload16(size_t i, const __constant ulong *p) { return (ulong16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(ulong16 v, size_t i, ulong *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ float2 vload2(size_t i, const float *p) { return (float2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ float2 vload2(size_t i, const __constant float *p) { return (float2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(float2 v, size_t i, float *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ float3 vload3(size_t i, const float *p) { return (float3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ float3 vload3(size_t i, const __constant float *p) { return (float3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(float3 v, size_t i, float *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ float4 vload4(size_t i, const float *p) { return (float4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ float4 vload4(size_t i, const __constant float *p) { return (float4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(float4 v, size_t i, float *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ float8 vload8(size_t i, const float *p) { return (float8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ float8 vload8(size_t i, const __constant float *p) { return (float8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(float8 v, size_t i, float *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ float16 vload16(size_t i, const float *p) { return (float16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ float16 vload16(size_t i, const __constant float *p) { return (float16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(float16 v, size_t i, float *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }
__GPUOPT_CL__ double2 vload2(size_t i, const double *p) { return (double2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ double2 vload2(size_t i, const __constant double *p) { return (double2)(p[2 * i + 0], p[2 * i + 1]); }
__GPUOPT_CL__ void vstore2(double2 v, size_t i, double *p) { p[2 * i + 0] = v.s0; p[2 * i + 1] = v.s1; }
__GPUOPT_CL__ double3 vload3(size_t i, const double *p) { return (double3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ double3 vload3(size_t i, const __constant double *p) { return (double3)(p[3 * i + 0], p[3 * i + 1], p[3 * i + 2]); }
__GPUOPT_CL__ void vstore3(double3 v, size_t i, double *p) { p[3 * i + 0] = v.s0; p[3 * i + 1] = v.s1; p[3 * i + 2] = v.s2; }
__GPUOPT_CL__ double4 vload4(size_t i, const double *p) { return (double4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ double4 vload4(size_t i, const __constant double *p) { return (double4)(p[4 * i + 0], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]); }
__GPUOPT_CL__ void vstore4(double4 v, size_t i, double *p) { p[4 * i + 0] = v.s0; p[4 * i + 1] = v.s1; p[4 * i + 2] = v.s2; p[4 * i + 3] = v.s3; }
__GPUOPT_CL__ double8 vload8(size_t i, const double *p) { return (double8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ double8 vload8(size_t i, const __constant double *p) { return (double8)(p[8 * i + 0], p[8 * i + 1], p[8 * i + 2], p[8 * i + 3], p[8 * i + 4], p[8 * i + 5], p[8 * i + 6], p[8 * i + 7]); }
__GPUOPT_CL__ void vstore8(double8 v, size_t i, double *p) { p[8 * i + 0] = v.s0; p[8 * i + 1] = v.s1; p[8 * i + 2] = v.s2; p[8 * i + 3] = v.s3; p[8 * i + 4] = v.s4; p[8 * i + 5] = v.s5; p[8 * i + 6] = v.s6; p[8 * i + 7] = v.s7; }
__GPUOPT_CL__ double16 vload16(size_t i, const double *p) { return (double16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ double16 vload16(size_t i, const __constant double *p) { return (double16)(p[16 * i + 0], p[16 * i + 1], p[16 * i + 2], p[16 * i + 3], p[16 * i + 4], p[16 * i + 5], p[16 * i + 6], p[16 * i + 7], p[16 * i + 8], p[16 * i + 9], p[16 * i + 10], p[16 * i + 11], p[16 * i + 12], p[16 * i + 13], p[16 * i + 14], p[16 * i + 15]); }
__GPUOPT_CL__ void vstore16(double16 v, size_t i, double *p) { p[16 * i + 0] = v.s0; p[16 * i + 1] = v.s1; p[16 * i + 2] = v.s2; p[16 * i + 3] = v.s3; p[16 * i + 4] = v.s4; p[16 * i + 5] = v.s5; p[16 * i + 6] = v.s6; p[16 * i + 7] = v.s7; p[16 * i + 8] = v.s8; p[16 * i + 9] = v.s9; p[16 * i + 10] = v.sa; p[16 * i + 11] = v.sb; p[16 * i + 12] = v.sc; p[16 * i + 13] = v.sd; p[16 * i + 14] = v.se; p[16 * i + 15] = v.sf; }

// Conversions.
#define __GPUOPT_F__(S) __GPUOPT_CL__ char convert_char(S x) { return (char)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ char2 convert_char2(S##2 x) { return __builtin_convertvector(x, char2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ char3 convert_char3(S##3 x) { return __builtin_convertvector(x, char3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ char4 convert_char4(S##4 x) { return __builtin_convertvector(x, char4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ char8 convert_char8(S##8 x) { return __builtin_convertvector(x, char8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ char16 convert_char16(S##16 x) { return __builtin_convertvector(x, char16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar convert_uchar(S x) { return (uchar)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar2 convert_uchar2(S##2 x) { return __builtin_convertvector(x, uchar2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar3 convert_uchar3(S##3 x) { return __builtin_convertvector(x, uchar3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar4 convert_uchar4(S##4 x) { return __builtin_convertvector(x, uchar4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar8 convert_uchar8(S##8 x) { return __builtin_convertvector(x, uchar8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uchar16 convert_uchar16(S##16 x) { return __builtin_convertvector(x, uchar16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short convert_short(S x) { return (short)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short2 convert_short2(S##2 x) { return __builtin_convertvector(x, short2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short3 convert_short3(S##3 x) { return __builtin_convertvector(x, short3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short4 convert_short4(S##4 x) { return __builtin_convertvector(x, short4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short8 convert_short8(S##8 x) { return __builtin_convertvector(x, short8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ short16 convert_short16(S##16 x) { return __builtin_convertvector(x, short16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort convert_ushort(S x) { return (ushort)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort2 convert_ushort2(S##2 x) { return __builtin_convertvector(x, ushort2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort3 convert_ushort3(S##3 x) { return __builtin_convertvector(x, ushort3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort4 convert_ushort4(S##4 x) { return __builtin_convertvector(x, ushort4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort8 convert_ushort8(S##8 x) { return __builtin_convertvector(x, ushort8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ushort16 convert_ushort16(S##16 x) { return __builtin_convertvector(x, ushort16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int convert_int(S x) { return (int)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int2 convert_int2(S##2 x) { return __builtin_convertvector(x, int2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int3 convert_int3(S##3 x) { return __builtin_convertvector(x, int3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int4 convert_int4(S##4 x) { return __builtin_convertvector(x, int4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int8 convert_int8(S##8 x) { return __builtin_convertvector(x, int8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ int16 convert_int16(S##16 x) { return __builtin_convertvector(x, int16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint convert_uint(S x) { return (uint)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint2 convert_uint2(S##2 x) { return __builtin_convertvector(x, uint2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint3 convert_uint3(S##3 x) { return __builtin_convertvector(x, uint3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint4 convert_uint4(S##4 x) { return __builtin_convertvector(x, uint4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint8 convert_uint8(S##8 x) { return __builtin_convertvector(x, uint8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ uint16 convert_uint16(S##16 x) { return __builtin_convertvector(x, uint16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long convert_long(S x) { return (long)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long2 convert_long2(S##2 x) { return __builtin_convertvector(x, long2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long3 convert_long3(S##3 x) { return __builtin_convertvector(x, long3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long4 convert_long4(S##4 x) { return __builtin_convertvector(x, long4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long8 convert_long8(S##8 x) { return __builtin_convertvector(x, long8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ long16 convert_long16(S##16 x) { return __builtin_convertvector(x, long16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong convert_ulong(S x) { return (ulong)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong2 convert_ulong2(S##2 x) { return __builtin_convertvector(x, ulong2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong3 convert_ulong3(S##3 x) { return __builtin_convertvector(x, ulong3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong4 convert_ulong4(S##4 x) { return __builtin_convertvector(x, ulong4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong8 convert_ulong8(S##8 x) { return __builtin_convertvector(x, ulong8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ ulong16 convert_ulong16(S##16 x) { return __builtin_convertvector(x, ulong16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float convert_float(S x) { return (float)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float2 convert_float2(S##2 x) { return __builtin_convertvector(x, float2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float3 convert_float3(S##3 x) { return __builtin_convertvector(x, float3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float4 convert_float4(S##4 x) { return __builtin_convertvector(x, float4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float8 convert_float8(S##8 x) { return __builtin_convertvector(x, float8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ float16 convert_float16(S##16 x) { return __builtin_convertvector(x, float16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double convert_double(S x) { return (double)x; }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double2 convert_double2(S##2 x) { return __builtin_convertvector(x, double2); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double3 convert_double3(S##3 x) { return __builtin_convertvector(x, double3); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double4 convert_double4(S##4 x) { return __builtin_convertvector(x, double4); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double8 convert_double8(S##8 x) { return __builtin_convertvector(x, double8); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
#define __GPUOPT_F__(S) __GPUOPT_CL__ double16 convert_double16(S##16 x) { return __builtin_convertvector(x, double16); }
__GPUOPT_F__(char) __GPUOPT_F__(uchar) __GPUOPT_F__(short) __GPUOPT_F__(ushort) __GPUOPT_F__(int) __GPUOPT_F__(uint) __GPUOPT_F__(long) __GPUOPT_F__(ulong) __GPUOPT_F__(float) __GPUOPT_F__(double)
#undef __GPUOPT_F__
__GPUOPT_CL__ int convert_int_rte(float x) { return (int)__builtin_rintf(x); }
__GPUOPT_CL__ int convert_int_rtz(float x) { return (int)__builtin_truncf(x); }
__GPUOPT_CL__ int convert_int_rtp(float x) { return (int)__builtin_ceilf(x); }
__GPUOPT_CL__ int convert_int_rtn(float x) { return (int)__builtin_floorf(x); }
__GPUOPT_CL__ uint convert_uint_rte(float x) { return (uint)__builtin_rintf(x); }
__GPUOPT_CL__ uint convert_uint_rtz(float x) { return (uint)__builtin_truncf(x); }
__GPUOPT_CL__ uint convert_uint_rtp(float x) { return (uint)__builtin_ceilf(x); }
__GPUOPT_CL__ uint convert_uint_rtn(float x) { return (uint)__builtin_floorf(x); }
__GPUOPT_CL__ uchar convert_uchar_sat(int x) { return (uchar)clamp(x, 0, 255); }
__GPUOPT_CL__ uchar convert_uchar_sat(float x) { return (uchar)clamp(x, 0.0f, 255.0f); }
__GPUOPT_CL__ char convert_char_sat(int x) { return (char)clamp(x, -128, 127); }
__GPUOPT_CL__ char convert_char_sat(float x) { return (char)clamp(x, -128.0f, 127.0f); }
__GPUOPT_CL__ ushort convert_ushort_sat(int x) { return (ushort)clamp(x, 0, 65535); }
__GPUOPT_CL__ ushort convert_ushort_sat(float x) { return (ushort)clamp(x, 0.0f, 65535.0f); }
__GPUOPT_CL__ short convert_short_sat(int x) { return (short)clamp(x, -32768, 32767); }
__GPUOPT_CL__ short convert_short_sat(float x) { return (short)clamp(x, -32768.0f, 32767.0f); }

// Atomics of OpenCL 1.x, under both of their prefixes. They are declared for
// volatile memory so that they take all of it; the update itself is like others.
#define __GPUOPT_ATOMIC__(NAME, T, OPERATION)                                  \
  __GPUOPT_CL__ T atomic_##NAME(volatile T *p, T v) {                          \
    return __scoped_atomic_##OPERATION((T *)p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); \
  }                                                                            \
  __GPUOPT_CL__ T atom_##NAME(volatile T *p, T v) { return atomic_##NAME(p, v); }
#define __GPUOPT_ATOMICS__(T)                                                  \
  __GPUOPT_ATOMIC__(add, T, fetch_add) __GPUOPT_ATOMIC__(sub, T, fetch_sub)    \
  __GPUOPT_ATOMIC__(min, T, fetch_min) __GPUOPT_ATOMIC__(max, T, fetch_max)    \
  __GPUOPT_ATOMIC__(and, T, fetch_and) __GPUOPT_ATOMIC__(or, T, fetch_or)      \
  __GPUOPT_ATOMIC__(xor, T, fetch_xor) __GPUOPT_ATOMIC__(xchg, T, exchange_n)  \
  __GPUOPT_CL__ T atomic_inc(volatile T *p) { return atomic_add(p, (T)1); }    \
  __GPUOPT_CL__ T atomic_dec(volatile T *p) { return atomic_sub(p, (T)1); }    \
  __GPUOPT_CL__ T atom_inc(volatile T *p) { return atomic_add(p, (T)1); }      \
  __GPUOPT_CL__ T atom_dec(volatile T *p) { return atomic_sub(p, (T)1); }      \
  __GPUOPT_CL__ T atomic_cmpxchg(volatile T *p, T expected, T v) {             \
    __scoped_atomic_compare_exchange_n((T *)p, &expected, v, false, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); \
    return expected;                                                           \
  }                                                                            \
  __GPUOPT_CL__ T atom_cmpxchg(volatile T *p, T expected, T v) { return atomic_cmpxchg(p, expected, v); }
__GPUOPT_ATOMICS__(int)
__GPUOPT_ATOMICS__(uint)
__GPUOPT_ATOMICS__(long)
__GPUOPT_ATOMICS__(ulong)
#undef __GPUOPT_ATOMIC__
#undef __GPUOPT_ATOMICS__

#endif // GPUOPT_OPENCL_PRELUDE_H
