// RUN: not gpuopt-opt %s --gpuopt-vectorize-accesses="target=sm_90 width=12" 2>&1 | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-vectorize-accesses="target=nvidia-gtx285" | FileCheck %s --check-prefix=OLD
// RUN: gpuopt-opt %s --gpuopt-vectorize-accesses="target=amd-hd5870" | FileCheck %s --check-prefix=AMD

// CHECK: expected a width of 2, 4, 8 or 16 bytes, got 12

// Figure 4: loop-based vectorization for AMD, with pairs, and not for the NVIDIA
// devices of that time.
// OLD-LABEL: gpu.func @loop
// OLD-NOT: vector.load
// OLD: gpu.return
// AMD-LABEL: gpu.func @loop
// AMD: affine.for {{.*}} step 2
// AMD: vector.load {{.*}}vector<2xf32>
gpu.module @kernels {
  gpu.func @loop(%a: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32> {llvm.noalias}) kernel {
    affine.for %i = 0 to 32 {
      %0 = affine.load %a[%i] : memref<?xf32>
      affine.store %0, %c[0] : memref<?xf32>
    }
    gpu.return
  }
}
