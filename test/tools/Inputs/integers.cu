// Integers as subscripts, and as numbers.
#pragma gpuopt domain(n) array(a: m) array(at: n) array(c: n) output(c)
extern "C" __global__ void gather(const float *__restrict__ a, const int *__restrict__ at, float *__restrict__ c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = 2 * a[at[i]];
}

#pragma gpuopt domain(n) array(at: n) array(c: n) output(c)
extern "C" __global__ void follow(const int *__restrict__ at, int *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = at[at[i]];
}

#pragma gpuopt domain(n) array(a: n) array(b: n) array(c: n) output(c)
extern "C" __global__ void distances(const int *__restrict__ a, const long long *__restrict__ b, long long *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = abs(a[i] - 7) + llabs(b[i] + (1ll << 60));
}
