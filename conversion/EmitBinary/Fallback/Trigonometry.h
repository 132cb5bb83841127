//===- Trigonometry.h - sin, cos, atan and their relatives --------*- C -*-===//
//
// Part of Math.c, which includes it.
//
//===----------------------------------------------------------------------===//

/// 64 zero bits, then the binary digits of 2/pi after the point.
static const u64 twoOverPi[] = {0,
                                0xa2f9836e4e441529ull,
                                0xfc2757d1f534ddc0ull,
                                0xdb6295993c439041ull,
                                0xfe5163abdebbc561ull,
                                0xb7246e3a424dd2e0ull,
                                0x06492eea09d1921cull,
                                0xfe1deb1cb129a73eull,
                                0xe88235f52ebb4484ull,
                                0xe99c7026b45f7e41ull,
                                0x3991d639835339f4ull,
                                0x9c845f8bbdf9283bull,
                                0x1ff897ffde05980full,
                                0xef2f118b5a0a6d1full,
                                0x6d367ecf27cb09b7ull,
                                0x4f463f669e5fea2dull,
                                0x7527bac7ebe5f17bull,
                                0x3d0739f78a5292eaull,
                                0x6bfb5fb11f8d5d08ull,
                                0x56033046fc7b6babull,
                                0xf0cfbc209af4361dull};

/// x modulo pi/2 and the quotient modulo 4.
typedef struct {
  Pair rest;
  int quadrant;
} Reduced;

/// For |x| >= 2^20: Payne and Hanek's reduction with the digits that matter.
static Reduced reduceLarge(double x) {
  u64 bits = toBits(x) & 0x7fffffffffffffffull;
  int exponent = (int)(bits >> 52) - 1075;
  u64 m = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
  // Digits before `start` contribute multiples of 4.
  int start = exponent - 2 + 64;
  int word = start / 64, shift = start % 64;
  u64 window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shift ? (twoOverPi[word + i] << shift) |
                            (twoOverPi[word + i + 1] >> (64 - shift))
                      : twoOverPi[word + i];
  u128 low = (u128)m * window[2];
  u128 middle = (u128)m * window[1] + (u64)(low >> 64);
  u64 high = m * window[0] + (u64)(middle >> 64);
  // The quotient modulo 4 is high.middle.low / 2^190.
  int quadrant = (int)(high >> 62);
  u128 fraction = ((u128)(high << 2 | (u64)middle >> 62) << 64) |
                  ((u64)middle << 2 | (u64)low >> 62);
  int isUpper = (int)(fraction >> 127);
  if (isUpper) {
    fraction = -fraction;
    quadrant = (quadrant + 1) & 3;
  }
  // The leading bits of the fraction; it may begin with many zeros.
  int zeros =
      (u64)(fraction >> 64) ? __builtin_clzll((u64)(fraction >> 64)) : 64;
  fraction <<= zeros;
  double factor = fromBits((u64)(1023 - zeros) << 52);
  double a = (double)((u64)(fraction >> 64) >> 11) * 0x1p-53 * factor;
  double b =
      (double)((u64)(fraction >> 22) & 0x1fffffffffffffull) * 0x1p-106 * factor;
  Pair product = twoProduct(a, 0x1.921fb54442d18p+0);
  product.low += FMA(a, 0x1.1a62633145c07p-54, b * 0x1.921fb54442d18p+0);
  Pair rest = twoSum(product.high, product.low);
  if (isUpper)
    rest = (Pair){-rest.high, -rest.low};
  if (x < 0.0) {
    rest = (Pair){-rest.high, -rest.low};
    quadrant = -quadrant & 3;
  }
  return (Reduced){rest, quadrant};
}

static Reduced reduce(double x) {
  if (!(__builtin_fabs(x) < 0x1p20))
    return reduceLarge(x);
  double k = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  // The first step is exact; the others keep what they round away.
  double r = FMA(-k, 0x1.921fb54442d18p+0, x);
  Pair second = twoProduct(k, 0x1.1a62633145c07p-54);
  Pair rest = twoSum(r, -second.high);
  rest.low += FMA(-k, -0x1.f1976b7ed8fbcp-110, -second.low);
  rest = twoSum(rest.high, rest.low);
  return (Reduced){rest, (int)k & 3};
}

/// sin(r) for |r| <= pi/4.
static double sinPoly(Pair r) {
  double z = r.high * r.high;
  double p = 1.0 / 355687428096000.0;
  p = FMA(p, z, -1.0 / 1307674368000.0);
  p = FMA(p, z, 1.0 / 6227020800.0);
  p = FMA(p, z, -1.0 / 39916800.0);
  p = FMA(p, z, 1.0 / 362880.0);
  p = FMA(p, z, -1.0 / 5040.0);
  p = FMA(p, z, 1.0 / 120.0);
  p = FMA(p, z, -1.0 / 6.0);
  return r.high + FMA(z * r.high, p, r.low * (1.0 - 0.5 * z));
}

