// OpenCL C's vectors are those of LLVM: lanes are chosen, compared and read as other types all at once.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// Two lanes take the place of two others.
// CHECK-LABEL: kernelcc @swizzled(
// CHECK:     %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<4xf32>
// CHECK:     %[[UPPER:.*]] = llvm.shufflevector %[[V]], %{{.*}} [2, 3]
// CHECK:     %[[WIDE:.*]] = llvm.shufflevector %[[UPPER]], %{{.*}} [0, 1, -1, -1]
// CHECK:     %[[NEW:.*]] = llvm.shufflevector %[[WIDE]], %[[V]] [0, 1, 6, 7]
// CHECK:     llvm.fmul %[[NEW]], %{{.*}} : vector<4xf32>
__kernel void swizzled(__global float4 *a) {
  int i = get_global_id(0);
  float4 v = a[i];
  v.xy = v.zw;
  a[i] = v * 2.0f;
}

// A comparison gives -1 in each lane where it holds, so that all bits are set.
// CHECK-LABEL: kernelcc @compared(
// CHECK:     %[[IS:.*]] = llvm.fcmp "ogt" %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:     llvm.sext %[[IS]] : vector<4xi1> to vector<4xi32>
__kernel void compared(__global int4 *a, __global float4 *b) {
  int i = get_global_id(0);
  a[i] = b[i] > 0.0f;
}

// The lower half, and every second lane.
// CHECK-LABEL: kernelcc @halves(
// CHECK:     llvm.shufflevector %[[V:.*]], %{{.*}} [0, 1]
// CHECK:     llvm.shufflevector %[[V]], %{{.*}} [1, 3]
// CHECK:     llvm.add %{{.*}}, %{{.*}} : vector<2xi32>
__kernel void halves(__global int2 *a, __global int4 *b) {
  int i = get_global_id(0);
  a[i] = b[i].lo + b[i].odd;
}

// CHECK-LABEL: kernelcc @same_bits(
// CHECK:     %[[BITS:.*]] = llvm.load %{{.*}} -> vector<4xi32>
// CHECK:     llvm.store %[[BITS]]
__kernel void same_bits(__global uint4 *a, __global float4 *b) {
  int i = get_global_id(0);
  a[i] = as_uint4(b[i]);
}

// Three lanes take the room of four.
// CHECK-LABEL: kernelcc @three(
// CHECK:     llvm.store %{{.*}} {alignment = 16 : i64{{.*}}} : vector<{{[34]}}xf32>
__kernel void three(__global float3 *a) { a[get_global_id(0)] = (float3)(1.0f); }

// A table of the program lies in constant memory.
// CHECK-LABEL: kernelcc @looked_up(
// CHECK:     %[[TABLE:.*]] = llvm.mlir.addressof @table : !llvm.ptr<4>
// CHECK:     llvm.load %{{.*}} : !llvm.ptr<4> -> f32
__constant float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__kernel void looked_up(__global float *a, int n) { a[0] = table[n]; }
