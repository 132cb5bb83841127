// Copies of structures and arrays that registers can hold are loads and stores; larger ones stay copies.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// Equal members side by side are the lanes of a vector.
// CHECK-LABEL: @_Z7vectorsPK6float4PS_(
// CHECK-NOT: memcpy
// CHECK:     %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<4xf32>
// CHECK:     llvm.store %[[V]], %{{.*}} {alignment = 16 : i64{{.*}}} : vector<4xf32>
__global__ void vectors(const float4 *a, float4 *b) { b[threadIdx.x] = a[threadIdx.x]; }

// A structure is only aligned as its members are: the access says so.
// CHECK-LABEL: @_Z5mixedPK5MixedPS_(
// CHECK-NOT: memcpy
// CHECK:     llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> i64
struct Mixed { float x; int n; };
__global__ void mixed(const Mixed *a, Mixed *b) { b[threadIdx.x] = a[threadIdx.x]; }

// 256 bytes.
// CHECK-LABEL: @_Z4rowsPK3RowPS_(
// CHECK:     %[[BYTES:.*]] = llvm.mlir.constant(256 : i64)
// CHECK:     "llvm.intr.memcpy"(%{{.*}}, %{{.*}}, %[[BYTES]])
struct Row { float x[64]; };
__global__ void rows(const Row *a, Row *b) { b[threadIdx.x] = a[threadIdx.x]; }

// A small array that is cleared is as many stores as have a reader.
// CHECK-LABEL: @_Z7clearedPf(
// CHECK-NOT: memset
// CHECK:     %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK:     llvm.store %[[ZERO]]
// CHECK:     llvm.store %[[ZERO]]
__global__ void cleared(float *a) {
  float local[6] = {};
  for (int i = 0; i < 3; ++i)
    local[a[i] > 0] += a[i];
  a[0] = local[0] + local[5];
}
