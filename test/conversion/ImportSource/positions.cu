// Whether positions in arrays are computed in `int`: a kernel that has them so is marked, since no access is made where
// one wraps. In C++ that is so for signed numbers only.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// LLVM would make i * (m + 1) of this, which may wrap in 32 bits. Each summand is widened before.
// CHECK-LABEL: @_Z8factoredPfi({{.*}}gpuopt.narrow_positions
// CHECK-DAG: %[[I:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK-DAG: %[[M:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK:     llvm.mul %[[I]], %[[M]] overflow<nsw> : i64
__global__ void factored(float *a, int m) {
  int i = threadIdx.x;
  a[i * m + i] = 0;
}

// An id has no sign, and so has the sum: it may wrap, and is computed in 32 bits as the source does.
// CHECK-LABEL: @_Z7wrapped
// CHECK-NOT: gpuopt.narrow_positions
// CHECK:     %[[SUM:.*]] = llvm.add %{{.*}}, %arg1 : i32
// CHECK:     llvm.zext %[[SUM]] : i32 to i64
__global__ void wrapped(float *a, int n) { a[blockIdx.x * 64 + threadIdx.x + n] = 0; }

// CHECK-LABEL: @_Z10in_64_bits
// CHECK-NOT: gpuopt.narrow_positions
// CHECK:     llvm.zext %{{.*}} : i32 to i64
__global__ void in_64_bits(float *a, long long n) { a[threadIdx.x + n] = 0; }

// CHECK-LABEL: @_Z9in_size_t
// CHECK-NOT: gpuopt.narrow_positions
// CHECK:     llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
__global__ void in_size_t(float *a, int n) {
  size_t i = blockIdx.x * (size_t)n + threadIdx.x;
  a[i] = 0;
}
