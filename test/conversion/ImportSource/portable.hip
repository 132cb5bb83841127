// HIP's names for what CUDA has, for both vendors' targets.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <hip/hip_runtime.h>

// CHECK-LABEL: @_Z6placesPi(
// CHECK-DAG: %[[BLOCK:.*]] = llvm.call @__gpuopt_block_id_x()
// CHECK-DAG: %[[SIZE:.*]] = llvm.call @__gpuopt_block_dim_x()
// CHECK-DAG: llvm.call @__gpuopt_thread_id_x()
// CHECK-DAG: llvm.mul %[[BLOCK]], %[[SIZE]] : i32
__global__ void places(int *a) { a[hipThreadIdx_x] = hipBlockIdx_x * hipBlockDim_x; }

// Without a width a shuffle is among all threads of a subgroup, of which AMD has 64; without a mask, among those that
// take part.
// CHECK-LABEL: @_Z8shuffledPf(
// CHECK:     %[[WIDTH:.*]] = llvm.call @__gpuopt_subgroup_size()
// CHECK:     %[[ACTIVE:.*]] = llvm.call @__gpuopt_active_mask()
// CHECK:     llvm.call @__gpuopt_shuffle_xor(%[[ACTIVE]], %{{.*}}, %{{.*}}, %[[WIDTH]])
// A number of 32 bits crosses as an integer.
// CHECK:     llvm.bitcast %{{.*}} : i32 to f32
// CHECK:     llvm.call @__gpuopt_shuffle_down(
__global__ void shuffled(float *a) { a[0] = __shfl_xor(a[threadIdx.x], 1) + __shfl_down(a[0], 2, 32); }

// CHECK-LABEL: @_Z5votesPy(
// CHECK:     llvm.call @__gpuopt_ballot(
__global__ void votes(unsigned long long *a) { a[0] = __ballot(a[threadIdx.x] > 0); }

// The host's launch is none of the kernels.
// CHECK-NOT: kernelcc @{{.*}}host
void host(unsigned long long *a) { hipLaunchKernelGGL(votes, dim3(1), dim3(64), 0, 0, a); }
