// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --check-prefix=UNKNOWN

// The blocks that host code launches kernels with, of those to which it matters.
#define TILE 16
#define REVERSE \
  __shared__ float s[64]; \
  s[threadIdx.x] = a[threadIdx.x]; \
  __syncthreads(); \
  a[threadIdx.x] = s[63 - threadIdx.x]

// CHECK: llvm.func {{.*}}@literal({{.*}}gpuopt.launch_block = array<i32: 64, 1, 1>
extern "C" __global__ void literal(float *a) { REVERSE; }
// CHECK: llvm.func {{.*}}@variable({{.*}}gpuopt.launch_block = array<i32: 16, 4, 1>
extern "C" __global__ void variable(float *a) { REVERSE; }
// CHECK: llvm.func {{.*}}@members({{.*}}gpuopt.launch_block = array<i32: 32, 2, 3>
extern "C" __global__ void members(float *a) { REVERSE; }
// CHECK: llvm.func {{.*}}@parameter({{.*}}gpuopt.launch_block = array<i32: 48, 1, 1>
extern "C" __global__ void parameter(float *a) { REVERSE; }
// Of several launches the most frequent.
// CHECK: llvm.func {{.*}}@often({{.*}}gpuopt.launch_block = array<i32: 128, 1, 1>
extern "C" __global__ void often(float *a) { REVERSE; }
// Without a launch in sight, the bounds of a kernel with one dimension.
// CHECK: llvm.func {{.*}}@bounded({{.*}}gpuopt.launch_block = array<i32: 192, 1, 1>
extern "C" __global__ void __launch_bounds__(192) bounded(float *a) { REVERSE; }
// UNKNOWN: llvm.func {{.*}}@unknown(
// UNKNOWN-NOT: gpuopt.launch_block
// UNKNOWN: llvm.func {{.*}}@naive(
// UNKNOWN-NOT: gpuopt.launch_block
extern "C" __global__ void unknown(float *a) { REVERSE; }
extern "C" __global__ void naive(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

static int chosen();
static const int half = TILE / 2;

static void launch(float *a, int threads) {
  parameter<<<1, threads>>>(a);
  unknown<<<1, chosen()>>>(a);
  naive<<<1, 32>>>(a);
}

void host(float *a) {
  literal<<<dim3(4, 4), 64>>>(a);
  dim3 block(TILE, half / 2), grid = {4, 1, 1};
  variable<<<grid, block>>>(a);
  dim3 later(1, 2);
  later.x = 2 * TILE;
  later.z = 3;
  members<<<grid, later>>>(a);
  later.y = 7;
  int threads = 24;
  threads = threads * 2;
  launch(a, threads);
  often<<<1, 64>>>(a);
  often<<<1, 128>>>(a);
  often<<<2, 128>>>(a);
  this is not understood;
}
