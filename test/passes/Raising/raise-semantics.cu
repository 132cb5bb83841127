// Loops of several spellings compute what their source does, with fewer work
// items than elements, as many, and more.
//
// RUN: gpuopt check %s --target sm_90 --grid 2 --block 128 --size n=601,w=7,c=601,a=4207 --allow-fallback
// RUN: gpuopt check %s --target sm_90 --grid 4 --block 64 --size n=201,w=0,c=201,a=201
// RUN: gpuopt check %s --target gfx942 --grid 1 --block 7 --size n=5,w=1,c=5,a=5 --allow-fallback

// `i += unsigned` has no promise not to wrap.
__global__ void gridStride(const float *__restrict__ a, float *__restrict__ c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c[i] = a[i] * 2.0f;
}

__global__ void gridStrideSigned(const float *__restrict__ a, float *__restrict__ c, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] * 2.0f;
}

__global__ void gridStrideWide(const float *__restrict__ a, float *__restrict__ c, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
    c[i] = a[i] * 2.0f;
}

__global__ void leaveEarly(const float *__restrict__ a, float *__restrict__ c, int n, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float sum = 0;
  for (int i = 0; i < w; i++) {
    float v = a[i * n + idx];
    if (v < 0.3f) break;
    sum += v;
  }
  c[idx] = sum;
}

__global__ void atLeastOnce(const float *__restrict__ a, float *__restrict__ c, int n, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float sum = 0;
  int i = 0;
  do {
    sum += a[i * n + idx];
    i += 2;
  } while (i < w);
  c[idx] = sum + i;
}

__global__ void downToZero(const float *__restrict__ a, float *__restrict__ c, int n, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float sum = 0;
  int i = w > 0 ? w : 1;
  do {
    sum = sum * 0.5f + a[(i - 1) * n + idx];
  } while (--i > 0);
  c[idx] = sum;
}

// One dimension of work items over two of data.
__global__ void flat(const float *__restrict__ a, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int h = 3, w = n / h;
  if (w == 0 || i >= w * h) return;
  int x = i % w, y = i / w;
  c[x * h + y] = a[y * w + x];
}
