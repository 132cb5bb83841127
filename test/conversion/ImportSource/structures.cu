// Structures that are passed by value: numbers and pointers are parameters of their own.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

// CHECK-LABEL: @_Z4flat
// CHECK-SAME: %[[SCALE:arg1]]: f32 {gpuopt.name = "s.scale"}
// CHECK-SAME: %arg2: i32 {gpuopt.name = "s.shift", gpuopt.unsigned}
// CHECK-SAME: %arg3: f64 {gpuopt.name = "s.bias[0][0]"}
// CHECK-SAME: %[[BIAS:arg8]]: f64 {gpuopt.name = "s.bias[1][2]"}
// CHECK-SAME: gpuopt.structures = [{align = 8 : i64, bytes = 56 : i64, first = 1 : i64, members = [{element = f32, name = "scale", offset = 0 : i64},
// CHECK-SAME: {element = i32, name = "shift", offset = 4 : i64, unsigned},
// CHECK-SAME: {element = f64, extents = array<i64: 2, 3>, name = "bias", offset = 8 : i64}],
// CHECK-SAME: name = "s", offsets = array<i64: 0, 4, 8, 16, 24, 32, 40, 48>, type = "Flat"}]
// CHECK-NEXT: llvm.store %[[BIAS]]
struct Flat { float scale; unsigned shift; double bias[2][3]; };
__global__ void flat(double *a, Flat s) { a[0] = s.bias[1][2]; }

// What a member points to is an array, which may be read only.
// CHECK-LABEL: @_Z7members
// CHECK-SAME: !llvm.ptr {gpuopt.name = "c.data", gpuopt.pointee = "const float"
// CHECK-SAME: !llvm.ptr {gpuopt.name = "c.values", gpuopt.pointee = "int"
// CHECK-SAME: {const, element = f32, name = "data", offset = 0 : i64, pointee = "const float", pointer}
struct Counter {
  const float *data;
  int *values;
  __device__ void add(int i) const { values[i] += 1; }
};
__global__ void members(int *a, Counter c) { c.add(a[threadIdx.x]); }

// Structures in structures and bases have their members among those of the whole; each
// kernel has its own copy, which it may change.
// CHECK-LABEL: @_Z6nested
// CHECK-SAME: {gpuopt.name = "o.id"}
// CHECK-SAME: {gpuopt.name = "o.inner[0].scale"}
// CHECK-SAME: %[[SCALE:[^:]*]]: f32 {gpuopt.name = "o.inner[1].scale"}
// CHECK-SAME: offsets = array<i64: 0, 4, 8>
// CHECK-NOT: alloca
// CHECK: llvm.fadd %[[SCALE]]
struct Base { int id; };
struct Inner { float scale; };
struct Outer : Base { Inner inner[2]; };
__global__ void nested(float *a, Outer o) {
  o.inner[1].scale += 1;
  a[o.id] = o.inner[1].scale;
}

// A structure of one number may be passed as that number.
// CHECK-LABEL: @_Z6single
// CHECK-SAME: %[[VALUE:arg[0-9]]]: f32 {gpuopt.name = "i.scale"}
// CHECK-NEXT: llvm.store %[[VALUE]]
__global__ void single(float *a, Inner i) { a[0] = i.scale; }

// Loops of known length choose elements by constants once they are unrolled.
// CHECK-LABEL: @_Z6looped
// CHECK-SAME: {gpuopt.name = "s.bias[1][2]"}
// CHECK: llvm.return
__global__ void looped(double *a, Flat s) {
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      sum += s.bias[i][j] * a[i + j];
  a[0] = sum;
}

// Elements that are chosen by number are memory, and so are unions.
// CHECK-LABEL: @_Z6chosen
// CHECK-NOT: gpuopt.structures
// CHECK-SAME: {gpuopt.name = "s", gpuopt.structure = {members = [
// CHECK: llvm.return
__global__ void chosen(double *a, Flat s, int i) { a[0] = s.bias[1][i]; }

// CHECK-LABEL: @_Z6either
// CHECK-NOT: gpuopt.structure
union Either { float scale; int shift; };
__global__ void either(float *a, Either e) { a[0] = e.scale; }
