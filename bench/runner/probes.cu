// What the chip can do at most, by type: eight independent chains of
// multiply-adds in each thread, 16 operations an iteration, twice that of pairs
// of halves. The result is stored so that nothing is removed.

template <typename T> __device__ T chains(T x, T y, int iterations) {
  T a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
  for (int i = 0; i < iterations; i++) {
    a = a * y + x; b = b * y + x; c = c * y + x; d = d * y + x;
    e = e * y + x; f = f * y + x; g = g * y + x; h = h * y + x;
  }
  return a + b + c + d + e + f + g + h;
}

__global__ void fma_peak(float *__restrict__ out, int iterations) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  out[id] = chains<float>(id * 1e-6f, 0.999f, iterations);
}

__global__ void fma_peak_f64(float *__restrict__ out, int iterations) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  out[id] = chains<double>(id * 1e-6, 0.999, iterations);
}

typedef _Float16 pair __attribute__((ext_vector_type(2)));

__global__ void fma_peak_f16(float *__restrict__ out, int iterations) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  pair x = (_Float16)(id * 1e-6f), y = (_Float16)0.999f;
  pair sum = chains<pair>(x, y, iterations);
  out[id] = (float)sum.x + (float)sum.y;
}
