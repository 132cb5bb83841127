// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16" --gpuopt-coalesce-accesses="target=nvidia-gtx285 stage-reused=false" \
// RUN:   --gpuopt-distribute-tiles="target=nvidia-gtx285 max-unrolled-rounds=1" --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SQUARE

// The matrix product in blocks of 16x1. Sizes that are known give figure 6 (a) of
// Yang et al. 2012 (test/paper/yang2012-fig06.cu, whose line numbers these are);
// here they are not known, and need be no multiples of 16.
//
// Tiles are filled in collective loops, which gpuopt-distribute-tiles turns into the
// paper's form; the second run shows them.
//
// What is not in the paper: guards of the fill (S2) and the bound of the inner loop
// (S4), and the guard of the source, sunk so that all threads reach the barriers.
// Thread 0 stands for all threads of a row in the guard of S2.

// CHECK-DAG: #[[$STRIP:.*]] = affine_map<(d0)[s0] -> (16, -d0 + s0)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<()[s0, s1] -> (s0 * 16 + s1)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<()[s0] -> (s0 * 16)>
// CHECK-LABEL: gpu.func @mm(
// CHECK-SAME: workgroup(%[[SHARED0:.*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK-DAG: %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG: %[[IDX:.*]] = affine.apply #[[$ID]]()[%[[BIDX]], %[[TIDX]]]
// CHECK-DAG: %[[GX:.*]] = arith.cmpi slt, %[[IDX]], %[[N:.*]] : index
// CHECK-DAG: %[[GY:.*]] = arith.cmpi slt
// CHECK: %[[GUARD:.*]] = arith.andi %[[GX]], %[[GY]]
// S0
// CHECK: %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to %{{.*}} step 16 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// S2
// CHECK:   %[[FIRST:.*]] = affine.apply #[[$FIRST]]()[%[[BIDX]]]
// CHECK:   arith.cmpi slt, %[[FIRST]], %[[N]]
// CHECK:   scf.if
// CHECK:     %[[A:.*]] = affine.load %{{.*}}[symbol(%{{.*}}), %[[I]] + symbol(%[[TIDX]])]
// CHECK:     affine.store %[[A]], %[[SHARED0]][symbol(%[[TIDX]])]
// S3
// CHECK:   gpu.barrier
// S4
// CHECK:   %[[SUMS:.*]] = scf.if %[[GUARD]]
// CHECK:     affine.for %[[K:.*]] = 0 to min #[[$STRIP]](%[[I]])
// S5
// CHECK:       affine.load %[[SHARED0]][%[[K]]]
// CHECK:       affine.load %{{.*}}[%[[I]] + %[[K]], symbol(%[[BIDX]]) * 16 + symbol(%[[TIDX]])]
// S6
// CHECK:   } else {
// CHECK-NEXT: scf.yield %[[S]]
// S7
// CHECK:   gpu.barrier
// CHECK:   affine.yield %[[SUMS]]
// S9
// CHECK: scf.if %[[GUARD]]
// CHECK:   affine.store %[[SUM]]

// In blocks of 16x16, other threads also repeat the loads of b: both operands
// go through tiles.
// SQUARE-LABEL: gpu.func @mm(
// SQUARE-SAME: workgroup(%[[A:.*]] : memref<16x16xf32, {{.*}}>, %[[B:.*]] : memref<16x16xf32, {{.*}}>)
// SQUARE-DAG: %[[TIDX:.*]] = gpu.thread_id x
// SQUARE-DAG: %[[TIDY:.*]] = gpu.thread_id y
// SQUARE: affine.for %[[I:.*]] = 0
// SQUARE:   affine.parallel (%[[R:.*]], %[[J:.*]]) = (0, 0) to (16, 16) {
// SQUARE:     scf.if
// SQUARE:       affine.load %{{.*}}[%[[R]] + symbol(%{{.*}}) * 16, %[[I]] + %[[J]]]
// SQUARE:       affine.store %{{.*}}, %[[A]][%[[R]], %[[J]]]
// SQUARE:   } {gpuopt.collective}
// SQUARE:   affine.parallel (%[[J:.*]], %[[C:.*]]) = (0, 0) to (16, 16) {
// SQUARE:       affine.load %{{.*}}[%[[I]] + %[[J]], %[[C]] + symbol(%{{.*}}) * 16]
// SQUARE:       affine.store %{{.*}}, %[[B]][%[[J]], %[[C]]]
// SQUARE:   } {gpuopt.collective}
// SQUARE:   gpu.barrier
// SQUARE:   affine.for %[[K:.*]] = 0
// SQUARE:     affine.load %[[A]][symbol(%[[TIDY]]), %[[K]]]
// SQUARE:     affine.load %[[B]][%[[K]], symbol(%[[TIDX]])]
// SQUARE:   gpu.barrier
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// The matrix-vector product; sizes that are known give figure 6 (b).
//
// Thread tidx loads row l for thread l, where thread l would have: l's guard.
// Rows of shared1 get longer when bank conflicts are looked at.

