// Stencils through tiles compute what their source does, in arrays of just the
// size that they need: nothing else may be loaded, not where a tile has corners,
// nor where no work item is in the guard, nor beyond the last one.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-18: go through one tile
// CHECK-NOT: neighbours share no tile: a tile would
//
// RUN: gpuopt check %s --target sm_90 --size n=1 --kernel jacobi1d --kernel diagonal
// RUN: gpuopt check %s --target sm_90 --size n=67 --kernel jacobi1d
// RUN: gpuopt check %s --target sm_90 --size n=1031 --kernel jacobi1d --kernel back --kernel diagonal
// RUN: gpuopt check %s --target sm_90 --size n=2 --kernel back
// RUN: gpuopt check %s --target sm_90 --size h=2,w=3 --kernel wide --kernel triangle --kernel masked \
// RUN:   --kernel inner_box
// RUN: gpuopt check %s --target sm_90 --size h=17,w=33 --kernel wide --kernel masked --kernel inner_box
// RUN: gpuopt check %s --target sm_90 --size h=1,w=1 --kernel heat --kernel cross --kernel padded --kernel two
// RUN: gpuopt check %s --target sm_90 --size h=2,w=2 --kernel heat --kernel turned
// RUN: gpuopt check %s --target sm_90 --size h=37,w=71 --kernel heat --kernel cross --kernel turned --kernel triangle \
// RUN:   --kernel padded --kernel two --kernel box
// RUN: gpuopt check %s --target sm_90 --size n=3,m=2 --kernel rows
// RUN: gpuopt check %s --target sm_90 --size n=67,m=19 --kernel rows
// RUN: gpuopt check %s --target sm_90 --size h=8,w=32 --kernel box
// RUN: gpuopt check %s --target sm_90 --size d=1,h=1,w=1 --kernel jacobi3d
// RUN: gpuopt check %s --target sm_90 --size d=4,h=11,w=37 --kernel jacobi3d --kernel box3d
// RUN: gpuopt check %s --target sm_90 --size d=3,h=3,w=3 --kernel box3d
// RUN: gpuopt check %s --target sm_90 --size d=0,h=5,w=5 --kernel march
// RUN: gpuopt check %s --target sm_90 --size d=3,h=17,w=33 --kernel march
// RUN: gpuopt check %s --target gfx942 --size n=1031 --kernel jacobi1d --kernel back --kernel diagonal
// RUN: gpuopt check %s --target gfx942 --size h=17,w=33 --kernel wide --kernel masked --kernel inner_box
// RUN: gpuopt check %s --target gfx942 --size h=37,w=71 --kernel heat --kernel cross --kernel turned \
// RUN:   --kernel triangle --kernel padded --kernel two --kernel box
// RUN: gpuopt check %s --target gfx942 --size n=67,m=19 --kernel rows
// RUN: gpuopt check %s --target gfx942 --size d=4,h=11,w=37 --kernel jacobi3d --kernel box3d
// RUN: gpuopt check %s --target gfx942 --size d=3,h=17,w=33 --kernel march
// RUN: gpuopt check %s --target nvidia-gtx285 --size n=1031 --kernel jacobi1d --kernel back --kernel diagonal
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=17,w=33 --kernel wide --kernel masked --kernel inner_box
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=37,w=71 --kernel heat --kernel cross --kernel turned \
// RUN:   --kernel triangle --kernel padded --kernel two --kernel box
// RUN: gpuopt check %s --target nvidia-gtx285 --size n=67,m=19 --kernel rows
// RUN: gpuopt check %s --target nvidia-gtx285 --size d=4,h=11,w=37 --kernel jacobi3d --kernel box3d
// RUN: gpuopt check %s --target nvidia-gtx285 --size d=3,h=17,w=33 --kernel march

#pragma gpuopt domain(n) array(a: n + 2) array(c: n) output(c)
__global__ void jacobi1d(const float *__restrict__ a, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = (a[i] + a[i + 1] + a[i + 2]) / 3.0f;
}

#pragma gpuopt domain(n) array(a: n) array(c: n) output(c)
__global__ void back(const double *__restrict__ a, double *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) c[i] = a[n - 1 - i] + a[n - 2 - i] * a[n - i];
}

#pragma gpuopt domain(n) array(a: n + 4) array(c: n) output(c)
__global__ void diagonal(const short *__restrict__ a, short *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 1 && i < n) c[i] = a[i] + a[i + 2] + a[i + 4] + a[i + 3];
}

#pragma gpuopt domain(w, h) array(a: h, w) array(c: h, w) output(c)
__global__ void wide(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 2 && x + 2 < w && y < h)
    c[y * w + x] = a[y * w + x - 2] + a[y * w + x - 1] + a[y * w + x] + a[y * w + x + 1] + a[y * w + x + 2];
}

#pragma gpuopt domain(w, h) array(a: h, w) array(c: h, w) output(c)
__global__ void heat(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    c[y * w + x] = a[y * w + x] + 0.1f * (a[y * w + x - 1] + a[y * w + x + 1] +
                   a[(y - 1) * w + x] + a[(y + 1) * w + x] - 4.0f * a[y * w + x]);
}

