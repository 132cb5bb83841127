// A device lambda that a host body passes to a kernel is inlined into it.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

template <typename F> __global__ void apply(float *a, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = f(a[i]);
}

// CHECK: llvm.func {{.*}}kernelcc @{{.*}}apply
// CHECK: llvm.fmul
// CHECK-NOT: llvm.call @_Z
// CHECK: llvm.store
void launch(float *a, int n, float s) {
  apply<<<1, 256>>>(a, n, [=] __device__(float x) { return x * s; });
}
