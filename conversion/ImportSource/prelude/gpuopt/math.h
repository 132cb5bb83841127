// Mathematical functions. `__builtin_f` becomes the LLVM intrinsic where there is
// one and a call to C's function else; what C does not know is called by
// CUDA's name, without a body.

#pragma once

// What CUDA's and HIP's runtime headers bring with C's <math.h>, which replaces
// these where it is included.
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

__GPUOPT_DEVICE__ double sin(double x) { return __builtin_sin(x); }
__GPUOPT_DEVICE__ float sinf(float x) { return __builtin_sinf(x); }
__GPUOPT_DEVICE__ float sin(float x) { return __builtin_sinf(x); }
__GPUOPT_DEVICE__ double cos(double x) { return __builtin_cos(x); }
__GPUOPT_DEVICE__ float cosf(float x) { return __builtin_cosf(x); }
__GPUOPT_DEVICE__ float cos(float x) { return __builtin_cosf(x); }
__GPUOPT_DEVICE__ double tan(double x) { return __builtin_tan(x); }
__GPUOPT_DEVICE__ float tanf(float x) { return __builtin_tanf(x); }
__GPUOPT_DEVICE__ float tan(float x) { return __builtin_tanf(x); }
__GPUOPT_DEVICE__ double asin(double x) { return __builtin_asin(x); }
__GPUOPT_DEVICE__ float asinf(float x) { return __builtin_asinf(x); }
__GPUOPT_DEVICE__ float asin(float x) { return __builtin_asinf(x); }
__GPUOPT_DEVICE__ double acos(double x) { return __builtin_acos(x); }
__GPUOPT_DEVICE__ float acosf(float x) { return __builtin_acosf(x); }
__GPUOPT_DEVICE__ float acos(float x) { return __builtin_acosf(x); }
__GPUOPT_DEVICE__ double atan(double x) { return __builtin_atan(x); }
__GPUOPT_DEVICE__ float atanf(float x) { return __builtin_atanf(x); }
__GPUOPT_DEVICE__ float atan(float x) { return __builtin_atanf(x); }
__GPUOPT_DEVICE__ double sinh(double x) { return __builtin_sinh(x); }
__GPUOPT_DEVICE__ float sinhf(float x) { return __builtin_sinhf(x); }
__GPUOPT_DEVICE__ float sinh(float x) { return __builtin_sinhf(x); }
__GPUOPT_DEVICE__ double cosh(double x) { return __builtin_cosh(x); }
__GPUOPT_DEVICE__ float coshf(float x) { return __builtin_coshf(x); }
__GPUOPT_DEVICE__ float cosh(float x) { return __builtin_coshf(x); }
__GPUOPT_DEVICE__ double tanh(double x) { return __builtin_tanh(x); }
__GPUOPT_DEVICE__ float tanhf(float x) { return __builtin_tanhf(x); }
__GPUOPT_DEVICE__ float tanh(float x) { return __builtin_tanhf(x); }
__GPUOPT_DEVICE__ double asinh(double x) { return __builtin_asinh(x); }
__GPUOPT_DEVICE__ float asinhf(float x) { return __builtin_asinhf(x); }
__GPUOPT_DEVICE__ float asinh(float x) { return __builtin_asinhf(x); }
__GPUOPT_DEVICE__ double acosh(double x) { return __builtin_acosh(x); }
__GPUOPT_DEVICE__ float acoshf(float x) { return __builtin_acoshf(x); }
__GPUOPT_DEVICE__ float acosh(float x) { return __builtin_acoshf(x); }
__GPUOPT_DEVICE__ double atanh(double x) { return __builtin_atanh(x); }
__GPUOPT_DEVICE__ float atanhf(float x) { return __builtin_atanhf(x); }
__GPUOPT_DEVICE__ float atanh(float x) { return __builtin_atanhf(x); }
__GPUOPT_DEVICE__ double exp(double x) { return __builtin_exp(x); }
__GPUOPT_DEVICE__ float expf(float x) { return __builtin_expf(x); }
__GPUOPT_DEVICE__ float exp(float x) { return __builtin_expf(x); }
__GPUOPT_DEVICE__ double exp2(double x) { return __builtin_exp2(x); }
__GPUOPT_DEVICE__ float exp2f(float x) { return __builtin_exp2f(x); }
__GPUOPT_DEVICE__ float exp2(float x) { return __builtin_exp2f(x); }
__GPUOPT_DEVICE__ double exp10(double x) { return __builtin_exp10(x); }
__GPUOPT_DEVICE__ float exp10f(float x) { return __builtin_exp10f(x); }
__GPUOPT_DEVICE__ float exp10(float x) { return __builtin_exp10f(x); }
__GPUOPT_DEVICE__ double expm1(double x) { return __builtin_expm1(x); }
__GPUOPT_DEVICE__ float expm1f(float x) { return __builtin_expm1f(x); }
__GPUOPT_DEVICE__ float expm1(float x) { return __builtin_expm1f(x); }
__GPUOPT_DEVICE__ double log(double x) { return __builtin_log(x); }
__GPUOPT_DEVICE__ float logf(float x) { return __builtin_logf(x); }
__GPUOPT_DEVICE__ float log(float x) { return __builtin_logf(x); }
__GPUOPT_DEVICE__ double log2(double x) { return __builtin_log2(x); }
__GPUOPT_DEVICE__ float log2f(float x) { return __builtin_log2f(x); }
__GPUOPT_DEVICE__ float log2(float x) { return __builtin_log2f(x); }
__GPUOPT_DEVICE__ double log10(double x) { return __builtin_log10(x); }
__GPUOPT_DEVICE__ float log10f(float x) { return __builtin_log10f(x); }
__GPUOPT_DEVICE__ float log10(float x) { return __builtin_log10f(x); }
__GPUOPT_DEVICE__ double log1p(double x) { return __builtin_log1p(x); }
__GPUOPT_DEVICE__ float log1pf(float x) { return __builtin_log1pf(x); }
__GPUOPT_DEVICE__ float log1p(float x) { return __builtin_log1pf(x); }
__GPUOPT_DEVICE__ double logb(double x) { return __builtin_logb(x); }
__GPUOPT_DEVICE__ float logbf(float x) { return __builtin_logbf(x); }
__GPUOPT_DEVICE__ float logb(float x) { return __builtin_logbf(x); }
__GPUOPT_DEVICE__ double sqrt(double x) { return __builtin_sqrt(x); }
__GPUOPT_DEVICE__ float sqrtf(float x) { return __builtin_sqrtf(x); }
__GPUOPT_DEVICE__ float sqrt(float x) { return __builtin_sqrtf(x); }
__GPUOPT_DEVICE__ double cbrt(double x) { return __builtin_cbrt(x); }
__GPUOPT_DEVICE__ float cbrtf(float x) { return __builtin_cbrtf(x); }
__GPUOPT_DEVICE__ float cbrt(float x) { return __builtin_cbrtf(x); }
__GPUOPT_DEVICE__ double fabs(double x) { return __builtin_fabs(x); }
__GPUOPT_DEVICE__ float fabsf(float x) { return __builtin_fabsf(x); }
__GPUOPT_DEVICE__ float fabs(float x) { return __builtin_fabsf(x); }
__GPUOPT_DEVICE__ double floor(double x) { return __builtin_floor(x); }
__GPUOPT_DEVICE__ float floorf(float x) { return __builtin_floorf(x); }
__GPUOPT_DEVICE__ float floor(float x) { return __builtin_floorf(x); }
__GPUOPT_DEVICE__ double ceil(double x) { return __builtin_ceil(x); }
__GPUOPT_DEVICE__ float ceilf(float x) { return __builtin_ceilf(x); }
__GPUOPT_DEVICE__ float ceil(float x) { return __builtin_ceilf(x); }
__GPUOPT_DEVICE__ double trunc(double x) { return __builtin_trunc(x); }
__GPUOPT_DEVICE__ float truncf(float x) { return __builtin_truncf(x); }
__GPUOPT_DEVICE__ float trunc(float x) { return __builtin_truncf(x); }
__GPUOPT_DEVICE__ double round(double x) { return __builtin_round(x); }
__GPUOPT_DEVICE__ float roundf(float x) { return __builtin_roundf(x); }
__GPUOPT_DEVICE__ float round(float x) { return __builtin_roundf(x); }
__GPUOPT_DEVICE__ double rint(double x) { return __builtin_rint(x); }
__GPUOPT_DEVICE__ float rintf(float x) { return __builtin_rintf(x); }
__GPUOPT_DEVICE__ float rint(float x) { return __builtin_rintf(x); }
__GPUOPT_DEVICE__ double nearbyint(double x) { return __builtin_nearbyint(x); }
__GPUOPT_DEVICE__ float nearbyintf(float x) { return __builtin_nearbyintf(x); }
__GPUOPT_DEVICE__ float nearbyint(float x) { return __builtin_nearbyintf(x); }
__GPUOPT_DEVICE__ double erf(double x) { return __builtin_erf(x); }
__GPUOPT_DEVICE__ float erff(float x) { return __builtin_erff(x); }
__GPUOPT_DEVICE__ float erf(float x) { return __builtin_erff(x); }
__GPUOPT_DEVICE__ double erfc(double x) { return __builtin_erfc(x); }
__GPUOPT_DEVICE__ float erfcf(float x) { return __builtin_erfcf(x); }
__GPUOPT_DEVICE__ float erfc(float x) { return __builtin_erfcf(x); }
__GPUOPT_DEVICE__ double tgamma(double x) { return __builtin_tgamma(x); }
__GPUOPT_DEVICE__ float tgammaf(float x) { return __builtin_tgammaf(x); }
__GPUOPT_DEVICE__ float tgamma(float x) { return __builtin_tgammaf(x); }
__GPUOPT_DEVICE__ double lgamma(double x) { return __builtin_lgamma(x); }
__GPUOPT_DEVICE__ float lgammaf(float x) { return __builtin_lgammaf(x); }
__GPUOPT_DEVICE__ float lgamma(float x) { return __builtin_lgammaf(x); }
__GPUOPT_DEVICE__ double pow(double x, double y) { return __builtin_pow(x, y); }
__GPUOPT_DEVICE__ float powf(float x, float y) { return __builtin_powf(x, y); }
__GPUOPT_DEVICE__ float pow(float x, float y) { return __builtin_powf(x, y); }
__GPUOPT_DEVICE__ double atan2(double x, double y) { return __builtin_atan2(x, y); }
__GPUOPT_DEVICE__ float atan2f(float x, float y) { return __builtin_atan2f(x, y); }
__GPUOPT_DEVICE__ float atan2(float x, float y) { return __builtin_atan2f(x, y); }
__GPUOPT_DEVICE__ double fmod(double x, double y) { return __builtin_fmod(x, y); }
__GPUOPT_DEVICE__ float fmodf(float x, float y) { return __builtin_fmodf(x, y); }
__GPUOPT_DEVICE__ float fmod(float x, float y) { return __builtin_fmodf(x, y); }
__GPUOPT_DEVICE__ double remainder(double x, double y) { return __builtin_remainder(x, y); }
__GPUOPT_DEVICE__ float remainderf(float x, float y) { return __builtin_remainderf(x, y); }
__GPUOPT_DEVICE__ float remainder(float x, float y) { return __builtin_remainderf(x, y); }
__GPUOPT_DEVICE__ double copysign(double x, double y) { return __builtin_copysign(x, y); }
__GPUOPT_DEVICE__ float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__GPUOPT_DEVICE__ float copysign(float x, float y) { return __builtin_copysignf(x, y); }
__GPUOPT_DEVICE__ double nextafter(double x, double y) { return __builtin_nextafter(x, y); }
__GPUOPT_DEVICE__ float nextafterf(float x, float y) { return __builtin_nextafterf(x, y); }
__GPUOPT_DEVICE__ float nextafter(float x, float y) { return __builtin_nextafterf(x, y); }
__GPUOPT_DEVICE__ double hypot(double x, double y) { return __builtin_hypot(x, y); }
__GPUOPT_DEVICE__ float hypotf(float x, float y) { return __builtin_hypotf(x, y); }
__GPUOPT_DEVICE__ float hypot(float x, float y) { return __builtin_hypotf(x, y); }
__GPUOPT_DEVICE__ double fdim(double x, double y) { return __builtin_fdim(x, y); }
__GPUOPT_DEVICE__ float fdimf(float x, float y) { return __builtin_fdimf(x, y); }
__GPUOPT_DEVICE__ float fdim(float x, float y) { return __builtin_fdimf(x, y); }
__GPUOPT_DEVICE__ double fmax(double x, double y) { return __builtin_fmax(x, y); }
__GPUOPT_DEVICE__ float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__GPUOPT_DEVICE__ float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
__GPUOPT_DEVICE__ double fmin(double x, double y) { return __builtin_fmin(x, y); }
__GPUOPT_DEVICE__ float fminf(float x, float y) { return __builtin_fminf(x, y); }
__GPUOPT_DEVICE__ float fmin(float x, float y) { return __builtin_fminf(x, y); }

