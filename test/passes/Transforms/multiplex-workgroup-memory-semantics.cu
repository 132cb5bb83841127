// What regions hand on: indices that are symbols of what comes behind, numbers of every kind, what a loop carries, and
// memory that a thread stores to and another one of its block loads behind a barrier. Equal, without races.
//
// RUN: gpuopt check %s --kernel indices --target nvidia-gtx285 --grid 4 --size a=300,idx=256,out=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel indices --target sm_90 --grid 4 --size a=300,idx=256,out=256 --design turns=4 | FileCheck %s
// RUN: gpuopt check %s --kernel numbers --target nvidia-gtx285 --grid 4 --size in=256,out=256,wide=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel rounds --target nvidia-gtx285 --grid 4 --size n=7,in=256,out=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel relay --target nvidia-gtx285 --grid 4 --size in=256,mid=256,out=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel relay --target gfx942 --grid 4 --size in=256,mid=256,out=256 --design turns=4 | FileCheck %s
// RUN: gpuopt check %s --kernel count --target nvidia-gtx285 --grid 4 --size n=3,in=768,out=768 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel count --target nvidia-gtx285 --grid 4 --size n=3,in=768,out=768 --design turns=4 | FileCheck %s
// RUN: gpuopt check %s --kernel behind --target nvidia-gtx285 --grid 4 --size n=3,in=256,out=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel places --target nvidia-gtx285 --grid 4 --size in=256,p=256,out=256 --design turns=2 | FileCheck %s
// RUN: gpuopt check %s --kernel places --target sm_90 --grid 4 --size in=256,p=256,out=256 --design turns=4 | FileCheck %s
// RUN: gpuopt check %s --kernel latest --target nvidia-gtx285 --grid 4 --size in=2048,out=256 --design turns=2 | FileCheck %s
// CHECK: tuned {{[12]}}x1x1 blocks of
// CHECK: passed

__global__ void __launch_bounds__(64) indices(const float *__restrict__ a, const int *__restrict__ idx, float *__restrict__ out) {
  __shared__ int s[64];
  int t = threadIdx.x, b = blockIdx.x * 64;
  s[t] = idx[b + t] & 255;
  __syncthreads();
  int j = s[63 - t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < j; ++i)
    sum += a[i];
  s[t] = sum > 0 ? 1 : j;
  __syncthreads();
  out[b + t] = a[j] + a[j + 1] * s[(t + 1) % 64];
}

__global__ void __launch_bounds__(64) numbers(const int *in, float *out, long long *wide) {
  __shared__ double d[64];
  __shared__ unsigned char c[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  d[t] = in[i] * 0.5;
  c[t] = in[i];
  __syncthreads();
  double x = d[63 - t];
  bool isSmall = x < 3;
  unsigned char y = c[(t + 5) % 64];
  long long w = (long long)y << 40;
  __syncthreads();
  float f = isSmall ? (float)x : y;
  d[t] = f;
  __syncthreads();
  out[i] = d[(t + 9) % 64] + f;
  wide[i] = w + (isSmall ? 1 : 2);
}

__global__ void __launch_bounds__(64) rounds(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float x = in[i];
  int swaps = 0;
  for (int round = 0; round < n; ++round) {
    s[t] = x;
    __syncthreads();
    float other = s[t ^ 1];
    __syncthreads();
    if (other < x) {
      x = other;
      ++swaps;
    }
    s[t] = x * 2;
    __syncthreads();
    x = s[63 - t] * 0.5f;
    __syncthreads();
  }
  out[i] = x + swaps;
}

__global__ void __launch_bounds__(64) relay(const float *in, float *mid, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  __syncthreads();
  mid[i] = s[63 - t];
  __syncthreads();
  float y = mid[blockIdx.x * 64 + (t + 7) % 64];
  __syncthreads();
  mid[i] = y;
  s[t] = y + 1;
  __syncthreads();
  out[i] = s[(t + 3) % 64] + mid[blockIdx.x * 64 + (t + 1) % 64];
}

// The number of blocks is that of the source, and so is the distance to what they do next.
__global__ void __launch_bounds__(64) count(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    int i = (k * gridDim.x + blockIdx.x) * 64 + t;
    s[t] = in[i];
    __syncthreads();
    out[i] = s[63 - t] + gridDim.x;
    __syncthreads();
  }
}

// Behind the loop a thread goes on with the element that it has, of which there is one for both blocks.
__global__ void __launch_bounds__(64) behind(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float x = in[i];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    __syncthreads();
    s[t ^ 1] = x;
    __syncthreads();
    x += s[t];
  }
  s[t] = x * 2;
  __syncthreads();
  out[i] = s[t ^ 3];
}

// Subscripts and bounds that are data.
__global__ void __launch_bounds__(64) places(const float *in, const int *p, float *out) {
  __shared__ float s[64];
  __shared__ int place[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  place[t] = p[i] & 63;
  __syncthreads();
  float x = s[place[63 - t]];
  for (int k = 0; k < place[t]; ++k)
    x += s[k];
  __syncthreads();
  s[(t * 5 + place[0]) & 63] = x;
  __syncthreads();
  out[i] = s[place[t]] + s[p[i] & 31];
}

// An unrolled loop that hands on what an iteration began with.
__global__ void __launch_bounds__(64) latest(const float *in, float *out) {
  __shared__ float s[512];
  int t = threadIdx.x, first = blockIdx.x * 512;
  float latest = 0, before = 1;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    float x = in[first + t + 64 * i];
    before = latest;
    latest = x;
    s[t + 64 * i] = x;
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[511 - t] + before * 100 + latest * 10000;
}
