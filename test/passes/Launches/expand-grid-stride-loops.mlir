// RUN: gpuopt-opt %s --gpuopt-expand-grid-stride-loops --mlir-print-local-scope --split-input-file | FileCheck %s

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

// -----

// Rows of w elements overlap where w is less than the width of the loop: some iterations may need their order. A launch
// with a work item for each of them (symbols 4 * 7 and 5 * 8 of the launch) has one for a thread, whatever w is. The
// work items stay those of the launch.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: gpuopt.fallback = @rows__original
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] : (s6 * s9 - s1 >= 0, s5 * s8 - s2 >= 0)>
// CHECK-NOT: gpuopt.work_items
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: gpu.func @rows__original(
gpu.module @kernels {
  gpu.func @rows(%a: memref<?xf32>, %height: i32, %width: i32, %length: i32, %v: f32) kernel {
    %m = arith.index_cast %height : i32 to index
    %n = arith.index_cast %width : i32 to index
    %w = arith.index_cast %length : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    %by = gpu.block_dim y
    %gy = gpu.grid_dim y
    %dy = arith.muli %by, %gy : index
    scf.for %i = %y to %m step %dy {
      scf.for %j = %x to %n step %dx {
        %row = arith.muli %i, %w : index
        %at = arith.addi %row, %j : index
        memref.store %v, %a[%at] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// Two loops, one after the other: a thread has one iteration of each, or none.
// CHECK-LABEL: gpu.func @twice(
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s3 * s6 - s1 >= 0)>
// CHECK-NOT: scf.for
// CHECK: scf.if
// CHECK-NEXT: affine.store
// CHECK-NEXT: affine.store
// CHECK: gpu.func @twice__original(
gpu.module @kernels {
  gpu.func @twice(%a: memref<?xf32>, %n: index, %v: f32) kernel {
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %x to %n step %dx {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    scf.for %i = %x to %n step %dx {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
