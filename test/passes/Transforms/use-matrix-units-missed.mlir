// RUN: gpuopt-opt %s --gpuopt-use-matrix-units="target=sm_80" --split-input-file --remarks-filter=gpuopt --remark-format=emitRemark -verify-diagnostics | FileCheck %s

// CHECK-NOT: nvgpu

// The order of the sum is the source's.

gpu.module @kernels {
  gpu.func @order(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      // expected-remark @below {{matrix units of 312 Tflop/s are left alone: they add products in an order of their own, and the sum is not marked 'reassoc' (--reassociate)}}
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Not all lanes of a subgroup are there.

gpu.module @kernels {
  gpu.func @guarded(%c: memref<?xf32>, %n: index)
      workgroup(%a_tile: memref<16x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x16xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %few = arith.cmpi slt, %tx, %n : index
    scf.if %few {
      // expected-remark @below {{not all threads of a block get to the loop}}
      %r:1 = affine.for %k = 0 to 16 iter_args(%s = %zero) -> (f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<16x16xf16, #gpu.address_space<workgroup>>
        %b0 = affine.load %b_tile[%k, symbol(%tx)] : memref<16x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %g0 = arith.extf %b0 : f16 to f32
        %p = arith.mulf %f0, %g0 : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      affine.store %r#0, %c[symbol(%tx)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A thread of one row has no sums for a fragment of sixteen.

gpu.module @kernels {
  gpu.func @row(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<16x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 1, 1], items_per_block = [32, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:2 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero)
        -> (f32, f32) {
      gpu.barrier
      // expected-remark @below {{a thread has too few work items: 1 x 2}}
      %r:2 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1)
          -> (f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<16x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        affine.yield %u00, %u01 : f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1 : f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Subgroups have other shapes.

gpu.module @kernels {
  // expected-remark @below {{a block of 10 x 16 x 1 threads is none of subgroups of 4 x 8 threads}}
  gpu.func @shape(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [10, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [20, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 20] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 20] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 20] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 20] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// What lanes exchange depends on who they are.

gpu.module @kernels {
  gpu.func @shuffled(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %l = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    // expected-remark @below {{'gpu.shuffle' may depend on how threads are grouped}}
    %x, %v = gpu.shuffle xor %l, %l, %w : i32
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Rows and columns both follow x.

gpu.module @kernels {
  gpu.func @diagonal(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      // expected-remark @below {{rows and columns do not follow the block's two directions}}
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%tx), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%tx) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Tiles are no multiple of the unit.

gpu.module @kernels {
  gpu.func @depth(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x24xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<24x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 24 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      // expected-remark @below {{the target has no unit for 24 products of f16 summed up in f32}}
      %r:4 = affine.for %k = 0 to 24 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x24xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x24xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<24x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<24x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// No unit multiplies floats without dropping bits. Nothing is said.

gpu.module @kernels {
  gpu.func @floats(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf32, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf32, #gpu.address_space<workgroup>>
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf32, #gpu.address_space<workgroup>>
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf32, #gpu.address_space<workgroup>>
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf32, #gpu.address_space<workgroup>>
        %p00 = arith.mulf %a0, %b0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %a0, %b1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %a1, %b0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %a1, %b1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Unsigned bytes have units that are not used. Nothing is said.

gpu.module @kernels {
  gpu.func @unsigned(%c: memref<?x?xi32>, %n: index)
      workgroup(%a_tile: memref<32x32xi8, #gpu.address_space<workgroup>>,
                %b_tile: memref<32x32xi8, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 32 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (i32, i32, i32, i32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 32 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (i32, i32, i32, i32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %f0 = arith.extui %a0 : i8 to i32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %f1 = arith.extui %a1 : i8 to i32
        %b0 = affine.load %b_tile[symbol(%tx) * 2, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %g0 = arith.extui %b0 : i8 to i32
        %b1 = affine.load %b_tile[symbol(%tx) * 2 + 1, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %g1 = arith.extui %b1 : i8 to i32
        %p00 = arith.muli %f0, %g0 : i32
        %u00 = arith.addi %t0, %p00 : i32
        %p01 = arith.muli %f0, %g1 : i32
        %u01 = arith.addi %t1, %p01 : i32
        %p10 = arith.muli %f1, %g0 : i32
        %u10 = arith.addi %t2, %p10 : i32
        %p11 = arith.muli %f1, %g1 : i32
        %u11 = arith.addi %t3, %p11 : i32
        affine.yield %u00, %u01, %u10, %u11 : i32, i32, i32, i32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xi32>
    gpu.return
  }
}

// -----

// A loop that does anything else is no contraction: nothing is said.

gpu.module @kernels {
  gpu.func @other(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.store %u00, %c[0, 0] : memref<?x?xf32>
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}
