// Index arithmetic whose meaning hangs on a sign or on a cast. Offsets of one
// stencil that are alike but for that are different offsets.

__global__ void narrow(const float *__restrict__ a, float *__restrict__ c, int n, long long p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int q = (signed char)p;
  if (i < n)
    c[i] = a[i + 8 + q] + 2 * a[i + 8 + p] + 3 * a[i + 9 + q] + 4 * a[i + 9 + p] + 5 * a[i + 10 + q] + 6 * a[i + 10 + p];
}
__global__ void minima(const float *__restrict__ a, float *__restrict__ c, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int q = min(p, 9), r = (int)min((unsigned)p, 9u);
  if (i < n)
    c[i] = a[i + 9 + q] + 2 * a[i + 9 + r] + 3 * a[i + 10 + q] + 4 * a[i + 10 + r] + 5 * a[i + 11 + q] + 6 * a[i + 11 + r];
}
__global__ void bytes(const float *__restrict__ a, float *__restrict__ c, int n, signed char p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int q = p, r = (unsigned char)p;
  if (i < n)
    c[i] = a[i + 128 + q] + 2 * a[i + 128 + r] + 3 * a[i + 129 + q] + 4 * a[i + 129 + r] + 5 * a[i + 130 + q] + 6 * a[i + 130 + r];
}
__global__ void choices(const float *__restrict__ a, float *__restrict__ c, int n, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int q = (unsigned)s < 10u ? 4 : 3, r = s < 10 ? 4 : 3;
  if (i < n)
    c[i] = a[i + q] + 2 * a[i + r] + 3 * a[i + 1 + q] + 4 * a[i + 1 + r] + 5 * a[i + 2 + q] + 6 * a[i + 2 + r];
}

// Guards of values that wrap: they hold neither for all smaller work items, nor
// for none beyond n.

__global__ void inactive(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long q = (unsigned)(i - 5);
  if (q >= n) return;
  float s = 0;
  for (int k = 0; k < w; k++) s += a[i * w + k] * b[k];
  c[i] = s;
}
__global__ void beyond(const float *__restrict__ a, float *__restrict__ c, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long q = (unsigned)(n - i);
  if (q > t) c[i] = a[i] * 2;
}

// The first operation that has the whole id in it adds k as well.

__global__ void wrapping_id(const float *__restrict__ a, float *__restrict__ c, unsigned n, unsigned k, long long off, unsigned first) {
  unsigned place = k + blockIdx.x * blockDim.x + threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i >= first) c[i] = a[(int)place + off];
}

__global__ void high_loop(const float *__restrict__ a, float *__restrict__ c, int n, unsigned first, unsigned last, long long off) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  float sum = 0;
  for (unsigned i = first; i < last; i++) sum = sum * 3 + a[(int)i + off];
  c[id] = sum;
}

// Sizes of 64 bits.

__global__ void wide(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, long long n, long long m, int k) {
  long long x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float s = 0;
    for (int i = 0; i < k; i++) s += a[y * k + i] * b[i * n + x];
    c[y * n + x] = s;
  }
}
__global__ void scale(float *a, long long n) {
  long long x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) a[x] = a[x] * 2;
}

// Parameters that are read with another sign than they are declared with.

__global__ void signed_byte(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, unsigned char k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = b[0] * a[(i + (signed char)k) % 9u];
}

__global__ void unsigned_byte(const float *__restrict__ a, float *__restrict__ c, signed char n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (unsigned char)n) c[i] = a[i] * 2;
}

// Loops over 64 bits that do not run, whose length does not fit.

__global__ void down(int *__restrict__ c, long long lo, long long hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = i;
  for (long long j = hi; j > lo; j--) s = (s ^ (int)j) + 1;
  c[i] = s;
}

__global__ void down_to(int *__restrict__ c, long long lo, long long hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = i;
  for (long long j = hi; j >= lo; j -= 4) s = (s ^ (int)j) + 1;
  c[i] = s;
}

__global__ void down_far(int *__restrict__ c, long long lo, long long hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = i;
  for (long long j = hi; j > lo; j -= 0x1000000000000000) s = s * 3 + (int)(j >> 60);
  c[i] = s;
}

__global__ void last(long long *__restrict__ c, long long lo, long long hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = i;
  long long j;
  for (j = lo; j < hi; j++) s = (s ^ (int)j) + 1;
  c[i] = j + s;
}

__global__ void recurrence(const int *__restrict__ a, int *__restrict__ c, long long lo, long long hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int p = 0, s = 0;
  for (long long j = lo; j < hi; j++) { p += 3; s += a[p]; }
  c[i] = p + s;
}

// A loop that ends for the work items that there are.

__global__ void ends(int *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = 0;
  for (int k = 0; k < 5000; k += 1000 - i) count++;
  if (i < n) c[i] = count;
}

__global__ void triangle(int *__restrict__ c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (unsigned j = 0; j < n - i; j++) s = (s ^ (int)j) * 3;
  if (i < n) c[i] = s;
}

// A switch over 64 bits, of which 2^32 is no case.

__global__ void choice(int *__restrict__ c, long long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v;
  switch (n) {
  case 0: v = i * 3; break;
  case 1: v = i ^ 5; break;
  case 2: v = i / 3; break;
  case 5: v = 7 - i; break;
  default: v = -1;
  }
  c[i] = v;
}
