// RUN: gpuopt-opt %s --gpuopt-assume-index-range --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// A launcher does not know what is in memory, nor what differs from thread to thread.
// CHECK-LABEL: gpu.func @loaded(
// CHECK-NOT: gpuopt.requires
// CHECK: scf.if
// CHECK: } {gpuopt.index_range_version}
// CHECK-NOT: @loaded__original
gpu.module @kernels {
  gpu.func @loaded(%a: memref<?xf32>, %sizes: memref<?xi32>, %v: f32) kernel {
    %zero = arith.constant 0 : index
    %most = arith.constant 1000 : i32
    %n = memref.load %sizes[%zero] : memref<?xi32>
    %test = arith.cmpi sle, %n, %most : i32
    // expected-remark@below {{whether an index wraps depends on values that are not known when the kernel is launched}}
    scf.if %test {
      memref.store %v, %a[%zero] : memref<?xf32>
    } else {
      memref.store %v, %a[%zero] : memref<?xf32>
    } {gpuopt.index_range_version}
    gpu.return
  }

  // Other conditionals stay what they are.
  // CHECK-LABEL: gpu.func @other(
  // CHECK: scf.if
  gpu.func @other(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %zero = arith.constant 0 : index
    %most = arith.constant 1000 : i32
    %test = arith.cmpi sle, %n, %most : i32
    scf.if %test {
      memref.store %v, %a[%zero] : memref<?xf32>
    }
    gpu.return
  }
}
