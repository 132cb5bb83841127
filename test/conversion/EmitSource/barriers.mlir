// RUN: gpuopt-translate --mlir-to-cuda -split-input-file %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip -split-input-file %s | FileCheck %s --check-prefixes=CHECK,HIP
// RUN: not gpuopt-translate --mlir-to-opencl -split-input-file %s 2>%t | FileCheck %s --check-prefix=OPENCL
// RUN: FileCheck %s --check-prefix=ERROR --input-file %t

gpu.module @kernels {
  // What is read between two barriers is read there, and not where it is stored.
  // CHECK-LABEL: void block(
  // CHECK:         __syncthreads();
  // CHECK-NEXT:    float [[X:[_a-z0-9]+]] = [[TILE:[_a-z0-9]+]][63 - tx];
  // CHECK-NEXT:    __syncthreads();
  // CHECK-NEXT:    [[TILE]][tx] = [[X]];
  // OPENCL-LABEL: void block(
  // OPENCL:        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  gpu.func @block(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) workgroup(%t: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %ni = arith.index_cast %n : i32 to index
    %x = memref.load %a[%tx] : memref<?xf32>
    memref.store %x, %t[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %t[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %y, %t[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {

  // A barrier of all blocks is in a header of its own; OpenCL C has none.
  // HIP:         #include <hip/hip_cooperative_groups.h>
  // CHECK-LABEL: void grid(
  // CHECK:         a[tx] = 0.0f;
  // CHECK-NEXT:    cooperative_groups::this_grid().sync();
  // CHECK-NEXT:    a[tx + 7] = 0.0f;
  // ERROR: error: 'grid_barrier' has no form in OpenCL C
  gpu.func @grid(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %a[%tx] : memref<?xf32>
    gpuopt.grid_barrier
    affine.store %zero, %a[symbol(%tx) + 7] : memref<?xf32>
    gpu.return
  }
}
