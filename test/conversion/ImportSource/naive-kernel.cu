// A naive kernel comes out with its loop as written, in the same form for both
// vendors.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD

#include <cuda_runtime.h>

// CHECK: gpu.module @kernels
// NVIDIA: llvm.func ptx_kernelcc @_Z2mvPKfS0_Pfii
// AMD: llvm.func amdgpu_kernelcc @_Z2mvPKfS0_Pfii
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr {gpuopt.name = "a", gpuopt.pointee = "const float", llvm.noalias
// CHECK-SAME: %[[W:[a-z0-9]+]]: i32 {gpuopt.name = "w"
// CHECK-SAME: gpu.kernel, gpuopt.narrow_positions, gpuopt.source_name = "mv"
__global__ void mv(const float *__restrict__ a, const float *__restrict__ b,
                   float *__restrict__ c, int h, int w) {
  // CHECK: llvm.call @__gpuopt_block_id_x
  // CHECK: llvm.call @__gpuopt_block_dim_x
  // CHECK: llvm.call @__gpuopt_thread_id_x
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: llvm.icmp "slt"
  if (idx >= h)
    return;
  float sum = 0;
  // CHECK: ^[[HEADER:.*]](%[[SUM:.*]]: f32, %[[I:.*]]: i32):
  // CHECK: llvm.icmp "slt" %[[I]], %[[W]] : i32
  // CHECK: llvm.mul {{.*}} overflow<nsw> : i32
  // CHECK: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  // CHECK: llvm.fadd %[[SUM]], {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  // CHECK: llvm.add %[[I]], {{.*}} overflow<nsw, nuw> : i32
  // CHECK: llvm.br ^[[HEADER]]
  for (int i = 0; i < w; i++)
    sum += a[idx * w + i] * b[i];
  c[idx] = sum;
}
