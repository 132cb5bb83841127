// RUN: gpuopt-opt %s --gpuopt-join-stores | FileCheck %s

!tile = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Inner branches first: all three are one store.
  // CHECK-LABEL: gpu.func @nested(
  // CHECK: %[[W:.*]]:2 = scf.if %{{.*}} -> (i32, f32) {
  // CHECK:   %[[V:.*]] = scf.if %{{.*}} -> (f32) {
  // CHECK:     %[[X:.*]] = affine.load
  // CHECK:     scf.yield %[[X]] : f32
  // CHECK:   scf.yield %{{.*}}, %[[V]] : i32, f32
  // CHECK: } else {
  // CHECK:   scf.yield %{{.*}}, %{{.*}} : i32, f32
  // CHECK: }
  // CHECK-NEXT: affine.store %[[W]]#1, %{{.*}}[symbol(%{{.*}})]
  // CHECK-NEXT: memref.store %[[W]]#0
  gpu.func @nested(%a: memref<?xf32>, %s: !tile, %n: memref<64xi32>, %c: i1, %d: i1, %t: index) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %count = scf.if %c -> (i32) {
      scf.if %d {
        %v = affine.load %a[symbol(%t)] : memref<?xf32>
        affine.store %v, %s[symbol(%t)] : !tile
      } else {
        affine.store %zero, %s[symbol(%t)] : !tile
      }
      scf.yield %one : i32
    } else {
      affine.store %zero, %s[symbol(%t)] : !tile
      scf.yield %two : i32
    }
    memref.store %count, %n[%t] : memref<64xi32>
    gpu.return
  }

  // Other elements, an index that only one side knows, something behind the store, one side only; global memory.
  // CHECK-LABEL: gpu.func @kept(
  // CHECK-NOT: -> (f32)
  // CHECK: gpu.return
  gpu.func @kept(%s: !tile, %out: memref<64xf32>, %c: i1, %t: index) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    scf.if %c {
      affine.store %one, %s[symbol(%t)] : !tile
    } else {
      affine.store %zero, %s[symbol(%t) + 1] : !tile
    }
    scf.if %c {
      %i = arith.addi %t, %t : index
      memref.store %one, %s[%i] : !tile
    } else {
      memref.store %zero, %s[%t] : !tile
    }
    scf.if %c {
      memref.store %one, %s[%t] : !tile
      affine.store %one, %s[symbol(%t) + 1] : !tile
    } else {
      memref.store %zero, %s[%t] : !tile
    }
    scf.if %c {
      memref.store %one, %s[%t] : !tile
    }
    scf.if %c {
      memref.store %one, %out[%t] : memref<64xf32>
    } else {
      memref.store %zero, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
}
