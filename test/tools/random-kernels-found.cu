// Kernels from random ones that were computed wrong once.
// RUN: gpuopt check %s --kernel unread --size n=29,m=2,k=32,l=16 --block 128,2 --grid 1,1
// RUN: gpuopt check %s --kernel steps --size n=17,m=0,k=5,l=17 --block 1024,1 --grid 1
// RUN: gpuopt check %s --kernel guarded --size n=17,m=1,k=7,a0=15,c2=129,d3=530,g5=253,h6=0,b1=15 --grid 3 --block 5,5 --allow-fallback
// RUN: gpuopt check %s --kernel sign_extended --size n=32,k=257,a=32 --block 32 --grid 2
// RUN: gpuopt check %s --kernel before_all --size n=16,m=32,p=300,s=65535,a=512,b=33,c=0 --block 1,64 --grid 16
// RUN: gpuopt check %s --kernel not_needed --size n=0,k=0,a=255,b=0 --block 16,4 --grid 1,32
// RUN: gpuopt check %s --kernel beyond --size n=15,m=2,a=32 --block 16 --grid 1,2 --allow-fallback
// RUN: gpuopt check %s --kernel carried_bound --size n=100,m=4,c=100 --block 100 --grid 1 --allow-fallback
// RUN: gpuopt check %s --kernel carried_divisor --size n=100,m=4,c=100 --block 100 --grid 1 --allow-fallback
// RUN: gpuopt check %s --kernel ids_first --size n=9,m=1,a=1,b=20 --block 1 --grid 1 --allow-fallback

// An unused pointer that the front end knows to be unread.
#pragma gpuopt domain(n, m) array(a0: n + 1, m + 16 + 3) array(b1: 3 * m + 1 + 16 + 1, 3 * n + m + 1 + m + 1) array(c2: m + 2 * 16 + 1) array(out: 2 * (n * m)) output(out)
__global__ void unread(const unsigned short * __restrict__ a0, const unsigned short * __restrict__ b1, const unsigned short * __restrict__ c2, unsigned short * __restrict__ out, int n, int m, int k, int l) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < n && y < m)) return;
  unsigned short sum = out[y * n + x];
  for (int i0 = 0; i0 < 16; i0 += 1) {
    if (!(x > 15)) continue;
    if (i0 > 15)
      sum += a0[((x) * (m + 16 + 3) + (y + 16 - 1 - i0 + 2))] * b1[((3 * y) * (3 * n + m + 1 + m + 1) + (3 * (n - 1 - x) + y))];
    if (i0 != 5)
      sum += c2[(y + 2 * i0)] * b1[((i0) * (3 * n + m + 1 + m + 1) + (y))];
  }
  out[y * n + x] = sum;
}

// A view with a step of -2 rows.
#pragma gpuopt domain(n) array(a0: 1) array(b1: l + 1) array(c2: n + 2 + n + 1, k + 2 * n + 17 + k + 2) array(d3: 1, 1, k + 3 * n + 1) array(e4: 9 + 1 + 2 * k + 1 + n + 1, k + 1 + 1 + n + 1) array(f5: k + 1, 9 + 1) array(g6: 9 + 1, 1) array(out: 2 * (n)) output(out)
__global__ void steps(const float * a0, const float * b1, const float * c2, const float * d3, const float * e4, const float * f5, const float * g6, float * out, int n, int m, int k, int l) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float sum = 1;
    for (int i0 = 0; i0 < l; i0 += 1) {
      sum += a0[(0)] * b1[(l - 1 - i0)];
    }
    for (int j1 = 3; j1 < k; j1 += 16) {
      if (!(j1 >= 2 && j1 < k - 1)) continue;
      sum += c2[((x + 1) * (k + 2 * n + 17 + k + 2) + (j1 + 2 * x + 16))];
      sum += c2[((x) * (k + 2 * n + 17 + k + 2) + (j1 + 1))] * d3[(((0) * (1) + (0)) * (k + 3 * n + 1) + (k - 1 - j1 + 3 * x))];
      for (int p2 = 0; p2 < 9; p2 += 1) {
        sum += e4[((p2) * (k + 1 + 1 + n + 1) + (j1))] * f5[((j1) * (9 + 1) + (9 - 1 - p2))];
        if (p2 % 2 == 0)
          sum += e4[((2 * (k - 1 - j1)) * (k + 1 + 1 + n + 1) + (0))] * g6[((p2) * (1) + (0))];
      }
    }
    sum += e4[((x) * (k + 1 + 1 + n + 1) + (x))];
    out[x] += sum;
  }
}

