// A copy of a vector is one load and one store; members are scalars.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-LABEL: @_Z4copyPK6float4PS_
// CHECK: %[[V:.*]] = llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.store %[[V]], {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
__global__ void copy(const float4 *a, float4 *b) {
  b[threadIdx.x] = a[threadIdx.x];
}

// CHECK-LABEL: @_Z3sumPK4int3P7double2
// CHECK-COUNT-3: llvm.load {{.*}} -> i32
// CHECK-COUNT-2: llvm.store {{.*}} : f64
__global__ void sum(const int3 *a, double2 *b) {
  int3 v = a[threadIdx.x];
  b[threadIdx.x] = make_double2(v.x + v.y, v.z);
}
