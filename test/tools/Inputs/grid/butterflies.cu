// Butterflies of several steps, in other spellings than examples/fft.cu.

#include <cuda_runtime.h>

// Walsh-Hadamard transform: the position in a group by a mask, ids that count.
// For powers of two.
#pragma gpuopt domain(n / 2) array(x: n) output(x)
__global__ void walsh(int *__restrict__ x, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int h = n / 2; h > 0; h /= 2) {
    if (idx < n / 2) {
      int i = 2 * idx - (idx & (h - 1));
      int left = x[i], right = x[i + h];
      x[i] = left + right;
      x[i + h] = left - right;
    }
    gpuopt_global_sync();
  }
}

// Two doubles, a table that nobody writes, and the last group with pairs only.
#pragma gpuopt domain(n / 2) array(x: n) array(y: n) array(w: n) output(x, y)
__global__ void table(double *__restrict__ x, double *__restrict__ y,
                      const double *__restrict__ w, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int h = n / 2;
  while (h) {
    int j = idx % h, i = idx + idx / h * h;
    if (n > i + h) {
      double d = x[i] - x[i + h];
      x[i] += x[i + h];
      x[i + h] = d * w[j];
      y[i + h] -= y[i];
    }
    gpuopt_global_sync();
    h >>= 1;
  }
}

// A condition of its own. For powers of two.
#pragma gpuopt domain(n / 2) array(key: n) output(key)
__global__ void exchange(float *__restrict__ key, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int h = n / 2; h >= 1; h >>= 1) {
    int i = idx + idx / h * h;
    if (idx < n / 2) {
      float a = key[i], b = key[i + h];
      if (a > b) {
        key[i] = b;
        key[i + h] = a;
      }
    }
    gpuopt_global_sync();
  }
}

// Positions that may wrap around: not merged.
#pragma gpuopt domain(n / 2) array(x: n) output(x)
__global__ void wraps(float *__restrict__ x, unsigned n) {
  unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned h = n / 2; h; h >>= 1) {
    unsigned i = idx / h * h * 2 + idx % h;
    if (i + h < n) {
      float d = x[i] - x[i + h];
      x[i] += x[i + h];
      x[i + h] = d;
    }
    gpuopt_global_sync();
  }
}
