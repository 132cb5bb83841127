// What the chip can do at most: eight independent chains of multiply-adds in
// each thread, 16 operations an iteration. The result is stored so that nothing
// is removed.
__global__ void fma_peak(float *__restrict__ out, int iterations) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  float x = id * 1e-6f, y = 0.999f;
  float a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
  for (int i = 0; i < iterations; i++) {
    a = a * y + x; b = b * y + x; c = c * y + x; d = d * y + x;
    e = e * y + x; f = f * y + x; g = g * y + x; h = h * y + x;
  }
  out[id] = a + b + c + d + e + f + g + h;
}
