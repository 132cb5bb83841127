// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-index-arithmetic)))' | FileCheck %s

gpu.module @m {
  // A sum that may wrap is no affine expression: that would be divided, and lowered, as one of integers.
  // CHECK-LABEL: @wrapping
  gpu.func @wrapping(%a: memref<?xf32>, %k: i16) kernel {
    %c56 = arith.constant 56 : i64
    %f = arith.constant 1.0 : f32
    %x = gpu.global_id x
    %i = arith.index_cast %x : index to i64
    %w = arith.extui %k : i16 to i64
    %s = arith.shli %w, %c56 : i64
    %e = arith.shrsi %s, %c56 : i64
    // CHECK: %[[K:.*]] = arith.index_castui %{{.*}} : i16 to index
    // CHECK: arith.muli %[[K]], %{{.*}} : index
    %g = arith.cmpi sle, %e, %i : i64
    scf.if %g {
      memref.store %f, %a[%x] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: @exact
  gpu.func @exact(%a: memref<?xf32>, %n: i64, %m: i32) kernel {
    %c1 = arith.constant 1 : i64
    %f = arith.constant 1.0 : f32
    %x = gpu.global_id x
    %i = arith.index_cast %x : index to i64
    // One operation on 64 bits that cannot wrap, and several that have room.
    // CHECK-DAG: affine.apply #{{.*}}()[%{{.*}}]
    %last = arith.subi %n, %c1 overflow<nsw> : i64
    %g = arith.cmpi slt, %i, %last : i64
    %w = arith.extsi %m : i32 to i64
    %2 = arith.addi %i, %w overflow<nsw> : i64
    %3 = arith.addi %2, %c1 overflow<nsw> : i64
    // CHECK: affine.apply #{{.*}}()[%{{.*}}, %{{.*}}]
    %h = arith.cmpi slt, %3, %n : i64
    %both = arith.andi %g, %h : i1
    scf.if %both {
      memref.store %f, %a[%x] : memref<?xf32>
    }
    gpu.return
  }
}
