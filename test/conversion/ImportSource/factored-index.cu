// `i * m + i` is i * (m + 1), which may wrap where the source cannot: indices
// with a common factor are computed in 64 bits.
// RUN: gpuopt-translate --cuda-to-mlir --target=sm_90 %s | FileCheck %s

// CHECK-LABEL: @diagonal(
// CHECK: %[[I:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK: %[[M:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK: %[[ROW:.*]] = llvm.mul %[[I]], %[[M]] overflow<nsw> : i64
// CHECK: %[[BEGIN:.*]] = llvm.getelementptr %{{.*}}[%[[ROW]]]
// CHECK: llvm.getelementptr %[[BEGIN]][%[[I]]]
extern "C" __global__ void diagonal(float *a, int m) {
  int i = threadIdx.x;
  a[i * m + i] = 1;
}

// The row alone stays as it is.
// CHECK-LABEL: @row(
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i32
extern "C" __global__ void row(float *a, int m) {
  int i = threadIdx.x;
  a[i * m + 3] = 1;
}
