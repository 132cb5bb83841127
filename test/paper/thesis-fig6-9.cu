// Yang's thesis, figures 6.8 and 6.9: the CPU pre-execution program of a kernel with a loop, the product of a transposed
// matrix and a vector.
//
//   6.8  1. for each kernel loop its memory operations and address computations in a CPU function, of which the iterator is
//           a parameter, too
//        2. the loop over blocks; in it the kernel loop, nested where it is; in it the loop over threads
//
// Not as in the figures: the kernel loop is not unrolled 8 times around the loop over threads, which saves as many
// instructions as the loop has; the skip factor adapts behind each batch, as in figure 6.5. What the kernel does behind its
// loop, which the figure leaves out, is a function of its own.
//
// RUN: gpuopt assist %s --kernel tmv_naive --no-opt --target nvidia-gtx285 --skip-factor 32 | FileCheck %s
// RUN: gpuopt assist %s --kernel nested --no-opt --target nvidia-gtx285 --skip-factor 32 -o %t.c
// RUN: FileCheck %s --check-prefix=NESTED --input-file %t.c
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -c %t.c -o %t.o

__global__ void tmv_naive(float *A, float *B, float *C, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < height; i++) {
    sum += A[i * width + x] * B[i];
  }
  C[x] = sum;
}

// CHECK:      // What one thread accesses in an iteration of i.
// CHECK-NEXT: static void fetch_1(struct walk *walk, long long which, const float *A,
// CHECK-NEXT:                     const float *B, int width, long long i) {
// CHECK:        const int idx = thread.blockIdx.x * thread.blockDim.x + thread.threadIdx.x;
// CHECK-NEXT:   FETCH(&A[i * width + idx]);
// CHECK-NEXT:   FETCH(&B[i]);
// CHECK-NEXT: }
// CHECK:        fetch_1(walk, which + skip * 0, A, B, width, i);
// CHECK:      // What one thread accesses.
// CHECK-NEXT: static void fetch_2(
// CHECK:        FETCH(&C[idx]);
// CHECK:      for (long long first = 0; first < blocks; first += concurrent_blocks) {
// CHECK:        for (int i = 0; i < height; ++i)
// CHECK-NEXT:     walk_1(&walk, A, B, width, i);
// CHECK-NEXT:   walk_2(&walk, C);
// CHECK-NEXT: }

// A nested kernel loop, which the guard of each thread stays out of.
__global__ void nested(const float *in, const float *weights, float *out, int width, int height, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i <= j; ++i)
      sum += in[(y + j) * (width + size) + x + i] * weights[j * size + i];
  out[y * width + x] = sum;
}

// NESTED:      // What one thread accesses in an iteration of i and j.
// NESTED-NEXT: static void fetch_1(
// NESTED:        if (idx < width && idy < height) {
// NESTED-NEXT:     FETCH(&in[(idy + i) * (width + size) + idx + j]);
// NESTED-NEXT:     FETCH(&weights[i * size + j]);
// NESTED:        for (int i = 0; i < size; ++i)
// NESTED-NEXT:     for (int j = 0; j < i + 1; ++j)
// NESTED-NEXT:       walk_1(&walk, in, weights, width, height, size, i, j);
// NESTED-NEXT:   walk_2(&walk, out, width, height);
