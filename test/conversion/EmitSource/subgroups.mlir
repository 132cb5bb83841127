// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefix=HIP
// RUN: not gpuopt-translate --mlir-to-opencl %s 2>&1 | FileCheck %s --check-prefix=OPENCL

gpu.module @kernels {
  // CUDA names the threads that take part. HIP's masks are of 64 threads, and
  // groups of 32 in such a wavefront need none, but have to say that they are 32.
  // CHECK-LABEL: void shuffles(
  // CHECK:         float [[X:[_a-z0-9]+]] = __shfl_xor_sync(0xffffffffu, a[tx], 1);
  // CHECK-NEXT:    float [[Y:[_a-z0-9]+]] = __shfl_down_sync(0xffffffffu, [[X]], 1, 8);
  // CHECK-NEXT:    float [[Z:[_a-z0-9]+]] = __shfl_up_sync(0xffffffffu, [[Y]], 1);
  // CHECK-NEXT:    float {{.*}} = __shfl_sync(0xffffffffu, [[Z]], 1, 8);
  // HIP:           float [[X:[_a-z0-9]+]] = __shfl_xor(a[tx], 1, 32);
  // HIP-NEXT:      float [[Y:[_a-z0-9]+]] = __shfl_down([[X]], 1, 8);
  // HIP-NEXT:      float [[Z:[_a-z0-9]+]] = __shfl_up([[Y]], 1, 32);
  // HIP-NEXT:      float {{.*}} = __shfl([[Z]], 1, 8);
  // OPENCL:        error: '__shfl_xor_sync' has no form in OpenCL C
  gpu.func @shuffles(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x
    %one = arith.constant 1 : i32
    %all = arith.constant 32 : i32
    %some = arith.constant 8 : i32
    %x = memref.load %a[%tx] : memref<?xf32>
    %0, %v0 = gpu.shuffle xor %x, %one, %all : f32
    %1, %v1 = gpu.shuffle down %0, %one, %some : f32
    %2, %v2 = gpu.shuffle up %1, %one, %all : f32
    %3, %v3 = gpu.shuffle idx %2, %one, %some : f32
    memref.store %3, %a[%tx] : memref<?xf32>
    gpu.return
  }
}
