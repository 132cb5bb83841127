// HIP's masks have 64 bits, on every GPU of AMD's: one of 32 would leave out half of a subgroup of 64.
// RUN: split-file --leading-lines %s %t
// RUN: gpuopt-translate --cuda-to-mlir %t/wide.hip --target=gfx942 | FileCheck %t/wide.hip
// RUN: not gpuopt-translate --cuda-to-mlir %t/narrow.hip --target=gfx942 2>&1 | FileCheck %t/narrow.hip
// RUN: not gpuopt-translate --cuda-to-mlir %t/shuffle.hip --target=gfx1100 2>&1 | FileCheck %t/shuffle.hip
// RUN: gpuopt-translate --cuda-to-mlir %t/narrow.hip --target=sm_90 >/dev/null
// CUDA's have 32, whatever the GPU.
// RUN: cp %t/narrow.hip %t/narrow.cu && gpuopt-translate --cuda-to-mlir %t/narrow.cu --target=gfx942 >/dev/null

//--- wide.hip
// CHECK-LABEL: @_Z5votesPyi(
// CHECK:     %[[ALL:.*]] = llvm.mlir.constant(-1 : i64)
// CHECK:     llvm.call @__gpuopt_ballot(%[[ALL]],
__global__ void votes(unsigned long long *a, int n) { a[0] = __ballot_sync(~0ull, n > 3); }

// All 64 bits of a mask count.
// CHECK-LABEL: @_Z4sumsPiy(
// CHECK:     llvm.intr.cttz"({{.*}} : (i64) -> i64
__global__ void sums(int *a, unsigned long long mask) { a[0] = __reduce_add_sync(mask, a[0]); }

//--- narrow.hip
template <class T> __global__ void votes(T *a, int n) {
  // CHECK: narrow.hip:[[@LINE+1]]:24: error: the mask of '__ballot_sync' has 32 bits: in HIP masks have 64 (~0ull for all lanes)
  a[0] = __ballot_sync(0xffffffff, n > 3);
}
template __global__ void votes(unsigned long long *, int);

//--- shuffle.hip
__global__ void shifted(float *a) {
  unsigned lanes = __activemask();
  // CHECK: shuffle.hip:[[@LINE+1]]:27: error: the mask of '__shfl_down_sync' has 32 bits
  a[0] = __shfl_down_sync(lanes, a[threadIdx.x], 1);
}
