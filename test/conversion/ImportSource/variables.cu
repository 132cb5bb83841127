// The host sets the contents of variables before a launch: what they are
// initialised with is no constant.
//
// RUN: gpuopt-translate --cuda-to-mlir %s | FileCheck %s
// RUN: gpuopt compile %s --target sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: gpuopt compile %s --target sm_90 --no-opt -o - | FileCheck %s --check-prefix=PTX

__constant__ float weights[4];
__constant__ float scale[1] = {2};
static __device__ float bias[4];

// CHECK-DAG: llvm.mlir.global external constant @weights({{.*}}externally_initialized
// CHECK-DAG: llvm.mlir.global external constant @scale({{.*}}externally_initialized
// CHECK-DAG: llvm.mlir.global {{.*}} @{{.*}}bias{{.*}}externally_initialized
// PTX-DAG: .const {{.*}} weights[16]
// PTX-DAG: .const {{.*}} scale[4]
// PTX-DAG: .global {{.*}}bias{{.*}}[16];
// PTX-COUNT-2: ld.const
__global__ void apply(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = weights[i & 3] * a[i] * scale[0] + bias[i & 3];
}
