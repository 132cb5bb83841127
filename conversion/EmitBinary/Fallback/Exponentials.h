//===- Exponentials.h - exp, log, pow and hyperbolic functions ----*- C -*-===//
//
// Part of Math.c, which includes it.
//
//===----------------------------------------------------------------------===//

/// e^(high + low) for |high| < 800, |low| tiny.
static double expPair(double high, double low) {
  double k = __builtin_rint(high * 0x1.71547652b82fep+0);
  double r = FMA(-k, 0x1.62e42fefa0000p-1, high);
  double correction = low - k * 0x1.cf79abc9e3b3ap-40;
  Pair reduced = twoSum(r, correction);
  r = reduced.high;
  double p = 1.0 / 6227020800.0;
  static const double inverseFactorials[] = {
      1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
      1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,     1.0 / 120.0,
      1.0 / 24.0,        1.0 / 6.0,        1.0 / 2.0};
#pragma unroll
  for (int i = 0; i < 11; ++i)
    p = FMA(p, r, inverseFactorials[i]);
  // 1 + r + (r^2 p + low), the largest part last.
  double value = 1.0 + (r + FMA(r * r, p, reduced.low));
  int n = (int)k;
  if (n > -1000 && n < 1000)
    return value * powerOfTwo(n);
  return scale(value, n);
}

double F64(exp)(double x) {
  if (x != x)
    return x;
  if (x > 709.79)
    return INF;
  if (x < -745.2)
    return 0.0;
  return expPair(x, 0.0);
}

double F64(exp2)(double x) {
  if (x != x)
    return x;
  if (x >= 1024.0)
    return INF;
  if (x < -1075.0)
    return 0.0;
  double whole = __builtin_rint(x);
  Pair product = twoProduct(x - whole, 0x1.62e42fefa39efp-1);
  double low = FMA(x - whole, 0x1.abc9e3b39803fp-56, product.low);
  return scale(expPair(product.high, low), (int)whole);
}

double F64(exp10)(double x) {
  if (x != x)
    return x;
  if (x > 308.26)
    return INF;
  if (x < -323.7)
    return 0.0;
  Pair product = twoProduct(x, 0x1.26bb1bbb55516p+1);
  return expPair(product.high, FMA(x, -0x1.f48ad494ea3e9p-53, product.low));
}

double F64(expm1)(double x) {
  if (!(x > -0.5 && x < 0.5))
    return x < -50.0 ? -1.0 : F64(exp)(x) - 1.0;
  double p = 1.0 / 20922789888000.0 / 17.0;
#pragma unroll
  for (int n = 16; n >= 2; --n) {
    double factorial = 1.0;
#pragma unroll
    for (int i = 2; i <= n; ++i)
      factorial *= i;
    p = FMA(p, x, 1.0 / factorial);
  }
  return FMA(x * x, p, x);
}