// CHECK-LABEL: gpu.func @mv(
// CHECK-SAME: workgroup(%[[SHARED1:.*]] : memref<16x16xf32, {{.*}}>, %[[SHARED2:.*]] : memref<16xf32, {{.*}}>)
// CHECK-DAG: %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[BIDX:.*]] = gpu.block_id x
// S0
// CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} step 16
// S4
// CHECK:   affine.for %[[L:.*]] = 0 to 16 {
// CHECK:     %[[ROW:.*]] = affine.apply #{{.*}}(%[[L]])[%[[BIDX]]]
// CHECK:     arith.cmpi slt, %[[ROW]], %{{.*}} : index
// S5
// CHECK:     scf.if
// CHECK:       affine.load %{{.*}}[%[[L]] + symbol(%[[BIDX]]) * 16, %[[I]] + symbol(%[[TIDX]])]
// CHECK:       affine.store %{{.*}}, %[[SHARED1]][%[[L]], symbol(%[[TIDX]])]
// S3
// CHECK:   affine.load %{{.*}}[%[[I]] + symbol(%[[TIDX]])]
// CHECK:   affine.store %{{.*}}, %[[SHARED2]][symbol(%[[TIDX]])]
// S6
// CHECK:   gpu.barrier
// S7, S8
// CHECK:   affine.for %[[K:.*]] = 0
// CHECK:     affine.load %[[SHARED1]][symbol(%[[TIDX]]), %[[K]]]
// CHECK:     affine.load %[[SHARED2]][%[[K]]]
// S10
// CHECK:   gpu.barrier
gpu.module @kernels {
  gpu.func @mv(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %h: index, %w: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%h, %w], strides: [%w, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %g = arith.cmpi slt, %idx, %h : index
    scf.if %g {
      %sum = affine.for %i = 0 to %w iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[%idx, %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %b[%i] : memref<?xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// The store of a transpose: done by the block in the order of the addresses,
// under the guard of the thread whose value it is.
// SQUARE-LABEL: gpu.func @transpose_store(
// SQUARE-SAME: workgroup(%[[TILE:.*]] : memref<16x16xf32, {{.*}}>)
// SQUARE-DAG: %[[TY:.*]] = gpu.thread_id y
// SQUARE-DAG: %[[TX:.*]] = gpu.thread_id x
// SQUARE: %[[V:.*]] = scf.if %{{.*}} -> (f32) {
// SQUARE:   affine.load %arg0
// SQUARE: affine.store %[[V]], %[[TILE]][symbol(%[[TX]]), symbol(%[[TY]])]
// SQUARE: gpu.barrier
// SQUARE: affine.parallel (%[[X:.*]], %[[Y:.*]]) = (0, 0) to (16, 16) {
// SQUARE:   affine.apply #{{.*}}(%[[X]])
// SQUARE:   affine.apply #{{.*}}(%[[Y]])
// SQUARE:   scf.if
// SQUARE:     %[[W:.*]] = affine.load %[[TILE]][%[[X]], %[[Y]]]
// SQUARE:     affine.store %[[W]], %arg1[%[[X]] + symbol(%{{.*}}) * 16, %[[Y]] + symbol(%{{.*}}) * 16]
// SQUARE: } {gpuopt.collective}

// The same in a loop: the tile is not overwritten before all have read it.
// SQUARE-LABEL: gpu.func @transpose_store_in_loop(
// SQUARE: affine.for %[[Z:.*]] = 0 to 8 {
// SQUARE:   scf.if
// SQUARE:   affine.store
// SQUARE:   gpu.barrier
// SQUARE:   affine.parallel
// SQUARE:     affine.store %{{.*}}, %arg1[%[[Z]],
// SQUARE:   } {gpuopt.collective}
// SQUARE:   gpu.barrier
// SQUARE: }

// The load of a transpose, not in a loop.
// SQUARE-LABEL: gpu.func @transpose_load(
// SQUARE-SAME: workgroup(%[[TILE:.*]] : memref<16x16xf32, {{.*}}>)
// SQUARE-DAG: %[[TY:.*]] = gpu.thread_id y
// SQUARE-DAG: %[[TX:.*]] = gpu.thread_id x
// SQUARE: affine.parallel (%[[X:.*]], %[[Y:.*]]) = (0, 0) to (16, 16) {
// SQUARE:   affine.load %arg0[%[[X]] + symbol(%{{.*}}) * 16, %[[Y]] + symbol(%{{.*}}) * 16]
// SQUARE:   affine.store %{{.*}}, %[[TILE]][%[[X]], %[[Y]]]
// SQUARE: } {gpuopt.collective}
// SQUARE: gpu.barrier
// SQUARE: affine.load %[[TILE]][symbol(%[[TX]]), symbol(%[[TY]])]
// SQUARE: scf.if
// SQUARE:   affine.store
gpu.module @kernels {
  gpu.func @transpose_store(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias},
                            %h: index, %w: index) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %gx = arith.cmpi slt, %idx, %w : index
    %gy = arith.cmpi slt, %idy, %h : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %x = affine.load %a[%idy, %idx] : memref<?x?xf32>
      affine.store %x, %c[%idx, %idy] : memref<?x?xf32>
    }
    gpu.return
  }
  gpu.func @transpose_store_in_loop(%a: memref<?x?x?xf32> {llvm.noalias}, %c: memref<?x?x?xf32> {llvm.noalias},
                                    %h: index, %w: index) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %gx = arith.cmpi slt, %idx, %w : index
    %gy = arith.cmpi slt, %idy, %h : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      affine.for %z = 0 to 8 {
        %x = affine.load %a[%z, %idy, %idx] : memref<?x?x?xf32>
        affine.store %x, %c[%z, %idx, %idy] : memref<?x?x?xf32>
      }
    }
    gpu.return
  }
  gpu.func @transpose_load(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias},
                           %h: index, %w: index) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %gx = arith.cmpi slt, %idx, %w : index
    %gy = arith.cmpi slt, %idy, %h : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %x = affine.load %a[%idx, %idy] : memref<?x?xf32>
      affine.store %x, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// What stands before the loop under the guard gets a guard of its own; what
