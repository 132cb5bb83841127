// What narrow.ptx does, by the tables of the PTX ISA.

/// A number without its sign: `bias` is that of the exponent.
static __device__ double number(unsigned bits, int fraction, int bias) {
  int exponent = bits >> fraction;
  double part = bits & ((1 << fraction) - 1);
  double unit = 1;
  for (int i = 0; i < fraction; ++i)
    unit /= 2;
  double value = exponent ? 1 + part * unit : part * unit;
  for (int e = (exponent ? exponent : 1) - bias; e != 0; e += e < 0 ? 1 : -1)
    value = e < 0 ? value / 2 : value * 2;
  return value;
}

/// The nearest one, the even one of two, the largest for what is beyond or no number.
static __device__ unsigned nearest(float x, int fraction, int bias, unsigned largest, unsigned sign, bool relu) {
  if (x != x)
    return largest;
  bool isNegative = __float_as_uint(x) >> 31;
  double size = x < 0 ? -double(x) : x;
  if (size > 64)
    size = 64;
  unsigned best = 0;
  for (unsigned bits = 1; bits <= largest; ++bits) {
    double distance = size - number(bits, fraction, bias), least = size - number(best, fraction, bias);
    distance = distance < 0 ? -distance : distance;
    least = least < 0 ? -least : least;
    if (distance < least || (distance == least && bits % 2 == 0))
      best = bits;
  }
  return !isNegative ? best : relu ? 0 : best | sign;
}

static __device__ unsigned exponent(float x, bool up, bool finite) {
  unsigned bits = __float_as_uint(x) & 0x7fffffff, result = bits >> 23;
  if (bits > 0x7f800000)
    return 0xff;
  if (up && bits & 0x7fffff && bits > 0x400000 && bits < 0x7f800000)
    ++result;
  return finite && result == 0xff ? 0xfe : result;
}

/// A half that is exact.
static __device__ unsigned half(unsigned bits, int fraction, int bias, unsigned sign, bool relu) {
  double value = number(bits & (sign - 1), fraction, bias);
  unsigned result = 0;
  if (value) {
    int e = 0;
    for (; value >= 2; value /= 2)
      ++e;
    for (; value < 1; value *= 2)
      --e;
    result = (e + 15) << 10 | unsigned((value - 1) * 1024);
  }
  return !(bits & sign) ? result : relu ? 0 : result | 0x8000;
}

static __device__ unsigned scale(unsigned byte) { return byte == 255 ? 0x7fff : byte ? byte << 7 : 0x40; }

static __device__ unsigned brain(unsigned long long size, bool isNegative) {
  int e = 0;
  while (e < 63 && size >> (e + 1))
    ++e;
  if (!size)
    return 0;
  unsigned long long kept = size << (63 - e) >> 56, rest = size << (63 - e) << 8;
  if (rest > 1ull << 63 || (rest == 1ull << 63 && kept & 1))
    ++kept;
  return ((e + 126) << 7) + unsigned(kept) | (isNegative ? 0x8000 : 0);
}

static __device__ unsigned distance(unsigned a, unsigned b, bool isSigned) {
  int x = isSigned ? short(a) : int(a & 0xffff), y = isSigned ? short(b) : int(b & 0xffff);
  return x < y ? y - x : x - y;
}

extern "C" __global__ void narrow(const float *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[2 * i], y = in[2 * i + 1];
  unsigned a = __float_as_uint(x), b = __float_as_uint(y);
  out[16 * i] = nearest(y, 2, 3, 31, 32, false) << 8 | nearest(x, 2, 3, 31, 32, false);
  out[16 * i + 1] = nearest(y, 3, 1, 31, 32, true) << 8 | nearest(x, 3, 1, 31, 32, true);
  out[16 * i + 2] = nearest(y, 1, 1, 7, 8, false) << 4 | nearest(x, 1, 1, 7, 8, false);
  out[16 * i + 3] = exponent(y, false, false) << 8 | exponent(x, false, false);
  out[16 * i + 4] = exponent(y, true, true) << 8 | exponent(x, true, true);
  out[16 * i + 5] = half(a >> 8 & 63, 2, 3, 32, false) << 16 | half(a & 63, 2, 3, 32, false);
  out[16 * i + 6] = half(a >> 8 & 63, 3, 1, 32, false) << 16 | half(a & 63, 3, 1, 32, false);
  out[16 * i + 7] = half(a >> 4 & 15, 1, 1, 8, true) << 16 | half(a & 15, 1, 1, 8, true);
  out[16 * i + 8] = scale(a >> 8 & 255) << 16 | scale(a & 255);
  out[16 * i + 9] = distance(a >> 16, b >> 16, false) << 16 | distance(a, b, false);
  out[16 * i + 10] = distance(a >> 16, b >> 16, true) + distance(a, b, true) + i;
  unsigned long long word = a | (unsigned long long)b << 32;
  long long number = (long long)word >> (i & 63);
  out[16 * i + 11] = brain(word >> (i & 63), false) | brain(number < 0 ? -(unsigned long long)number : number, number < 0) << 16;
}
