#pragma gpuopt domain(n) array(a: n) output(a)
__global__ void early(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] *= 2;
  gpuopt_global_sync();
  a[i] += a[n - 1 - i];
}
