// With an SDK's headers, what a GPU computes is calls of libdevice. Those that are arithmetic are that here, too: subscripts
// with `min`, bits of floats, conversions.
// REQUIRES: cuda-sdk
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 --cuda-path=/usr/local/cuda | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: llvm.func {{.*}}@k
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.intr.smin
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.bitcast %{{.*}} : f32 to i32
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.intr.ctpop
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.intr.exp(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.intr.exp(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract>}
// CHECK-NOT: llvm.call @__nv_
// CHECK: llvm.return
extern "C" __global__ void k(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[min(i, n - 1)];
  int bits = __float_as_int(x);
  o[i] = __popc(bits) + __expf(x) + expf(-x) + __float2int_rn(x) + fmaxf(x, 1.0f);
}
