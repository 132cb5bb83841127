// RUN: gpuopt-opt %s --gpuopt-distribute-loops=target=sm_90 --mlir-print-local-scope | FileCheck %s

// A work item for each row becomes one for each element: along x those of a row, along y what was x. Rows of fewer than
// 16 take the original, as do launches that have not as many work items as the guard lets act.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: gpuopt.fallback = @rows__original
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s3 * s6 - s1 >= 0, -(s4 * s7) + 1 >= 0, -(s5 * s8) + 1 >= 0, s2 - 16 >= 0, -s2 + 2147483647 >= 0)>
// CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2] -> (s2, s1, 1)>
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK: %[[IS_ROW:.*]] = arith.cmpi slt, %[[Y]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[IS_ROW]] {
// CHECK-NOT: affine.for
// CHECK: %[[IS_COLUMN:.*]] = arith.cmpi slt, %[[X]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[IS_COLUMN]] {
// CHECK-NEXT: affine.load %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])]
// CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])]
// CHECK: gpu.func @rows__original(
// CHECK: affine.for
gpu.module @kernels {
  gpu.func @rows(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    %is_row = arith.cmpi slt, %row, %height : index
    scf.if %is_row {
      affine.for %j = 0 to %width {
        %v = affine.load %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
        %twice = arith.addf %v, %v : f32
        affine.store %twice, %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }

  // A single work item's loops become dimensions, the innermost one x; nothing is left of its own. Where the inner loop
  // begins later than at 0 a guard says so.
  // CHECK-LABEL: gpu.func @single(
  // CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1] -> (s1, s1, 1)>
  // CHECK-DAG: %[[X:.*]] = gpu.global_id x
  // CHECK-DAG: %[[Y:.*]] = gpu.global_id y
  // CHECK: arith.cmpi slt, %[[Y]], %{{.*}} : index
  // CHECK: arith.cmpi sge, %[[X]], %{{.*}} : index
  // CHECK: arith.cmpi slt, %[[X]], %{{.*}} : index
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])]
  // CHECK: gpu.func @single__original(
  gpu.func @single(%a: memref<?xf32>, %n: i32) kernel {
    %one = arith.constant 1 : index
    %value = arith.constant 2.0 : f32
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%width, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %item = gpu.global_id x
    %is_first = arith.cmpi slt, %item, %one : index
    scf.if %is_first {
      affine.for %i = 0 to %width {
        affine.for %j = affine_map<(d0) -> (d0)>(%i) to %width {
          affine.store %value, %A[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
        }
      }
    }
    gpu.return
  }
}
