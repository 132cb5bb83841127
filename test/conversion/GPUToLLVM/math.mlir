// What the vendors' libraries have no function for is LLVM's.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s

// CHECK-DAG: call i32 @llvm.ctlz.i32(i32 %{{.*}}, i1 false)
// CHECK-DAG: call i64 @llvm.cttz.i64(i64 %{{.*}}, i1 false)
// CHECK-DAG: call i16 @llvm.ctpop.i16(
// CHECK-DAG: call i64 @llvm.ctlz.i64(i64 %{{.*}}, i1 false)
// CHECK-DAG: call float @llvm.trunc.f32(

gpu.module @kernels {
  gpu.func @bits(%w: i32, %l: i64, %s: i16, %f: f32, %a: memref<?xi32>, %b: memref<?xi64>,
                 %c: memref<?xi16>, %d: memref<?xi64>, %e: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %0 = math.ctlz %w : i32
    %1 = math.cttz %l : i64
    %2 = math.ctpop %s : i16
    %3 = math.ctlz %l : i64
    %4 = math.trunc %f : f32
    memref.store %0, %a[%c0] : memref<?xi32>
    memref.store %1, %b[%c0] : memref<?xi64>
    memref.store %2, %c[%c0] : memref<?xi16>
    memref.store %3, %d[%c0] : memref<?xi64>
    memref.store %4, %e[%c0] : memref<?xf32>
    gpu.return
  }
}
