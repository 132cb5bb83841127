// What eighths.ptx computes: the nearest of all numbers of eight bits, by comparing with each.
__device__ double valueOf(unsigned byte, int fractionBits) {
  int exponentBits = 7 - fractionBits, bias = (1 << (exponentBits - 1)) - 1;
  int exponent = byte >> fractionBits & ((1 << exponentBits) - 1), fraction = byte & ((1 << fractionBits) - 1);
  double value = exponent ? ldexp(1.0 + ldexp(double(fraction), -fractionBits), exponent - bias)
                          : ldexp(double(fraction), 1 - bias - fractionBits);
  return byte & 0x80 ? -value : value;
}

// The largest that there is for what is beyond; of two that are as near, the even one.
__device__ unsigned nearest(double x, int fractionBits, bool isRelu) {
  unsigned largest = fractionBits == 3 ? 0x7e : 0x7b, best = 0, sign = __double_as_longlong(x) < 0 ? 0x80 : 0;
  if (x != x)
    return 0x7f;
  if (isRelu && sign)
    return 0;
  for (unsigned byte = 1; byte <= largest; ++byte) {
    double distance = fabs(fabs(x) - valueOf(byte, fractionBits)), least = fabs(fabs(x) - valueOf(best, fractionBits));
    if (distance < least || (distance == least && byte % 2 == 0))
      best = byte;
  }
  return (isinf(x) ? largest : best) | sign;
}

__device__ unsigned halfOf(unsigned byte, int fractionBits, bool isRelu) {
  unsigned magnitude = byte & 0x7f, sign = (byte & 0x80) << 8;
  bool isNone = fractionBits == 3 ? magnitude == 0x7f : magnitude > 0x7c;
  if (!isNone && isRelu && sign)
    return 0;
  if (fractionBits == 3 && isNone)
    return 0x7fff | (isRelu ? 0 : sign);
  if (fractionBits == 2)
    return magnitude << 8 | sign;
  _Float16 half = valueOf(magnitude, 3);
  return __builtin_bit_cast(unsigned short, half) | sign;
}

__device__ unsigned halvesOf(unsigned pair, int fractionBits, bool isRelu) {
  return halfOf(pair & 0xff, fractionBits, isRelu) | halfOf(pair >> 8 & 0xff, fractionBits, isRelu) << 16;
}

__device__ double numberOf(unsigned half) { return __builtin_bit_cast(_Float16, (unsigned short)half); }

extern "C" __global__ void eighths(const float *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i];
  unsigned *mine = out + i * 5, halves = halvesOf(i & 0xffff, 3, false);
  mine[0] = nearest(x, 3, false) << 8 | nearest(-x, 3, false) | nearest(-x, 2, false) << 24 | nearest(x, 2, false) << 16;
  mine[1] = nearest(x, 3, true) << 8 | nearest(-x, 3, true);
  mine[2] = halves;
  mine[3] = halvesOf(i & 0xffff, 2, false);
  unsigned pair = nearest(numberOf(halves >> 16), 2, false) << 8 | nearest(numberOf(halves & 0xffff), 2, false);
  mine[4] = (pair | pair << 16) ^ halvesOf(i & 0xffff, 3, true);
}