__GPUOPT_DEVICE__ double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__GPUOPT_DEVICE__ float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__GPUOPT_DEVICE__ float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__GPUOPT_DEVICE__ long lrint(double x) { return __builtin_lrint(x); }
__GPUOPT_DEVICE__ long lrintf(float x) { return __builtin_lrintf(x); }
__GPUOPT_DEVICE__ long lrint(float x) { return __builtin_lrintf(x); }
__GPUOPT_DEVICE__ long long llrint(double x) { return __builtin_llrint(x); }
__GPUOPT_DEVICE__ long long llrintf(float x) { return __builtin_llrintf(x); }
__GPUOPT_DEVICE__ long long llrint(float x) { return __builtin_llrintf(x); }
__GPUOPT_DEVICE__ long lround(double x) { return __builtin_lround(x); }
__GPUOPT_DEVICE__ long lroundf(float x) { return __builtin_lroundf(x); }
__GPUOPT_DEVICE__ long lround(float x) { return __builtin_lroundf(x); }
__GPUOPT_DEVICE__ long long llround(double x) { return __builtin_llround(x); }
__GPUOPT_DEVICE__ long long llroundf(float x) { return __builtin_llroundf(x); }
__GPUOPT_DEVICE__ long long llround(float x) { return __builtin_llroundf(x); }
__GPUOPT_DEVICE__ int ilogb(double x) { return __builtin_ilogb(x); }
__GPUOPT_DEVICE__ int ilogbf(float x) { return __builtin_ilogbf(x); }
__GPUOPT_DEVICE__ int ilogb(float x) { return __builtin_ilogbf(x); }
__GPUOPT_DEVICE__ double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
__GPUOPT_DEVICE__ float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
__GPUOPT_DEVICE__ float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
__GPUOPT_DEVICE__ double scalbn(double x, int n) { return __builtin_scalbn(x, n); }
__GPUOPT_DEVICE__ float scalbnf(float x, int n) { return __builtin_scalbnf(x, n); }
__GPUOPT_DEVICE__ float scalbn(float x, int n) { return __builtin_scalbnf(x, n); }
__GPUOPT_DEVICE__ double frexp(double x, int *n) { return __builtin_frexp(x, n); }
__GPUOPT_DEVICE__ float frexpf(float x, int *n) { return __builtin_frexpf(x, n); }
__GPUOPT_DEVICE__ float frexp(float x, int *n) { return __builtin_frexpf(x, n); }
__GPUOPT_DEVICE__ double scalbln(double x, long n) { return __builtin_ldexp(x, (int)n); }
__GPUOPT_DEVICE__ float scalblnf(float x, long n) { return __builtin_ldexpf(x, (int)n); }
__GPUOPT_DEVICE__ double modf(double x, double *whole) {
  double t = __builtin_trunc(x);
  *whole = t;
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - t, x);
}
__GPUOPT_DEVICE__ float modff(float x, float *whole) {
  float t = __builtin_truncf(x);
  *whole = t;
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - t, x);
}
__GPUOPT_DEVICE__ float modf(float x, float *whole) { return modff(x, whole); }
__GPUOPT_DEVICE__ void sincos(double x, double *s, double *c) {
  *s = __builtin_sin(x);
  *c = __builtin_cos(x);
}
__GPUOPT_DEVICE__ void sincosf(float x, float *s, float *c) {
  *s = __builtin_sinf(x);
  *c = __builtin_cosf(x);
}
__GPUOPT_DEVICE__ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__GPUOPT_DEVICE__ void __sincosf(float x, float *s, float *c) {
  *s = __gpuopt_fast_sin(x);
  *c = __gpuopt_fast_cos(x);
}
__GPUOPT_DEVICE__ double remquo(double x, double y, int *q) { return __builtin_remquo(x, y, q); }
__GPUOPT_DEVICE__ float remquof(float x, float y, int *q) { return __builtin_remquof(x, y, q); }
__GPUOPT_DEVICE__ double nan(const char *) { return __builtin_nan(""); }
__GPUOPT_DEVICE__ float nanf(const char *) { return __builtin_nanf(""); }

