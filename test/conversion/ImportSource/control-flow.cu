// Branches and loops come out as they are written: no table for a switch, no loop unrolled or turned round, no branch
// made a selection that loads.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: @_Z6chosenPii(
// CHECK:      llvm.switch %{{.*}} : i32, ^[[DEFAULT:.*]] [
// CHECK-NEXT:   0: ^{{.*}},
// CHECK-NEXT:   1: ^{{.*}},
// CHECK-NEXT:   2: ^{{.*}}
// CHECK-NEXT: ]
__global__ void chosen(int *a, int n) {
  switch (n) {
  case 0: a[0] = 7; break;
  case 1: a[0] = 9; break;
  case 2: a[0] = 4; break;
  default: a[0] = 1;
  }
}

// The second question is a load that may only be made where the first one holds.
// CHECK-LABEL: @_Z13short_circuit
// CHECK:      llvm.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[END:.*]]
// CHECK:      ^[[NEXT]]:
// CHECK:        llvm.load
// CHECK:        llvm.cond_br %{{.*}}, ^{{.*}}, ^[[END]]
__global__ void short_circuit(const int *a, int *b, int n) {
  int i = threadIdx.x;
  if (i < n && a[i] > 0)
    b[i] = 1;
}

// A loop has one entry and one way back; `continue` goes there, `break` out.
// CHECK-LABEL: @_Z5earlyPKiPii(
// CHECK:      llvm.br ^[[HEAD:bb[0-9]+]](
// CHECK:      ^[[HEAD]](%[[I:.*]]: i32):
// CHECK-NEXT:   llvm.icmp "slt" %[[I]],
// CHECK-NEXT:   llvm.cond_br %{{.*}}, ^{{.*}}, ^[[OUT:bb[0-9]+]]
// CHECK:        llvm.cond_br %{{.*}}, ^[[BACK:bb[0-9]+]], ^{{.*}}
// CHECK:        llvm.cond_br %{{.*}}, ^[[OUT]], ^{{.*}}
// CHECK:      ^[[BACK]]:
// CHECK-NEXT:   %[[NEXT:.*]] = llvm.add %[[I]],
// CHECK-NEXT:   llvm.br ^[[HEAD]](%[[NEXT]] : i32)
__global__ void early(const int *a, int *b, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] == 0)
      continue;
    if (a[i] < 0)
      break;
    b[i] = a[i];
  }
}
