// RUN: gpuopt-opt %s --gpuopt-assume-positive-divisors --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics --mlir-print-local-scope | FileCheck %s

gpu.module @kernels {
  // Planes of h rows, and a height that is a quotient of sizes: what divides is 1 or more, what is divided 0 or more.
  // CHECK-LABEL: gpu.func @planes(
  // CHECK-SAME: gpuopt.fallback = @planes__original
  // CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s2 - 1 >= 0, s1 >= 0)>
  // CHECK: gpu.func @planes__original(
  // expected-remark@below {{launches with divisors of positions below one take the original kernel}}
  gpu.func @planes(%c: memref<?xf32>, %size: i32, %h: i32) kernel {
    %v = arith.constant 0.0 : f32
    %z = gpu.global_id z
    %planes = arith.divsi %size, %h : i32
    %end = arith.index_cast %planes : i32 to index
    %inside = arith.cmpi slt, %z, %end : index
    scf.if %inside {
      %height = arith.index_cast %h : i32 to index
      %row = arith.remsi %z, %height : index
      memref.store %v, %c[%row] : memref<?xf32>
    }
    gpu.return
  }

  // Data may be divided by what it likes.
  // CHECK-LABEL: gpu.func @data(
  // CHECK-NOT: gpuopt.requires
  gpu.func @data(%a: memref<?xi32>, %n: i32) kernel {
    %x = gpu.global_id x
    %v = memref.load %a[%x] : memref<?xi32>
    %q = arith.divsi %v, %n : i32
    memref.store %q, %a[%x] : memref<?xi32>
    gpu.return
  }

  // What is loaded is nothing that the launcher knows, and constants are what they are.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT: gpuopt.requires
  gpu.func @others(%a: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %x = gpu.global_id x
    %n = memref.load %a[%c0] : memref<?xi32>
    %size = arith.index_cast %n : i32 to index
    %row = arith.divsi %x, %size : index
    %part = arith.remsi %row, %c7 : index
    memref.store %n, %a[%part] : memref<?xi32>
    gpu.return
  }
}
