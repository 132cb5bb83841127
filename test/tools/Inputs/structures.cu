// Structures that are passed by value: numbers, arrays, a pointer.
struct Weights {
  float scale;
  unsigned shift;
  double bias[2];
};
__global__ void apply(const float *__restrict__ a, float *__restrict__ b, Weights w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * w.scale + (float)w.bias[1] + (float)(w.shift / 3);
}

struct View {
  float *data;
  int rows, cols;
};
__global__ void scale(View v, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < v.cols && j < v.rows)
    v.data[j * v.cols + i] *= f;
}

__global__ void computed(float *a, Weights w, int k) { a[threadIdx.x] = w.bias[k]; }

struct Size { int m, n, k; };
#pragma gpuopt domain(z.n, z.m) array(a: z.m, z.k) array(b: z.k, z.n) array(out.data: z.m, z.n)
__global__ void product(const float *a, const float *b, View out, Size z) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= z.n || y >= z.m)
    return;
  float sum = 0;
  for (int i = 0; i < z.k; ++i)
    sum += a[y * z.k + i] * b[i * z.n + x];
  out.data[y * z.n + x] = sum;
}

// What is read of an array as other numbers, and a pointer to a structure of the source's own.
struct Node { int next; float value; };
struct Graph { const Node *nodes; const unsigned *bits; int count; };
__global__ void values(float *to, Graph g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.count)
    to[i] = g.nodes[i].value + __uint_as_float(g.bits[i]);
}

// An element that is chosen by number: the whole structure is memory.
struct Mixed { float *data; float weights[4]; };
__global__ void mixed(Mixed m, int k) { m.data[threadIdx.x] *= m.weights[k]; }
