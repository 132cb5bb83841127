// What the PTX ISA says of the instructions of bits.ptx, in C++.
__device__ unsigned field(unsigned a, unsigned first, unsigned count) {
  unsigned long long wide = a;
  return unsigned(wide >> first) & ((1u << count) - 1);
}

__device__ unsigned signedField(unsigned a, unsigned first, unsigned count) {
  unsigned sign = a >> (first + count - 1 < 31 ? first + count - 1 : 31) & 1;
  unsigned result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= (i < count && first + i < 32 ? a >> (first + i) & 1 : sign) << i;
  return result;
}

__device__ unsigned insert(unsigned a, unsigned b, unsigned first, unsigned count) {
  for (unsigned i = 0; i < count && first + i < 32; ++i)
    b = (b & ~(1u << (first + i))) | (a >> i & 1) << (first + i);
  return b;
}

__device__ unsigned byteOf(unsigned long long both, unsigned selector) {
  unsigned value = both >> selector % 8 * 8 & 255;
  return selector & 8 ? (value & 128 ? 255 : 0) : value;
}

extern "C" __global__ void bits(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2], first = c & 31;
  unsigned long long both = (unsigned long long)b << 32 | a;
  unsigned *o = out + i * 16;
  o[0] = field(a, first, 7);
  o[1] = signedField(a, first, 7);
  o[2] = insert(b, a, first, 5);
  o[3] = (a & b) | (~a & c);
  o[4] = byteOf(both, 1) | byteOf(both, 3) << 8 | byteOf(both, 14) << 16 | byteOf(both, 9) << 24;
  o[5] = unsigned((both << (c & 31)) >> 32);
  o[6] = c >= 32 ? b : unsigned(both >> c);
  unsigned ones = 0, zeros = 32, reversed = 0, highest = ~0u;
  for (unsigned bit = 0; bit < 32; ++bit) {
    ones += a >> bit & 1;
    reversed |= (a >> bit & 1) << (31 - bit);
    if (a >> bit & 1) {
      zeros = 31 - bit;
      highest = bit;
    }
  }
  o[7] = ones;
  o[8] = zeros;
  o[9] = reversed;
  o[10] = highest;
  o[11] = unsigned((long long)int(a) * int(b) >> 32);
  o[12] = unsigned((unsigned long long)a * b >> 32) + c;
  o[13] = (int(a) > int(b) ? a - b : b - a) + c;
  unsigned sum = c;
  for (unsigned byte = 0; byte < 4; ++byte)
    sum += (signed char)(a >> byte * 8) * int(b >> byte * 8 & 255);
  o[14] = sum;
  o[15] = c >= 32 ? 0 : a << c;
}