#pragma gpuopt domain(w, h) array(a: h + 2, w + 2) array(c: h, w) output(c)
__global__ void cross(const double *__restrict__ a, double *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int p = w + 2;
  c[y * w + x] = a[(y + 1) * p + x] + a[(y + 1) * p + x + 1] + a[(y + 1) * p + x + 2] +
                 a[y * p + x + 1] + a[(y + 2) * p + x + 1];
}

#pragma gpuopt domain(w, h) array(a: w, h) array(c: h, w) output(c)
__global__ void turned(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + 1 < w && y + 1 < h)
    c[y * w + x] = a[x * h + y] + a[(x + 1) * h + y] + a[x * h + y + 1] + a[(x + 1) * h + y + 1];
}

#pragma gpuopt domain(w, h) array(a: h, w) array(c: h, w) output(c)
__global__ void triangle(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float v = 0;
  if (x > y && x < w - 2)
    v = a[y * w + x] - a[y * w + x - 1] + a[y * w + x + 1] * a[y * w + x + 2];
  else if (y > 0 && (x + y) % 2 == 0)
    v = a[(y - 1) * w + x] * a[y * w + x];
  c[y * w + x] = v;
}

#pragma gpuopt domain(w, h) array(a: h, w) array(c: h, w) output(c)
__global__ void padded(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float left = x > 0 ? a[y * w + x - 1] : 0;
  float right = x < w - 1 ? a[y * w + x + 1] : 0;
  float up = y > 0 ? a[(y - 1) * w + x] : 0;
  float down = y < h - 1 ? a[(y + 1) * w + x] : 0;
  c[y * w + x] = left + right + up + down + a[y * w + x];
}

#pragma gpuopt domain(w, h) array(a: h, w) array(b: h, w) array(c: h, w) output(c)
__global__ void masked(const float *__restrict__ a, const int *__restrict__ b, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y < h) {
    float s = a[y * w + x - 1] + a[y * w + x] + a[y * w + x + 1];
    if (b[y * w + x] > 0) s += a[y * w + x + 1] * b[y * w + x - 1] + a[y * w + x - 1] * b[y * w + x + 1];
    c[y * w + x] = s;
  }
}

#pragma gpuopt domain(w, h) array(a: h + 1, w + 2) array(b: h + 2, w + 1) array(c: h, w) output(c)
__global__ void two(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  c[y * w + x] = a[y * (w + 2) + x] - a[y * (w + 2) + x + 1] + a[y * (w + 2) + x + 2] * a[(y + 1) * (w + 2) + x + 1] +
                 b[y * (w + 1) + x] * b[(y + 1) * (w + 1) + x] - b[(y + 2) * (w + 1) + x] * b[(y + 1) * (w + 1) + x + 1];
}

#pragma gpuopt domain(n, m) array(a: n) array(c: m, n) output(c)
__global__ void rows(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < m && x + 2 < n) c[y * n + x] = a[x] * y + a[x + 1] - a[x + 2];
}

#pragma gpuopt domain(w, h) array(a: h + 2, w + 2) array(c: h, w) output(c)
__global__ void box(const unsigned char *__restrict__ a, unsigned char *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != 1 || j != 1) sum += a[(y + i) * (w + 2) + x + j];
  c[y * w + x] = sum / 8;
}

#pragma gpuopt domain(w, h) array(a: h, w) array(c: h, w) output(c)
__global__ void inner_box(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1) return;
  float most = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      if (i != 0 || j != 0) most = fmaxf(most, a[(y + i) * w + x + j]);
  c[y * w + x] = most;
}

#pragma gpuopt domain(w, h, d) array(a: d + 2, h + 2, w + 2) array(c: d, h, w) output(c)
__global__ void jacobi3d(const float *__restrict__ a, float *__restrict__ c, int d, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= w || y >= h || z >= d) return;
  int p = w + 2, q = (h + 2) * (w + 2);
  int o = (z + 1) * q + (y + 1) * p + x + 1;
  c[(z * h + y) * w + x] = a[o] + a[o - 1] + a[o + 1] + a[o - p] + a[o + p] + a[o - q] + a[o + q];
}

#pragma gpuopt domain(w, h, d) array(a: d, h, w) array(c: d, h, w) output(c)
__global__ void box3d(const float *__restrict__ a, float *__restrict__ c, int d, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < w - 1 && y < h - 1 && z < d - 1) {
    float s = 0;
    for (int k = -1; k <= 1; k++)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          if (i != 0 || j != 0 || k != 0) s += a[((z + k) * h + y + j) * w + x + i];
    c[(z * h + y) * w + x] = s;
  }
}

#pragma gpuopt domain(w, h) array(a: d, h, w) array(c: d, h, w) output(c)
__global__ void march(const float *__restrict__ a, float *__restrict__ c, int d, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1)
    for (int z = 0; z < d; z++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          if (i != j) s += a[(z * h + y + i) * w + x + j];
          else s += 2 * a[(z * h + y + i) * w + x + j];
      c[(z * h + y) * w + x] = s;
    }
}
