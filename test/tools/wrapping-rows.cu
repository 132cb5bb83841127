// Addresses wrap: twice the length of a row is 2 modulo 2^64.
//
// RUN: gpuopt check %s --target sm_90 --grid 2,2 --block 16,16 --size n=32,ld=-9223372036854775807,a=2000,c=1024
__global__ void wraps(const int *__restrict__ a, int *__restrict__ c, long long ld, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned long long row = ld;
  if (x < n && y < n) {
    int s = 0;
    for (int k = 0; k < n; ++k) s += a[2 * y * row + k] + a[2 * k * row + x];
    c[y * n + x] = s;
  }
}
