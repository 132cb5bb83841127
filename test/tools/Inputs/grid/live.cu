#pragma gpuopt domain(n) array(a: n) output(a)
__global__ void mirror(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other = i < n ? a[n - 1 - i] : 0;
  gpuopt_global_sync();
  if (i < n)
    a[i] = other;
}
