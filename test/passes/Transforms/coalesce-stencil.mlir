// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=32,8" --gpuopt-coalesce-accesses="target=sm_90" --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s

// Nine points: the block loads its 32x8 elements and a halo of 2 rows and
// columns once. All offsets are there, under one guard that bounds ids from
// above: the work item that needs an element last in both directions,
// (bx*32 + v - 2, by*8 + u - 2), tells, or 0 where that is before the first.

// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 8 - 2)>
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 32 - 2)>
// CHECK-LABEL: gpu.func @nine(
// CHECK-SAME: %[[H:[a-z0-9]*]]: index, %[[W:[a-z0-9]*]]: index)
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<10x34xf32
// CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[TY:.*]] = gpu.thread_id y
// CHECK: %[[GUARD:.*]] = arith.andi
// CHECK: affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (10, 34) {
// CHECK-NOT: in_block
// CHECK:   %[[Y:.*]] = affine.apply #[[$Y]](%[[U]])
// CHECK:   arith.cmpi slt, %[[Y]], %[[H]]
// CHECK:   arith.cmpi sgt, %[[H]], %c0
// CHECK:   %[[X:.*]] = affine.apply #[[$X]](%[[V]])
// CHECK:   arith.cmpi slt, %[[X]], %[[W]]
// CHECK:   arith.cmpi sgt, %[[W]], %c0
// CHECK-NOT: arith.ori
// CHECK:   scf.if
// CHECK:     affine.load %{{.*}}[%[[U]] + symbol(%{{.*}}) * 8, %[[V]] + symbol(%{{.*}}) * 32]
// CHECK:     affine.store %{{.*}}, %[[TILE]][%[[U]], %[[V]]]
// CHECK: } {gpuopt.collective}
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if %[[GUARD]] {
// CHECK:   affine.load %[[TILE]][symbol(%[[TY]]), symbol(%[[TX]])]
// CHECK:   affine.load %[[TILE]][symbol(%[[TY]]), symbol(%[[TX]]) + 1]
// CHECK-COUNT-6: affine.load %[[TILE]]
// CHECK:   affine.load %[[TILE]][symbol(%[[TY]]) + 2, symbol(%[[TX]]) + 2]
// CHECK-NOT: gpu.barrier
gpu.module @kernels {
  gpu.func @nine(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias},
                 %h: index, %w: index) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %gx = arith.cmpi slt, %x, %w : index
    %gy = arith.cmpi slt, %y, %h : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %0 = affine.load %a[symbol(%y), symbol(%x)] : memref<?x4096xf32>
      %1 = affine.load %a[symbol(%y), symbol(%x) + 1] : memref<?x4096xf32>
      %2 = affine.load %a[symbol(%y), symbol(%x) + 2] : memref<?x4096xf32>
      %3 = affine.load %a[symbol(%y) + 1, symbol(%x)] : memref<?x4096xf32>
      %4 = affine.load %a[symbol(%y) + 1, symbol(%x) + 1] : memref<?x4096xf32>
      %5 = affine.load %a[symbol(%y) + 1, symbol(%x) + 2] : memref<?x4096xf32>
      %6 = affine.load %a[symbol(%y) + 2, symbol(%x)] : memref<?x4096xf32>
      %7 = affine.load %a[symbol(%y) + 2, symbol(%x) + 1] : memref<?x4096xf32>
      %8 = affine.load %a[symbol(%y) + 2, symbol(%x) + 2] : memref<?x4096xf32>
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      %s2 = arith.addf %s1, %3 : f32
      %s3 = arith.addf %s2, %4 : f32
      %s4 = arith.addf %s3, %5 : f32
      %s5 = arith.addf %s4, %6 : f32
      %s6 = arith.addf %s5, %7 : f32
      %s7 = arith.addf %s6, %8 : f32
      affine.store %s7, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    }
    gpu.return
  }
}

// -----

// Five points: nobody loads the corners of the tile. An element is needed by
// work item (v, u) of the block with x + 1 (offset (0, 1)), by one of three in
// row u - 1 (offsets (1, 0) to (1, 2)), or by (v - 1, u - 2) (offset (2, 1)).

// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-DAG: #[[$TWO:.*]] = affine_map<(d0) -> (d0 - 2)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 32 - 2)>
// CHECK-LABEL: gpu.func @five(
// CHECK-SAME: %[[W:[a-z0-9]*]]: index) workgroup(%[[TILE:.*]] : memref<10x34xf32
// CHECK: affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (10, 34) {
// Row 1, three loads:
// CHECK:   %[[U1:.*]] = affine.apply #[[$ONE]](%[[U]])
// CHECK:   arith.cmpi sge, %[[U1]], %c0 {gpuopt.in_block}
// CHECK:   arith.cmpi slt, %[[U1]], %c8 {gpuopt.in_block}
// CHECK:   %[[X:.*]] = affine.apply #[[$LAST]](%[[V]])
// CHECK:   arith.cmpi slt, %[[X]], %[[W]]
// CHECK:   %[[ROW:.*]] = arith.andi
// CHECK:   %[[ROWS:.*]] = arith.andi
// Row 0, one load:
// CHECK:   arith.cmpi slt, %[[U]], %c8 {gpuopt.in_block}
// CHECK:   %[[V1:.*]] = affine.apply #[[$ONE]](%[[V]])
// CHECK:   arith.cmpi sge, %[[V1]], %c0 {gpuopt.in_block}
// CHECK:   arith.cmpi slt, %[[V1]], %c32 {gpuopt.in_block}
// CHECK:   %[[EITHER:.*]] = arith.ori
// Row 2, one load:
// CHECK:   %[[U2:.*]] = affine.apply #[[$TWO]](%[[U]])
// CHECK:   arith.cmpi sge, %[[U2]], %c0 {gpuopt.in_block}
// CHECK:   %[[NEEDED:.*]] = arith.ori %[[EITHER]],
// CHECK:   scf.if %[[NEEDED]] {
// CHECK: } {gpuopt.collective}
// CHECK-NEXT: gpu.barrier
gpu.module @kernels {
  gpu.func @five(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias},
                 %w: index) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %g = arith.cmpi slt, %x, %w : index
    scf.if %g {
      %0 = affine.load %a[symbol(%y) + 1, symbol(%x)] : memref<?x4096xf32>
      %1 = affine.load %a[symbol(%y) + 1, symbol(%x) + 1] : memref<?x4096xf32>
      %2 = affine.load %a[symbol(%y) + 1, symbol(%x) + 2] : memref<?x4096xf32>
      %3 = affine.load %a[symbol(%y), symbol(%x) + 1] : memref<?x4096xf32>
      %4 = affine.load %a[symbol(%y) + 2, symbol(%x) + 1] : memref<?x4096xf32>
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      %s2 = arith.addf %s1, %3 : f32
      %s3 = arith.addf %s2, %4 : f32
      affine.store %s3, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    }
    gpu.return
  }
}

// -----

// Where x > 0 holds for a work item, it need not for one before it: each of the
// three that may load an element is asked, within the block.

// CHECK-DAG: #[[$P0:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 32)>
// CHECK-DAG: #[[$P2:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 32 - 2)>
// CHECK-LABEL: gpu.func @three(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<34xf32
// CHECK: affine.parallel (%[[V:.*]]) = (0) to (34) {
// CHECK:   arith.cmpi slt, %[[V]], %c32 {gpuopt.in_block}
// CHECK:   %[[X0:.*]] = affine.apply #[[$P0]](%[[V]])
// CHECK:   arith.cmpi sgt, %[[X0]], %c0
// CHECK:   arith.ori
// CHECK:   %[[X2:.*]] = affine.apply #[[$P2]](%[[V]])
// CHECK:   arith.cmpi sgt, %[[X2]], %c0
// CHECK:   %[[NEEDED:.*]] = arith.ori
// CHECK:   scf.if %[[NEEDED]] {
// CHECK:     affine.load %{{.*}}[%[[V]] + symbol(%{{.*}}) * 32 - 1]
gpu.module @kernels {
  gpu.func @three(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0 : index
    %x = gpu.global_id x
    %g = arith.cmpi sgt, %x, %zero : index
    scf.if %g {
      %0 = affine.load %a[symbol(%x) - 1] : memref<?xf32>
      %1 = affine.load %a[symbol(%x)] : memref<?xf32>
      %2 = affine.load %a[symbol(%x) + 1] : memref<?xf32>
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      affine.store %s1, %c[symbol(%x)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// In a loop the next iteration may overwrite the tile once all have read it.
// CHECK-LABEL: gpu.func @planes(
// CHECK: affine.for %[[K:.*]] = 0 to 100 {
// CHECK:   affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (10, 34) {
// CHECK:     affine.load %{{.*}}[%[[K]], %[[U]] + symbol(%{{.*}}) * 8, %[[V]] + symbol(%{{.*}}) * 32]
// CHECK:   } {gpuopt.collective}
// CHECK:   gpu.barrier
// CHECK:   scf.if
// CHECK:     affine.store
// CHECK:   gpu.barrier
// CHECK: }
gpu.module @kernels {
  gpu.func @planes(%a: memref<?x4096x4096xf32> {gpuopt.name = "a", llvm.noalias},
                   %c: memref<?x4096x4096xf32> {llvm.noalias}, %w: index) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %g = arith.cmpi slt, %x, %w : index
    scf.if %g {
      affine.for %k = 0 to 100 {
        %0 = affine.load %a[%k, symbol(%y), symbol(%x)] : memref<?x4096x4096xf32>
        %1 = affine.load %a[%k, symbol(%y), symbol(%x) + 1] : memref<?x4096x4096xf32>
        %2 = affine.load %a[%k, symbol(%y), symbol(%x) + 2] : memref<?x4096x4096xf32>
        %3 = affine.load %a[%k, symbol(%y) + 2, symbol(%x)] : memref<?x4096x4096xf32>
        %4 = affine.load %a[%k, symbol(%y) + 2, symbol(%x) + 1] : memref<?x4096x4096xf32>
        %5 = affine.load %a[%k, symbol(%y) + 2, symbol(%x) + 2] : memref<?x4096x4096xf32>
        %s0 = arith.addf %0, %1 : f32
        %s1 = arith.addf %s0, %2 : f32
        %s2 = arith.addf %s1, %3 : f32
        %s3 = arith.addf %s2, %4 : f32
        %s4 = arith.addf %s3, %5 : f32
        affine.store %s4, %c[%k, symbol(%y), symbol(%x)] : memref<?x4096x4096xf32>
      }
    }
    gpu.return
  }
}