/// log(x) as a pair for positive, finite, normal x.
static Pair logPair(double x) {
  u64 bits = toBits(x);
  int exponent = (int)(bits >> 52) - 1023;
  double m = fromBits((bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // log m = 2 atanh(s), s = (m - 1) / (m + 1) with the quotient's remainder.
  double numerator = m - 1.0;
  Pair denominator = twoSum(m, 1.0);
  double s = numerator / denominator.high;
  double remainder = FMA(-s, denominator.high, numerator);
  double sLow = FMA(-s, denominator.low, remainder) / denominator.high;
  double z = s * s;
  double p = 1.0 / 27.0;
#pragma unroll
  for (int n = 25; n >= 5; n -= 2)
    p = FMA(p, z, 1.0 / n);
  // 2 s + 2 s^3 / 3 + 2 s^5 p: the first two terms as pairs.
  Pair square = twoProduct(s, s);
  square.low = FMA(2.0 * s, sLow, square.low);
  Pair cube = twoProduct(square.high, s);
  cube.low += FMA(square.low, s, square.high * sLow);
  Pair third = twoProduct(cube.high, 0x1.5555555555555p-1);
  third.low +=
      FMA(cube.low, 0x1.5555555555555p-1, cube.high * 0x1.5555555555555p-55);
  double tail = 2.0 * s * z * z * p;
  double k = exponent;
  Pair sum = twoSum(k * 0x1.62e42fefa0000p-1, 2.0 * s);
  Pair more = twoSum(sum.high, third.high);
  double low = sum.low + more.low + FMA(k, 0x1.cf79abc9e3b3ap-40, 2.0 * sLow) +
               third.low + tail;
  return twoSum(more.high, low);
}

/// log(x) as a pair for x > 0, finite; subnormal too.
static Pair logAny(double x) {
  if (x >= 0x1p-1022)
    return logPair(x);
  Pair value = logPair(x * 0x1p54);
  Pair shift = twoSum(value.high, -54.0 * 0x1.62e42fefa0000p-1);
  return twoSum(shift.high,
                shift.low + value.low - 54.0 * 0x1.cf79abc9e3b3ap-40);
}

/// What logarithms of anything but positive numbers are.
INLINE int isOrdinaryLog(double x, double *special) {
  if (x > 0.0 && x < INF)
    return 1;
  *special = x == 0.0 ? -INF : x == INF ? INF : NOT_A_NUMBER;
  return 0;
}

double F64(log)(double x) {
  double special;
  if (!isOrdinaryLog(x, &special))
    return special;
  Pair value = logAny(x);
  return value.high + value.low;
}

/// log(x) * (high + low).
static double scaledLog(double x, double high, double low) {
  double special;
  if (!isOrdinaryLog(x, &special))
    return special;
  Pair value = logAny(x);
  Pair product = twoProduct(value.high, high);
  return product.high + (product.low + FMA(value.high, low, value.low * high));
}

double F64(log2)(double x) {
  return scaledLog(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}
double F64(log10)(double x) {
  return scaledLog(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}

double F64(log1p)(double x) {
  if (x <= -1.0 || x != x || x == INF)
    return x == -1.0 ? -INF : x == INF ? INF : NOT_A_NUMBER;
  Pair sum = twoSum(1.0, x);
  if (sum.high == 1.0)
    return x;
  Pair value = logAny(sum.high);
  return value.high + (value.low + sum.low / sum.high);
}

static int isOddInteger(double y) {
  return __builtin_fabs(y) < 0x1p53 && __builtin_trunc(y) == y &&
         ((i64)y & 1) != 0;
}

double F64(pow)(double x, double y) {
  if (y == 0.0 || x == 1.0)
    return 1.0;
  if (x != x || y != y)
    return NOT_A_NUMBER;
  int negate = x < 0.0 || (x == 0.0 && 1.0 / x < 0.0) ? isOddInteger(y) : 0;
  double size = __builtin_fabs(x);
  if (y == INF || y == -INF)
    return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? INF : 0.0;
  double result;
  if (size == 0.0 || size == INF) {
    result = (size == 0.0) == (y > 0.0) ? 0.0 : INF;
  } else {
    if (x < 0.0 && __builtin_trunc(y) != y)
      return NOT_A_NUMBER;
    Pair value = logAny(size);
    Pair product = twoProduct(value.high, y);
    product.low = FMA(value.low, y, product.low);
    result = product.high > 709.79   ? INF
             : product.high < -745.2 ? 0.0
             : product.high != product.high
                 ? NOT_A_NUMBER
                 : expPair(product.high, product.low);
  }
  return negate ? -result : result;
}

double F64(pown)(double x, int n) { return F64(pow)(x, n); }
double F64(powi)(double x, int n) { return F64(pow)(x, n); }

double F64(sinh)(double x) {
  double size = __builtin_fabs(x);
  if (size > 40.0) {
    double half = F64(exp)(0.5 * size);
    return __builtin_copysign(0.5 * half * half, x);
  }
  double t = F64(expm1)(size);
  return __builtin_copysign(0.5 * (t + t / (t + 1.0)), x);
}

double F64(cosh)(double x) {
  double half = F64(exp)(0.5 * __builtin_fabs(x));
  if (half > 0x1p30)
    return 0.5 * half * half;
  double e = F64(exp)(__builtin_fabs(x));
  return 0.5 * (e + 1.0 / e);
}

double F64(tanh)(double x) {
  double size = __builtin_fabs(x);
  if (size > 22.0)
    return __builtin_copysign(1.0, x);
  double t = F64(expm1)(2.0 * size);
  return __builtin_copysign(t / (t + 2.0), x);
}

double F64(asinh)(double x) {
  double size = __builtin_fabs(x);
  double value =
      size > 0x1p28
          ? F64(log)(size) + 0x1.62e42fefa39efp-1
          : F64(log1p)(size +
                       size * size / (1.0 + __builtin_sqrt(1.0 + size * size)));
  return __builtin_copysign(value, x);
}

double F64(acosh)(double x) {
  if (x > 0x1p28)
    return F64(log)(x) + 0x1.62e42fefa39efp-1;
  double t = x - 1.0;
  return F64(log1p)(t + __builtin_sqrt(2.0 * t + t * t));
}

double F64(atanh)(double x) {
  double size = __builtin_fabs(x);
  return __builtin_copysign(0.5 * F64(log1p)(2.0 * size / (1.0 - size)), x);
}

double F64(cbrt)(double x) {
  double size = __builtin_fabs(x);
  if (!(size > 0.0 && size < INF))
    return x;
  if (size < 0x1p-1022)
    return F64(cbrt)(x * 0x1p54) * 0x1p-18;
  double y = F64(exp)(F64(log)(size) * 0x1.5555555555555p-2);
  // Newton's step from the exact residue.
  Pair square = twoProduct(y, y);
  Pair cube = twoProduct(square.high, y);
  double residue = (cube.high - size) + FMA(square.low, y, cube.low);
  return __builtin_copysign(y - residue / (3.0 * square.high), x);
}
