// The fallback of mm would be called as the kernel in front of it, and that of nn as the kernel behind it.
extern "C" __global__ void mm__original(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s + 1;
}

extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s;
}

extern "C" __global__ void nn(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s * 2;
}

extern "C" __global__ void nn__original(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; ++i) s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s - 1;
}
