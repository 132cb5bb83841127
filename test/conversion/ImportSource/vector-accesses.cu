// Vectors in memory: how many lanes are moved at once, and what their address is a multiple of.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// Three floats lie side by side, aligned as one; two doubles are as aligned as four floats.
// CHECK-LABEL: @_Z6copies
// CHECK:     llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> vector<3xf32>
// CHECK:     llvm.store %{{.*}} {alignment = 4 : i64{{.*}}} : vector<3xf32>
// CHECK:     llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<2xf64>
// CHECK:     llvm.store %{{.*}} {alignment = 16 : i64{{.*}}} : vector<2xf64>
__global__ void copies(const float3 *a, float3 *b, const double2 *c, double2 *d) {
  b[threadIdx.x] = a[threadIdx.x];
  d[threadIdx.x] = c[threadIdx.x];
}

// One lane is an element. The first is aligned as the vector is.
// CHECK-LABEL: @_Z5lanesP6float4(
// CHECK:     %[[X:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> f32
// CHECK:     llvm.store %[[X]], %{{.*}} {alignment = 4 : i64{{.*}}} : f32
__global__ void lanes(float4 *a) { a[threadIdx.x].y = a[threadIdx.x].x; }

// A cast promises the alignment: the caller has to keep it.
// CHECK-LABEL: @_Z4castPfS_(
// CHECK:     %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<4xf32>
// CHECK:     llvm.store %[[V]], %{{.*}} {alignment = 16 : i64{{.*}}} : vector<4xf32>
__global__ void cast(float *a, float *b) { *(float4 *)&b[4 * threadIdx.x] = *(float4 *)&a[4 * threadIdx.x]; }

// A structure of the program's own that asks for it moves as a vector too.
// CHECK-LABEL: @_Z7alignedPK3OwnPS_(
// CHECK:     llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<4xf32>
struct __align__(16) Own { float x, y, z, w; };
__global__ void aligned(const Own *a, Own *b) { b[threadIdx.x] = a[threadIdx.x]; }

// Extents are a structure that no memory is left of: x, two and one.
// CHECK-LABEL: @_Z4dimsPi(
// CHECK-DAG: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK-DAG: %[[X:.*]] = llvm.call @__gpuopt_thread_id_x()
// CHECK:     llvm.add %[[X]], %[[THREE]] : i32
__global__ void dims(int *a) {
  dim3 d(threadIdx.x, 2);
  a[0] = d.x + d.y + d.z;
}
