// RUN: gpuopt-opt %s --gpuopt-split-flat-ids=target=sm_90 --mlir-print-local-scope | FileCheck %s

// A transpose by a flat id: t / w is y, t % w is x. The kernel has w times h work items of its own; the launch that it
// stands for (symbols 4 and 7: grid and block along x) must have as many.
// CHECK-LABEL: gpu.func @transpose(
// CHECK-SAME: gpuopt.fallback = @transpose__original
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (s3 - 32 >= 0, s2 - 1 >= 0, s4 * s7 - {{.*}} >= 0, -(s4 * s7) + 2147483647 >= 0, -(s5 * s8) + 1 >= 0, -(s6 * s9) + 1 >= 0)>
// CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2, s3] -> (s3, s2, 1)>
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK: scf.if
// CHECK: %[[V:.*]] = affine.load %{{.*}}[symbol(%[[Y]]), symbol(%[[X]])] : memref<?x?xf32
// CHECK: affine.store %[[V]], %{{.*}}[symbol(%[[X]]), symbol(%[[Y]])] : memref<?x?xf32
// CHECK: gpu.func @transpose__original(
// CHECK: arith.divsi
gpu.module @kernels {
  gpu.func @transpose(%a: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %size = arith.muli %h, %w overflow<nsw> : i32
    %inside = arith.cmpi slt, %t, %size : i32
    %row = arith.divsi %t, %w : i32
    %column = arith.remsi %t, %w : i32
    scf.if %inside {
      %r = arith.index_cast %row : i32 to index
      %q = arith.index_cast %column : i32 to index
      %height = arith.index_cast %h : i32 to index
      %width = arith.index_cast %w : i32 to index
      %start = arith.muli %r, %width : index
      %from = arith.addi %start, %q : index
      %other = arith.muli %q, %height : index
      %to = arith.addi %other, %r : index
      %v = memref.load %a[%from] : memref<?xf32>
      memref.store %v, %c[%to] : memref<?xf32>
    }
    gpu.return
  }

  // The guard is about the quotient; the flat id itself is y * w + x. No tiles come of the digits, but no quotients are
  // left: where rows are whole sectors, which launchers check.
  // CHECK-LABEL: gpu.func @scaled(
  // CHECK-SAME: gpuopt.requires = affine_set<{{.*}}s4 mod 8 == 0
  // CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2, s3, s4] -> (s4, s3, 1)>
  // CHECK: affine.load %arg1[symbol(%{{.*}})] : memref<?xf32>
  // CHECK: affine.load %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}})] : memref<?x?xf32
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}})] : memref<?x?xf32
  gpu.func @scaled(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %column = arith.remsi %t, %w : i32
    %inside = arith.cmpi sgt, %h, %row : i32
    scf.if %inside {
      %q = arith.index_cast %column : i32 to index
      %x = memref.load %b[%q] : memref<?xf32>
      %y = memref.load %a[%id] : memref<?xf32>
      %v = arith.mulf %x, %y : f32
      memref.store %v, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // A width that is a parameter as it is.
  // CHECK-LABEL: gpu.func @wide(
  // CHECK: scf.if
  // CHECK: affine.load %{{.*}}[symbol(%{{.*}})]
  // CHECK: gpu.func @wide__original(
  gpu.func @wide(%a: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: index) kernel {
    %t = gpu.global_id x
    %height = arith.index_cast %h : i32 to index
    %size = arith.muli %w, %height : index
    %inside = arith.cmpi slt, %t, %size : index
    %row = arith.divsi %t, %w : index
    scf.if %inside {
      %v = affine.load %a[symbol(%t)] : memref<?xf32>
      memref.store %v, %c[%row] : memref<?xf32>
    }
    gpu.return
  }
}

// Four digits, two of them by differences: t = ((b * h + i) * n + row) * w + column. The outermost two share z, and are
// taken apart at the top, where they are the same for a block.
// CHECK-LABEL: gpu.func @tensor(
// CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2, s3, s4, s5] -> (s5, s4, {{s2 \* s3|s3 \* s2}})>
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK-DAG: %[[Z:.*]] = gpu.global_id z
// CHECK-DAG: %[[H:.*]] = arith.index_cast %arg3 : i32 to index
// CHECK-DAG: arith.divsi %[[Z]], %[[H]] : index
// CHECK: scf.if
// CHECK: affine.load %{{.*}}[symbol(%{{.*}}), symbol(%[[Y]]), symbol(%{{.*}}), symbol(%[[X]])]
// CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[Z]]), symbol(%[[Y]]), symbol(%[[X]])]
gpu.module @tensors {
  gpu.func @tensor(%a: memref<?xf32>, %c: memref<?xf32>, %n0: i32, %h: i32, %n: i32, %w: i32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %rows = arith.muli %n, %w overflow<nsw> : i32
    %planes = arith.muli %h, %rows overflow<nsw> : i32
    %all = arith.muli %n0, %planes overflow<nsw> : i32
    %inside = arith.cmpi slt, %t, %all : i32
    scf.if %inside {
      %b = arith.divsi %t, %planes : i32
      %before = arith.muli %b, %planes overflow<nsw> : i32
      %rest = arith.subi %t, %before overflow<nsw> : i32
      %i = arith.divsi %rest, %rows : i32
      %in_plane = arith.remsi %rest, %rows : i32
      %row = arith.divsi %in_plane, %w : i32
      %start = arith.muli %row, %w overflow<nsw> : i32
      %column = arith.subi %in_plane, %start overflow<nsw> : i32
      %bi = arith.index_cast %b : i32 to index
      %ii = arith.index_cast %i : i32 to index
      %ri = arith.index_cast %row : i32 to index
      %ci = arith.index_cast %column : i32 to index
      %hi = arith.index_cast %h : i32 to index
      %ni = arith.index_cast %n : i32 to index
      %wi = arith.index_cast %w : i32 to index
      %0 = arith.muli %bi, %ni : index
      %1 = arith.addi %0, %ri : index
      %2 = arith.muli %1, %hi : index
      %3 = arith.addi %2, %ii : index
      %4 = arith.muli %3, %wi : index
      %5 = arith.addi %4, %ci : index
      %v = memref.load %a[%5] : memref<?xf32>
      memref.store %v, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // Shifts and masks are widths, too.
  // CHECK-LABEL: gpu.func @bits(
  // CHECK-SAME: gpuopt.work_items = affine_map<()[s0, s1, s2] -> (64, s2, 1)>
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}})]
  gpu.func @bits(%c: memref<?xf32>, %v: f32, %n: i32) kernel {
    %c6 = arith.constant 6 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %t = gpu.global_id x
    %size = arith.index_cast %n : i32 to index
    %row = arith.shrui %t, %c6 : index
    %column = arith.andi %t, %c63 : index
    %inside = arith.cmpi slt, %row, %size : index
    scf.if %inside {
      %start = arith.muli %column, %size : index
      %to = arith.addi %start, %row : index
      memref.store %v, %c[%to] : memref<?xf32>
    }
    gpu.return
  }
}
