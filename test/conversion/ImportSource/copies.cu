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

// A structure is only aligned as its members are: so is each access.
// CHECK-LABEL: @_Z5pairsPK4PairPS_(
// CHECK-NOT: memcpy
// CHECK:     %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> f32
// CHECK:     %[[Y:.*]] = llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> f32
// CHECK:     llvm.store %[[X]], %{{.*}} {alignment = 4 : i64{{.*}}} : f32
// CHECK:     llvm.store %[[Y]], %{{.*}} {alignment = 4 : i64{{.*}}} : f32
struct Pair { float x, y; };
__global__ void pairs(const Pair *a, Pair *b) { b[threadIdx.x] = a[threadIdx.x]; }

// CHECK-LABEL: @_Z5foursPK4FourPS_(
// CHECK-NOT: memcpy
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> f32
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 4 : i64{{.*}}} : f32
struct Four { float x, y, z, w; };
__global__ void fours(const Four *a, Four *b) { b[threadIdx.x] = a[threadIdx.x]; }

// Members of several types are numbers of as many bits as the alignment allows, padding included.
// CHECK-LABEL: @_Z5mixedPK5MixedPS_(
// CHECK-NOT: memcpy
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> i32
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 4 : i64{{.*}}} : i32
struct Mixed { float x; int n; };
__global__ void mixed(const Mixed *a, Mixed *b) { b[threadIdx.x] = a[threadIdx.x]; }

// CHECK-LABEL: @_Z6paddedPK6PaddedPS_(
// CHECK-NOT: memcpy
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 2 : i64{{.*}}} : !llvm.ptr -> i16
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 2 : i64{{.*}}} : i16
struct Padded { char c; short s; };
__global__ void padded(const Padded *a, Padded *b) { b[threadIdx.x] = a[threadIdx.x]; }

// CHECK-LABEL: @_Z5widesPK4WidePS_(
// CHECK-NOT: memcpy
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64{{.*}}} : !llvm.ptr -> i64
// CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 8 : i64{{.*}}} : i64
struct Wide { double x; int n; };
__global__ void wides(const Wide *a, Wide *b) { b[threadIdx.x] = a[threadIdx.x]; }

// Of a vector that is changed in part, the rest is copied as what it is.
// CHECK-LABEL: @_Z4restPK6float4PS_(
// CHECK-NOT: memcpy
// CHECK:     llvm.load %{{.*}} {alignment = 4 : i64{{.*}}} : !llvm.ptr -> vector<3xf32>
// CHECK:     llvm.store %{{.*}} {alignment = 4 : i64{{.*}}} : vector<3xf32>
__global__ void rest(const float4 *a, float4 *b) {
  float4 v = a[threadIdx.x];
  v.x += 1;
  b[threadIdx.x] = v;
}

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