// Without a name in C.
#define __GPUOPT_EXTERN__ extern "C" __device__ __attribute__((const, nothrow))
__GPUOPT_EXTERN__ double rsqrt(double x);
__GPUOPT_EXTERN__ float rsqrtf(float x);
__GPUOPT_DEVICE__ float rsqrt(float x) { return rsqrtf(x); }
#if !__HIP__
// The host's library has none.
static __inline__ __attribute__((host, unused)) double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static __inline__ __attribute__((host, unused)) float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static __inline__ __attribute__((host, unused)) float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
#endif
__GPUOPT_EXTERN__ double rcbrt(double x);
__GPUOPT_EXTERN__ float rcbrtf(float x);
__GPUOPT_DEVICE__ float rcbrt(float x) { return rcbrtf(x); }
__GPUOPT_EXTERN__ double sinpi(double x);
__GPUOPT_EXTERN__ float sinpif(float x);
__GPUOPT_DEVICE__ float sinpi(float x) { return sinpif(x); }
__GPUOPT_EXTERN__ double cospi(double x);
__GPUOPT_EXTERN__ float cospif(float x);
__GPUOPT_DEVICE__ float cospi(float x) { return cospif(x); }
__GPUOPT_EXTERN__ double tanpi(double x);
__GPUOPT_EXTERN__ float tanpif(float x);
__GPUOPT_DEVICE__ float tanpi(float x) { return tanpif(x); }
__GPUOPT_EXTERN__ double erfinv(double x);
__GPUOPT_EXTERN__ float erfinvf(float x);
__GPUOPT_DEVICE__ float erfinv(float x) { return erfinvf(x); }
__GPUOPT_EXTERN__ double erfcinv(double x);
__GPUOPT_EXTERN__ float erfcinvf(float x);
__GPUOPT_DEVICE__ float erfcinv(float x) { return erfcinvf(x); }
__GPUOPT_EXTERN__ double erfcx(double x);
__GPUOPT_EXTERN__ float erfcxf(float x);
__GPUOPT_DEVICE__ float erfcx(float x) { return erfcxf(x); }
__GPUOPT_EXTERN__ double normcdf(double x);
__GPUOPT_EXTERN__ float normcdff(float x);
__GPUOPT_DEVICE__ float normcdf(float x) { return normcdff(x); }
__GPUOPT_EXTERN__ double normcdfinv(double x);
__GPUOPT_EXTERN__ float normcdfinvf(float x);
__GPUOPT_DEVICE__ float normcdfinv(float x) { return normcdfinvf(x); }
__GPUOPT_EXTERN__ double j0(double x);
__GPUOPT_EXTERN__ float j0f(float x);
__GPUOPT_DEVICE__ float j0(float x) { return j0f(x); }
__GPUOPT_EXTERN__ double j1(double x);
__GPUOPT_EXTERN__ float j1f(float x);
__GPUOPT_DEVICE__ float j1(float x) { return j1f(x); }
__GPUOPT_EXTERN__ double y0(double x);
__GPUOPT_EXTERN__ float y0f(float x);
__GPUOPT_DEVICE__ float y0(float x) { return y0f(x); }
__GPUOPT_EXTERN__ double y1(double x);
__GPUOPT_EXTERN__ float y1f(float x);
__GPUOPT_DEVICE__ float y1(float x) { return y1f(x); }
__GPUOPT_EXTERN__ double cyl_bessel_i0(double x);
__GPUOPT_EXTERN__ float cyl_bessel_i0f(float x);
__GPUOPT_DEVICE__ float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
__GPUOPT_EXTERN__ double cyl_bessel_i1(double x);
__GPUOPT_EXTERN__ float cyl_bessel_i1f(float x);
__GPUOPT_DEVICE__ float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
__GPUOPT_EXTERN__ double jn(int n, double x);
__GPUOPT_EXTERN__ float jnf(int n, float x);
__GPUOPT_EXTERN__ double yn(int n, double x);
__GPUOPT_EXTERN__ float ynf(int n, float x);
__GPUOPT_EXTERN__ double rhypot(double x, double y);
__GPUOPT_EXTERN__ float rhypotf(float x, float y);
// Squares overflow where the norm does not: `hypot` scales.
__GPUOPT_DEVICE__ double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
__GPUOPT_DEVICE__ float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
__GPUOPT_DEVICE__ double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
__GPUOPT_DEVICE__ float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
__GPUOPT_DEVICE__ double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
__GPUOPT_DEVICE__ float norm4df(float x, float y, float z, float w) { return hypotf(hypotf(x, y), hypotf(z, w)); }
__GPUOPT_DEVICE__ void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
__GPUOPT_DEVICE__ void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}

