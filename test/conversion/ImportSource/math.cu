// Mathematical functions are intrinsics where LLVM has one, else calls by C's or
// CUDA's name.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cmath>

// CHECK-LABEL: @_Z1fPf
// CHECK-DAG: llvm.intr.sin({{.*}}) {{.*}}: (f32) -> f32
// CHECK-DAG: llvm.intr.pow({{.*}}) {{.*}}: (f32, f32) -> f32
// CHECK-DAG: llvm.intr.sqrt({{.*}}) {{.*}}: (f32) -> f32
// CHECK-DAG: llvm.intr.fma({{.*}}) {{.*}}: (f32, f32, f32) -> f32
// CHECK-DAG: llvm.intr.fabs({{.*}}) {{.*}}: (f32) -> f32
// CHECK-DAG: llvm.call @erff
// CHECK-DAG: llvm.call @rsqrtf
// CHECK-DAG: llvm.intr.maxnum({{.*}}) {{.*}}: (f32, f32) -> f32
// CHECK-DAG: llvm.intr.exp({{.*}}) {{.*}}: (f64) -> f64
__global__ void f(float *a) {
  a[0] = sinf(a[0]);
  a[1] = powf(a[1], a[2]);
  a[2] = std::sqrt(a[2]);
  a[3] = fmaf(a[0], a[1], a[2]);
  a[4] = fabs(a[4]);
  a[5] = erff(a[5]);
  a[6] = rsqrtf(a[6]);
  a[7] = fmaxf(a[7], a[8]);
  a[8] = exp((double)a[8]);
}

// Contraction as asked: never in __fmul_rn.
// CHECK-LABEL: @_Z1gPf
// CHECK: llvm.fmul {{[^{]*}} : f32
// CHECK: llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<contract>} : f32
__global__ void g(float *a) { a[0] = __fmul_rn(a[0], a[1]) + a[2]; }

// CHECK-LABEL: @_Z1hPi
// CHECK-DAG: llvm.intr.ctpop
// CHECK-DAG: llvm.intr.ctlz
// CHECK-DAG: llvm.intr.bitreverse
__global__ void h(int *a) {
  a[0] = __popc(a[0]);
  a[1] = __clz(a[1]);
  a[2] = __brev(a[2]);
  a[3] = __umulhi(a[3], a[4]) + __mul24(a[3], a[4]);
  a[4] = __int_as_float(a[4]) > 1.0f;
}
