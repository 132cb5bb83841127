// Matrix products and relatives as different people write them.
#include <cuda_runtime.h>

// Guard as if, row/col names, k last.
#pragma gpuopt domain(n, m) array(A: m, k) array(B: k, n) array(C: m, n) output(C)
__global__ void guarded(float *A, float *B, float *C, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float value = 0.0f;
    for (int e = 0; e < k; ++e)
      value += A[row * k + e] * B[e * n + col];
    C[row * n + col] = value;
  }
}

// unsigned everywhere.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void unsigned_ids(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                             unsigned m, unsigned n, unsigned k) {
  unsigned x = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
  if (x >= n) return;
  if (y >= m) return;
  float sum = 0;
  for (unsigned i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// size_t ids and extents.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void size_t_ids(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c,
                           size_t m, size_t n, size_t k) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    double sum = 0;
    for (size_t i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

// A while loop, counting down.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void counting_down(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                              int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  int i = k - 1;
  while (i >= 0) {
    sum += a[y * k + i] * b[i * n + x];
    --i;
  }
  c[y * n + x] = sum;
}

// Accumulates in global memory.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void in_memory(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                          int m, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < m) && (j < n)) {
    c[i * n + j] = 0;
    for (int l = 0; l < k; l++) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// Pointers that move.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void moving_pointers(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  const float *p = a + y * k, *q = b + x;
  float sum = 0;
  for (int i = 0; i < k; i++, q += n) sum += *p++ * *q;
  c[y * n + x] = sum;
}

// A template with explicit instantiations, a functor, a device function.
struct Multiply {
  template <typename T> __device__ T operator()(T a, T b) const { return a * b; }
};
template <typename T> __device__ int at(int row, int stride, int col) { return row * stride + col; }
template <typename T, typename Op>
__global__ void templated(const T *a, const T *b, T *c, int n, Op op) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  T sum = T(0);
  for (int i = 0; i < n; i++) sum += op(a[at<T>(y, n, i)], b[at<T>(i, n, x)]);
  c[at<T>(y, n, x)] = sum;
}
template __global__ void templated<int, Multiply>(const int *, const int *, int *, int, Multiply);

// Sizes in a struct, passed by value.
struct Shape { int rows, cols, depth; };
__global__ void struct_shape(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                             Shape s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= s.cols || y >= s.rows) return;
  float sum = 0;
  for (int i = 0; i < s.depth; i++) sum += a[y * s.depth + i] * b[i * s.cols + x];
  c[y * s.cols + x] = sum;
}

// Batched: the third dimension selects the matrices.
#pragma gpuopt domain(n, n, batch) array(a: batch, n, n) array(b: batch, n, n) array(c: batch, n, n) output(c)
__global__ void batched(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                        int n, int batch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= batch) return;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[(z * n + y) * n + i] * b[(z * n + i) * n + x];
  c[(z * n + y) * n + x] = sum;
}

// Fixed sizes, arrays of arrays.
#define N 96
#pragma gpuopt domain(96, 96) array(a: 96) array(b: 96) array(c: 96) output(c)
__global__ void fixed(const float (*a)[N], const float (*b)[N], float (*c)[N]) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= N || y >= N) return;
  float sum = 0;
  for (int i = 0; i < N; i++) sum += a[y][i] * b[i][x];
  c[y][x] = sum;
}

// Rows are the fast dimension of the grid: everything is uncoalesced.
#pragma gpuopt domain(m, n) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void swapped(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                        int m, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
  c[i * n + j] = sum;
}

// No guard: the launch fits exactly.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void unguarded(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                          int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < k; i += 1) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// alpha and beta, early exit from the loop by break.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void with_break(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                           int m, int n, int k, float alpha, float beta, float limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) {
    sum += a[y * k + i] * b[i * n + x];
    if (sum > limit) break;
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// Only the inner part of the product: the first column of a block need not have a work item.
#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void inner(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                      int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= n || y <= 2 || y > m - 2)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