// Tests. Also as functions: <math.h> has macros of these names in C only.
__GPUOPT_DEVICE__ bool isnan(float x) { return __builtin_isnan(x); }
__GPUOPT_DEVICE__ bool isinf(float x) { return __builtin_isinf(x); }
__GPUOPT_DEVICE__ bool isfinite(float x) { return __builtin_isfinite(x); }
__GPUOPT_DEVICE__ bool isnormal(float x) { return __builtin_isnormal(x); }
__GPUOPT_DEVICE__ bool signbit(float x) { return __builtin_signbit(x); }
__GPUOPT_DEVICE__ bool isnan(double x) { return __builtin_isnan(x); }
__GPUOPT_DEVICE__ bool isinf(double x) { return __builtin_isinf(x); }
__GPUOPT_DEVICE__ bool isfinite(double x) { return __builtin_isfinite(x); }
__GPUOPT_DEVICE__ bool isnormal(double x) { return __builtin_isnormal(x); }
__GPUOPT_DEVICE__ bool signbit(double x) { return __builtin_signbit(x); }
__GPUOPT_DEVICE__ int __isnan(double x) { return __builtin_isnan(x); }
__GPUOPT_DEVICE__ int __isnanf(float x) { return __builtin_isnan(x); }
__GPUOPT_DEVICE__ int __isinf(double x) { return __builtin_isinf(x); }
__GPUOPT_DEVICE__ int __isinff(float x) { return __builtin_isinf(x); }
__GPUOPT_DEVICE__ int __finite(double x) { return __builtin_isfinite(x); }
__GPUOPT_DEVICE__ int __finitef(float x) { return __builtin_isfinite(x); }
__GPUOPT_DEVICE__ int finite(double x) { return __builtin_isfinite(x); }
__GPUOPT_DEVICE__ int __signbit(double x) { return __builtin_signbit(x); }
__GPUOPT_DEVICE__ int __signbitf(float x) { return __builtin_signbit(x); }

