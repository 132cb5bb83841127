//===- HostSymbols.cpp - functions that compiled kernels may call ---------===//

#include "runtime/CPU/HostSymbols.h"
#include "runtime/CPU/DirectedRounding.h"
#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/SoftFloat.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <cstring>
#include <math.h>

using namespace llvm;
using namespace gpuopt::runtime;

extern "C" {
// The compiler's own helpers; no header declares them.
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __fixsfti(float);
__int128 __fixdfti(double);
float __floattisf(__int128);
double __floattidf(__int128);
float __powisf2(float, int);
double __powidf2(double, int);

// C++ overloads the names of libm; these are the symbols themselves.
#define HOST_MATH(NAME)                                                        \
  void hostMath_##NAME() __asm__(#NAME);                                       \
  void hostMathFloat_##NAME() __asm__(#NAME "f");
#include "runtime/CPU/HostMath.def"
}

//===----------------------------------------------------------------------===//
// What CUDA has and C has not
//===----------------------------------------------------------------------===//

static double rsqrtOf(double x) { return 1 / std::sqrt(x); }
static double rcbrtOf(double x) { return 1 / std::cbrt(x); }
static double rhypotOf(double x, double y) { return 1 / std::hypot(x, y); }
static double norm3dOf(double x, double y, double z) {
  return std::hypot(x, y, z);
}
static double rnorm3dOf(double x, double y, double z) {
  return 1 / std::hypot(x, y, z);
}
static double norm4dOf(double x, double y, double z, double w) {
  return std::hypot(std::hypot(x, y), std::hypot(z, w));
}
static double rnorm4dOf(double x, double y, double z, double w) {
  return 1 / norm4dOf(x, y, z, w);
}

/// Reduces exactly before multiplying by pi, so that whole numbers give zero.
static double sinpiOf(double x) {
  double r = std::remainder(x, 2.0);
  if (std::fabs(r) > 0.5)
    r = std::copysign(1.0, r) - r;
  return std::sin(M_PI * r);
}
static double cospiOf(double x) {
  double r = std::fabs(std::remainder(x, 2.0));
  return r == 0.5  ? 0.0
         : r < 0.5 ? std::cos(M_PI * r)
                   : -std::cos(M_PI * (1 - r));
}
static double tanpiOf(double x) { return sinpiOf(x) / cospiOf(x); }
static void sincospiOf(double x, double *sine, double *cosine) {
  *sine = sinpiOf(x);
  *cosine = cospiOf(x);
}
static void sincospifOf(float x, float *sine, float *cosine) {
  *sine = sinpiOf(x);
  *cosine = cospiOf(x);
}

static double normcdfOf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
static double erfcxOf(double x) {
  if (x < 25)
    return std::exp(x * x) * std::erfc(x);
  // Asymptotic series; erfc underflows here.
  double i = 1 / (2 * x * x);
  return M_2_SQRTPI / (2 * x) * (1 - i * (1 - 3 * i * (1 - 5 * i)));
}

/// Solves f(x) = y by Newton steps from a coarse start; f' is 2/sqrt(pi)
/// exp(-x²).
static double erfinvOf(double y) {
  if (!(std::fabs(y) < 1))
    return std::fabs(y) == 1 ? std::copysign(INFINITY, y) : NAN;
  double l = std::log1p(-y * y), t = 4.3307467508 + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - l / 0.147) - t), y);
  for (int step = 0; step < 4; ++step)
    x -= (std::erf(x) - y) / (M_2_SQRTPI * std::exp(-x * x));
  return x;
}
static double erfcinvOf(double y) {
  if (y >= 0.5)
    return erfinvOf(1 - y);
  if (!(y > 0))
    return y == 0 ? INFINITY : NAN;
  double x = std::sqrt(-std::log(y));
  for (int step = 0; step < 60; ++step)
    x += (std::erfc(x) - y) / (M_2_SQRTPI * std::exp(-x * x));
  return x;
}
static double normcdfinvOf(double p) { return -M_SQRT2 * erfcinvOf(2 * p); }
static double besselI0Of(double x) {
  return std::cyl_bessel_i(0, std::fabs(x));
}
static double besselI1Of(double x) {
  return std::copysign(std::cyl_bessel_i(1, std::fabs(x)), x);
}
static double fdivideOf(double x, double y) { return x / y; }
static double saturateOf(double x) { return std::fmin(std::fmax(x, 0), 1); }

namespace {
/// `float` versions of functions that are written for `double`.
template <auto function>
float inFloat(float x) {
  return function(x);
}
/// The quotient by a root that is rounded itself: AMD's back end gets just that
/// for the function, and the two have to agree.
template <auto function>
float inverseRoot(float x) {
  return 1 / std::sqrt(x);
}
template <auto function>
float inFloat2(float x, float y) {
  return function(x, y);
}
template <auto function>
float inFloat3(float x, float y, float z) {
  return function(x, y, z);
}
template <auto function>
float inFloat4(float x, float y, float z, float w) {
  return function(x, y, z, w);
}
} // namespace