/// cos(r) for |r| <= pi/4.
static double cosPoly(Pair r) {
  double z = r.high * r.high;
  double p = -1.0 / 6402373705728000.0;
  p = FMA(p, z, 1.0 / 20922789888000.0);
  p = FMA(p, z, -1.0 / 87178291200.0);
  p = FMA(p, z, 1.0 / 479001600.0);
  p = FMA(p, z, -1.0 / 3628800.0);
  p = FMA(p, z, 1.0 / 40320.0);
  p = FMA(p, z, -1.0 / 720.0);
  p = FMA(p, z, 1.0 / 24.0);
  double half = 0.5 * z, head = 1.0 - half;
  double lost = (1.0 - head) - half;
  return head + (lost + FMA(z * z, p, -r.high * r.low));
}

static double evaluate(Reduced x, int shift) {
  int quadrant = (x.quadrant + shift) & 3;
  double value = quadrant & 1 ? cosPoly(x.rest) : sinPoly(x.rest);
  return quadrant & 2 ? -value : value;
}

double F64(sin)(double x) {
  if (!(__builtin_fabs(x) < INF))
    return NOT_A_NUMBER;
  return x == 0.0 ? x : evaluate(reduce(x), 0);
}

double F64(cos)(double x) {
  if (!(__builtin_fabs(x) < INF))
    return NOT_A_NUMBER;
  return evaluate(reduce(x), 1);
}

double F64(tan)(double x) {
  if (!(__builtin_fabs(x) < INF))
    return NOT_A_NUMBER;
  if (x == 0.0)
    return x;
  Reduced reduced = reduce(x);
  return evaluate(reduced, 0) / evaluate(reduced, 1);
}

/// pi * x modulo pi/2; the quotient of x by 1/2 is exact.
static Reduced reducePi(double x) {
  double k = __builtin_rint(2.0 * x);
  double r = FMA(-0.5, k, x);
  Pair rest = twoProduct(r, 0x1.921fb54442d18p+1);
  rest.low = FMA(r, 0x1.1a62633145c07p-53, rest.low);
  double whole = k - 4.0 * __builtin_floor(0.25 * k);
  return (Reduced){twoSum(rest.high, rest.low), (int)whole};
}

double F64(sinpi)(double x) {
  if (!(__builtin_fabs(x) < INF))
    return NOT_A_NUMBER;
  return x == 0.0 ? x : evaluate(reducePi(x), 0);
}
double F64(cospi)(double x) {
  if (!(__builtin_fabs(x) < INF))
    return NOT_A_NUMBER;
  return evaluate(reducePi(x), 1);
}

double F64(atan)(double x) {
  double size = __builtin_fabs(x);
  int isInverse = size > 1.0;
  double t = isInverse ? 1.0 / size : size;
  Pair base = {0.0, 0.0};
  if (t > 0.75) {
    base = (Pair){0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    t = (t - 1.0) / (t + 1.0);
  } else if (t > 0.25) {
    base = (Pair){0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56};
    t = (t - 0.5) / FMA(0.5, t, 1.0);
  }
  double z = t * t, p = 1.0 / 29.0;
#pragma unroll
  for (int n = 27; n >= 3; n -= 2)
    p = FMA(-p, z, 1.0 / n);
  double value = base.high + (t + FMA(-z * t, p, base.low));
  if (isInverse)
    value = 0x1.921fb54442d18p+0 - (value - 0x1.1a62633145c07p-54);
  return __builtin_copysign(value, x);
}

double F64(atan2)(double y, double x) {
  if (x != x || y != y)
    return NOT_A_NUMBER;
  double a = __builtin_fabs(y), b = __builtin_fabs(x), value;
  int isLeft = __builtin_copysign(1.0, x) < 0.0;
  if (a == 0.0)
    value = 0.0;
  else if (a == INF && b == INF)
    value = 0x1.921fb54442d18p-1;
  else
    value = F64(atan)(a / b);
  if (isLeft)
    value = 0x1.921fb54442d18p+1 - (value - 0x1.1a62633145c07p-53);
  return __builtin_copysign(value, y);
}

double F64(asin)(double x) {
  return F64(atan2)(x, __builtin_sqrt((1.0 - x) * (1.0 + x)));
}
double F64(acos)(double x) {
  return F64(atan2)(__builtin_sqrt((1.0 - x) * (1.0 + x)), x);
}
