// Rows that lanes share come out as those that a thread walks along, in rows of
// half the lanes, a few more, and odd numbers of them (of shorter ones the original
// runs); bit by bit but for sums of floating-point numbers.
//
// RUN: gpuopt compile %s --target sm_90 --reassociate --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-10: 32 lanes share each row
//
// RUN: gpuopt check %s --target sm_90 --reassociate --size n=5,m=1 --allow-fallback
// RUN: gpuopt check %s --target sm_90 --reassociate --size n=5,m=17
// RUN: gpuopt check %s --target sm_90 --reassociate --size n=37,m=33
// RUN: gpuopt check %s --target gfx942 --reassociate --size n=3,m=65
// RUN: gpuopt check %s --target nvidia-gtx285 --reassociate --size n=3,m=33
// RUN: gpuopt check %s --kernel between --target sm_90 --size n=33,m=64,steps=0
// RUN: gpuopt check %s --kernel between --target sm_90 --size n=33,m=64,steps=2
// RUN: gpuopt check %s --kernel short_max --target sm_90 --size n=9,m=37
// Languages have no shuffles of fewer than 32 bits.
// RUN: gpuopt compile %s --kernel short_max --target sm_90 --emit cuda -o - | FileCheck %s --check-prefix=SHORT
// SHORT: __shfl_xor_sync
// RUN: gpuopt check %s --kernel softmax --kernel row_sum --kernel shift --target sm_90 --reassociate --size n=4,m=1000
// RUN: gpuopt check %s --target sm_90 --size n=9,m=31
// RUN: gpuopt check %s --kernel arg_max --kernel arg_min_last --kernel bits --target gfx942 --size n=6,m=1023

// As arrays that may be one, and a comparison that is no fmaxf.
#pragma gpuopt domain(n) array(a : n, m) array(b : n, m) output(b)
__global__ void softmax(const float *a, float *b, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) {
    float most = -INFINITY;
    for (int j = 0; j < m; j++)
      if (a[r * m + j] > most)
        most = a[r * m + j];
    float s = 0;
    for (int j = 0; j < m; j++) {
      float e = expf(a[r * m + j] - most);
      b[r * m + j] = e;
      s += e;
    }
    for (int j = 0; j < m; j++)
      b[r * m + j] /= s;
  }
}

// Pointers to rows, and a mean that a second loop needs. (No bound is known for
// the root of an inexact sum, nor for quotients of long ones.)
#pragma gpuopt domain(n) array(a : n, m) array(g : m) array(b : n, m) array(mean : n) output(b, mean)
__global__ void normalise(const float *__restrict__ a, const float *__restrict__ g,
                          float *__restrict__ b, float *__restrict__ mean, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  const float *row = a + r * m;
  float s = 0, v = 0;
  for (int j = 0; j < m; j++)
    s += row[j];
  s /= m;
  for (int j = 0; j < m; j++) {
    float x = row[j] - s;
    v += x * x;
  }
  float scale = 1 / (v / m + 1e-5f);
  for (int j = 0; j < m; j++)
    b[r * m + j] = (row[j] - s) * scale * g[j];
  mean[r] = s;
}

// A sum of integers that begins at an element.
#pragma gpuopt domain(n) array(a : n, m) array(b : n) output(b)
__global__ void row_sum(const int *a, int *b, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  int s = b[r];
  for (int j = 0; j < m; j++)
    s += a[r * m + j];
  b[r] = s;
}

// The first of the largest.
#pragma gpuopt domain(n) array(a : n, m) array(v : n) array(at : n) output(v, at)
__global__ void arg_max(const float *__restrict__ a, float *__restrict__ v, int *__restrict__ at,
                        int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float best = a[r * m];
  int place = 0;
  for (int j = 1; j < m; j++)
    if (a[r * m + j] > best) {
      best = a[r * m + j];
      place = j;
    }
  v[r] = best;
  at[r] = place;
}

// The last of the least, of which there are many.
#pragma gpuopt domain(n) array(a : n, m) array(v : n) array(at : n) output(v, at)
__global__ void arg_min_last(const int *__restrict__ a, int *__restrict__ v, int *__restrict__ at,
                             int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  int best = 1000, place = -1;
  for (int j = 0; j < m; j++) {
    int x = a[(size_t)r * m + j] % 5;
    if (x <= best) {
      best = x;
      place = j;
    }
  }
  v[r] = best;
  at[r] = place;
}

// Whatever combines bits.
#pragma gpuopt domain(n) array(a : n, m) array(o : n) output(o)
__global__ void bits(const unsigned *__restrict__ a, unsigned *__restrict__ o, unsigned n, unsigned m) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  unsigned x = 1, y = ~0u, z = 2, p = 3, least = ~0u;
  for (unsigned j = 0; j < m; j++) {
    unsigned v = a[r * m + j];
    x ^= v;
    y &= v;
    z |= v;
    p *= v | 1;
    least = min(least, v);
  }
  o[r] = x + y * 3 + z * 5 + p * 7 + least * 11;
}

// 64 bits.
#pragma gpuopt domain(n) array(a : n, m) array(o : n) output(o)
__global__ void row_max(const double *__restrict__ a, double *__restrict__ o, long n, long m) {
  long r = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  double most = -1e300;
  for (long j = 0; j < m; j++)
    most = fmax(most, a[r * m + j]);
  o[r] = most;
}

// What one lane writes another one reads.
#pragma gpuopt domain(n) array(a : n, m) array(b : n, m) array(o : n) output(b, o)
__global__ void shift(const int *__restrict__ a, int *__restrict__ b, int *__restrict__ o, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  for (int j = 0; j < m; j++)
    b[r * m + j] = a[r * m + j] * 2;
  int t = 0;
  for (int j = 0; j < m - 1; j++)
    t += b[r * m + j + 1] ^ j;
  o[r] = t;
}

// A loop that lanes go past leaves what stands in front of it for what is behind.
#pragma gpuopt domain(n) array(a : n, m) array(out : n) output(a) output(out)
__global__ void between(int *a, int *out, int n, int m, int steps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  a[r * m + m / 2] = 7;
  int sum = 0, bits = 0;
  for (int j = 0; j < steps; ++j)
    for (int i = 0; i < m; ++i) sum += a[r * m + i];
  for (int i = 0; i < m; ++i) bits ^= a[r * m + i];
  out[r] = sum + bits;
}

#pragma gpuopt domain(n) array(a : n, m) array(out : n) output(out)
__global__ void short_max(const signed char *__restrict__ a, signed char *__restrict__ out, int n, int m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  signed char most = -128;
  for (int i = 0; i < m; ++i)
    if (a[r * m + i] > most) most = a[r * m + i];
  out[r] = most;
}
