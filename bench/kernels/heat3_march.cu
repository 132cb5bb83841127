// The same, each thread marching along z.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, n) array(a : n, n, n) array(b : n, n, n) output(b)
__global__ void heat3_march(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x > n - 2 || y > n - 2)
    return;
  float lo = a[y * n + x], mid = a[(n + y) * n + x];
  for (int z = 1; z < n - 1; z++) {
    float hi = a[((z + 1) * n + y) * n + x];
    const float *p = a + (z * n + y) * n + x;
    b[(z * n + y) * n + x] = lo + hi - 6 * mid + p[-1] + p[1] + p[-n] + p[n];
    lo = mid;
    mid = hi;
  }
}
