// What the kernels of mma.cu, and some of ../wgmma/kernels.cu, compute, in C++.
__device__ double floatOf(unsigned bits, int exponentBits, int fractionBits) {
  int bias = (1 << (exponentBits - 1)) - 1, exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
  unsigned fraction = bits & ((1u << fractionBits) - 1), sign = bits >> (exponentBits + fractionBits) & 1;
  double value = exponent ? ldexp(1 + fraction / double(1 << fractionBits), exponent - bias)
                          : ldexp(fraction / double(1 << fractionBits), 1 - bias);
  // E4M3 has one number that is none, the others infinities as well.
  bool isLast = exponent == (1 << exponentBits) - 1;
  if (fractionBits == 3 ? isLast && fraction == 7 : isLast)
    value = fraction ? __int_as_float(0x7fffffff) : __int_as_float(0x7f800000);
  return sign ? -value : value;
}

struct Half { static constexpr int count = 16; static __device__ double read(const unsigned *line, int k) { return floatOf(line[k / 2] >> k % 2 * 16 & 0xffff, 5, 10); } };
struct BFloat { static constexpr int count = 16; static __device__ double read(const unsigned *line, int k) { return floatOf(line[k / 2] >> k % 2 * 16 & 0xffff, 8, 7); } };
struct TF32 { static constexpr int count = 8; static __device__ double read(const unsigned *line, int k) { return __int_as_float(line[k] & 0xffffe000); } };
struct E4M3 { static constexpr int count = 32; static __device__ double read(const unsigned *line, int k) { return floatOf(line[k / 4] >> k % 4 * 8 & 0xff, 4, 3); } };
struct E5M2 { static constexpr int count = 32; static __device__ double read(const unsigned *line, int k) { return floatOf(line[k / 4] >> k % 4 * 8 & 0xff, 5, 2); } };
struct S8 { static constexpr int count = 32; static __device__ int read(const unsigned *line, int k) { return (signed char)(line[k / 4] >> k % 4 * 8); } };
struct U8 { static constexpr int count = 32; static __device__ int read(const unsigned *line, int k) { return (unsigned char)(line[k / 4] >> k % 4 * 8); } };

template <class Row, class Column, class Sum, class Exact>
__device__ void product(const unsigned *a, const unsigned *b, Sum *c, Exact sum) {
  int row = threadIdx.x, column = blockIdx.x;
  for (int k = 0; k < Row::count; ++k)
    sum += Row::read(a + row * 8, k) * Column::read(b + column * 8, k);
  c[row * gridDim.x + column] = sum;
}

#define KERNEL(NAME, ROW, COLUMN, SUM, EXACT)                                                                          \
  extern "C" __global__ void __launch_bounds__(16) NAME(const unsigned *a, const unsigned *b, SUM *c) {               \
    product<ROW, COLUMN, SUM, EXACT>(a, b, c, 1);                                                                      \
  }
KERNEL(halves, Half, Half, float, double)
KERNEL(bfloats, BFloat, BFloat, float, double)
KERNEL(tf32, TF32, TF32, float, double)
KERNEL(e4m3, E4M3, E4M3, float, double)
KERNEL(e5m2, E5M2, E5M2, float, double)
KERNEL(s8, S8, S8, int, int)
KERNEL(u8s8, U8, S8, int, int)

#define WARPGROUPS(NAME, ROW, COLUMN, SUM, EXACT)                                                                      \
  extern "C" __global__ void __launch_bounds__(128) warpgroup_##NAME(const uint4 *a, const uint4 *b, SUM *c) {        \
    product<ROW, COLUMN, SUM, EXACT>((const unsigned *)a, (const unsigned *)b, c, 0);                                  \
  }
WARPGROUPS(bfloats, BFloat, BFloat, float, double)
WARPGROUPS(tf32, TF32, TF32, float, double)
WARPGROUPS(bytes, S8, S8, int, int)
WARPGROUPS(eighths, E5M2, E4M3, float, double)

// Twice the product.
extern "C" __global__ void __launch_bounds__(16) staged(const unsigned *a, const unsigned *b, float *c) {
  int row = threadIdx.x, column = blockIdx.x;
  double sum = 1;
  for (int k = 0; k < 16; ++k)
    sum += Half::read(a + row * 8, k) * Half::read(b + column * 8, k);
  double twice = float(sum);
  for (int k = 0; k < 16; ++k)
    twice += Half::read(a + row * 8, k) * Half::read(b + column * 8, k);
  c[row * 8 + column] = twice;
}

// Two sums in a word.
extern "C" __global__ void __launch_bounds__(16) half_sums(const unsigned *a, const unsigned *b, unsigned *c) {
  int row = threadIdx.x;
  unsigned word = 0;
  for (int part = 0; part < 2; ++part) {
    double sum = 1;
    for (int k = 0; k < 16; ++k)
      sum += Half::read(a + row * 8, k) * Half::read(b + (blockIdx.x * 2 + part) * 8, k);
    _Float16 rounded = sum;
    word |= unsigned(__builtin_bit_cast(unsigned short, rounded)) << part * 16;
  }
  c[row * 4 + blockIdx.x] = word;
}

extern "C" __global__ void __launch_bounds__(8) doubles(const double *a, const double *b, double *c) {
  double sum = 1;
  for (int k = 0; k < 4; ++k)
    sum = fma(a[threadIdx.x * 4 + k], b[blockIdx.x * 4 + k], sum);
  c[threadIdx.x * 8 + blockIdx.x] = sum;
}
