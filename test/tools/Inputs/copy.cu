#pragma gpuopt domain(n) array(a: n) array(c: n) output(c)
extern "C" __global__ void copy(const float *__restrict__ a, float *__restrict__ c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) c[idx] = a[idx];
}
