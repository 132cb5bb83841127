// RUN: gpuopt-opt %s --gpuopt-relax-barriers="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
//
// Lanes of old targets cannot wait for each other.
// RUN: gpuopt-opt %s --gpuopt-relax-barriers="target=nvidia-gtx285" --split-input-file | FileCheck %s --check-prefix=OLD
// OLD-NOT: __gpuopt_subgroup_barrier

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>
!tile = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // A thread reads its own element; then one of its subgroup; then one of another subgroup.
  // CHECK-LABEL: gpu.func @scopes(
  // CHECK: affine.store
  // CHECK-NEXT: affine.load
  // CHECK-NEXT: affine.store
  // CHECK-NEXT: %[[ALL:.*]] = arith.constant -1 : i64
  // CHECK-NEXT: llvm.call @__gpuopt_subgroup_barrier(%[[ALL]])
  // CHECK-NEXT: affine.load
  // CHECK-NEXT: affine.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: affine.load
  gpu.func @scopes(%in: memref<64xf32>, %out: memref<64xf32>) workgroup(%a: !tile, %b: !tile, %c: !tile)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %v = affine.load %in[%t] : memref<64xf32>
    affine.store %v, %a[%t] : !tile
    // expected-remark@below {{of 3 barrier(s) 1 keep nobody apart and are gone, 1 concern the lanes of a subgroup only}}
    gpu.barrier
    %w = affine.load %a[%t] : !tile
    affine.store %w, %b[%t] : !tile
    gpu.barrier
    %x = affine.load %b[%t - %t mod 32] : !tile
    affine.store %x, %c[%t] : !tile
    gpu.barrier
    %y = affine.load %c[63 - %t] : !tile
    affine.store %y, %out[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [128, 1, 1]>
!tile = memref<128xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Of a tree over 128 elements whoever reads at distance 16 reads what its own subgroup wrote at distance 32.
  // CHECK-LABEL: gpu.func @tree(
  // CHECK: affine.store
  // CHECK: gpu.barrier
  // CHECK: scf.if
  // CHECK: affine.load %{{.*}}[%{{.*}} + 64]
  // CHECK: gpu.barrier
  // CHECK: scf.if
  // CHECK: affine.load %{{.*}}[%{{.*}} + 32]
  // CHECK: llvm.call @__gpuopt_subgroup_barrier
  // CHECK: scf.if
  // CHECK: affine.load %{{.*}}[%{{.*}} + 16]
  gpu.func @tree(%in: memref<128xi32>, %out: memref<1xi32>) workgroup(%s: !tile)
      kernel attributes {gpuopt.geometry = #line} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %v = affine.load %in[%t] : memref<128xi32>
    affine.store %v, %s[%t] : !tile
    gpu.barrier
    %in64 = arith.cmpi slt, %t, %c64 : index
    scf.if %in64 {
      %l = affine.load %s[%t] : !tile
      %r = affine.load %s[%t + 64] : !tile
      %sum = arith.addi %l, %r : i32
      affine.store %sum, %s[%t] : !tile
    }
    gpu.barrier
    %in32 = arith.cmpi slt, %t, %c32 : index
    scf.if %in32 {
      %l = affine.load %s[%t] : !tile
      %r = affine.load %s[%t + 32] : !tile
      %sum = arith.addi %l, %r : i32
      affine.store %sum, %s[%t] : !tile
    }
    // expected-remark@below {{of 3 barrier(s) 0 keep nobody apart and are gone, 1 concern the lanes}}
    gpu.barrier
    %in16 = arith.cmpi slt, %t, %c16 : index
    scf.if %in16 {
      %l = affine.load %s[%t] : !tile
      %r = affine.load %s[%t + 16] : !tile
      %sum = arith.addi %l, %r : i32
      affine.store %sum, %s[%t] : !tile
    }
    gpu.return
  }
}

// -----

#small = #gpuopt.geometry<block = [16, 2, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [16, 2, 1]>
!tile = memref<32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // A block of one subgroup needs no more than its lanes, whatever is accessed.
  // CHECK-LABEL: gpu.func @one_subgroup(
  // CHECK-NOT: gpu.barrier
  // CHECK: llvm.call @__gpuopt_subgroup_barrier
  gpu.func @one_subgroup(%at: memref<32xindex>, %out: memref<32xf32>, %v: f32) workgroup(%s: !tile)
      kernel attributes {gpuopt.geometry = #small} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %i = affine.load %at[%y * 16 + %x] : memref<32xindex>
    memref.store %v, %s[%i] : !tile
    // expected-remark@below {{of 1 barrier(s) 0 keep nobody apart and are gone, 1 concern the lanes}}
    gpu.barrier
    %w = affine.load %s[%y * 16 + %x] : !tile
    affine.store %w, %out[%y * 16 + %x] : memref<32xf32>
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>
!tile = memref<64xf32, #gpu.address_space<workgroup>>
!rows = memref<16x64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Two tiles are filled one behind the other: the barrier between the fills goes, the one before the loop that reads them stays. Nor
  // does anybody wait at the beginning.
  // CHECK-LABEL: gpu.func @fills(
  // CHECK-NOT: gpu.barrier
  // CHECK: affine.for
  // CHECK: affine.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}]
  // CHECK-NOT: gpu.barrier
  // CHECK: affine.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<64xf32
  // CHECK: gpu.barrier
  // CHECK: affine.for
  // CHECK: affine.load %{{.*}}[%{{.*}}, -%{{.*}} + 63]
  gpu.func @fills(%in: memref<16x64xf32>, %out: memref<64xf32>) workgroup(%a: !rows, %b: !tile)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    // expected-remark@below {{of 3 barrier(s) 2 keep nobody apart and are gone}}
    gpu.barrier
    affine.for %i = 0 to 16 {
      %v = affine.load %in[%i, %t] : memref<16x64xf32>
      affine.store %v, %a[%i, %t] : !rows
    }
    gpu.barrier
    affine.store %zero, %b[%t] : !tile
    gpu.barrier
    %sum = affine.for %i = 0 to 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %a[%i, 63 - %t] : !rows
      %w = affine.load %b[63 - %t] : !tile
      %p = arith.mulf %v, %w : f32
      %n = arith.addf %s, %p : f32
      affine.yield %n : f32
    }
    affine.store %sum, %out[%t] : memref<64xf32>
    gpu.return
  }
}
