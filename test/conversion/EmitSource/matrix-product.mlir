// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s --check-prefix=CUDA
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefix=HIP
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// A raised kernel as a person would write it: names of parameters, subscripts,
// a sum that is one variable. The source computes positions in `int`.

// CUDA:      #include <cuda_runtime.h>
// CUDA:      __global__ void mm(const float *__restrict__ a,
// CUDA-SAME: const float *__restrict__ b,
// CUDA-NEXT: float *__restrict__ c, int m, int n, int k) {
// CUDA-NEXT:   const int idx = blockIdx.x * blockDim.x + threadIdx.x;
// CUDA-NEXT:   const int idy = blockIdx.y * blockDim.y + threadIdx.y;
// CUDA-NEXT:   if (idx < n && idy < m) {
// CUDA-NEXT:     float sum = 0.0f;
// CUDA-NEXT:     for (int i = 0; i < k; ++i)
// CUDA-NEXT:       sum += a[idy * k + i] * b[i * n + idx];
// CUDA-NEXT:     c[idy * n + idx] = sum;
// CUDA-NEXT:   }
// CUDA-NEXT: }

// HIP: #include <hip/hip_runtime.h>
// HIP: __global__ void mm(

// OPENCL:      __kernel void mm(__global const float *restrict a,
// OPENCL:      const int idx = get_global_id(0);
// OPENCL:      sum += a[idy * k + i] * b[i * n + idx];
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias, llvm.readonly},
               %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
               %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias},
               %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"})
      kernel attributes {gpuopt.source_name = "mm", gpuopt.narrow_positions} {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %ki iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %B[%i, symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %t = arith.addf %s, %p fastmath<contract> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
