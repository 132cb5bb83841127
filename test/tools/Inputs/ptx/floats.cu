// What the PTX ISA says of the instructions of floats.ptx, in C++.
#include <cuda_fp16.h>

__device__ int saturate(float rounded) {
  if (rounded != rounded)
    return 0;
  return rounded >= 2147483648.f ? 2147483647 : rounded < -2147483648.f ? -2147483647 - 1 : int(rounded);
}

extern "C" __global__ void floats(const float *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = in[i * 2], b = in[i * 2 + 1];
  unsigned *o = out + i * 12;
  o[0] = saturate(truncf(a));
  o[1] = saturate(rintf(a));
  o[2] = __float_as_uint(floorf(a));
  float least = a != a ? b : b != b ? a : a < b || (a == b && __float_as_uint(a) >> 31) ? a : b;
  o[3] = least != least ? 0 : __float_as_uint(least);
  float sum = a + b;
  o[4] = __float_as_uint(sum > 1 ? 1.f : sum > 0 ? sum : 0.f);
  o[5] = (__float_as_uint(b) & 0x7fffffffu) | (__float_as_uint(a) & 0x80000000u);
  bool less = !(a >= b);
  o[6] = less ? 7 : 9;
  o[7] = a > 0 && less;
  o[8] = __half_as_ushort(__float2half_rn(a));
  o[9] = __float_as_uint(float(double(a) * double(a) + 1.0));
  o[10] = (__float_as_uint(a) & 0x7fffffffu) == 0x7f800000u;
  o[11] = __float_as_uint(int(i) >= 0 ? a : b);
}