// Whole numbers given to a function of reals.
namespace __gpuopt {
template <bool Condition, class Type> struct enable_if {};
template <class Type> struct enable_if<true, Type> { typedef Type type; };
template <class Type> struct is_integer { enum { value = 0 }; };
#define __GPUOPT_INTEGER__(TYPE) template <> struct is_integer<TYPE> { enum { value = 1 }; };
__GPUOPT_INTEGER__(bool) __GPUOPT_INTEGER__(char) __GPUOPT_INTEGER__(signed char)
__GPUOPT_INTEGER__(unsigned char) __GPUOPT_INTEGER__(short) __GPUOPT_INTEGER__(unsigned short)
__GPUOPT_INTEGER__(int) __GPUOPT_INTEGER__(unsigned int) __GPUOPT_INTEGER__(long)
__GPUOPT_INTEGER__(unsigned long) __GPUOPT_INTEGER__(long long) __GPUOPT_INTEGER__(unsigned long long)
#undef __GPUOPT_INTEGER__
template <class Type> struct is_real { enum { value = 0 }; };
template <> struct is_real<float> { enum { value = 1 }; };
template <> struct is_real<double> { enum { value = 1 }; };
template <class A, class B> struct is_mixed {
  enum {
    value = (is_integer<A>::value || is_real<A>::value) &&
            (is_integer<B>::value || is_real<B>::value) &&
            !(is_real<A>::value && __is_same(A, B))
  };
};
} // namespace __gpuopt
#define __GPUOPT_INTEGER_UNARY__(NAME)                                         \
  template <class T>                                                           \
  static inline __attribute__((device, always_inline))                         \
  typename __gpuopt::enable_if<__gpuopt::is_integer<T>::value, double>::type   \
  NAME(T x) {                                                                  \
    return NAME((double)x);                                                    \
  }
