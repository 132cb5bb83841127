// Sizes without a sign: a difference of them may be negative all the same.
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned m,
                        unsigned n, unsigned k) {
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (unsigned i = 0; i < k; i++)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}
