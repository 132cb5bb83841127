// RUN: gpuopt-opt %s --gpuopt-pad-tiles="target=sm_90" --cse --canonicalize --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-pad-tiles="target=gfx942" --split-input-file --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

// A product of which a thread computes three by two elements. Behind the end of a
// row one tile holds -0.0, the other 0.0: their product is -0.0, which leaves
// every sum as it is. What is loaded, and where, stays; the loop over the tile
// gets a constant end.

// CHECK-LABEL: gpu.func @product(
// CHECK-SAME:    workgroup(%[[A_TILE:.*]] : memref<48x16xf32{{.*}}>, %[[B_TILE:.*]] : memref<16x32xf32
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:   %[[NEGATIVE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK:       affine.for %[[I:.*]] = 0 to %[[K:.*]] step 16 iter_args
// CHECK:         affine.parallel (%[[R:.*]], %[[C:.*]]) = (0, 0) to (48, 16) {
// CHECK:           %[[EXISTS:.*]] = arith.andi
// CHECK-NEXT:      %[[V:.*]] = scf.if %[[EXISTS]] -> (f32) {
// CHECK-NEXT:        %[[LOADED:.*]] = affine.load %arg0[%[[R]] + symbol(%{{.*}}) * 48, %[[I]] + %[[C]]]
// CHECK-NEXT:        scf.yield %[[LOADED]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[NEGATIVE]]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.store %[[V]], %[[A_TILE]][%[[R]], %[[C]]]
// CHECK-NEXT:    } {gpuopt.collective}
// CHECK-NEXT:    affine.parallel (%[[R:.*]], %[[C:.*]]) = (0, 0) to (16, 32) {
// CHECK:             affine.load %arg1[%[[I]] + %[[R]], %[[C]] + symbol(%{{.*}}) * 32]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[ZERO]]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.store %{{.*}}, %[[B_TILE]][%[[R]], %[[C]]]
// CHECK-NEXT:    } {gpuopt.collective}
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 16 iter_args
// CHECK-NOT:     scf.if
// CHECK:         gpu.barrier

// Targets without asynchronous copies have nothing from it.

// ELSEWHERE-NOT: remark
// ELSEWHERE-LABEL: gpu.func @product(
// ELSEWHERE-NOT: scf.yield
// ELSEWHERE: affine.for %{{.*}} = 0 to min
// ELSEWHERE-NOT: -0.0

#geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 3, 1], items_per_block = [32, 48, 1]>
#end = affine_map<(i)[k] -> (16, k - i)>
#sum = affine_map<(i, j) -> (i + j)>
#rows_of_block = affine_map<(r)[b] -> (r + b * 48)>
#columns_of_block = affine_map<(j)[b] -> (j + b * 32)>
gpu.module @kernels {
  gpu.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index)
      workgroup(%a_tile: memref<48x16xf32, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:6 = affine.for %i = 0 to %k step 16
        iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero)
        -> (f32, f32, f32, f32, f32, f32) {
      affine.parallel (%r, %j) = (0, 0) to (48, 16) {
        %row = affine.apply #rows_of_block(%r)[%by]
        %column = affine.apply #sum(%i, %j)
        %in_row = arith.cmpi slt, %column, %k : index
        %in_column = arith.cmpi slt, %row, %m : index
        %exists = arith.andi %in_row, %in_column : i1
        scf.if %exists {
          %v = affine.load %a[%r + symbol(%by) * 48, %i + %j] : memref<?x?xf32>
          affine.store %v, %a_tile[%r, %j] : memref<48x16xf32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      affine.parallel (%r, %j) = (0, 0) to (16, 32) {
        %row = affine.apply #sum(%i, %r)
        %column = affine.apply #columns_of_block(%j)[%bx]
        %in_column = arith.cmpi sgt, %k, %row : index
        %in_row = arith.cmpi slt, %column, %n : index
        %exists = arith.andi %in_row, %in_column : i1
        scf.if %exists {
          %v = affine.load %b[%i + %r, %j + symbol(%bx) * 32] : memref<?x?xf32>
          affine.store %v, %b_tile[%r, %j] : memref<16x32xf32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      %next:6 = affine.for %j = 0 to min #end(%i)[%k]
          iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3, %t4 = %s4, %t5 = %s5)
          -> (f32, f32, f32, f32, f32, f32) {
        %x0 = affine.load %a_tile[symbol(%ty), %j] : memref<48x16xf32, #gpu.address_space<workgroup>>
        %x1 = affine.load %a_tile[symbol(%ty) + 16, %j] : memref<48x16xf32, #gpu.address_space<workgroup>>
        %x2 = affine.load %a_tile[symbol(%ty) + 32, %j] : memref<48x16xf32, #gpu.address_space<workgroup>>
        %y0 = affine.load %b_tile[%j, symbol(%tx)] : memref<16x32xf32, #gpu.address_space<workgroup>>
        %y1 = affine.load %b_tile[%j, symbol(%tx) + 16] : memref<16x32xf32, #gpu.address_space<workgroup>>
        %p0 = arith.mulf %x0, %y0 : f32
        %p1 = arith.mulf %x0, %y1 : f32
        %p2 = arith.mulf %x1, %y0 : f32
        %p3 = arith.mulf %x1, %y1 : f32
        %p4 = arith.mulf %x2, %y0 : f32
        %p5 = arith.mulf %x2, %y1 : f32
        %u0 = arith.addf %t0, %p0 : f32
        %u1 = arith.addf %t1, %p1 : f32
        %u2 = arith.addf %t2, %p2 : f32
        %u3 = arith.addf %p3, %t3 : f32
        %u4 = arith.addf %p4, %t4 : f32
        %u5 = arith.addf %p5, %t5 : f32
        affine.yield %u0, %u1, %u2, %u3, %u4, %u5 : f32, f32, f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %next#0, %next#1, %next#2, %next#3, %next#4, %next#5 : f32, f32, f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 48, symbol(%tx) + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 48, symbol(%tx) + symbol(%bx) * 32 + 16] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 48 + 16, symbol(%tx) + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 48 + 16, symbol(%tx) + symbol(%bx) * 32 + 16] : memref<?x?xf32>
    affine.store %sums#4, %c[symbol(%ty) + symbol(%by) * 48 + 32, symbol(%tx) + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#5, %c[symbol(%ty) + symbol(%by) * 48 + 32, symbol(%tx) + symbol(%bx) * 32 + 16] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// What is subtracted is 0.0, so that both tiles end in zeros of the same sign.
// Elements of a narrow type are zeros of that type.

// CHECK-LABEL: gpu.func @difference(
// CHECK:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[ZERO]] : f16
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[ZERO]] : f16
// CHECK:         affine.for %{{.*}} = 0 to 16
#geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>
#end = affine_map<(i)[k] -> (k - i, 16)>
#sum = affine_map<(i, j) -> (i + j)>
gpu.module @kernels {
  gpu.func @difference(%a: memref<?xf16>, %b: memref<?xf16>, %c: memref<?xf32>, %k: index)
      workgroup(%a_tile: memref<16x2xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<2x16xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %start = arith.constant 1.0 : f32
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %start) -> (f32) {
      affine.parallel (%r, %j) = (0, 0) to (16, 2) {
        %row = affine.apply #sum(%i, %r)
        %exists = arith.cmpi slt, %row, %k : index
        scf.if %exists {
          %v = affine.load %a[%i + %r] : memref<?xf16>
          affine.store %v, %a_tile[%r, %j] : memref<16x2xf16, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      affine.parallel (%r, %j) = (0, 0) to (2, 16) {
        %column = affine.apply #sum(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        scf.if %exists {
          %v = affine.load %b[%i + %j] : memref<?xf16>
          affine.store %v, %b_tile[%r, %j] : memref<2x16xf16, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      %next = affine.for %j = 0 to min #end(%i)[%k] iter_args(%t = %s) -> (f32) {
        %x = affine.load %a_tile[%j, 0] : memref<16x2xf16, #gpu.address_space<workgroup>>
        %y = affine.load %b_tile[0, %j] : memref<2x16xf16, #gpu.address_space<workgroup>>
        %wide_x = arith.extf %x : f16 to f32
        %wide_y = arith.extf %y : f16 to f32
        %p = arith.mulf %wide_x, %wide_y : f32
        %q = arith.mulf %wide_y, %wide_x : f32
        %r = arith.mulf %wide_x, %wide_y : f32
        %u = arith.subf %t, %p : f32
        %v = arith.subf %u, %q : f32
        %w = arith.subf %v, %r : f32
        affine.yield %w : f32
      }
      gpu.barrier
      affine.yield %next : f32
    }
    affine.store %sum, %c[0] : memref<?xf32>
    gpu.return
  }
}

// -----

// An integer has one zero, which is right for a tile that is multiplied with
// itself, for differences and for sums. A fill that computes does so under its
// guard only.

// CHECK-LABEL: gpu.func @integers(
// CHECK:       %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         scf.if %{{.*}} -> (i8) {
// CHECK-NEXT:      affine.load
// CHECK-NEXT:      %[[V:.*]] = arith.addi
// CHECK-NEXT:      scf.yield %[[V]] : i8
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[ZERO]] : i8
// CHECK-NEXT:    }
// CHECK:         affine.for %{{.*}} = 0 to 16
#geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>
#end = affine_map<(i)[k] -> (16, k - i)>
#sum = affine_map<(i, j) -> (i + j)>
gpu.module @kernels {
  gpu.func @integers(%a: memref<?xi8>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi8, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    %sums:2 = affine.for %i = 0 to %k step 16 iter_args(%s0 = %zero, %s1 = %zero) -> (i32, i32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply #sum(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        scf.if %exists {
          %v = affine.load %a[%i + %j] : memref<?xi8>
          %w = arith.addi %v, %v : i8
          affine.store %w, %tile[%j] : memref<16xi8, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      %next:2 = affine.for %j = 0 to min #end(%i)[%k] iter_args(%t0 = %s0, %t1 = %s1) -> (i32, i32) {
        %x = affine.load %tile[%j] : memref<16xi8, #gpu.address_space<workgroup>>
        %wide = arith.extsi %x : i8 to i32
        %other = arith.extui %x : i8 to i32
        %p = arith.muli %wide, %wide : i32
        %q = arith.muli %wide, %other : i32
        %u0 = arith.addi %t0, %p : i32
        %u1 = arith.subi %t1, %q : i32
        %w1 = arith.addi %u1, %other : i32
        affine.yield %u0, %w1 : i32, i32
      }
      gpu.barrier
      affine.yield %next#0, %next#1 : i32, i32
    }
    affine.store %sums#0, %c[0] : memref<?xi32>
    affine.store %sums#1, %c[1] : memref<?xi32>
    gpu.return
  }
}
