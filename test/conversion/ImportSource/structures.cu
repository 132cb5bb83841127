// Structures that are passed by value: their members, by which what is read has a name.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: @_Z4flat
// CHECK-SAME: {gpuopt.name = "s", gpuopt.structure = {members = [{element = f32, name = "scale", offset = 0 : i64},
// CHECK-SAME: {element = i32, name = "shift", offset = 4 : i64, unsigned},
// CHECK-SAME: {element = f64, extents = array<i64: 2, 3>, name = "bias", offset = 8 : i64}], type = "Flat"}
// CHECK:     %[[AT:.*]] = llvm.mlir.constant(48 : i64)
// CHECK:     %[[BIAS:.*]] = llvm.getelementptr inbounds|nuw %{{.*}}[%[[AT]]]
// CHECK:     llvm.load %[[BIAS]] {{.*}} -> f64
struct Flat { float scale; unsigned shift; double bias[2][3]; };
__global__ void flat(double *a, Flat s) { a[0] = s.bias[1][2]; }

// What a member points to is an array, which may be read only.
// CHECK-LABEL: @_Z7members
// CHECK-SAME: {const, element = f32, name = "data", offset = 0 : i64, pointer}
// CHECK-SAME: {element = i32, name = "values", offset = 8 : i64, pointer}
// CHECK-NOT: llvm.call @_Z
// CHECK:     %[[VALUES:.*]] = llvm.load %{{.*}} -> !llvm.ptr
struct Counter {
  const float *data;
  int *values;
  __device__ void add(int i) const { values[i] += 1; }
};
__global__ void members(int *a, Counter c) { c.add(a[threadIdx.x]); }

// Structures in structures have no such description: they are memory.
// CHECK-LABEL: @_Z6nested
// CHECK-NOT: gpuopt.structure
// CHECK-SAME: llvm.{{byval|byref}} = !llvm.struct<"struct.Outer", (i32, struct<"struct.Inner", (f32)>)>
// CHECK:     llvm.return
struct Inner { float scale; };
struct Outer { int rows; Inner inner; };
__global__ void nested(float *a, Outer o) { a[o.rows] = o.inner.scale; }