#define __GPUOPT_MIXED_BINARY__(NAME)                                          \
  template <class A, class B>                                                  \
  static inline __attribute__((device, always_inline))                         \
  typename __gpuopt::enable_if<__gpuopt::is_mixed<A, B>::value, double>::type  \
  NAME(A x, B y) {                                                             \
    return NAME((double)x, (double)y);                                         \
  }
__GPUOPT_INTEGER_UNARY__(sin)
__GPUOPT_INTEGER_UNARY__(cos)
__GPUOPT_INTEGER_UNARY__(tan)
__GPUOPT_INTEGER_UNARY__(asin)
__GPUOPT_INTEGER_UNARY__(acos)
__GPUOPT_INTEGER_UNARY__(atan)
__GPUOPT_INTEGER_UNARY__(sinh)
__GPUOPT_INTEGER_UNARY__(cosh)
__GPUOPT_INTEGER_UNARY__(tanh)
__GPUOPT_INTEGER_UNARY__(asinh)
__GPUOPT_INTEGER_UNARY__(acosh)
__GPUOPT_INTEGER_UNARY__(atanh)
__GPUOPT_INTEGER_UNARY__(exp)
__GPUOPT_INTEGER_UNARY__(exp2)
__GPUOPT_INTEGER_UNARY__(exp10)
__GPUOPT_INTEGER_UNARY__(expm1)
__GPUOPT_INTEGER_UNARY__(log)
__GPUOPT_INTEGER_UNARY__(log2)
__GPUOPT_INTEGER_UNARY__(log10)
__GPUOPT_INTEGER_UNARY__(log1p)
__GPUOPT_INTEGER_UNARY__(logb)
__GPUOPT_INTEGER_UNARY__(sqrt)
__GPUOPT_INTEGER_UNARY__(cbrt)
__GPUOPT_INTEGER_UNARY__(fabs)
__GPUOPT_INTEGER_UNARY__(floor)
__GPUOPT_INTEGER_UNARY__(ceil)
__GPUOPT_INTEGER_UNARY__(trunc)
__GPUOPT_INTEGER_UNARY__(round)
__GPUOPT_INTEGER_UNARY__(rint)
__GPUOPT_INTEGER_UNARY__(nearbyint)
__GPUOPT_INTEGER_UNARY__(erf)
__GPUOPT_INTEGER_UNARY__(erfc)
__GPUOPT_INTEGER_UNARY__(tgamma)
__GPUOPT_INTEGER_UNARY__(lgamma)
__GPUOPT_MIXED_BINARY__(pow)
__GPUOPT_MIXED_BINARY__(atan2)
__GPUOPT_MIXED_BINARY__(fmod)
__GPUOPT_MIXED_BINARY__(remainder)
__GPUOPT_MIXED_BINARY__(copysign)
__GPUOPT_MIXED_BINARY__(nextafter)
__GPUOPT_MIXED_BINARY__(hypot)
__GPUOPT_MIXED_BINARY__(fdim)
__GPUOPT_MIXED_BINARY__(fmax)
__GPUOPT_MIXED_BINARY__(fmin)
#undef __GPUOPT_INTEGER_UNARY__
#undef __GPUOPT_MIXED_BINARY__
__GPUOPT_DEVICE__ float pow(float x, int n) { return __builtin_powif(x, n); }
__GPUOPT_DEVICE__ double pow(double x, int n) { return __builtin_powi(x, n); }
__GPUOPT_DEVICE__ float powif(float x, int n) { return __builtin_powif(x, n); }
__GPUOPT_DEVICE__ double powi(double x, int n) { return __builtin_powi(x, n); }

