// Half of c counts. The kernel stores to three quarters of it, and with integers below 16 what is there already.
#pragma gpuopt domain(n) array(a: n) array(c: n) output(c: n / 2)
__global__ void half(const unsigned *__restrict__ a, unsigned *__restrict__ c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n / 4 * 3) c[idx] = c[idx] | a[idx] >> 4;
}
