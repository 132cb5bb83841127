// RUN: gpuopt-opt %s --gpuopt-version-guards --canonicalize | FileCheck %s

// The guard of what follows the loop is computed behind it: it is cloned with the versions of what follows, not with
// those of the fill.

// CHECK-LABEL: gpu.func @guard_behind_loop
// CHECK:       affine.for
// CHECK:         scf.if
// CHECK:         } {gpuopt.unguarded}
// CHECK:       %[[NEXT:.*]] = affine.apply
// CHECK-NEXT:  %[[OWN:.*]] = arith.cmpi slt, %[[NEXT]], %{{.*}}
// CHECK:       scf.if %{{.*}} {
// CHECK-NEXT:    arith.divf
// CHECK-NEXT:    affine.store
// CHECK-NEXT:  } else {
// CHECK-NEXT:    arith.divf
// CHECK-NEXT:    scf.if %[[OWN]]
gpu.module @kernels {
  gpu.func @guard_behind_loop(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %k: index)
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>,
                %other: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 2, 1], items_per_block = [16, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %negative = arith.constant -0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %idy = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%by, %ty)
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%r, %j) = (0, 0) to (32, 16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %row = affine.apply affine_map<(r)[b] -> (r + b * 32)>(%r)[%by]
        %in_row = arith.cmpi slt, %column, %k : index
        %in_column = arith.cmpi slt, %row, %m : index
        %exists = arith.andi %in_row, %in_column : i1
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%r + symbol(%by) * 32, %i + %j] : memref<?x?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %negative : f32
        }
        affine.store %w, %tile[%r, %j] : memref<32x16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      %next_row = affine.apply affine_map<(i) -> (i + 1)>(%i)
      affine.parallel (%j) = (0) to (16) {
        %row = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %row, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%j, %next_row] : memref<?x?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %other[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%ty, %kk] : memref<32x16xf32, #gpu.address_space<workgroup>>
        %y = affine.load %other[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %x, %y : f32
        %u = arith.addf %t, %p : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    %next = affine.apply affine_map<(b, t) -> (b * 32 + t + 1)>(%by, %ty)
    %g = arith.cmpi slt, %next, %m : index
    %half = arith.divf %sum, %sum : f32
    scf.if %g {
      affine.store %half, %c[%idy, %tx] : memref<?x?xf32>
    }
    gpu.return
  }
}
