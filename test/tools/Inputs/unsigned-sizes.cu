// Sizes without a sign: a difference of them may be negative all the same.
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, unsigned m,
                        unsigned n, unsigned k) {
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (unsigned i = 0; i < k; i++)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// What is taken away has no sign where it is computed: it is not known to be less than the id.
__global__ void before(float *a, long long n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long less = (long long)min((unsigned)k, 9u) % 5;
  if (i - less + 1 < n)
    a[i] = 3;
}

// A byte of a number, as a signed one.
__global__ void byte_below(float *a, long long n, long long m, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  signed char byte = k;
  if (i < n && byte < m)
    a[i] = 2;
}

// A product that wraps: its factors cannot be divided.
__global__ void wraps(float *a, unsigned long long n, int m, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    a[i] = (long long)(n * 8) >> 2 > m ? 1 : 2;
}

// The least of several bounds counts; one of them is larger than its type holds.
__global__ void least(const float *a, float *c, int n, long long p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x <= p && x < n)
    c[x] = a[x];
}

// A large number is no negative one.
__global__ void sized(const float *a, float *c, size_t n) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    c[x] = a[x] * 2;
}

// Without a sign -1 is no bound.
__global__ void unbounded(const float *a, float *c, int n, long long p) {
  size_t x = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (x < p && x + 5 < n)
    c[x] = a[x];
}

// Too much along y is nothing where there is nothing along x.
__global__ void unbounded_rows(float *a, int n, long long p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && !(y > p))
    a[x] = 2;
}

__global__ void never(float *a, long long p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 0 && !(y > p))
    a[x] = 2;
}
