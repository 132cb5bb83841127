// RUN: gpuopt-opt %s --gpuopt-spare-registers --split-input-file | FileCheck %s

// What is used behind a product is computed behind it; of a fill that goes one by
// one eight iterations are one, and it stays a loop.

// CHECK-LABEL: gpu.func @product(
// CHECK:         affine.for %{{.*}} = 0 to %arg1 step 64
// CHECK:           affine.for %{{.*}} = 0 to 32 step 8 {
// CHECK-COUNT-8:     affine.store
// CHECK:           } {gpuopt.rolled}
// CHECK:           gpuopt.warpgroup_product
// CHECK:           affine.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[COLUMN:.*]] = affine.apply
// CHECK-NEXT:    %[[GUARD:.*]] = arith.cmpi slt, %[[COLUMN]], %arg1
// CHECK-NEXT:    scf.if %[[GUARD]]
// CHECK-NEXT:      %[[ROW:.*]] = affine.apply
// CHECK-NEXT:      affine.store %{{.*}}, %arg0[%[[ROW]]]
gpu.module @kernels {
  gpu.func @product(%c: memref<?xf32>, %n: index, %rows: i64, %columns: i64)
      workgroup(%tile: memref<32xf16, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.0 : f16
    %tx = gpu.thread_id x
    %column = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%tx]
    %row = affine.apply affine_map<()[s0] -> (s0 * 3)>()[%tx]
    %guard = arith.cmpi slt, %column, %n : index
    %sums:4 = affine.for %i = 0 to %n step 64 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (f32, f32, f32, f32) {
      affine.for %j = 0 to 32 {
        affine.store %half, %tile[%j] : memref<32xf16, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %new:4 = gpuopt.warpgroup_product %rows, %columns, %s0, %s1, %s2, %s3
          {shape = array<i64: 64, 8, 16>, operands = f16, steps = 4 : i64, row_step = 32 : i64, column_step = 32 : i64} : f32
      gpu.barrier
      affine.yield %new#0, %new#1, %new#2, %new#3 : f32, f32, f32, f32
    }
    scf.if %guard {
      affine.store %sums#0, %c[%row] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Other kernels stay as they are.

// CHECK-LABEL: gpu.func @other(
// CHECK:         affine.apply
// CHECK-NEXT:    affine.for
gpu.module @kernels {
  gpu.func @other(%c: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %column = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%tx]
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %t = arith.addf %s, %s : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%column)] : memref<?xf32>
    gpu.return
  }
}
