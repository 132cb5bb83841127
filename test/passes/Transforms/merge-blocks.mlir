// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=2 target=sm_90" --canonicalize --split-input-file | FileCheck %s

// A coalesced matrix product whose threads each load an element of the tile: both
// blocks need the same row of a, the first one loads it. The same from a collective
// loop is figure 8 of Yang et al. 2012 (test/paper/yang2012-fig08.cu).

// CHECK-LABEL: gpu.func @mm
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]>
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[SUB:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} step 16
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[SUB]], %{{.*}}
// CHECK:   scf.if %[[FIRST]] {
// CHECK-NEXT: %[[V:.*]] = affine.load %{{.*}}[{{.*}}, %[[I]] + symbol(%[[T]]) mod 16]
// CHECK-NEXT: affine.store %[[V]], %[[TILE]][symbol(%[[T]]) mod 16]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK:   affine.for %[[K:.*]] = 0 to 16
// CHECK:     affine.load %[[TILE]][%[[K]]]
// CHECK:     affine.load %{{.*}}[%[[I]] + %[[K]], symbol(%[[T]]) + symbol(%[[B]]) * 32]
// CHECK:   gpu.barrier
// CHECK: affine.store %{{.*}}, %{{.*}}[{{.*}}, symbol(%[[T]]) + symbol(%[[B]]) * 32]
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %idy = gpu.block_id y
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %A[%idy, %i + %tx] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %tile[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %y = affine.load %B[%i + %kk, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %u = arith.addf %t, %p fastmath<contract> : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

// -----

// The matrix-vector product: rows are a block's own, the vector is
// everyone's; the loop that stages rows is every sub-block's.

// CHECK-LABEL: gpu.func @mv
// CHECK-SAME: workgroup(%[[VEC:.*]] : memref<16xf32, {{.*}}>, %[[ROWS:.*]] : memref<2x16x17xf32, {{.*}}>)
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: affine.for
// CHECK:   scf.if
// CHECK:     affine.load
// CHECK:     affine.store %{{.*}}, %[[VEC]][symbol(%[[T]]) mod 16]
// CHECK:   }
// CHECK:   affine.for %[[L:.*]] = 0 to 16 {
// CHECK:     affine.store %{{.*}}, %[[ROWS]][symbol(%[[T]]) floordiv 16, %[[L]], symbol(%[[T]]) mod 16]
// CHECK:   gpu.barrier
// CHECK:     affine.load %[[ROWS]][symbol(%[[T]]) floordiv 16, symbol(%[[T]]) mod 16, %{{.*}}]
// CHECK:     memref.load %[[VEC]]
gpu.module @kernels {
  gpu.func @mv(%a: memref<?x?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %n: index, %k: index)
      workgroup(%vec: memref<16xf32, #gpu.address_space<workgroup>>,
                %rows: memref<16x17xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %b[%i + %tx] : memref<?xf32>
      affine.store %v, %vec[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
      affine.for %l = 0 to 16 {
        %w = affine.load %a[%bx * 16 + %l, %i + %tx] : memref<?x?xf32>
        affine.store %w, %rows[%l, %tx] : memref<16x17xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %rows[%tx, %kk] : memref<16x17xf32, #gpu.address_space<workgroup>>
        %y = memref.load %vec[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %u = arith.addf %t, %p fastmath<contract> : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    affine.store %sum, %c[%idx] : memref<?xf32>
    gpu.return
  }
}

// -----

// All blocks fill the array alike, but a thread reads its own element without a
// barrier before: it would be another thread's. The loop back to the store has
// no barrier either.

// CHECK-LABEL: gpu.func @no_barrier
// CHECK-SAME: workgroup(%{{.*}} : memref<2x16xf32, {{.*}}>, %{{.*}} : memref<2x16xf32, {{.*}}>)
// CHECK-NOT: scf.if
// CHECK: memref.load %{{.*}}[%[[SUB:[a-z0-9_]+]], %{{.*}}]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[SUB]], %{{.*}}]
gpu.module @kernels {
  gpu.func @no_barrier(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%own: memref<16xf32, #gpu.address_space<workgroup>>,
                %around: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %v = affine.load %a[%tx] : memref<?xf32>
    memref.store %v, %own[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
    %w = memref.load %own[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %w, %c[%idx] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %around[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %around[%i] : memref<16xf32, #gpu.address_space<workgroup>>
      affine.store %x, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Conversions and roundings that only the vendor has are arithmetic, and so are functions of numbers that a library has: no
// block learns of another by them.
// CHECK-LABEL: gpu.func @vendor_arithmetic(
// CHECK-SAME: items_per_block = [32, 1, 1]
gpu.module @kernels {
  llvm.func @cbrtf(f32) -> f32
  gpu.func @vendor_arithmetic(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xi16> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %x = affine.load %a[%idx] : memref<?xf32>
    %root = llvm.call @cbrtf(%x) : (f32) -> f32
    %sum = llvm.call_intrinsic "llvm.nvvm.add.rz.f"(%root, %x) : (f32, f32) -> f32
    %small = llvm.inline_asm "{ .reg .b16 low; cvt.rn.satfinite.e4m3x2.f32 $0, $1, $1; }", "=h,f" %sum : (f32) -> i16
    affine.store %small, %c[%idx] : memref<?xi16>
    gpu.return
  }
}
