//===- Math.c - device mathematics without a vendor's library -------------===//
//
// Compiled for each GPU to bitcode that is linked where libdevice or ROCm's
// library is not found, and for the host in test/unit, which compares every
// function with the host's libm. Accuracy there, in units in the last place of
// the result: 1 for exp, log, sin, cos, pow, cbrt and their relatives; 3 for
// those composed of them (tan, asin, sinh, erf, …); tgamma 1e-12 relative,
// lgamma 1e-13 relative to max(1, |lgamma|).
//
// `float` versions round the `double` ones: exact, though slower than a
// library made for the machine. No tables but the digits of 2/pi.
//
//===----------------------------------------------------------------------===//

#if defined(__NVPTX__)
#define F64(name) __nv_##name
#define F32(name) __nv_##name##f
#elif defined(__AMDGCN__)
#define F64(name) __ocml_##name##_f64
#define F32(name) __ocml_##name##_f32
#else
#define F64(name) gpuopt_##name
#define F32(name) gpuopt_##name##f
#endif

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;

/// A value in two parts: the sum is exact to about 106 bits.
typedef struct {
  double high, low;
} Pair;

#define INF __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")
#define FMA __builtin_fma
#define INLINE static inline __attribute__((always_inline))

INLINE u64 toBits(double x) { return __builtin_bit_cast(u64, x); }
INLINE double fromBits(u64 bits) { return __builtin_bit_cast(double, bits); }

/// 2^n for -1022 <= n <= 1023.
INLINE double powerOfTwo(int n) { return fromBits((u64)(n + 1023) << 52); }

/// x * 2^n with one rounding, for any n.
static double scale(double x, int n) {
  n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
  for (; n > 1000; n -= 1000)
    x *= powerOfTwo(1000);
  // Keep the last factor's product normal until it is the last.
  for (; n < -1000; n += 900)
    x *= powerOfTwo(-900);
  return x * powerOfTwo(n);
}

INLINE Pair twoSum(double a, double b) {
  double sum = a + b, other = sum - a;
  return (Pair){sum, (a - (sum - other)) + (b - other)};
}

INLINE Pair twoProduct(double a, double b) {
  double product = a * b;
  return (Pair){product, FMA(a, b, -product)};
}

#include "Exponentials.h"

#include "Trigonometry.h"

// Built of the others.
#include "ErrorAndGamma.h"

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

double F64(rsqrt)(double x) { return 1.0 / __builtin_sqrt(x); }
double F64(rcbrt)(double x) { return 1.0 / F64(cbrt)(x); }

double F64(hypot)(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a == INF || b == INF)
    return INF;
  double big = a > b ? a : b, small = a > b ? b : a;
  if (big == 0.0 || big != big || small != small)
    return a + b;
  int n = 1023 - (int)(toBits(big) >> 52);
  n = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
  big = scale(big, n);
  small = scale(small, n);
  Pair square = twoProduct(big, big);
  return scale(__builtin_sqrt(square.high + FMA(small, small, square.low)), -n);
}
double F64(rhypot)(double x, double y) { return 1.0 / F64(hypot)(x, y); }

double F64(fmod)(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (x != x || y != y || a == INF || b == 0.0)
    return NOT_A_NUMBER;
  // Long division in binary: subtract the largest b * 2^k that fits.
  while (a >= b) {
    int k = (int)(toBits(a) >> 52) - (int)(toBits(b) >> 52);
    double step = k > 0 ? scale(b, k) : b;
    if (step > a)
      step = scale(b, k - 1);
    a -= step;
  }
  return __builtin_copysign(a, x);
}

double F64(remainder)(double x, double y) {
  double b = __builtin_fabs(y);
  if (x != x || y != y || __builtin_fabs(x) == INF || b == 0.0)
    return NOT_A_NUMBER;
  if (b == INF)
    return x;
  double a =
      b < 0x1p1022 ? F64(fmod)(__builtin_fabs(x), 2.0 * b) : __builtin_fabs(x);
  // a is below 2 b: the nearest multiple is 0, b or 2 b, ties to the even.
  if (b >= 0x1p-1020 ? a > 0.5 * b : 2.0 * a > b) {
    a -= b;
    if (b >= 0x1p-1020 ? a >= 0.5 * b : 2.0 * a >= b)
      a -= b;
  }
  return __builtin_copysign(1.0, x) * a;
}

#if defined(__AMDGCN__)
#define PRIVATE __attribute__((address_space(5)))
#else
#define PRIVATE
#endif

double F64(remquo)(double x, double y, PRIVATE int *quotient) {
  double b = __builtin_fabs(y), size = __builtin_fabs(x);
  double result = F64(remainder)(x, y);
  *quotient = 0;
  if (result != result || b == INF)
    return result;
  // Only the last bits of the quotient are asked for.
  double a = b < 0x1p1020 ? F64(fmod)(size, 8.0 * b) : size;
  int bits = (int)__builtin_rint((a - F64(remainder)(a, b)) / b) & 7;
  *quotient = (x < 0.0) != (y < 0.0) ? -bits : bits;
  return result;
}
float F32(remquo)(float x, float y, PRIVATE int *quotient) {
  return (float)F64(remquo)((double)x, (double)y, quotient);
}

