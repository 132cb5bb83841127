// RUN: gpuopt-opt %s --gpuopt-lower-matrix-products | FileCheck %s

// Operands are registers of 32 bits, pairs of halves or doubles, sums one by one.

gpu.module @kernels {
  // CHECK-LABEL: func.func @halves(
  // CHECK-COUNT-4: vector.extract %arg0[{{.}}] : vector<2xf16> from vector<4x2xf16>
  // CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[%arg2, %arg3, %arg4, %arg5]
  // CHECK-SAME: shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  // CHECK: %[[LAST:.*]] = llvm.extractvalue %{{.*}}[3]
  // CHECK: return %[[LAST]] : f32
  func.func @halves(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c0: f32, %c1: f32, %c2: f32, %c3: f32) -> f32 {
    %columns = vector.extract_strided_slice %b {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
    %c = vector.from_elements %c0, %c1, %c2, %c3 : vector<2x2xf32>
    %d = nvgpu.mma.sync (%a, %columns, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %last = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
    return %last : f32
  }

  // CHECK-LABEL: func.func @bfloats(
  // CHECK: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
  // CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>{{.*}} : (i32, i32, f32)
  func.func @bfloats(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    return %d : vector<2x2xf32>
  }

  // Sums of bytes wrap around.
  // CHECK-LABEL: func.func @bytes(
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi8> to i32
  // CHECK: nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}multiplicandAPtxType = #nvvm.mma_type<s8>
  func.func @bytes(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) -> vector<2x2xi32> {
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    return %d : vector<2x2xi32>
  }

  // CHECK-LABEL: func.func @doubles(
  // CHECK: nvvm.mma.sync A[%arg0] B[%arg1] C[%arg2, %arg3] {{.*}} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  func.func @doubles(%a: f64, %b: f64, %c0: f64, %c1: f64) -> vector<1x2xf64> {
    %rows = vector.from_elements %a : vector<1x1xf64>
    %columns = vector.from_elements %b : vector<1x1xf64>
    %c = vector.from_elements %c0, %c1 : vector<1x2xf64>
    %d = nvgpu.mma.sync (%rows, %columns, %c) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
    return %d : vector<1x2xf64>
  }
}
