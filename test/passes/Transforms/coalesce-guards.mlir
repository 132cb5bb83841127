// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --cse --split-input-file | FileCheck %s

// All threads get to the barriers, also those that the outer guard keeps from
// computing the inner one, where its sum may wrap around: nobody branches on it
// for them.
// CHECK-LABEL: gpu.func @nested
// CHECK: %[[GY:.*]] = arith.cmpi slt, %{{.*}} : index
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: %[[GX:.*]] = arith.cmpi slt, %[[SUM]]
// CHECK: %[[GUARD:.*]] = arith.select %[[GY]], %[[GX]], %false : i1
// CHECK-NOT: arith.andi %[[GY]], %[[GX]]
// CHECK: affine.for
// CHECK: gpu.barrier
// CHECK: scf.if %[[GUARD]]
gpu.module @kernels {
  gpu.func @nested(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                   %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index,
                   %p: i32, %q: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gy = arith.cmpi slt, %idy, %m : index
    scf.if %gy {
      %x32 = arith.index_cast %idx : index to i32
      %x = arith.addi %x32, %p overflow<nsw> : i32
      %gx = arith.cmpi slt, %x, %q : i32
      scf.if %gx {
        %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
          %u = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
          %v = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
          %w = arith.mulf %u, %v : f32
          %t = arith.addf %s, %w : f32
          affine.yield %t : f32
        }
        affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
}

// -----

// A loop that all threads run now counts by a step that the guard had kept
// positive, to a bound that only the guard keeps from wrapping around.
// CHECK-LABEL: gpu.func @bounds
// CHECK: arith.muli %{{.*}}, %{{.*}} : index
// CHECK-NOT: overflow<nsw>
// CHECK: %[[STEP:.*]] = arith.maxsi %{{.*}}, %c1{{.*}} : index
// CHECK: scf.for {{.*}} step %[[STEP]]
gpu.module @kernels {
  gpu.func @bounds(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                   %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index,
                   %p: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %gp = arith.cmpi sgt, %p, %c0 : index
    %gxy = arith.andi %gx, %gy : i1
    %g = arith.andi %gxy, %gp : i1
    scf.if %g {
      %end = arith.muli %p, %p overflow<nsw> : index
      %all = scf.for %o = %c0 to %end step %p iter_args(%r = %zero) -> (f32) {
        %sum = affine.for %i = 0 to %k iter_args(%s = %r) -> (f32) {
          %u = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
          %v = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
          %w = arith.mulf %u, %v : f32
          %t = arith.addf %s, %w : f32
          affine.yield %t : f32
        }
        scf.yield %sum : f32
      }
      affine.store %all, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