double F64(fdim)(double x, double y) {
  return x != x || y != y ? NOT_A_NUMBER : x > y ? x - y : 0.0;
}

double F64(logb)(double x) {
  double size = __builtin_fabs(x);
  if (!(size > 0.0 && size < INF))
    return size == 0.0 ? -INF : size;
  int extra = size < 0x1p-1022 ? 54 : 0;
  u64 bits = toBits(extra ? size * 0x1p54 : size);
  return (double)((int)(bits >> 52) - 1023 - extra);
}

int F64(ilogb)(double x) {
  if (x == 0.0)
    return -2147483647 - 1;
  if (!(__builtin_fabs(x) < INF))
    return 2147483647;
  return (int)F64(logb)(x);
}

double F64(ldexp)(double x, int n) { return scale(x, n); }
double F64(scalbn)(double x, int n) { return scale(x, n); }

double F64(nextafter)(double x, double y) {
  if (x != x || y != y)
    return NOT_A_NUMBER;
  if (x == y)
    return y;
  if (x == 0.0)
    return __builtin_copysign(0x1p-1074, y);
  u64 bits = toBits(x);
  return fromBits((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}

float F32(nextafter)(float x, float y) {
  if (x != x || y != y)
    return __builtin_nanf("");
  if (x == y)
    return y;
  if (x == 0.0f)
    return __builtin_copysignf(0x1p-149f, y);
  unsigned bits = __builtin_bit_cast(unsigned, x);
  bits = (x < y) == (x > 0.0f) ? bits + 1 : bits - 1;
  return __builtin_bit_cast(float, bits);
}

#define UNARY(name)                                                            \
  float F32(name)(float x) { return (float)F64(name)((double)x); }
#define BINARY(name)                                                           \
  float F32(name)(float x, float y) {                                          \
    return (float)F64(name)((double)x, (double)y);                             \
  }

// clang-format off
UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1) UNARY(log)
UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb) UNARY(sin)
UNARY(cos) UNARY(tan) UNARY(sinpi) UNARY(cospi) UNARY(asin)
UNARY(acos) UNARY(atan) UNARY(sinh) UNARY(cosh) UNARY(tanh)
UNARY(asinh) UNARY(acosh) UNARY(atanh) UNARY(cbrt) UNARY(rcbrt)
UNARY(rsqrt) UNARY(erf) UNARY(erfc) UNARY(erfcx) UNARY(tgamma)
UNARY(lgamma)
BINARY(pow) BINARY(atan2) BINARY(fmod) BINARY(remainder) BINARY(fdim)
BINARY(hypot) BINARY(rhypot)
    // clang-format on
    float F32(pown)(float x, int n) {
  return (float)F64(pow)((double)x, n);
}
float F32(powi)(float x, int n) { return (float)F64(pow)((double)x, n); }
float F32(ldexp)(float x, int n) { return (float)scale((double)x, n); }
float F32(scalbn)(float x, int n) { return (float)scale((double)x, n); }
int F32(ilogb)(float x) { return F64(ilogb)((double)x); }

// What the back ends have instructions for, under the libraries' names.
#define EXACT1(name)                                                           \
  double F64(name)(double x) { return __builtin_##name(x); }                   \
  float F32(name)(float x) { return __builtin_##name##f(x); }
#define EXACT2(name, builtin)                                                  \
  double F64(name)(double x, double y) { return __builtin_##builtin(x, y); }   \
  float F32(name)(float x, float y) { return __builtin_##builtin##f(x, y); }
// clang-format off
EXACT1(sqrt) EXACT1(fabs) EXACT1(floor) EXACT1(ceil)
EXACT1(trunc) EXACT1(rint) EXACT1(nearbyint) EXACT1(round)
EXACT2(fmin, fmin) EXACT2(fmax, fmax) EXACT2(copysign, copysign)
    // clang-format on
    double F64(fma)(double x, double y, double z) {
  return FMA(x, y, z);
}
float F32(fma)(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

#if defined(__AMDGCN__)
float F32(ncdf)(float x) { return (float)F64(ncdf)((double)x); }
#else
UNARY(normcdf)
#endif

#if defined(__NVPTX__)
float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
float __nv_fast_tanf(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 1.442695041f); }
float __nv_fast_exp10f(float x) {
  return __nvvm_ex2_approx_f(x * 3.321928095f);
}
float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147181f; }
float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
float __nv_fast_log10f(float x) {
  return __nvvm_lg2_approx_f(x) * 0.301029996f;
}
float __nv_fast_powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
float __nv_fast_tanhf(float x) { return __nv_tanhf(x); }
#endif