static int printNothing() { return 0; }
/// As on a device whose heap is used up.
static void *allocateNothing() { return nullptr; }
static void freeNothing() {}

template <typename F>
static void *addressOf(F *function) {
  return reinterpret_cast<void *>(function);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static void addMath(StringMap<void *> &symbols) {
#define HOST_MATH(NAME)                                                        \
  symbols[#NAME] = addressOf(hostMath_##NAME);                                 \
  symbols[#NAME "f"] = addressOf(hostMathFloat_##NAME);
#include "runtime/CPU/HostMath.def"
#define OWN_MATH(NAME, FLOAT)                                                  \
  symbols[#NAME] = addressOf(NAME##Of);                                        \
  symbols[#NAME "f"] = addressOf(FLOAT<NAME##Of>);
  OWN_MATH(rsqrt, inverseRoot)
  OWN_MATH(rcbrt, inFloat)
  OWN_MATH(sinpi, inFloat)
  OWN_MATH(cospi, inFloat)
  OWN_MATH(tanpi, inFloat)
  OWN_MATH(normcdf, inFloat)
  OWN_MATH(normcdfinv, inFloat)
  OWN_MATH(erfinv, inFloat)
  OWN_MATH(erfcinv, inFloat)
  OWN_MATH(erfcx, inFloat)
  OWN_MATH(rhypot, inFloat2)
  OWN_MATH(fdivide, inFloat2)
  OWN_MATH(norm3d, inFloat3)
  OWN_MATH(rnorm3d, inFloat3)
  OWN_MATH(norm4d, inFloat4)
  OWN_MATH(rnorm4d, inFloat4)
#undef OWN_MATH
  symbols["cyl_bessel_i0"] = addressOf(besselI0Of);
  symbols["cyl_bessel_i0f"] = addressOf(inFloat<besselI0Of>);
  symbols["cyl_bessel_i1"] = addressOf(besselI1Of);
  symbols["cyl_bessel_i1f"] = addressOf(inFloat<besselI1Of>);
  symbols["saturatef"] = addressOf(inFloat<saturateOf>);
  symbols["sincospi"] = addressOf(sincospiOf);
  symbols["sincospif"] = addressOf(sincospifOf);
}

static StringMap<void *> makeSymbols() {
  StringMap<void *> symbols;
  addMath(symbols);
#define HOST_SYMBOL(NAME) symbols[#NAME] = addressOf(::NAME);
  HOST_SYMBOL(__divti3)
  HOST_SYMBOL(__modti3)
  HOST_SYMBOL(__udivti3)
  HOST_SYMBOL(__umodti3)
  HOST_SYMBOL(__fixsfti)
  HOST_SYMBOL(__fixdfti)
  HOST_SYMBOL(__floattisf)
  HOST_SYMBOL(__floattidf)
  HOST_SYMBOL(__powisf2)
  HOST_SYMBOL(__powidf2)
#undef HOST_SYMBOL
  symbols["memcpy"] = addressOf(::memcpy);
  symbols["memmove"] = addressOf(::memmove);
  symbols["memset"] = addressOf(::memset);
  symbols["memcmp"] = addressOf(::memcmp);
  symbols["bcmp"] = addressOf(::memcmp);
  for (const auto &list : {softFloatSymbols(), directedRoundingSymbols()})
    for (const HostFunction &symbol : list)
      symbols[symbol.name] = symbol.address;
  symbols["malloc"] = addressOf(allocateNothing);
  symbols["free"] = addressOf(freeNothing);
  // A kernel's output has nowhere to go.
  for (StringRef name : {"printf", "vprintf", "puts", "putchar"})
    symbols[name] = addressOf(printNothing);
  return symbols;
}

const StringMap<void *> &gpuopt::runtime::hostSymbols() {
  static const StringMap<void *> symbols = makeSymbols();
  return symbols;
}

std::string gpuopt::runtime::hostMathName(StringRef name) {
  if (name.consume_front("__nv_")) {
    name.consume_front("fast_");
    return name.str();
  }
  if (name.consume_front("__ocml_")) {
    name.consume_front("native_");
    auto [function, type] = name.rsplit('_');
    std::string host = StringSwitch<StringRef>(function)
                           .Case("ncdf", "normcdf")
                           .Case("ncdfinv", "normcdfinv")
                           .Case("i0", "cyl_bessel_i0")
                           .Case("i1", "cyl_bessel_i1")
                           .Case("len3", "norm3d")
                           .Case("len4", "norm4d")
                           .Case("rlen3", "rnorm3d")
                           .Case("rlen4", "rnorm4d")
                           .Default(function)
                           .str();
    return type == "f64" ? host : host + "f";
  }
  return name.str();
}
