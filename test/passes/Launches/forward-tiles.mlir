// RUN: gpuopt-opt %s --gpuopt-forward-tiles --mlir-print-local-scope --split-input-file --verify-roundtrip | FileCheck %s

// A product that is tiled by hand. What thread k of the row, and of the column,
// has stored is what a[y, p * 16 + k] and b[p * 16 + k, x] are.
// CHECK-LABEL: gpu.func @product(
// CHECK-SAME: gpuopt.fallback = @product__original
// CHECK-NOT: workgroup(
// CHECK: affine.for %[[P:.*]] = 0 to 8
// CHECK-NOT: gpu.barrier
// CHECK: affine.for %[[K:.*]] = 0 to 16
// CHECK: affine.load %{{.*}}[symbol(%{{.*}}), %[[P]] * 16 + %[[K]]] : memref<128x128xf32>
// CHECK: affine.load %{{.*}}[%[[P]] * 16 + %[[K]], symbol(%{{.*}})] : memref<128x128xf32>
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @product(%a: memref<128x128xf32> {llvm.noalias}, %b: memref<128x128xf32> {llvm.noalias}, %c: memref<128x128xf32> {llvm.noalias})
      workgroup(%s: memref<16x16xf32, #gpu.address_space<workgroup>>, %t: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = gpu.global_id x
    %y = gpu.global_id y
    %sum = affine.for %p = 0 to 8 iter_args(%v = %zero) -> (f32) {
      %e = affine.load %a[symbol(%y), %p * 16 + symbol(%tx)] : memref<128x128xf32>
      affine.store %e, %s[symbol(%ty), symbol(%tx)] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %f = affine.load %b[%p * 16 + symbol(%ty), symbol(%x)] : memref<128x128xf32>
      affine.store %f, %t[symbol(%ty), symbol(%tx)] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = affine.for %k = 0 to 16 iter_args(%u = %v) -> (f32) {
        %g = affine.load %s[symbol(%ty), %k] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %h = affine.load %t[%k, symbol(%tx)] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %m = arith.mulf %g, %h : f32
        %n = arith.addf %u, %m : f32
        affine.yield %n : f32
      }
      gpu.barrier
      affine.yield %w : f32
    }
    affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<128x128xf32>
    gpu.return
  }
}

// -----

