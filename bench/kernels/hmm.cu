// Matrix product of halves.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void hmm(const __half *__restrict__ a, const __half *__restrict__ b,
                    __half *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  __half s = __float2half(0.f);
  for (int i = 0; i < k; i++)
    s = __hadd(s, __hmul(a[y * k + i], b[i * n + x]));
  c[y * n + x] = s;
}
