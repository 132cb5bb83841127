// CUDA's functions for bits, roundings and choices are the operations that every target has.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// A product that is rounded is not fused with the sum behind it, whatever is allowed to other products.
// CHECK-LABEL: @_Z7roundedPf(
// CHECK:     %[[PRODUCT:.*]] = llvm.fmul %{{[0-9]+}}, %{{[0-9]+}} : f32
// CHECK:     llvm.fadd %[[PRODUCT]], %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK:     llvm.intr.fma(
__global__ void rounded(float *a) {
  a[0] = __fmul_rn(a[1], a[2]) + a[3];
  a[4] = __fmaf_rn(a[1], a[2], a[3]);
}

// CHECK-LABEL: @_Z4bitsPiPxPj(
// CHECK:     llvm.intr.ctpop(%{{.*}}) : (i32) -> i32
// Zero has 32 leading zeros, and is no special case.
// CHECK:     "llvm.intr.ctlz"(%{{.*}}) <{is_zero_poison = false}> : (i32) -> i32
// CHECK:     llvm.intr.ctpop(%{{.*}}) : (i64) -> i64
// CHECK:     llvm.intr.bitreverse(%{{.*}}) : (i32) -> i32
// The low 24 bits, with their sign.
// CHECK:     %[[UP:.*]] = llvm.shl %{{.*}}, %[[EIGHT:.*]] : i32
// CHECK:     %[[LOW:.*]] = llvm.ashr exact %[[UP]], %[[EIGHT]] : i32
// CHECK:     llvm.mul %[[LOW]], %{{.*}} : i32
// The upper half of a product is one of 64 bits.
// CHECK:     %[[WIDE:.*]] = llvm.mul %{{.*}}, %{{.*}} overflow<nuw> : i64
// CHECK:     %[[UPPER:.*]] = llvm.lshr %[[WIDE]], %{{.*}} : i64
// CHECK:     llvm.trunc %[[UPPER]] overflow<nuw> : i64 to i32
__global__ void bits(int *a, long long *b, unsigned *c) {
  a[0] = __popc(a[1]);
  a[2] = __clz(a[3]);
  b[0] = __popcll(b[1]);
  c[0] = __brev(c[1]);
  a[6] = __mul24(a[7], a[8]);
  a[9] = __umulhi(c[2], c[3]);
}

// Of a number and NaN these give the number.
// CHECK-LABEL: @_Z6chosenPfPi(
// CHECK:     llvm.intr.minnum(
// CHECK:     llvm.intr.maxnum(
// CHECK:     llvm.intr.smin(
// CHECK:     %[[FLOOR:.*]] = llvm.intr.maxnum(
// CHECK:     llvm.intr.minnum(%[[FLOOR]],
__global__ void chosen(float *a, int *b) {
  a[0] = fminf(a[1], a[2]);
  a[3] = fmaxf(a[4], 0.0f);
  b[0] = min(b[1], b[2]);
  a[5] = __saturatef(a[6]);
}

// A vector is its lanes.
// CHECK-LABEL: @_Z8reversedP6float4(
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK-COUNT-4: llvm.store {{.*}} : f32
// CHECK-NOT:     vector<
// CHECK:         llvm.return
__global__ void reversed(float4 *a) {
  float4 x = a[threadIdx.x];
  a[threadIdx.x] = make_float4(x.w, x.z, x.y, x.x);
}
