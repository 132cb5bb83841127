// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-delinearize-accesses)))" | FileCheck %s

gpu.module @kernels {
  // A flat subscript falls into a row and a column; the guard gives the number
  // of rows.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[H:.*]], %[[W:.*]]], strides: [%[[W]], 1]
  // CHECK: affine.store %{{.*}}, %[[VIEW]][symbol(%{{.*}}), symbol(%{{.*}})]
  gpu.func @rows(%a: memref<?xf32>, %h: i32, %w: i32) kernel {
    %v = arith.constant 1.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %hi = arith.index_cast %h : i32 to index
    %wi = arith.index_cast %w : i32 to index
    %inside = arith.cmpi slt, %y, %hi : index
    scf.if %inside {
      %row = arith.muli %y, %wi : index
      %flat = arith.addi %row, %x : index
      memref.store %v, %a[%flat] : memref<?xf32>
    }
    gpu.return
  }

  // Two products of parameters make three dimensions.
  // CHECK-LABEL: gpu.func @volume
  // CHECK: memref.reinterpret_cast {{.*}} : memref<?xf32> to memref<{{.*}}x?x?xf32
  // CHECK: affine.load %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}}), symbol(%{{.*}})]
  gpu.func @volume(%a: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %z = gpu.global_id z
    %hi = arith.index_cast %h : i32 to index
    %wi = arith.index_cast %w : i32 to index
    %0 = arith.muli %z, %hi : index
    %1 = arith.addi %0, %y : index
    %2 = arith.muli %1, %wi : index
    %3 = arith.addi %2, %x : index
    %v = memref.load %a[%3] : memref<?xf32>
    memref.store %v, %c[%x] : memref<?xf32>
    gpu.return
  }

  // A step of two has no rows: the array stays flat and becomes affine.
  // CHECK-LABEL: gpu.func @interleaved
  // CHECK-NOT: memref.reinterpret_cast
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%{{.*}}) * 2 + 1] : memref<?xf32>
  gpu.func @interleaved(%a: memref<?xf32>) kernel {
    %v = arith.constant 1.0 : f32
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = gpu.global_id x
    %0 = arith.muli %x, %c2 : index
    %1 = arith.addi %0, %c1 : index
    memref.store %v, %a[%1] : memref<?xf32>
    gpu.return
  }

  // Four rows down per step in one access, one row up in the other: no
  // dimension has a negative length.
  // CHECK-LABEL: gpu.func @backwards
  // CHECK-NOT: sizes: [{{.*}}-4
  // CHECK: affine.store
  // CHECK: affine.store
  gpu.func @backwards(%a: memref<512xf32>, %w: i32) kernel {
    %v = arith.constant 1.0 : f32
    %minus4 = arith.constant -4 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %wi = arith.index_cast %w : i32 to index
    %0 = arith.muli %y, %wi : index
    %1 = arith.addi %0, %x : index
    memref.store %v, %a[%1] : memref<512xf32>
    %2 = arith.muli %y, %minus4 : index
    %3 = arith.muli %2, %wi : index
    %4 = arith.addi %3, %x : index
    memref.store %v, %a[%4] : memref<512xf32>
    gpu.return
  }

  // The same in each iteration, but computed from the loop's variable: it cannot
  // be computed in front of the loop.
  // CHECK-LABEL: gpu.func @cancelled
  // CHECK: scf.while
  // CHECK: %[[LEAST:.*]] = arith.minsi
  // CHECK: memref.load %{{.*}}[%[[LEAST]]]
  gpu.func @cancelled(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
    %1 = scf.while (%i = %n) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %2 = arith.subi %i, %i : index
      %3 = arith.minsi %2, %n : index
      %4 = memref.load %a[%3] : memref<?xf32>
      memref.store %4, %b[%i] : memref<?xf32>
      %5 = arith.addi %i, %n : index
      scf.yield %5 : index
    }
    gpu.return
  }
}