// Some hundred guarded loads, whose lowering merged blocks without end.
struct Point { float x, y; int id; };
__global__ void guarded(signed char *a0, const signed char *__restrict__ c2, const Point *__restrict__ d3, const signed char *__restrict__ g5, const signed char *__restrict__ h6, const signed char *b1, unsigned char n, unsigned short m, unsigned short k) {
  int x1 = ((blockDim.x * blockIdx.x) + threadIdx.x);
  int y2 = ((blockIdx.y * blockDim.y) + threadIdx.y);
  unsigned long long v3 = (int)(k - 3);
  int v4 = ((k / 3) - k);
  if (!(n <= x1)) {
    if (!(y2 < (int)m)) {
      return;
    }
    if (!!(v3 < y2)) {
      return;
    }
    unsigned sum = 1u;
    sum += (unsigned)b1[((y2 * n) + x1)];
    for (int j5 = 1; j5 < n; j5 += 1) {
      if (((unsigned short)y2 < 15u)) {
        sum -= ((unsigned)c2[((j5 * k) + j5)] * (unsigned)d3[((x1 * k) + y2)].id);
      }
      for (int j6 = 2 - 1; j6 >= 0; --j6) {
        if (((j6 << k) < (-1))) {
          continue;
        }
        sum += ((unsigned)d3[((j5 * 33) + j6)].id * (unsigned)g5[((x1 * n) + x1)]);
      }
    }
    if ((((n >= 4u) ? 4 : m) >= k)) {
      sum += (((1u * (unsigned)h6[((x1 + 0) + min((unsigned)m, 256u))]) + (2u * (unsigned)h6[((x1 + 9) + (m - 1))])) + (3u * (unsigned)h6[((x1 + 0) + (m % 8))]));
    } else {
      sum += (unsigned)g5[((y2 * k) + y2)];
    }
    if ((m <= 0)) {
      if (((k >> y2) != v3)) {
        sum += (((1u * (unsigned)h6[((y2 + 0) + max((signed char)(1), (-3)))]) + (2u * (unsigned)h6[((y2 + 1) + min(1, 127))])) + (3u * (unsigned)h6[((y2 + 8) + (1 & 7))]));
      }
    }
    a0[((y2 * n) + x1)] = sum;
  }
}

// Sign extension by shifts within 64 bits: the first of them wraps.
__global__ void sign_extended(long long *a, int n, unsigned short k) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if ((signed char)k <= i)
      a[i] = 3;
}

// A tile's element is needed by work items before it: in front of the first one, ids without a sign are large.
__global__ void before_all(float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, unsigned long long n, long long m, long p, unsigned short s) {
  unsigned long long x = blockDim.x * (long long)blockIdx.x + threadIdx.x;
  unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
  if (x < n) {
    if (m <= y)
      return;
    float sum = a[y * n + x];
    for (int i = 0; i < min((unsigned)s, 9u); i += 1) {
      if ((unsigned long long)p << 3 > 0)
        sum += b[i + 9 + (unsigned)x] + 2.0f * b[i + 8 + ((unsigned)x >> 28)];
      else
        sum += (c + x * n)[i];
    }
    a[y * n + x] = sum;
  }
}

// An extent that is a constant beyond 2^63.
__global__ void beyond(double *a, long n, long m) {
  unsigned short x = threadIdx.x;
  long long y = blockDim.y * (size_t)blockIdx.y;
  if (x < n && y / 3 != -1 && y < m)
    a[y * n + x] += 1.0;
}

// What no iteration needs is in no tile: the array has no elements.
__global__ void not_needed(unsigned char *a, const unsigned char *b, short n, unsigned short k) {
  int x = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x > n)
    return;
  unsigned sum = 0u;
  for (long long i = 0; i < 2; i += 1)
    if (k >> i == 1u)
      sum += b[x * 4];
  a[y * 2] = sum;
}

// Work items beyond the launch would run the inner loop 2^32 times.
__global__ void carried_bound(float *c, unsigned n, int m) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned left = n - x;
  float sum = 0;
  for (int i = 0; i < m; i++) {
    for (unsigned k = 0; k < left; k++)
      sum = sum * 0.5f + k;
    left = left / 2 + (left & 5);
  }
  if (x < n)
    c[x] = sum;
}

// The divisor is the same for all work items in the first iteration only, and 0 for one beyond the launch.
__global__ void carried_divisor(int *c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int divisor = 1, sum = 0;
  for (int i = 0; i < m; i++) {
    sum = sum * 3 + 1000 / (divisor ^ 3) + i;
    divisor = x - n;
  }
  if (x < n)
    c[x] = sum;
}

// The ids that become those of subgroups are the kernel's first operations.
__global__ void ids_first(long long *__restrict__ a, const long long *__restrict__ b, long long n, int m) {
  long x = blockIdx.x;
  unsigned long long y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= m)
    return;
  unsigned long long sum = y;
  int i = x;
  while (i < 1ll) {
    sum += b[y * n + i];
    i += 1;
  }
  a[0ull] = sum;
}
