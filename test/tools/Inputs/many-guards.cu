// Guards of unsigned ids, and a subscript that wraps where `is_inside` does not hold: as source, 32 items a thread under
// hundreds of conditions that say the same again and again.
__global__ void f(float *__restrict__ a, const float *__restrict__ b, short n, unsigned m) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(y < m) || !(x < n)) return;
  float sum = 0;
  for (int k = 1; k < m; k += 16) sum -= b[y * 33 + k] * b[x];
  a[y * (n + 3) + x] = sum;
}
