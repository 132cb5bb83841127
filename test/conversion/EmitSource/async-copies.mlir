// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefix=HIP

gpu.module @kernels {
  // Copies past the registers, in groups, of which all but the last have arrived.
  // They move 16 bytes at once, so that tiles start at a multiple of these.
  // CHECK:       #include <cuda_pipeline.h>
  // CHECK-LABEL: void pipeline(
  // CHECK:         __shared__ __align__(16) float [[TILE:[_a-z0-9]+]][2][256];
  // CHECK:         __pipeline_memcpy_async(&[[TILE]][0][tx * 4], &a[tx * 4], 16);
  // CHECK-NEXT:    __pipeline_commit();
  // CHECK-NEXT:    __pipeline_memcpy_async(&[[TILE]][1][tx * 4], &a[tx * 4 + 256], 16);
  // CHECK-NEXT:    __pipeline_commit();
  // CHECK-NEXT:    __pipeline_wait_prior(1);
  // CHECK-NEXT:    __syncthreads();
  //
  // HIP has plain copies for them, which need no waiting but for the barrier.
  // HIP-LABEL:   void pipeline(
  // HIP:           *(float4 *)&[[TILE:[_a-z0-9]+]][0][tx * 4] = *(float4 *)&a[tx * 4];
  // HIP-NEXT:      *(float4 *)&[[TILE]][1][tx * 4] = *(float4 *)&a[tx * 4 + 256];
  // HIP-NEXT:      __syncthreads();
  gpu.func @pipeline(%a: memref<?xf32> {gpuopt.name = "a"})
      workgroup(%t: memref<2x256xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %tx = gpu.thread_id x upper_bound 64
    %i = arith.muli %tx, %c4 overflow<nsw> : index
    %j = arith.addi %i, %c256 overflow<nsw> : index
    %first = nvgpu.device_async_copy %a[%i], %t[%c0, %i], 4 : memref<?xf32> to memref<2x256xf32, #gpu.address_space<workgroup>>
    nvvm.cp.async.commit.group
    %second = nvgpu.device_async_copy %a[%j], %t[%c1, %i], 4 : memref<?xf32> to memref<2x256xf32, #gpu.address_space<workgroup>>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %v = memref.load %t[%c0, %tx] : memref<2x256xf32, #gpu.address_space<workgroup>>
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.return
  }
}
