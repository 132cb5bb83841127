// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s
// RUN: gpuopt compile %s --target gfx942 --emit opencl -o %t.cl && FileCheck %s --input-file %t.cl --check-prefix=SOURCE

// OpenCL C declares atomic functions for volatile memory, so that they take any; memory that is not volatile stays so, and
// the kernel is raised.
// CHECK-LABEL: @count(
// CHECK-NOT:     volatile
// CHECK:         llvm.atomicrmw add %{{.*}} syncscope({{.*}}) monotonic
// CHECK-NOT:     volatile
// CHECK:         llvm.return
// SOURCE:      atomic_add(&counts[{{.*}}], 1)
__kernel void count(__global int *counts, __global const int *keys, int n) {
  int i = get_global_id(0);
  if (i < n)
    atomic_add(&counts[keys[i]], 1);
}
