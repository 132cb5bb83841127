// Classes with operators and member functions leave no trace.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

struct Complex {
  float re, im;
  __device__ Complex(float r, float i) : re(r), im(i) {}
  __device__ Complex operator*(const Complex &o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __device__ __noinline__ float norm() const { return re * re + im * im; }
};

// CHECK: llvm.func {{.*}}kernelcc @_Z4normPKfPf
// CHECK-NOT: llvm.alloca
// CHECK-NOT: llvm.call @_Z
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr
__global__ void norm(const float *a, float *b) {
  int i = threadIdx.x;
  Complex z(a[2 * i], a[2 * i + 1]);
  b[i] = (z * z).norm();
}
