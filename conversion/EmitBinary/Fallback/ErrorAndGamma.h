//===- ErrorAndGamma.h - erf, gamma and their relatives -----------*- C -*-===//
//
// Part of Math.c, which includes it.
//
//===----------------------------------------------------------------------===//

// Chebyshev fits of erfc(x) exp(x^2), the argument mapped to [-1, 1]:
// for 0.5 <= x <= 1, 1 <= x <= 2, 2 <= x <= 4, and times x over 1/x^2 beyond.
static const double erfcxHalf[] = {
    0x1.038d54ea3d834p-1,   -0x1.78cdd551ee51ap-4,  0x1.d90093ae10928p-7,
    -0x1.09e77d40e01cep-9,  0x1.1192f5bd686e0p-12,  -0x1.054d68296d29cp-15,
    0x1.d43a7c7a8d34bp-19,  -0x1.8c97dd23c5650p-22, 0x1.3f8189568a0d5p-25,
    -0x1.ec0d293818d60p-29, 0x1.6b9854fcf9488p-32,  -0x1.02a0492de3b0ap-35,
    0x1.635a1b87a16a8p-39,  -0x1.e4133e4a0210ap-43, 0x1.384f04630f823p-46};
static const double erfcxNear[] = {
    0x1.494daffa2ad68p-2,   -0x1.4f1988444caf6p-4,  0x1.37ea271bc54bcp-6,
    -0x1.0dc51d2941fe9p-8,  0x1.b65944f34fbb8p-11,  -0x1.513ed75fe3933p-13,
    0x1.ee705e73117ccp-16,  -0x1.5b0ac006ec7b6p-18, 0x1.d4509d4272f3cp-21,
    -0x1.30c0deeb51cb1p-23, 0x1.7f9965fb4b29ap-26,  -0x1.d41bd0e0512f3p-29,
    0x1.15709f6d4a371p-31,  -0x1.3f2acf40c6749p-34, 0x1.66d0f3627a619p-37,
    -0x1.a99a53f250615p-40, 0x1.c8f04989af837p-43};
static const double erfcxMiddle[] = {
    0x1.6e9827d229d2dp-3,   -0x1.bd6ae4d14b172p-5,  0x1.043fe1a98c0d4p-6,
    -0x1.259061ba85015p-8,  0x1.409cc2ed3f00fp-10,  -0x1.53dec9d0fb379p-12,
    0x1.5e739305437ccp-14,  -0x1.602510035f996p-16, 0x1.595f1b10b0cb3p-18,
    -0x1.4b1471cf79390p-20, 0x1.3699169bc6869p-22,  -0x1.1d76aa28a4a9ap-24,
    0x1.014e087db3cd8p-26,  -0x1.c7c7a83bc787cp-29, 0x1.8c2f742490cc3p-31,
    -0x1.4b8d2edd5c673p-33, 0x1.1664e6e4aa298p-35,  -0x1.1e3a0dbcabcdap-37,
    0x1.d4a35f8c21a63p-40};
static const double erfcxFar[] = {
    0x1.1c7988ff4590cp-1,   -0x1.037a5fa79e624p-7,  0x1.504c95e18b509p-12,
    -0x1.5965fb831937dp-16, 0x1.d9d63a826b6abp-20,  -0x1.8fd67e8f017d7p-23,
    0x1.8b8fc5b129798p-26,  -0x1.bc9e2f4eb3d3bp-29, 0x1.15bc5639602d0p-31,
    -0x1.7b7860c865201p-34, 0x1.180ae92a7b72ep-36,  -0x1.baf64f64565ccp-39,
    0x1.73ab660a0af50p-41,  -0x1.3beb5e6044c8fp-43, 0x1.210fd7ca0fa0ap-45,
    -0x1.8be5e6aaeb010p-47, 0x1.a001b58acb348p-49};

INLINE double polynomial(const double *coefficients, int degree, double x) {
  double value = coefficients[degree];
  for (int i = degree - 1; i >= 0; --i)
    value = FMA(value, x, coefficients[i]);
  return value;
}

/// erfc(x) exp(x^2) for x >= 0.5.
static double erfcxTail(double x) {
  if (x < 1.0)
    return polynomial(erfcxHalf, 14, 4.0 * x - 3.0);
  if (x < 2.0)
    return polynomial(erfcxNear, 16, 2.0 * x - 3.0);
  if (x < 4.0)
    return polynomial(erfcxMiddle, 18, x - 3.0);
  double low = 1.0 / 900.0, high = 1.0 / 16.0;
  double u = 1.0 / (x * x);
  return polynomial(erfcxFar, 16, (2.0 * u - (high + low)) / (high - low)) / x;
}

