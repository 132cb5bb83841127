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
