// Atomics are LLVM's, relaxed, at the scope of the device unless said otherwise.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s -DDEVICE=device -DBLOCK=block
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s -DDEVICE=agent -DBLOCK=workgroup

// CHECK: llvm.atomicrmw add {{.*}} syncscope("[[DEVICE]]") monotonic {{.*}}i32
// CHECK: llvm.atomicrmw fadd {{.*}} syncscope("[[DEVICE]]") monotonic {{.*}}f32
// CHECK: llvm.atomicrmw fadd {{.*}} syncscope("[[DEVICE]]") monotonic {{.*}}f64
// CHECK: llvm.cmpxchg {{.*}} syncscope("[[DEVICE]]") monotonic monotonic
// CHECK: llvm.atomicrmw umax {{.*}} syncscope("[[BLOCK]]") monotonic
// CHECK: llvm.atomicrmw xchg %{{[a-z0-9]+}}, %{{[0-9]+}} monotonic
// CHECK: llvm.atomicrmw _or {{.*}} monotonic
__global__ void f(int *i, unsigned *u, float *x, double *y,
                  unsigned long long *l) {
  atomicAdd(i, 1);
  atomicAdd(x, 1.0f);
  atomicAdd(y, 1.0);
  l[1] = atomicCAS(l, 1ull, 2ull);
  atomicMax_block(u, 3u);
  x[1] = atomicExch_system(x, 2.0f);
  atomicOr(u, 4u);
}
