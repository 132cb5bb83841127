// RUN: gpuopt-opt %s --gpuopt-number-switch-cases --mlir-print-local-scope | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @wide
  // CHECK-SAME: %[[X:.*]]: index,
  // CHECK: %[[IS16:.*]] = arith.cmpi eq, %[[X]], %c16
  // CHECK: %[[FIRST:.*]] = arith.select %[[IS16]], %c0{{.*}}, %c2
  // CHECK: %[[ISLARGE:.*]] = arith.cmpi eq, %[[X]], %c8589934608
  // CHECK: %[[NUMBER:.*]] = arith.select %[[ISLARGE]], %c1{{.*}}, %[[FIRST]]
  // CHECK: scf.index_switch %[[NUMBER]]
  // CHECK-NEXT: case 0 {
  // CHECK: case 1 {
  // CHECK: default {
  gpu.func @wide(%x: index, %a: memref<?xi32>, %one: i32, %two: i32, %three: i32) kernel {
    %c0 = arith.constant 0 : index
    %v = scf.index_switch %x -> i32
    case 16 {
      scf.yield %one : i32
    }
    case 8589934608 {
      scf.yield %two : i32
    }
    default {
      scf.yield %three : i32
    }
    memref.store %v, %a[%c0] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @narrow
  // CHECK: %[[I:.*]] = arith.index_castui
  // CHECK-NEXT: scf.index_switch %[[I]]
  // CHECK-NEXT: case 16 {
  gpu.func @narrow(%x: i32, %a: memref<?xi32>, %one: i32, %two: i32) kernel {
    %c0 = arith.constant 0 : index
    %i = arith.index_castui %x : i32 to index
    %v = scf.index_switch %i -> i32
    case 16 {
      scf.yield %one : i32
    }
    default {
      scf.yield %two : i32
    }
    memref.store %v, %a[%c0] : memref<?xi32>
    gpu.return
  }
  // As an index -1 is not 4294967295, of which it has the bits.
  // CHECK-LABEL: gpu.func @beyond
  // CHECK: arith.cmpi eq, %{{.*}}, %c4294967295
  gpu.func @beyond(%x: i32, %a: memref<?xi32>, %one: i32, %two: i32) kernel {
    %c0 = arith.constant 0 : index
    %i = arith.index_cast %x : i32 to index
    %v = scf.index_switch %i -> i32
    case 4294967295 {
      scf.yield %one : i32
    }
    default {
      scf.yield %two : i32
    }
    memref.store %v, %a[%c0] : memref<?xi32>
    gpu.return
  }
}