// The hardware's approximations.
__GPUOPT_DEVICE__ float __sinf(float x) { return __gpuopt_fast_sin(x); }
__GPUOPT_DEVICE__ float __cosf(float x) { return __gpuopt_fast_cos(x); }
__GPUOPT_DEVICE__ float __tanf(float x) { return __gpuopt_fast_tan(x); }
__GPUOPT_DEVICE__ float __expf(float x) { return __gpuopt_fast_exp(x); }
__GPUOPT_DEVICE__ float __exp10f(float x) { return __gpuopt_fast_exp10(x); }
__GPUOPT_DEVICE__ float __logf(float x) { return __gpuopt_fast_log(x); }
__GPUOPT_DEVICE__ float __log2f(float x) { return __gpuopt_fast_log2(x); }
__GPUOPT_DEVICE__ float __log10f(float x) { return __gpuopt_fast_log10(x); }
__GPUOPT_DEVICE__ float __tanhf(float x) { return __builtin_tanhf(x); }
__GPUOPT_DEVICE__ float __powf(float x, float y) { return __gpuopt_fast_pow(x, y); }
__GPUOPT_DEVICE__ float __fdividef(float x, float y) { return __gpuopt_fast_divide(x, y); }
__GPUOPT_DEVICE__ float fdividef(float x, float y) { return x / y; }
__GPUOPT_DEVICE__ double fdivide(double x, double y) { return x / y; }
__GPUOPT_DEVICE__ float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
// Rounded once more from `double` it is correct: no square root of a `float` is
// that close to the middle of two.
__GPUOPT_DEVICE__ float __frsqrt_rn(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

// Rounding to nearest even, never contracted.
__GPUOPT_DEVICE__ float __fadd_rn(float x, float y) {
#pragma clang fp contract(off)
  return x + y;
}
__GPUOPT_DEVICE__ float __fsub_rn(float x, float y) {
#pragma clang fp contract(off)
  return x - y;
}
__GPUOPT_DEVICE__ float __fmul_rn(float x, float y) {
#pragma clang fp contract(off)
  return x * y;
}
__GPUOPT_DEVICE__ float __fdiv_rn(float x, float y) { return x / y; }
__GPUOPT_DEVICE__ float __frcp_rn(float x) { return (float)1 / x; }
__GPUOPT_DEVICE__ float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__GPUOPT_DEVICE__ float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__GPUOPT_DEVICE__ double __dadd_rn(double x, double y) {
#pragma clang fp contract(off)
  return x + y;
}
__GPUOPT_DEVICE__ double __dsub_rn(double x, double y) {
#pragma clang fp contract(off)
  return x - y;
}
__GPUOPT_DEVICE__ double __dmul_rn(double x, double y) {
#pragma clang fp contract(off)
  return x * y;
}
__GPUOPT_DEVICE__ double __ddiv_rn(double x, double y) { return x / y; }
__GPUOPT_DEVICE__ double __drcp_rn(double x) { return (double)1 / x; }
__GPUOPT_DEVICE__ double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
__GPUOPT_DEVICE__ double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }

