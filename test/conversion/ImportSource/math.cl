// OpenCL C's functions take vectors, lane by lane, and are LLVM's intrinsics where there is one.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-LABEL: kernelcc @lanes(
// CHECK:     llvm.intr.sin(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
// CHECK:     llvm.intr.maxnum(%{{.*}}, %{{.*}}) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
__kernel void lanes(__global float4 *a) { a[0] = fmax(sin(a[1]), a[2]); }

// What an implementation may compute roughly is computed as ever.
// CHECK-LABEL: kernelcc @rough(
// CHECK:     llvm.intr.exp(%{{.*}}) : (f32) -> f32
// CHECK:     llvm.fdiv
__kernel void rough(__global float *a) { a[0] = native_divide(half_exp(a[1]), a[2]); }

// A function without an intrinsic is called by C's name.
// CHECK-LABEL: kernelcc @library(
// CHECK:     llvm.call @erff(
__kernel void library(__global float *a) { a[0] = erf(a[1]); }

// One rounding where the function says so.
// CHECK-LABEL: kernelcc @fused(
// CHECK:     llvm.intr.fma(
__kernel void fused(__global float *a) { a[0] = fma(a[1], a[2], a[3]); }
