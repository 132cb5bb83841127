// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-reroll-loops)))" | FileCheck %s

#last = affine_map<()[s0] -> (s0 - 1)>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @product(
  // CHECK:         %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32) {
  // CHECK-NEXT:      affine.load %{{.*}}[%[[I]]]
  // CHECK-NEXT:      affine.load %{{.*}}[%[[I]] + 3]
  // CHECK-NEXT:      arith.mulf
  // CHECK-NEXT:      arith.addf %[[A]]
  // CHECK-NEXT:      affine.yield
  // CHECK-NEXT:    }
  // CHECK-NEXT:    affine.store %[[SUM]]
  gpu.func @product(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -1 : index
    %k = arith.index_cast %n : i32 to index
    %length = arith.addi %k, %minus : index
    %positive = arith.maxsi %length, %c0 : index
    %steps = arith.ceildivsi %positive, %c2 : index
    %last = arith.muli %steps, %c2 : index
    %wide = arith.index_cast %last : index to i64
    %narrow = arith.trunci %wide : i64 to i32
    %end = arith.index_cast %narrow : i32 to index
    %s = affine.for %i = 0 to #last()[%k] step 2 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %y = affine.load %b[%i + 3] : memref<?xf32>
      %p = arith.mulf %x, %y fastmath<contract> : f32
      // Loads may stand anywhere.
      %y2 = affine.load %b[%i + 4] : memref<?xf32>
      %u = arith.addf %t, %p fastmath<contract> : f32
      %x2 = affine.load %a[%i + 1] : memref<?xf32>
      %p2 = arith.mulf %x2, %y2 fastmath<contract> : f32
      %v = arith.addf %u, %p2 fastmath<contract> : f32
      affine.yield %v : f32
    }
    %r = affine.for %i = %end to %k iter_args(%t = %s) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %y = affine.load %b[%i + 3] : memref<?xf32>
      %p = arith.mulf %x, %y fastmath<contract> : f32
      %u = arith.addf %t, %p fastmath<contract> : f32
      affine.yield %u : f32
    }
    affine.store %r, %c[0] : memref<?xf32>
    gpu.return
  }

  // The second one loads the same element again.
  // CHECK-LABEL: gpu.func @other_element(
  // CHECK: affine.for {{.*}} step 2
  gpu.func @other_element(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -1 : index
    %k = arith.index_cast %n : i32 to index
    %length = arith.addi %k, %minus : index
    %positive = arith.maxsi %length, %c0 : index
    %steps = arith.ceildivsi %positive, %c2 : index
    %last = arith.muli %steps, %c2 : index
    %s = affine.for %i = 0 to #last()[%k] step 2 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      %y = affine.load %a[%i + 2] : memref<?xf32>
      %v = arith.addf %u, %y : f32
      affine.yield %v : f32
    }
    %r = affine.for %i = %last to %k iter_args(%t = %s) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %r, %c[0] : memref<?xf32>
    gpu.return
  }

  // Sums in another order: (x + y) + t.
  // CHECK-LABEL: gpu.func @other_order(
  // CHECK: affine.for {{.*}} step 2
  gpu.func @other_order(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -1 : index
    %k = arith.index_cast %n : i32 to index
    %length = arith.addi %k, %minus : index
    %positive = arith.maxsi %length, %c0 : index
    %steps = arith.ceildivsi %positive, %c2 : index
    %last = arith.muli %steps, %c2 : index
    %s = affine.for %i = 0 to #last()[%k] step 2 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %y = affine.load %a[%i + 1] : memref<?xf32>
      %u = arith.addf %x, %y : f32
      %v = arith.addf %t, %u : f32
      affine.yield %v : f32
    }
    %r = affine.for %i = %last to %k iter_args(%t = %s) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %r, %c[0] : memref<?xf32>
    gpu.return
  }

  // One element is left out: the first loop ends two before %k.
  // CHECK-LABEL: gpu.func @other_end(
  // CHECK: affine.for {{.*}} step 2
  gpu.func @other_end(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -2 : index
    %k = arith.index_cast %n : i32 to index
    %length = arith.addi %k, %minus : index
    %positive = arith.maxsi %length, %c0 : index
    %steps = arith.ceildivsi %positive, %c2 : index
    %last = arith.muli %steps, %c2 : index
    %s = affine.for %i = 0 to affine_map<()[s0] -> (s0 - 2)>()[%k] step 2 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      %y = affine.load %a[%i + 1] : memref<?xf32>
      %v = arith.addf %u, %y : f32
      affine.yield %v : f32
    }
    %r = affine.for %i = %last to %k iter_args(%t = %s) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %r, %c[0] : memref<?xf32>
    gpu.return
  }

  // A store of one iteration may be what the next one loads.
  // CHECK-LABEL: gpu.func @stores(
  // CHECK: affine.for {{.*}} step 2
  gpu.func @stores(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %minus = arith.constant -1 : index
    %k = arith.index_cast %n : i32 to index
    %length = arith.addi %k, %minus : index
    %positive = arith.maxsi %length, %c0 : index
    %steps = arith.ceildivsi %positive, %c2 : index
    %last = arith.muli %steps, %c2 : index
    %s = affine.for %i = 0 to #last()[%k] step 2 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      affine.store %u, %c[%i] : memref<?xf32>
      %y = affine.load %a[%i + 1] : memref<?xf32>
      %v = arith.addf %u, %y : f32
      affine.yield %v : f32
    }
    %r = affine.for %i = %last to %k iter_args(%t = %s) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %r, %c[0] : memref<?xf32>
    gpu.return
  }
}
