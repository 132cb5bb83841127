// Copies past the registers, where the target has them; elsewhere plain copies, for which nothing waits.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --check-prefix=NVIDIA
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s --check-prefix=AMD

#include <cuda_pipeline.h>

// NVIDIA-LABEL: @_Z6filledPK6float4PS_(
// NVIDIA-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// NVIDIA:     llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"(
// NVIDIA:     llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"()
// NVIDIA:     llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"(
// NVIDIA:     llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"()
// NVIDIA:     llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%[[ONE]])
// NVIDIA:     llvm.call @__gpuopt_barrier()
// AMD-LABEL:  @_Z6filledPK6float4PS_(
// AMD-NOT:    cp.async
// AMD:        llvm.load %{{.*}} -> vector<4xf32>
// AMD:        llvm.store %{{.*}} : vector<4xf32>
// AMD:        llvm.call @__gpuopt_barrier()
__global__ void filled(const float4 *a, float4 *b) {
  __shared__ float4 tile[2][64];
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &a[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][threadIdx.x], &a[threadIdx.x + 64], 16);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  b[threadIdx.x] = tile[0][63 - threadIdx.x];
}
