// Correlation matrix.

#include <cuda_runtime.h>

#pragma gpuopt domain(m, m) array(data : n, m) array(mean : m) array(dev : m) array(cor : m, m)    \
    output(cor)
__global__ void corr(const float *__restrict__ data, const float *__restrict__ mean,
                     const float *__restrict__ dev, float *__restrict__ cor, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= m || y >= m)
    return;
  if (x == y) {
    cor[y * m + x] = 1;
    return;
  }
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += (data[i * m + x] - mean[x]) / (sqrtf((float)n) * (dev[x] + 1)) *
         ((data[i * m + y] - mean[y]) / (sqrtf((float)n) * (dev[y] + 1)));
  cor[y * m + x] = s;
}
