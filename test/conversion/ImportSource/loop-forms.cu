// Every form of loop keeps its test where it is, and what the source promises of its variable.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// Down to zero: signed, so that it ends.
// CHECK-LABEL: @_Z4downPfi(
// CHECK:     ^[[HEAD:bb[0-9]+]](%[[I:.*]]: i32):
// CHECK-NEXT:  llvm.icmp "sgt" %[[I]], %{{.*}} : i32
// CHECK:       llvm.add %[[I]], %{{.*}} overflow<nsw> : i32
__global__ void down(float *a, int n) {
  for (int i = n - 1; i >= 0; --i)
    a[i] = 0;
}

// A positive number is halved by a shift.
// CHECK-LABEL: @_Z6halvedPfi(
// CHECK:     llvm.sdiv %{{.*}}, %{{.*}} : i32
// CHECK:     ^[[HEAD:bb[0-9]+]](%[[S:.*]]: i32):
// CHECK:       llvm.lshr %[[S]], %{{.*}} : i32
__global__ void halved(float *a, int n) {
  for (int s = n / 2; s > 0; s >>= 1)
    a[s] = 0;
}

// A test at the end stays there.
// CHECK-LABEL: @_Z4lastPfi(
// CHECK:     ^[[BODY:bb[0-9]+]](%[[I:.*]]: i32):
// CHECK-NOT:   llvm.icmp
// CHECK:       llvm.store
// CHECK:       %[[NEXT:.*]] = llvm.add %[[I]], %{{.*}} overflow<nsw, nuw> : i32
// CHECK:       llvm.icmp "slt" %[[NEXT]]
// CHECK:       llvm.cond_br %{{.*}}, ^[[BODY]](%[[NEXT]] : i32), ^{{.*}}
__global__ void last(float *a, int n) {
  int i = 0;
  do
    a[i] = 0;
  while (++i < n);
}

// One that waits for another thread reads each time.
// CHECK-LABEL: @_Z7foreverPVi(
// CHECK:     ^[[WAIT:bb[0-9]+]]:
// CHECK-NEXT:  llvm.load volatile
// CHECK:       llvm.cond_br %{{.*}}, ^[[WAIT]], ^{{.*}}
__global__ void forever(volatile int *a) {
  while (a[0] == 0)
    ;
  a[1] = 1;
}

// Two variables that meet.
// CHECK-LABEL: @_Z3twoPfi(
// CHECK:     ^[[HEAD:bb[0-9]+]](%[[I:.*]]: i32, %[[J:.*]]: i32):
// CHECK-NEXT:  llvm.icmp "slt" %[[I]], %[[J]] : i32
__global__ void two(float *a, int n) {
  for (int i = 0, j = n; i < j; ++i, --j)
    a[i] = a[j];
}

// An unsigned variable may wrap: nothing is promised.
// CHECK-LABEL: @_Z10unsignedlyPfj(
// CHECK:     ^[[HEAD:bb[0-9]+]](%[[I:.*]]: i32):
// CHECK-NEXT:  llvm.icmp "ult" %[[I]],
// CHECK:       llvm.add %[[I]], %{{[0-9]+}} : i32
__global__ void unsignedly(float *a, unsigned n) {
  for (unsigned i = 0; i < n; i += 2)
    a[i] = 0;
}

// Nor of a step that is as long as the grid.
// CHECK-LABEL: @_Z6stridePfi(
// CHECK:     ^[[HEAD:bb[0-9]+]](%[[I:.*]]: i32):
// CHECK:       %[[GRID:.*]] = llvm.mul %{{.*}}, %{{.*}} : i32
// CHECK:       llvm.add %[[I]], %[[GRID]] : i32
__global__ void stride(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] = 0;
}
