// Products of tiles by nvcuda::wmma, and one element after the other.
#include <mma.h>

using namespace nvcuda;

// k products for each element of a tile: its rows or columns follow each other
// in memory.
#define PLAIN(NAME, M, N, MEMORY, LEFT_BY_ROWS, RIGHT_BY_ROWS, SUM, PRODUCT_OF)                                     \
  __global__ void NAME##_plain(const MEMORY *__restrict__ a, const MEMORY *__restrict__ b, SUM *__restrict__ c, int k) { \
    int row = threadIdx.x / (N), column = threadIdx.x % (N);                                                        \
    SUM sum = 1;                                                                                                    \
    for (int i = 0; i < k; ++i) {                                                                                   \
      MEMORY x = a[LEFT_BY_ROWS ? row * k + i : i * (M) + row], y = b[RIGHT_BY_ROWS ? i * (N) + column : column * k + i]; \
      sum += PRODUCT_OF;                                                                                            \
    }                                                                                                               \
    c[row * (N) + column] = sum + sum;                                                                              \
  }
#define TILES(NAME, M, N, K, FACTOR, MEMORY, LEFT_BY_ROWS, RIGHT_BY_ROWS, SUM, PREPARE)                             \
  __global__ void NAME(const MEMORY *a, const MEMORY *b, SUM *c, int k) {                                           \
    wmma::fragment<wmma::matrix_a, M, N, K, FACTOR, layout<LEFT_BY_ROWS>::type> left;                               \
    wmma::fragment<wmma::matrix_b, M, N, K, FACTOR, layout<RIGHT_BY_ROWS>::type> right;                             \
    wmma::fragment<wmma::accumulator, M, N, K, SUM> sum;                                                            \
    wmma::fill_fragment(sum, SUM(1));                                                                               \
    for (int i = 0; i < k; i += K) {                                                                                \
      wmma::load_matrix_sync(left, a + (LEFT_BY_ROWS ? i : i * M), LEFT_BY_ROWS ? k : M);                           \
      wmma::load_matrix_sync(right, b + (RIGHT_BY_ROWS ? i * N : i), RIGHT_BY_ROWS ? N : k);                        \
      for (int n = 0; n < left.num_elements; ++n)                                                                   \
        left.x[n] = PREPARE(left.x[n]);                                                                             \
      for (int n = 0; n < right.num_elements; ++n)                                                                  \
        right.x[n] = PREPARE(right.x[n]);                                                                           \
      wmma::mma_sync(sum, left, right, sum);                                                                        \
    }                                                                                                               \
    /* By columns and back: fragments are what they were. */                                                        \
    wmma::store_matrix_sync(c, sum, M, wmma::mem_col_major);                                                        \
    wmma::load_matrix_sync(sum, c, M, wmma::mem_col_major);                                                         \
    for (int n = 0; n < sum.num_elements; ++n)                                                                      \
      sum.x[n] += sum.x[n];                                                                                         \
    wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);                                                        \
  }
template <bool IsByRows> struct layout { typedef wmma::row_major type; };
template <> struct layout<false> { typedef wmma::col_major type; };

#define SAME(X) X
#define BOTH(NAME, M, N, K, FACTOR, MEMORY, LEFT_BY_ROWS, RIGHT_BY_ROWS, SUM)              \
  PLAIN(NAME, M, N, MEMORY, LEFT_BY_ROWS, RIGHT_BY_ROWS, SUM, SUM(x) * SUM(y))             \
  TILES(NAME, M, N, K, FACTOR, MEMORY, LEFT_BY_ROWS, RIGHT_BY_ROWS, SUM, SAME)
// All shapes of a type, each order of memory at least once.
#define SHAPES(NAME, TYPE, SUM)                                     \
  BOTH(NAME##_16, 16, 16, 16, TYPE, TYPE, true, false, SUM)         \
  BOTH(NAME##_16r, 16, 16, 16, TYPE, TYPE, false, true, SUM)        \
  BOTH(NAME##_32, 32, 8, 16, TYPE, TYPE, true, true, SUM)           \
  BOTH(NAME##_8, 8, 32, 16, TYPE, TYPE, false, false, SUM)
SHAPES(half, half, float)
SHAPES(bfloat, __nv_bfloat16, float)
SHAPES(bytes, signed char, int)
SHAPES(unsigneds, unsigned char, int)
BOTH(doubles, 8, 8, 4, double, double, true, false, double)
BOTH(doubles_r, 8, 8, 4, double, double, false, true, double)

#define TF32(X) wmma::__float_to_tf32(X)
PLAIN(tf32, 16, 16, float, true, false, float, wmma::__float_to_tf32(x) * wmma::__float_to_tf32(y))
TILES(tf32, 16, 16, 8, wmma::precision::tf32, float, true, false, float, TF32)
PLAIN(tf32_r, 16, 16, float, false, true, float, wmma::__float_to_tf32(x) * wmma::__float_to_tf32(y))
TILES(tf32_r, 16, 16, 8, wmma::precision::tf32, float, false, true, float, TF32)

// Sums of halves, alone and mixed with floats: of whole numbers exact.
template <class Old, class New> __device__ void multiplyOnce(const signed char *a, const signed char *b, float *c) {
  __shared__ half left[256], right[256];
  __shared__ Old before[256];
  __shared__ New after[256];
  for (int n = threadIdx.x; n < 256; n += 32) {
    left[n] = a[n] % 4;
    right[n] = b[n] % 4;
    before[n] = Old(n % 16);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Old> old;
  wmma::fragment<wmma::accumulator, 16, 16, 16, New> sum;
  wmma::load_matrix_sync(fa, left, 16);
  wmma::load_matrix_sync(fb, right, 16);
  wmma::load_matrix_sync(old, before, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, old);
  wmma::store_matrix_sync(after, sum, 16, wmma::mem_row_major);
  for (int n = threadIdx.x; n < 256; n += 32)
    c[n] = after[n];
}
__global__ void mixed_plain(const signed char *a, const signed char *b, float *c) {
  float sum = threadIdx.x % 16;
  for (int i = 0; i < 16; ++i)
    sum += float(a[threadIdx.x / 16 * 16 + i] % 4) * float(b[i * 16 + threadIdx.x % 16] % 4);
  c[threadIdx.x] = sum;
}
__global__ void mixed_half_half(const signed char *a, const signed char *b, float *c) { multiplyOnce<half, half>(a, b, c); }
__global__ void mixed_half_float(const signed char *a, const signed char *b, float *c) { multiplyOnce<half, float>(a, b, c); }
__global__ void mixed_float_half(const signed char *a, const signed char *b, float *c) { multiplyOnce<float, half>(a, b, c); }

// Sums that end at the largest number.
__global__ void saturating_plain(const unsigned char *a, const unsigned char *b, int *c) {
  long sum = 2147483000;
  for (int i = 0; i < 16; ++i)
    sum += a[threadIdx.x / 16 * 16 + i] * b[threadIdx.x % 16 * 16 + i];
  c[threadIdx.x] = sum > 2147483647 ? 2147483647 : int(sum);
}
__global__ void saturating(const unsigned char *a, const unsigned char *b, int *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 2147483000);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(sum, fa, fb, sum, true);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

// The last rows of a factor are not there.
__global__ void beyond(const half *a, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::fill_fragment(fb, half(1));
  wmma::load_matrix_sync(fa, a, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
