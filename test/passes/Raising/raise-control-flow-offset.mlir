// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-raise-control-flow)))" | FileCheck %s

gpu.module @kernels {
  // for (; i + 4 <= k; i += 4): the test has computed the next value, and what is left of k is compared in 64 bits.
  // CHECK-LABEL: gpu.func @whole_steps
  // CHECK:         %[[K:.*]] = arith.index_cast %arg1 : i32 to index
  // CHECK:         scf.for %{{.*}} = %{{.*}} to %[[END:.*]] step %{{.*}} iter_args
  gpu.func @whole_steps(%a: memref<?xf32>, %k: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %zero = arith.constant 0.0 : f32
    %r:3 = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32, i32) {
      %next = arith.addi %i, %c4 overflow<nsw> : i32
      %more = arith.cmpi sle, %next, %k : i32
      scf.condition(%more) %i, %s, %next : i32, f32, i32
    } do {
    ^bb0(%i: i32, %s: f32, %next: i32):
      %at = arith.index_cast %i : i32 to index
      %x = memref.load %a[%at] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %next, %t : i32, f32
    }
    %end = arith.index_cast %r#0 : i32 to index
    memref.store %r#1, %a[%end] : memref<?xf32>
    gpu.return
  }

  // The sum may wrap.
  // CHECK-LABEL: gpu.func @wraps
  // CHECK: scf.while
  gpu.func @wraps(%a: memref<?xf32>, %k: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %zero = arith.constant 0.0 : f32
    %r:3 = scf.while (%i = %c0, %s = %zero) : (i32, f32) -> (i32, f32, i32) {
      %next = arith.addi %i, %c4 : i32
      %more = arith.cmpi sle, %next, %k : i32
      scf.condition(%more) %i, %s, %next : i32, f32, i32
    } do {
    ^bb0(%i: i32, %s: f32, %next: i32):
      %at = arith.index_cast %i : i32 to index
      %x = memref.load %a[%at] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %next, %t : i32, f32
    }
    %end = arith.index_cast %r#0 : i32 to index
    memref.store %r#1, %a[%end] : memref<?xf32>
    gpu.return
  }
}
