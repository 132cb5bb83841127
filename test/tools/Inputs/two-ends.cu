// Two guards end one dimension: the least of them counts.
__global__ void twice(const float *a, float *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i < m)
    c[i] = 2 * a[i];
}

// As an unsigned number, -1 ends nothing.
__global__ void unsignedEnd(const float *a, float *c, int n, unsigned m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (unsigned)i < m)
    c[i] = 2 * a[i];
}
