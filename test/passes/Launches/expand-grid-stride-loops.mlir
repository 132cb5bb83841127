// RUN: gpuopt-opt %s --gpuopt-expand-grid-stride-loops --mlir-print-local-scope | FileCheck %s

// Rows and columns in grid-stride loops, columns outermost: the loops become guards, and subscripts affine. The kernel
// has n times m work items of its own (symbols 5 and 4), whatever the launch that it stands for has.
// CHECK-LABEL: gpu.func @scale(
// CHECK-SAME: gpuopt.fallback = @scale__original
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (-s2 + 2147483647 >= 0, -s1 + 2147483647 >= 0, -(s5 * s8) + 1 >= 0)>
// CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2] -> (s2, s1, 1)>
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK-NOT: scf.for
// CHECK: %[[IN_ROW:.*]] = arith.cmpi slt, %[[X]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[IN_ROW]] {
// CHECK-NEXT: %[[IN_COLUMN:.*]] = arith.cmpi slt, %[[Y]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[IN_COLUMN]] {
// CHECK: %[[V:.*]] = affine.load %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])]
// CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])]
// CHECK: gpu.func @scale__original(
// CHECK: scf.for
gpu.module @kernels {
  gpu.func @scale(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    %by = gpu.block_dim y
    %gy = gpu.grid_dim y
    %dy = arith.muli %by, %gy : index
    scf.for %j = %x to %width step %dx {
      scf.for %i = %y to %height step %dy {
        %row = arith.muli %i, %width : index
        %at = arith.addi %row, %j : index
        %v = memref.load %a[%at] : memref<?xf32>
        %twice = arith.addf %v, %v : f32
        memref.store %twice, %a[%at] : memref<?xf32>
      }
    }
    gpu.return
  }

  // A loop that begins behind the id has so many fewer iterations, and updates that commute may meet.
  // CHECK-LABEL: gpu.func @histogram(
  // CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2, s3] -> (-s3 + s2, 1, 1)>
  // CHECK: %[[ID:.*]] = gpu.global_id x
  // CHECK: memref.load %arg0
  // CHECK: memref.atomic_rmw addi
  gpu.func @histogram(%keys: memref<?xi32> {llvm.noalias}, %counts: memref<?xi32> {llvm.noalias}, %n: index, %first: index) kernel {
    %one = arith.constant 1 : i32
    %x = gpu.global_id x
    %begin = arith.addi %x, %first overflow<nsw> : index
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %begin to %n step %dx {
      %key = memref.load %keys[%i] : memref<?xi32>
      %bin = arith.index_cast %key : i32 to index
      %old = memref.atomic_rmw addi %one, %counts[%bin] : (i32, memref<?xi32>) -> i32
    }
    gpu.return
  }

  // Columns by their ids, rows in a loop: the launch has at least the columns.
  // CHECK-LABEL: gpu.func @columns(
  // CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s3 * s6 - s2 >= 0, -s1 + 2147483647 >= 0, -(s5 * s8) + 1 >= 0)>
  // CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2] -> (s2, s1, 1)>
  // CHECK-NOT: scf.for
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}})]
  // CHECK: gpu.func @columns__original(
  gpu.func @columns(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %by = gpu.block_dim y
    %gy = gpu.grid_dim y
    %dy = arith.muli %by, %gy : index
    %inside = arith.cmpi slt, %x, %width : index
    scf.if %inside {
      scf.for %i = %y to %height step %dy {
        %row = arith.muli %i, %width : index
        %at = arith.addi %row, %x : index
        memref.store %zero, %a[%at] : memref<?xf32>
      }
    }
    gpu.return
  }
}
