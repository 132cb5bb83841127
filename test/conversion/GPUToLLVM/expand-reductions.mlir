// Reductions become shuffles and, over a block, one array of workgroup memory
// that every thread reads in the same order.
//
// RUN: gpuopt-opt %s -split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-reductions))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @subgroup(
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT:   gpu.subgroup_reduce
  gpu.func @subgroup(%a: memref<?xf32>, %i: index) kernel {
    %x = memref.load %a[%i] : memref<?xf32>
    %sum = gpu.subgroup_reduce add %x : (f32) -> f32
    memref.store %sum, %a[%i] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @block(
  // CHECK-SAME:    workgroup(%[[PARTIAL:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
  // CHECK-COUNT-5: gpu.shuffle down
  // CHECK:       scf.if
  // CHECK-NEXT:    memref.store %{{.*}}, %[[PARTIAL]]
  // CHECK:       gpu.barrier
  // CHECK:       scf.for
  // CHECK:         arith.maximumf
  // CHECK:       gpu.barrier
  gpu.func @block(%a: memref<?xf32>, %i: index) kernel {
    %x = memref.load %a[%i] : memref<?xf32>
    %most = gpu.all_reduce maximumf %x {} : (f32) -> f32
    memref.store %most, %a[%i] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @body(
  // CHECK:       scf.for
  // CHECK:         arith.subf
  gpu.func @body(%a: memref<?xf32>, %i: index) kernel {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = gpu.all_reduce %x uniform {
    ^bb0(%left: f32, %right: f32):
      %difference = arith.subf %left, %right : f32
      gpu.yield %difference : f32
    } : (f32) -> f32
    memref.store %y, %a[%i] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @some(%a: memref<?xf32>, %i: index, %c: i1) kernel {
    scf.if %c {
      %x = memref.load %a[%i] : memref<?xf32>
      // expected-error @below {{'gpu.all_reduce' in a branch or a loop must be marked 'uniform'}}
      %sum = gpu.all_reduce add %x {} : (f32) -> f32
      memref.store %sum, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
