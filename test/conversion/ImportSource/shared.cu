// Workgroup memory: arrays of a kernel, of the functions that it calls, and of the launch.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// CHECK-DAG: llvm.mlir.global internal @_ZZ5fixedPfE4tile() {addr_space = 3 : i32{{.*}}} : !llvm.array<16 x array<17 x f32>>
// The launch says how large this one is.
// CHECK-DAG: llvm.mlir.global external @space() {addr_space = 3 : i32{{.*}}} : !llvm.array<0 x f32>
// CHECK-DAG: llvm.mlir.global internal @_ZZ3sumfE5parts() {addr_space = 3 : i32{{.*}}} : !llvm.array<32 x f32>

// CHECK-LABEL: @_Z5fixedPf(
// CHECK-DAG: llvm.mlir.addressof @_ZZ5fixedPfE4tile : !llvm.ptr<3>
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_barrier()
// CHECK:     llvm.load
__global__ void fixed(float *a) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// CHECK-LABEL: @_Z5givenPf(
// CHECK:     llvm.mlir.addressof @space : !llvm.ptr<3>
__global__ void given(float *a) {
  extern __shared__ float space[];
  space[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = space[63 - threadIdx.x];
}

// A function is part of its kernel, and so is its array.
// CHECK-LABEL: @_Z11by_functionPf(
// CHECK-NOT: llvm.call @_Z
// CHECK-DAG: llvm.mlir.addressof @_ZZ3sumfE5parts : !llvm.ptr<3>
// CHECK:     llvm.call @__gpuopt_barrier()
__device__ float sum(float x) {
  __shared__ float parts[32];
  parts[threadIdx.x] = x;
  __syncthreads();
  return parts[0] + parts[1];
}
__global__ void by_function(float *a) { a[0] = sum(a[threadIdx.x]); }
