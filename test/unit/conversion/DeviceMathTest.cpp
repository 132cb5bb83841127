//===- DeviceMathTest.cpp - our device mathematics against libm -----------===//
//
// The fallback library's source, compiled for the host, against the host's
// libm in extended precision, over ranges that reach every branch.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <cmath>
#include <random>

extern "C" {
#define DEVICE_FUNCTION(NAME)                                                  \
  double gpuopt_##NAME(double);                                                \
  float gpuopt_##NAME##f(float);
DEVICE_FUNCTION(exp)
DEVICE_FUNCTION(exp2)
DEVICE_FUNCTION(exp10)
DEVICE_FUNCTION(expm1)
DEVICE_FUNCTION(log)
DEVICE_FUNCTION(log2)
DEVICE_FUNCTION(log10)
DEVICE_FUNCTION(log1p)
DEVICE_FUNCTION(sin)
DEVICE_FUNCTION(cos)
DEVICE_FUNCTION(tan)
DEVICE_FUNCTION(asin)
DEVICE_FUNCTION(acos)
DEVICE_FUNCTION(atan)
DEVICE_FUNCTION(sinh)
DEVICE_FUNCTION(cosh)
DEVICE_FUNCTION(tanh)
DEVICE_FUNCTION(asinh)
DEVICE_FUNCTION(acosh)
DEVICE_FUNCTION(atanh)
DEVICE_FUNCTION(cbrt)
DEVICE_FUNCTION(erf)
DEVICE_FUNCTION(erfc)
DEVICE_FUNCTION(lgamma)
DEVICE_FUNCTION(tgamma)
double gpuopt_pow(double, double);
double gpuopt_atan2(double, double);
double gpuopt_hypot(double, double);
double gpuopt_fmod(double, double);
double gpuopt_remainder(double, double);
long double exp10l(long double);
}

namespace {

/// Distance of `got` from `want` in units in the last place of `want`.
double ulps(double got, long double want) {
  double rounded = static_cast<double>(want);
  if ((std::isnan(rounded) && std::isnan(got)) || got == rounded)
    return 0;
  if (!std::isfinite(rounded) || !std::isfinite(got))
    return INFINITY;
  int exponent;
  std::frexp(rounded, &exponent);
  double unit = std::ldexp(1.0, std::max(exponent - 53, -1074));
  return std::fabs(static_cast<double>(got - want)) / unit;
}

struct Range {
  double low, high;
};

const Range ranges[] = {
    {-0.4, 0.4},      {-1, 1},           {-30, 30},    {0, 1e-3},  {0, 700},
    {-700, 0},        {1, 1e6},          {1e6, 1e300}, {0.9, 1.1}, {0.5, 6},
    {1e-300, 1e-290}, {-1e-310, 1e-310}, {1e7, 1e9},   {-170, 170}};

using Function = double (*)(double);
using Reference = long double (*)(long double);

void expectUlps(const char *name, Function function, Reference reference,
                double bound) {
  std::mt19937_64 random(1);
  for (const Range &range : ranges) {
    std::uniform_real_distribution<double> distribution(range.low, range.high);
    for (int i = 0; i < 3000; ++i) {
      double x = distribution(random);
      ASSERT_LE(ulps(function(x), reference(x)), bound)
          << name << "(" << x << ")";
    }
  }
  for (double x : {0.0, -0.0, 1.0, -1.0, static_cast<double>(INFINITY),
                   -static_cast<double>(INFINITY), std::nan("")})
    EXPECT_LE(ulps(function(x), reference(x)), bound)
        << name << "(" << x << ")";
}

#define EXPECT_ULPS(NAME, BOUND)                                               \
  expectUlps(                                                                  \
      #NAME, gpuopt_##NAME, [](long double x) { return NAME##l(x); }, BOUND)

TEST(DeviceMath, ExponentialsAndLogarithms) {
  EXPECT_ULPS(exp, 1);
  EXPECT_ULPS(exp2, 1);
  EXPECT_ULPS(exp10, 1.5);
  EXPECT_ULPS(expm1, 2);
  EXPECT_ULPS(log, 1);
  EXPECT_ULPS(log2, 1);
  EXPECT_ULPS(log10, 1);
  EXPECT_ULPS(log1p, 1);
  EXPECT_ULPS(cbrt, 1);
}

TEST(DeviceMath, Trigonometry) {
  EXPECT_ULPS(sin, 1);
  EXPECT_ULPS(cos, 1);
  EXPECT_ULPS(tan, 3);
  EXPECT_ULPS(asin, 3);
  EXPECT_ULPS(acos, 3);
  EXPECT_ULPS(atan, 2);
}

TEST(DeviceMath, Hyperbolic) {
  EXPECT_ULPS(sinh, 3);
  EXPECT_ULPS(cosh, 3);
  EXPECT_ULPS(tanh, 3);
  EXPECT_ULPS(asinh, 3);
  EXPECT_ULPS(acosh, 3);
  EXPECT_ULPS(atanh, 3);
}

TEST(DeviceMath, ErrorAndGamma) {
  EXPECT_ULPS(erf, 3);
  EXPECT_ULPS(erfc, 4);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> distribution(-150, 150);
  for (int i = 0; i < 20000; ++i) {
    double x = distribution(random);
    double gamma = std::tgamma(x), logGamma = std::lgamma(x);
    ASSERT_NEAR(gpuopt_tgamma(x) / gamma, 1.0, 1e-12) << x;
    ASSERT_NEAR(gpuopt_lgamma(x), logGamma,
                1e-13 * std::max(1.0, std::fabs(logGamma)))
        << x;
  }
}

TEST(DeviceMath, TwoArguments) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponents(-20, 20), values(-10, 10);
  for (int i = 0; i < 50000; ++i) {
    double x = std::exp(exponents(random)), y = values(random);
    if (i & 1)
      x = -x;
    ASSERT_LE(ulps(gpuopt_pow(x, y), powl(x, y)), 1) << x << " " << y;
    ASSERT_LE(ulps(gpuopt_atan2(x, y), atan2l(x, y)), 3) << x << " " << y;
    ASSERT_LE(ulps(gpuopt_hypot(x, y), hypotl(x, y)), 1) << x << " " << y;
    ASSERT_EQ(ulps(gpuopt_fmod(x, y), fmodl(x, y)), 0) << x << " " << y;
    ASSERT_EQ(ulps(gpuopt_remainder(x, y), remainderl(x, y)), 0);
  }
}

TEST(DeviceMath, PowerOfSpecialValues) {
  const double special[] = {0.0, -0.0,  1.0,      -1.0,      2.0, -3.0,
                            0.5, 1e308, INFINITY, -INFINITY, NAN};
  for (double x : special)
    for (double y : special)
      EXPECT_LE(ulps(gpuopt_pow(x, y), powl(x, y)), 1) << x << " " << y;
}

TEST(DeviceMath, SinglePrecisionIsRounded) {
  for (float x = -20.0f; x < 20.0f; x += 0.013f) {
    EXPECT_FLOAT_EQ(gpuopt_expf(x), std::exp(x));
    EXPECT_FLOAT_EQ(gpuopt_sinf(x), std::sin(x));
    EXPECT_FLOAT_EQ(gpuopt_tanhf(x), std::tanh(x));
    EXPECT_FLOAT_EQ(gpuopt_erff(x), std::erf(x));
  }
}

} // namespace