// can be computed by all threads leaves it; a condition that is the same for all
// threads stays around the barriers, the guard goes below it.
// CHECK-LABEL: gpu.func @sunk_guard(
// CHECK: %[[GUARD:.*]] = arith.cmpi slt
// CHECK: %[[UNIFORM:.*]] = arith.cmpi ne
// CHECK: %[[INIT:.*]] = scf.if %[[GUARD]] -> (f32) {
// CHECK:   memref.load
// CHECK: } else {
// CHECK:   scf.yield %cst
// CHECK: scf.if %[[UNIFORM]]
// CHECK:   scf.for {{.*}} step %c16 iter_args(%[[S:.*]] = %[[INIT]])
// CHECK:     scf.if
// CHECK:     gpu.barrier
// CHECK:     scf.if %[[GUARD]] -> (f32)
// CHECK:       scf.for
// CHECK:     gpu.barrier
// CHECK:   scf.if %[[GUARD]]
// CHECK:     arith.addf
// CHECK: scf.if %[[GUARD]]
// CHECK:   memref.store
gpu.module @kernels {
  gpu.func @sunk_guard(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                       %c: memref<?xf32> {llvm.noalias}, %h: index, %w: index, %flag: i32) kernel {
    %idx = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %no = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f32
    %g = arith.cmpi slt, %idx, %h : index
    scf.if %g {
      %init = memref.load %b[%idx] : memref<?xf32>
      %uniform = arith.cmpi ne, %flag, %no : i32
      %r = scf.if %uniform -> (f32) {
        %sum = scf.for %i = %c0 to %w step %c1 iter_args(%s = %init) -> (f32) {
          %row = arith.muli %idx, %w : index
          %at = arith.addi %row, %i : index
          %x = memref.load %a[%at] : memref<?xf32>
          %t = arith.addf %s, %x : f32
          scf.yield %t : f32
        }
        %more = arith.addf %sum, %init : f32
        scf.yield %more : f32
      } else {
        scf.yield %zero : f32
      }
      memref.store %r, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A batch: the loop over b is uniform and stays outside, its body is guarded in
// pieces. The condition inside the staged loop is checked for the other thread
// and iteration too. Every other element is read: 8 iterations move by 16.
// CHECK-LABEL: gpu.func @batched(
// CHECK: affine.for %[[B:.*]] = 0 to 10 {
// CHECK:   affine.for %[[I:.*]] = 3 to %{{.*}} step 16
// CHECK:     affine.for %[[L:.*]] = 0 to 8
// CHECK:       %[[IT:.*]] = affine.apply #{{.*}}(%[[I]])[%[[TX:.*]]]
// CHECK:       %[[ROW:.*]] = affine.apply #{{.*}}(%[[L]])
// CHECK:       arith.cmpi ne, %[[IT]], %[[ROW]]
// CHECK:       scf.if
// CHECK:         affine.load %arg0[%[[B]], {{.*}}%[[L]]{{.*}}, %[[I]] {{.*}}]
// CHECK:     gpu.barrier
// CHECK:     affine.for
// CHECK:     gpu.barrier
// CHECK:   scf.if
// CHECK:     affine.store
gpu.module @kernels {
  gpu.func @batched(%a: memref<?x?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias},
                    %n: index, %k: index) kernel {
    %idx = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %g = arith.cmpi slt, %idx, %n : index
    scf.if %g {
      affine.for %b = 0 to 10 {
        %sum = affine.for %i = 3 to %k step 2 iter_args(%s = %zero) -> (f32) {
          %other = arith.cmpi ne, %i, %idx : index
          %x = scf.if %other -> (f32) {
            %y = affine.load %a[%b, %idx, %i] : memref<?x?x?xf32>
            scf.yield %y : f32
          } else {
            scf.yield %zero : f32
          }
          %t = arith.addf %s, %x : f32
          affine.yield %t : f32
        }
        affine.store %sum, %c[%b, %idx] : memref<?x?xf32>
      }
    }
    gpu.return
  }
}

// -----

// Rows of a are shared along x, from the second column on: for the tile's row, the first item that the guards let
// through stands for all. It exists if the block's first column and column 1 both are before the last.
// SQUARE-LABEL: gpu.func @inner_columns(
// SQUARE: affine.parallel (%[[ROW:.*]], %{{.*}}) = (0, 0) to (16, 16) {
// SQUARE:   %[[Y:.*]] = affine.apply #{{.*}}(%[[ROW]])
// SQUARE:   %[[INSIDE:.*]] = arith.cmpi slt, %[[Y]], %[[M:.*]] : index
// SQUARE:   %[[X:.*]] = affine.apply #{{.*}}()[%{{.*}}]
// SQUARE:   %[[FIRST:.*]] = arith.cmpi slt, %[[X]], %[[N:.*]] : index
// SQUARE:   arith.cmpi sgt, %[[N]], %c1
// SQUARE:   scf.if
// SQUARE:     affine.load %arg0[
// SQUARE: } {gpuopt.collective}
gpu.module @kernels {
  gpu.func @inner_columns(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias},
                          %n: index, %m: index, %k: index) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %zero = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    %low = arith.cmpi sge, %idx, %c1 : index
    %high = arith.cmpi slt, %idx, %n : index
    %rows = arith.cmpi slt, %idy, %m : index
    %columns = arith.andi %low, %high : i1
    %g = arith.andi %rows, %columns : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %a[%idy, %i] : memref<?x?xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }
}
