// Products of a batch by one flat id.

#include <cuda_runtime.h>

#pragma gpuopt domain(batch *m *n) array(a : batch, m, k) array(b : batch, k, n)                   \
    array(c : batch, m, n) output(c)
__global__ void bgemm_flat(float *c, const float *a, const float *b, int batch, int m, int n,
                           int k) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= batch * m * n)
    return;
  int z = t / (m * n), rest = t % (m * n), y = rest / n, x = rest % n;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[(z * m + y) * k + i] * b[(z * k + i) * n + x];
  c[t] = sum;
}
