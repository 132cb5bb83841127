// __launch_bounds__ and __restrict__ reach the function.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD

// CHECK: llvm.func {{.*}}kernelcc @_Z1fPKfPfi
// CHECK-SAME: {gpuopt.name = "a", gpuopt.pointee = "const float", llvm.noalias{{.*}}llvm.readonly}
// CHECK-SAME: {gpuopt.name = "b"
// CHECK-SAME: {gpuopt.name = "n"
// NVIDIA-SAME: "nvvm.maxntid", "128"
// AMD-SAME: "amdgpu-flat-work-group-size", "1,128"
__global__ void __launch_bounds__(128, 4)
f(const float *__restrict__ a, float *b, int n) {
  if (threadIdx.x < n)
    b[threadIdx.x] = a[threadIdx.x];
}
