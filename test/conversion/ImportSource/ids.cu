// Where a thread is: every spelling becomes one function of ours, whatever the vendor.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: @_Z6placesPi(
// CHECK-DAG: llvm.call @__gpuopt_thread_id_x()
// CHECK-DAG: llvm.call @__gpuopt_thread_id_z()
// CHECK-DAG: llvm.call @__gpuopt_block_id_y()
// CHECK-DAG: llvm.call @__gpuopt_block_dim_x()
// CHECK-DAG: llvm.call @__gpuopt_grid_dim_z()
// CHECK-DAG: llvm.call @__gpuopt_subgroup_size()
// CHECK:     llvm.return
__global__ void places(int *a) {
  a[0] = threadIdx.x;
  a[1] = threadIdx.z;
  a[2] = blockIdx.y;
  a[3] = blockDim.x;
  a[4] = gridDim.z;
  a[5] = warpSize;
}

// An id is pure: however often it is asked for, it is read once.
// CHECK-LABEL: @_Z4oncePi(
// CHECK-COUNT-1: llvm.call @__gpuopt_thread_id_x()
// CHECK-NOT:     llvm.call @__gpuopt_thread_id_x()
// CHECK:         llvm.return
__global__ void once(int *a) {
  a[threadIdx.x] = threadIdx.x * 2;
  a[threadIdx.x + 64] = threadIdx.x;
}

#ifdef __NVPTX__
// Clang's own functions for PTX's registers too.
// NVIDIA-LABEL: @_Z9registersPi(
// NVIDIA-DAG: llvm.call @__gpuopt_thread_id_x()
// NVIDIA-DAG: llvm.call @__gpuopt_block_id_y()
__global__ void registers(int *a) {
  a[0] = __nvvm_read_ptx_sreg_tid_x() + __nvvm_read_ptx_sreg_ctaid_y();
}
#endif
