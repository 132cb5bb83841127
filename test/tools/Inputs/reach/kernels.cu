// Included by program.cu, and counted there.
__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < WIDTH && y < n)
    b[x * n + y] = a[y * WIDTH + x];
}
