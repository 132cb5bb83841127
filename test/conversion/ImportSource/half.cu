// Half precision and bfloat16, with operators and intrinsics.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK-LABEL: @_Z6halvesPDF16_
// CHECK: llvm.load {{.*}} -> f16
// CHECK: llvm.fadd {{.*}} : f16
// CHECK: llvm.fcmp "ogt" {{.*}} : f16
__global__ void halves(__half *a) {
  half h = a[threadIdx.x] + __float2half(1.5f);
  if (h > half(0.0f))
    h = __hfma(h, h, h);
  a[threadIdx.x] = __hmax(h, a[0]);
}

// CHECK-LABEL: @_Z5pairsP7__half2
// CHECK-COUNT-2: llvm.fmul {{.*}} : f16
__global__ void pairs(__half2 *a) { a[threadIdx.x] = __hmul2(a[threadIdx.x], a[0]); }

// CHECK-LABEL: @_Z6brainsPDF16bPf
// CHECK: llvm.load {{.*}} -> bf16
// CHECK: llvm.fpext {{.*}} : bf16 to f32
__global__ void brains(__nv_bfloat16 *a, float *b) {
  b[threadIdx.x] = __bfloat162float(a[threadIdx.x]);
  a[threadIdx.x] = __float2bfloat16(b[0]);
}

// Each element of a pair is added to by itself.
// CHECK-LABEL: @_Z8together
// CHECK-COUNT-2: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope({{.*}}) monotonic {alignment = 2 : i64} : !llvm.ptr{{.*}}, f16
__global__ void together(__half2 *a, __half2 *b) { atomicAdd(a, b[threadIdx.x]); }
