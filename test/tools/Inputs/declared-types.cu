// Arrays that are accessed as something else than what they are declared as.
struct Point {
  float x, y;
};

typedef float Real;

// Bits of numbers.
__global__ void bits(const Real *a, unsigned *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = __float_as_int(a[i]) ^ 3;
}

// Lanes of vectors.
__global__ void lanes(const uchar4 *a, const float4 *b, double2 *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = b[i];
    c[i] = make_double2(v.x + v.y, a[i].x + a[i].w + v.z);
  }
}

// Types of one size, and a parameter that is named as a view would be.
__global__ void sizes(const long *a, const size_t *a_longs, long long *c,
                      bool *negative, char *letter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + a_longs[i];
    negative[i] = a[i] < 0;
    letter[i] = (char)('a' + a[i] % 26);
  }
}

// A type of the source's own.
__global__ void own(const Point *points, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = points[i].x * points[i].y;
}

// What is written although it is declared constant.
__global__ void writes(const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ((float *)a)[i] *= 2;
}
