// What a program passes in structures are sizes and arrays as any others: its products are tiled, and each launch's own
// members say whether the tuned kernel may run.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s --check-prefix=OUTPUT
// RUN: %on_gpu %t | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: 1: right
// OUTPUT-NEXT: 2: right
// OUTPUT-NEXT: 3: right
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s
// CHECK: 3: right
// CHECK: multiply(Matrix, Matrix, float, Matrix) 3 2 3
// CHECK-NEXT: as written: 'c.elements' overlaps with 'a.elements'

#include <cstdio>
#include <vector>

struct Matrix {
  int width, height, stride;
  float *elements;
};

__global__ void multiply(Matrix a, Matrix b, float alpha, Matrix c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.height || col >= b.width)
    return;
  float sum = 0;
  for (int e = 0; e < a.width; ++e)
    sum += a.elements[row * a.stride + e] * b.elements[e * b.stride + col];
  c.elements[row * c.stride + col] = alpha * sum;
}

static Matrix make(int width, int height, int stride) {
  Matrix matrix = {width, height, stride, nullptr};
  std::vector<float> host(stride * height);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = float(i % 7) - 3;
  cudaMalloc(&matrix.elements, host.size() * sizeof(float));
  cudaMemcpy(matrix.elements, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  return matrix;
}

static std::vector<float> read(Matrix matrix) {
  std::vector<float> host(matrix.stride * matrix.height);
  cudaMemcpy(host.data(), matrix.elements, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  return host;
}

static void run(int number, Matrix a, Matrix b, Matrix c) {
  std::vector<float> left = read(a), right = read(b);
  dim3 block(16, 16), grid((b.width + 15) / 16, (a.height + 15) / 16);
  multiply<<<grid, block>>>(a, b, 2.0f, c);
  std::vector<float> result = read(c);
  bool isRight = true;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < b.width; ++x) {
      float sum = 0;
      for (int e = 0; e < a.width; ++e)
        sum += left[y * a.stride + e] * right[e * b.stride + x];
      isRight &= result[y * c.stride + x] == 2 * sum;
    }
  printf("%d: %s\n", number, isRight ? "right" : "wrong");
}

int main() {
  run(1, make(20, 37, 24), make(33, 20, 33), make(33, 37, 40));
  run(2, make(1, 1, 1), make(1, 1, 1), make(1, 1, 1));
  // The result lies in the array of the left factor, behind what is read of it.
  Matrix a = make(8, 33, 16), c = a;
  a.height = c.height = 32;
  c.elements += 8;
  run(3, a, make(8, 8, 8), c);
}