double F64(erfc)(double x);

double F64(erf)(double x) {
  double size = __builtin_fabs(x);
  if (!(size < 1.0))
    return x != x ? x : __builtin_copysign(1.0 - F64(erfc)(size), x);
  // 2/sqrt(pi) sum (-1)^n x^(2n+1) / (n! (2n+1))
  double z = x * x, p = 0.0;
#pragma unroll
  for (int n = 20; n >= 1; --n) {
    double factorial = 1.0;
#pragma unroll
    for (int i = 2; i <= n; ++i)
      factorial *= i;
    p = FMA(p, z, (n & 1 ? -1.0 : 1.0) / (factorial * (2 * n + 1)));
  }
  return 0x1.20dd750429b6dp+0 * FMA(z * x, p, x);
}

double F64(erfc)(double x) {
  if (x != x)
    return x;
  if (x < 0.5)
    return x < -0.5 ? 2.0 - F64(erfc)(-x) : 1.0 - F64(erf)(x);
  if (x > 27.3)
    return 0.0;
  Pair square = twoProduct(x, x);
  return expPair(-square.high, -square.low) * erfcxTail(x);
}

double F64(erfcx)(double x) {
  if (x >= 30.0)
    return 0x1.20dd750429b6dp-1 / (x + 0.5 / (x + 1.0 / (x + 1.5 / x)));
  if (x >= 0.5)
    return erfcxTail(x);
  return F64(exp)(x * x) * F64(erfc)(x);
}

#if defined(__AMDGCN__)
double F64(ncdf)(double x) {
#else
double F64(normcdf)(double x) {
#endif
  return 0.5 * F64(erfc)(-x * 0x1.6a09e667f3bcdp-1);
}

/// Lanczos's sum for gamma(x + 1), g = 607/128.
static double lanczosSum(double x) {
  static const double c[] = {
      0.99999999999999709182,    57.156235665862923517,
      -59.597960355475491248,    14.136097974741747174,
      -0.49191381609762019978,   0.33994649984811888699e-4,
      0.46523628927048575665e-4, -0.98374475304879564677e-4,
      0.15808870322491248884e-3, -0.21026444172410488319e-3,
      0.21743961811521264320e-3, -0.16431810653676389022e-3,
      0.84418223983852743293e-4, -0.26190838401581408670e-4,
      0.36899182659531622704e-5};
  double sum = c[0];
  for (int i = 1; i < 15; ++i)
    sum += c[i] / (x + i);
  return sum;
}

/// gamma(x) for x >= 0.5 as a product of two factors, neither of which
/// overflows before gamma(1 + 183) does.
static Pair gammaFactors(double x) {
  double t = x - 1.0 + 607.0 / 128.0 + 0.5;
  double half = F64(pow)(t, 0.5 * (x - 0.5));
  return (Pair){half, 2.5066282746310005024 * half * F64(exp)(-t) *
                          lanczosSum(x - 1.0)};
}

double F64(tgamma)(double x) {
  if (x != x || x == -INF)
    return NOT_A_NUMBER;
  if (x == 0.0)
    return 1.0 / x;
  if (x > 171.7)
    return INF;
  if (x >= 0.5) {
    Pair factors = gammaFactors(x);
    return factors.high * factors.low;
  }
  if (__builtin_trunc(x) == x)
    return NOT_A_NUMBER;
  double sine = F64(sinpi)(x);
  if (x < -184.0)
    return __builtin_copysign(0.0, sine);
  Pair factors = gammaFactors(1.0 - x);
  return 0x1.921fb54442d18p+1 / sine / factors.high / factors.low;
}

double F64(lgamma)(double x) {
  if (x != x)
    return x;
  if (x == INF || x == -INF || (x <= 0.0 && __builtin_trunc(x) == x))
    return INF;
  if (x < 0.5)
    return 0x1.250d048e7a1bdp+0 - F64(log)(__builtin_fabs(F64(sinpi)(x))) -
           F64(lgamma)(1.0 - x);
  double t = x - 1.0 + 607.0 / 128.0 + 0.5;
  return 0.91893853320467274178 + (x - 0.5) * F64(log)(t) - t +
         F64(log)(lanczosSum(x - 1.0));
}