// In the other directions: to zero, down and up. AMD's GPUs need a mode for it.
#if !__HIP__
#define __GPUOPT_ROUNDED__(DIRECTION, NVVM)                                                                              \
  __GPUOPT_DEVICE__ float __fadd_##DIRECTION(float x, float y) { return __nvvm_add_##NVVM##_f(x, y); }                   \
  __GPUOPT_DEVICE__ float __fsub_##DIRECTION(float x, float y) { return __nvvm_add_##NVVM##_f(x, -y); }                  \
  __GPUOPT_DEVICE__ float __fmul_##DIRECTION(float x, float y) { return __nvvm_mul_##NVVM##_f(x, y); }                   \
  __GPUOPT_DEVICE__ float __fdiv_##DIRECTION(float x, float y) { return __nvvm_div_##NVVM##_f(x, y); }                   \
  __GPUOPT_DEVICE__ float __frcp_##DIRECTION(float x) { return __nvvm_rcp_##NVVM##_f(x); }                               \
  __GPUOPT_DEVICE__ float __fsqrt_##DIRECTION(float x) { return __nvvm_sqrt_##NVVM##_f(x); }                             \
  __GPUOPT_DEVICE__ float __fmaf_##DIRECTION(float x, float y, float z) { return __nvvm_fma_##NVVM##_f(x, y, z); }       \
  __GPUOPT_DEVICE__ double __dadd_##DIRECTION(double x, double y) { return __nvvm_add_##NVVM##_d(x, y); }                \
  __GPUOPT_DEVICE__ double __dsub_##DIRECTION(double x, double y) { return __nvvm_add_##NVVM##_d(x, -y); }               \
  __GPUOPT_DEVICE__ double __dmul_##DIRECTION(double x, double y) { return __nvvm_mul_##NVVM##_d(x, y); }                \
  __GPUOPT_DEVICE__ double __ddiv_##DIRECTION(double x, double y) { return __nvvm_div_##NVVM##_d(x, y); }                \
  __GPUOPT_DEVICE__ double __drcp_##DIRECTION(double x) { return __nvvm_rcp_##NVVM##_d(x); }                             \
  __GPUOPT_DEVICE__ double __dsqrt_##DIRECTION(double x) { return __nvvm_sqrt_##NVVM##_d(x); }                           \
  __GPUOPT_DEVICE__ double __fma_##DIRECTION(double x, double y, double z) { return __nvvm_fma_##NVVM##_d(x, y, z); }   \
  __GPUOPT_DEVICE__ float __double2float_##DIRECTION(double x) { return __nvvm_d2f_##NVVM(x); }                          \
  __GPUOPT_DEVICE__ float __int2float_##DIRECTION(int x) { return __nvvm_i2f_##NVVM(x); }                                \
  __GPUOPT_DEVICE__ float __uint2float_##DIRECTION(unsigned int x) { return __nvvm_ui2f_##NVVM(x); }                     \
  __GPUOPT_DEVICE__ float __ll2float_##DIRECTION(long long x) { return __nvvm_ll2f_##NVVM(x); }                          \
  __GPUOPT_DEVICE__ float __ull2float_##DIRECTION(unsigned long long x) { return __nvvm_ull2f_##NVVM(x); }               \
  __GPUOPT_DEVICE__ double __ll2double_##DIRECTION(long long x) { return __nvvm_ll2d_##NVVM(x); }                        \
  __GPUOPT_DEVICE__ double __ull2double_##DIRECTION(unsigned long long x) { return __nvvm_ull2d_##NVVM(x); }
__GPUOPT_ROUNDED__(rz, rz)
__GPUOPT_ROUNDED__(rd, rm)
__GPUOPT_ROUNDED__(ru, rp)
#undef __GPUOPT_ROUNDED__
#endif
