// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-infer-no-wrap)))' | FileCheck %s

gpu.module @kernels {
  // b[w - 1 - x] as InstCombine writes it, where x < w.
  // CHECK-LABEL: gpu.func @reversed
  // CHECK:         %[[NEXT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  // CHECK:         arith.subi %{{.*}}, %[[NEXT]] overflow<nsw> : i32
  gpu.func @reversed(%b: memref<?xf32>, %w: i32, %v: f32) kernel {
    %all = arith.constant -1 : i32
    %id = gpu.global_id x
    %end = arith.index_cast %w : i32 to index
    %inside = arith.cmpi slt, %id, %end : index
    scf.if %inside {
      %x = arith.index_cast %id : index to i32
      %complement = arith.xori %x, %all : i32
      %at = arith.addi %w, %complement : i32
      %subscript = arith.index_cast %at : i32 to index
      memref.store %v, %b[%subscript] : memref<?xf32>
    }
    gpu.return
  }

  // The guard says nothing of y.
  // CHECK-LABEL: gpu.func @unguarded
  // CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nuw> : i32
  // CHECK-NEXT:    arith.addi %{{.*}}, %[[SUM]] : i32
  gpu.func @unguarded(%b: memref<?xf32>, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %idy = gpu.global_id y
    %end = arith.index_cast %w : i32 to index
    %inside = arith.cmpi slt, %id, %end : index
    scf.if %inside {
      %x = arith.index_cast %id : index to i32
      %y = arith.index_cast %idy : index to i32
      %sum = arith.addi %x, %y : i32
      %at = arith.addi %w, %sum : i32
      %subscript = arith.index_cast %at : i32 to index
      memref.store %v, %b[%subscript] : memref<?xf32>
    }
    gpu.return
  }

  // Data may wrap.
  // CHECK-LABEL: gpu.func @data
  // CHECK-NOT:     overflow
  gpu.func @data(%b: memref<?xi32>, %w: i32) kernel {
    %one = arith.constant 1 : i32
    %id = gpu.global_id x
    %end = arith.index_cast %w : i32 to index
    %inside = arith.cmpi slt, %id, %end : index
    scf.if %inside {
      %x = arith.index_cast %id : index to i32
      %next = arith.addi %x, %one : i32
      memref.store %next, %b[%id] : memref<?xi32>
    }
    gpu.return
  }
}