// Threads that go through an array together, 64 elements at a time: element j
// is what the one stored whose iterator was j. It is a padded tile of 8 rows.
// CHECK-LABEL: gpu.func @together(
// CHECK-NOT: gpu.barrier
// CHECK: affine.for %[[Q:.*]] = 0 to 8
// CHECK: affine.for %[[K:.*]] = 0 to 16
// CHECK: affine.load %{{.*}}[%[[Q]], %[[K]]] : memref<8x16xf32, strided<[16, 1]>>
gpu.module @kernels {
  gpu.func @together(%w: memref<128xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<8x17xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %x = gpu.global_id x
    affine.for %i = affine_map<()[s0] -> (s0)>()[%tx] to 128 step 64 {
      %e = affine.load %w[%i] : memref<128xf32>
      affine.store %e, %s[%i floordiv 16, %i mod 16] : memref<8x17xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %sum = affine.for %q = 0 to 8 iter_args(%v = %zero) -> (f32) {
      %row = affine.for %k = 0 to 16 iter_args(%u = %v) -> (f32) {
        %g = affine.load %s[%q, %k] : memref<8x17xf32, #gpu.address_space<workgroup>>
        %n = arith.addf %u, %g : f32
        affine.yield %n : f32
      }
      affine.yield %row : f32
    }
    affine.store %sum, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Each thread stores four rows of the tile; the tile is read transposed. The
// row is 8 * j + ty.
// CHECK-LABEL: gpu.func @rows(
// CHECK-NOT: gpu.barrier
// CHECK: affine.for %[[I:.*]] = 0 to 32 step 8
// CHECK: affine.load %{{.*}}[symbol(%[[TX:[^)]*]]) + symbol(%[[BY:[^)]*]]) * 32, %[[I]] + symbol(%{{[^)]*}}) + symbol(%{{[^)]*}}) * 32]
gpu.module @kernels {
  gpu.func @rows(%a: memref<?x1024xf32> {llvm.noalias}, %c: memref<?x1024xf32> {llvm.noalias})
      workgroup(%s: memref<32x33xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 8, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    affine.for %j = 0 to 32 step 8 {
      %e = affine.load %a[symbol(%by) * 32 + symbol(%ty) + %j, symbol(%bx) * 32 + symbol(%tx)] : memref<?x1024xf32>
      affine.store %e, %s[symbol(%ty) + %j, symbol(%tx)] : memref<32x33xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %i = 0 to 32 step 8 {
      %e = affine.load %s[symbol(%tx), symbol(%ty) + %i] : memref<32x33xf32, #gpu.address_space<workgroup>>
      affine.store %e, %c[symbol(%bx) * 32 + symbol(%ty) + %i, symbol(%by) * 32 + symbol(%tx)] : memref<?x1024xf32>
    }
    gpu.return
  }
}

// -----

// What a guard stores is computed under the other thread's guard; the loop goes
// into the guard of the work items that use its sum.
// CHECK-LABEL: gpu.func @guarded(
// CHECK: scf.if %{{.*}} {
// CHECK:   affine.for %[[P:.*]] = 0 to 8
// CHECK:     %[[POSITION:.*]] = affine.apply affine_map<(d0) -> (d0 * 64 + 63)>(%[[P]])
// CHECK:     %[[INSIDE:.*]] = arith.cmpi slt, %[[POSITION]], %{{.*}} : index
// CHECK:     scf.if %[[INSIDE]]
// CHECK:       affine.load %{{.*}}[%[[P]] * 64 + 63]
// CHECK:   affine.store
gpu.module @kernels {
  gpu.func @guarded(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %x = gpu.global_id x
    %sum = affine.for %p = 0 to 8 iter_args(%v = %zero) -> (f32) {
      %i = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0)>(%p)[%tx]
      %inside = arith.cmpi slt, %i, %n : index
      %e = scf.if %inside -> (f32) {
        %d = affine.load %a[%p * 64 + symbol(%tx)] : memref<?xf32>
        scf.yield %d : f32
      } else {
        scf.yield %zero : f32
      }
      affine.store %e, %s[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %g = affine.load %s[63] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = arith.addf %v, %g : f32
      affine.yield %w : f32
    }
    %guard = arith.cmpi slt, %x, %n : index
    scf.if %guard {
      affine.store %sum, %c[symbol(%x)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// One tile says where to look in the other one; under a guard the place is no
// affine dimension.
// CHECK-LABEL: gpu.func @lookup(
// CHECK-NOT: workgroup(
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK:   %[[E:.*]] = affine.load %{{.*}}[symbol(%{{.*}}), -symbol(%{{.*}}) + 255]
// CHECK:   %[[AT:.*]] = arith.index_castui %[[E]] : i8 to index
// CHECK:   memref.load %{{.*}}[%[[AT]]] : memref<?xf32>
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @lookup(%a: memref<?xi8> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%s: memref<256xi8, #gpu.address_space<workgroup>>, %u: memref<256xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xi8>
    affine.store %e, %s[symbol(%t)] : memref<256xi8, #gpu.address_space<workgroup>>
    %f = affine.load %b[symbol(%t)] : memref<?xf32>
    affine.store %f, %u[symbol(%t)] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %inside = arith.cmpi slt, %x, %n : index
    scf.if %inside {
      %g = affine.load %s[-symbol(%t) + 255] : memref<256xi8, #gpu.address_space<workgroup>>
      %i = arith.index_castui %g : i8 to index
      %h = memref.load %u[%i] : memref<256xf32, #gpu.address_space<workgroup>>
      affine.store %h, %c[symbol(%x)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// The sum is not moved into a loop, which would add it up each time.
// CHECK-LABEL: gpu.func @once(
// CHECK: affine.for %{{.*}} = 0 to 8
// CHECK: affine.for %{{.*}} = 0 to 100
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if
// CHECK-NEXT: affine.store
gpu.module @kernels {
  gpu.func @once(%a: memref<?xf32> {llvm.noalias}, %c: memref<?x64xf32> {llvm.noalias}, %n: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %sum = affine.for %p = 0 to 8 iter_args(%v = %zero) -> (f32) {
      %e = affine.load %a[%p * 64 + symbol(%t)] : memref<?xf32>
      affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %g = affine.load %s[63] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = arith.addf %v, %g : f32
      affine.yield %w : f32
    }
    affine.for %j = 0 to 100 {
      %guard = arith.cmpi slt, %j, %n : index
      scf.if %guard {
        affine.store %sum, %c[%j, symbol(%x)] : memref<?x64xf32>
      }
    }
    gpu.return
  }
}
