// Loops that choose the elements of a local array are unrolled, and the array is values; other loops and arrays stay.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-LABEL: llvm.func {{.*}}@_Z4sums
// CHECK-NOT: llvm.alloca
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br
// CHECK-COUNT-4: llvm.fadd
// CHECK-NOT: llvm.fadd
// CHECK-COUNT-4: llvm.store
// CHECK-NOT: llvm.store
__global__ void sums(const float *a, float *c, int n) {
  float s[4] = {0.0f};
  for (int i = 0; i < n; ++i)
    for (int q = 0; q < 4; ++q)
      s[q] += a[4 * i + q];
  for (int q = 0; q < 4; ++q)
    c[q] = s[q];
}

// A loop with fewer iterations each time: the one around it, which chooses no element, stays.
// CHECK-LABEL: llvm.func {{.*}}@_Z6sorted
// CHECK-NOT: llvm.alloca
// CHECK: llvm.cond_br
// CHECK-COUNT-2: llvm.intr.minnum
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
__global__ void sorted(const float *a, float *c) {
  float v[3];
  for (int q = 0; q < 3; ++q)
    v[q] = a[q];
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 2 - p; ++q) {
      float low = fminf(v[q], v[q + 1]), high = fmaxf(v[q], v[q + 1]);
      v[q] = low;
      v[q + 1] = high;
    }
  c[0] = v[1];
}

// Elements that the data choose: unrolling would win nothing.
// CHECK-LABEL: llvm.func {{.*}}@_Z4bins
// CHECK: llvm.alloca
// CHECK-COUNT-4: llvm.store %{{.*}} : i32, !llvm.ptr
// CHECK: llvm.cond_br
// CHECK: llvm.cond_br
__global__ void bins(const int *a, int *c, int n) {
  int count[4] = {};
  for (int i = 0; i < n; ++i)
    ++count[a[i] & 3];
  for (int q = 0; q < 4; ++q)
    c[q] = count[q];
}

// A short loop without a local array stays.
// CHECK-LABEL: llvm.func {{.*}}@_Z9shortLoop
// CHECK: llvm.cond_br
// CHECK-COUNT-1: llvm.fmul
// CHECK-NOT: llvm.fmul
__global__ void shortLoop(const float *a, float *c) {
  for (int q = 0; q < 4; ++q)
    c[q] = a[q] * 2.0f;
}
