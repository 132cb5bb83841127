// Both products of the biconjugate gradient method in one kernel.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(A : n, m) array(p : m) array(r : n) array(q : n) array(s : m)       \
    output(q, s)
__global__ void bicg(const double *__restrict__ A, const double *__restrict__ p,
                     const double *__restrict__ r, double *__restrict__ q, double *__restrict__ s,
                     int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {
    q[t] = 0;
    for (int j = 0; j < m; j++)
      q[t] += A[t * m + j] * p[j];
  }
  if (t < m) {
    s[t] = 0;
    for (int i = 0; i < n; i++)
      s[t] += r[i] * A[i * m + t];
  }
}
