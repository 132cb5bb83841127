#include <cuda_runtime.h>

__global__ void largest(const float *__restrict__ a, float *__restrict__ v, int *__restrict__ ix,
                        int n, int m) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float best = a[row * m];
  int at = 0;
  for (int column = 1; column < m; column++) {
    float candidate = a[row * m + column];
    if (candidate > best) {
      best = candidate;
      at = column;
    }
  }
  v[row] = best;
  ix[row] = at;
}

// A loop whose step is no constant.
__global__ void every(float *a, int n) {
  for (int item = blockIdx.x * blockDim.x + threadIdx.x; item < n; item += blockDim.x * gridDim.x)
    a[item] *= 2;
}

__global__ void choose(float *a, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  switch (k) {
  case 0:
    a[x] = 1;
    break;
  case 1:
    a[x] = a[x + 1];
    break;
  default:
    a[x] = sqrtf(a[x]);
  }
}
