#pragma gpuopt domain(n) array(a : n) array(b : n) array(o : n) output(o)
__global__ void squares(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = a[i] - b[i];
  o[i] = t * t;
}
